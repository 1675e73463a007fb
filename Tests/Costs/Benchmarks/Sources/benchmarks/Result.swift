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

    /// - Parameters:
    ///   - columns: The loops whose figures are shown.
    ///   - subjects: Those that were measured.
    /// - Returns: The head of the lines of `lines`.
    static func head(_ columns: [String], of subjects: [String]) -> String {
        ruled(["workload", "size"] + columns + ratios(subjects).map(\.title))
    }

    /// The head of the lines of `swiftLines`.
    static let swiftHead = ruled(
        ["workload", "size"] + swiftPairs.map { "\($0.0) / \($0.1)" }
    )

    /// One line, or two for a distribution.
    func lines(_ columns: [String], of subjects: [String]) -> [String] {
        names.indices.map { index in
            let figures = columns.map { written($0, index) }
            let ratios = Self.ratios(subjects).map { $0.text(self, index) }
            return Self.row([names[index], String(size)] + figures + ratios)
        }
    }

    /// The Swift layers beside the engine in C, Foundation's and SwiftNIO's.
    func swiftLines() -> [String] {
        names.indices.compactMap { index in
            let ratios = Self.swiftPairs.map { quotient($0.0, $0.1, index) }
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

    private static let swiftPairs = [
        ("contexts", "ours"), ("CoreRunLoop", "ours"), ("CoreRunLoop", "Foundation"),
        ("CoreRunLoop", "NIO"), ("RunLoopKit", "ours"), ("RunLoopKit", "Foundation"),
        ("RunLoopKit", "NIO"),
    ]

    private var names: [String] {
        isDistribution ? ["p50", "p99"].map { "\(title), \($0)" } : [title]
    }

    /// Ours to those of the others that were measured.
    private static func ratios(
        _ subjects: [String]
    ) -> [(title: String, text: (Result, Int) -> String)] {
        let hasPeer = !Set(subjects).isDisjoint(with: Subject.peers)
        return [
            ("ours / CF", subjects.contains("CF"), { $0.quotient("ours", "CF", $1) }),
            ("ours / best peer", hasPeer, { $0.ratioToBestPeer($1) }),
            ("ours / floor", subjects.contains("floor"), { $0.quotient("ours", "floor", $1) }),
        ].filter { (_, isThere, _) in isThere }.map { title, _, text in (title, text) }
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
