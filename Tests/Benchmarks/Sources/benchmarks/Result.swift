import Foundation

/// One workload at one size on all loops.
struct Result {
    let title: String
    let unit: String
    let size: Int
    let isDistribution: Bool
    /// Whether brief tables have it.
    let isEssential: Bool
    let measurements: [String: Measurement]

    func value(_ subject: String, _ index: Int = 0) -> Double? {
        measurements[subject]?.median(index)
    }

    static func head(_ subjects: [String]) -> String {
        ruled(["workload", "size"] + subjects + ["ours / CF", "ours / best peer", "ours / floor"])
    }

    /// The head of the lines of `swiftLines`.
    static let swiftHead = ruled(
        ["workload", "size"]
            + ["CoreRunLoop", "RunLoopKit"].flatMap { layer in
                ["ours", "Foundation", "NIO"].map { "\(layer) / \($0)" }
            }
    )

    /// One line, or two for a distribution.
    func lines(_ subjects: [String]) -> [String] {
        names.indices.map { index in
            var columns = [names[index], String(size)]
            columns += subjects.map { written($0, index) }
            columns.append(quotient("ours", "CF", index))
            columns.append(ratioToBestPeer(index))
            columns.append(quotient("ours", "floor", index))
            return Self.row(columns)
        }
    }

    /// The Swift layers beside the engine in C, Foundation's and SwiftNIO's.
    func swiftLines() -> [String] {
        names.indices.compactMap { index in
            let ratios = ["CoreRunLoop", "RunLoopKit"].flatMap { layer in
                ["ours", "Foundation", "NIO"].map { quotient(layer, $0, index) }
            }
            guard ratios.contains(where: { $0 != Self.nothing }) else { return nil }
            return Self.row([names[index], String(size)] + ratios)
        }
    }

    /// Why there are no figures where a loop should have had one.
    func remarks(_ subjects: [String]) -> [String] {
        subjects.compactMap { subject in
            measurements[subject]?.remark.map { "\(title), \(size), \(subject): \($0)" }
        }
    }

    private static let nothing = "–"

    private var names: [String] {
        isDistribution ? ["p50", "p99"].map { "\(title), \($0)" } : [title]
    }

    private static func ruled(_ columns: [String]) -> String {
        row(columns) + "\n" + row(columns.map { _ in "---" })
    }

    private static func row(_ columns: [String]) -> String {
        "| " + columns.joined(separator: " | ") + " |"
    }

    private func ratioToBestPeer(_ index: Int) -> String {
        let peers = Subject.peers.filter { (value($0, index) ?? 0) > 0 }
        let best = peers.min { value($0, index) ?? 0 < value($1, index) ?? 0 }
        guard let best, value("ours", index) != nil else { return Self.nothing }
        return "\(quotient("ours", best, index)) (\(best))"
    }

    private func quotient(_ first: String, _ second: String, _ index: Int) -> String {
        guard let one = value(first, index), let other = value(second, index), other > 0 else {
            return Self.nothing
        }
        return String(format: one / other < 0.1 ? "%.3f" : "%.2f", one / other)
    }

    private func written(_ subject: String, _ index: Int) -> String {
        let text = value(subject, index).map(formatted) ?? Self.nothing
        return measurements[subject]?.remark == nil ? text : text + " *"
    }

    private func formatted(_ value: Double) -> String {
        if unit == "ns", value >= 1e9 { return String(format: "%.2f s", value / 1e9) }
        if unit == "ns", value >= 100_000 { return String(format: "%.0f µs", value / 1000) }
        return String(format: value < 100 ? "%.1f %@" : "%.0f %@", value, unit)
            .trimmingCharacters(in: .whitespaces)
    }
}
