import Foundation

/// One program at one size in all ways.
struct ProgramResult {
    let program: Program
    let size: Int
    /// By the names of the ways.
    let measurements: [String: Measurement]

    /// The median of a figure; nothing where there is none.
    func value(_ way: String, _ index: Int = 0) -> Double? {
        measurements[way]?.median(index).flatMap { $0.isNaN ? nil : $0 }
    }

    /// The head of the lines of `lines`.
    static func head(_ ways: [String]) -> String {
        row(["what", "size"] + ways) + "\n" + row((0..<ways.count + 2).map { _ in "---" })
    }

    /// A line for each figure that any way has: what it is, and in brackets how often the first
    /// way's.
    func lines(_ ways: [String]) -> [String] {
        program.figures.indices.compactMap { index in
            guard ways.contains(where: { value($0, index) != nil }) else { return nil }
            let base = value(ways[0], index)
            let cells = ways.map { cell(value($0, index), base, program.figures[index].unit) }
            return Self.row(
                ["\(program.title): \(program.figures[index].name)", "\(size)"] + cells
            )
        }
    }

    /// Why there are no figures where a way should have had some.
    func remarks() -> [String] {
        program.ways.compactMap { way in
            measurements[way.name]?.remark.map {
                "\(program.title), \(program.name(ofSize: size)), \(way.name): \($0)"
            }
        }
    }

    /// The same for programs that read it: the figures that there are, by name, for each way.
    var object: [String: Any] {
        let ways = program.ways.map { way in
            let figures = program.figures.enumerated().compactMap { index, figure in
                value(way.name, index).map { (figure.name, $0) }
            }
            return (way.name, Dictionary(uniqueKeysWithValues: figures))
        }
        .filter { !$0.1.isEmpty }
        return [
            "program": program.title, "size": size,
            "ways": Dictionary(uniqueKeysWithValues: ways),
        ]
    }

    private static func row(_ columns: [String]) -> String {
        "| " + columns.joined(separator: " | ") + " |"
    }

    private func cell(_ value: Double?, _ base: Double?, _ unit: String) -> String {
        guard let value else { return "–" }
        guard let base, base > 0 else { return formatted(value, unit) }
        return "\(formatted(value, unit)) (\(String(format: "%.2f", value / base)))"
    }

    private func formatted(_ value: Double, _ unit: String) -> String {
        switch unit {
        case "ns" where value >= 1e6: String(format: "%.1f ms", value / 1e6)
        case "ns" where value >= 1e3: String(format: "%.1f µs", value / 1e3)
        case "ns": String(format: "%.0f ns", value)
        case "B": String(format: "%.0f B", value)
        default: String(format: "%.2f", value)
        }
    }
}
