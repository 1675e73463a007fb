import Foundation

/// One workload at one size on all loops.
struct Result {
    let title: String
    let unit: String
    let size: Int
    let isDistribution: Bool
    let measurements: [String: Measurement]

    func value(_ subject: String, _ index: Int = 0) -> Double? {
        measurements[subject]?.median(index)
    }

    static func head(_ subjects: [String]) -> String {
        let columns =
            ["workload", "size"] + subjects + ["ours / CF", "ours / best peer", "ours / floor"]
        return row(columns) + "\n" + row(columns.map { _ in "---" })
    }

    /// One line, or two for a distribution.
    func lines(_ subjects: [String]) -> [String] {
        let names = isDistribution ? ["p50", "p99"] : [""]
        return names.indices.map { index in
            var columns = [[title, names[index]].filter { !$0.isEmpty }.joined(separator: ", ")]
            columns.append(String(size))
            columns += subjects.map { value($0, index).map(written) ?? "–" }
            let peers = Subject.peers.compactMap { value($0, index) }.filter { $0 > 0 }
            for other in [value("CF", index), peers.min(), value("floor", index)] {
                columns.append(ratio(value("ours", index), other))
            }
            return Self.row(columns)
        }
    }

    private static func row(_ columns: [String]) -> String {
        "| " + columns.joined(separator: " | ") + " |"
    }

    private func ratio(_ value: Double?, _ other: Double?) -> String {
        guard let value, let other, other > 0 else { return "–" }
        return String(format: value / other < 0.1 ? "%.3f" : "%.2f", value / other)
    }

    private func written(_ value: Double) -> String {
        if unit == "ns", value >= 100_000 { return String(format: "%.0f us", value / 1000) }
        return String(format: value < 100 ? "%.1f %@" : "%.0f %@", value, unit)
            .trimmingCharacters(in: .whitespaces)
    }
}
