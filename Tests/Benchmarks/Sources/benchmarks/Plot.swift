import Foundation

/// How costs grow with size: for each workload with several sizes, lines on logarithmic scales.
struct Plot {
    private let panels: [(title: String, results: [Result])]
    private let subjects: [String]

    private static let width = 420.0
    private static let height = 300.0
    private static let margin = 48.0
    private static let colors = [
        "#888888", "#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#bcbd22",
        "#ff7f0e", "#17becf", "#393b79", "#637939", "#e7ba52",
    ]

    init(_ results: [Result], _ subjects: [String]) {
        self.subjects = subjects
        let groups = Dictionary(grouping: results, by: \.title).filter { $0.value.count > 2 }
        panels = groups.keys.sorted().map { title in
            (title, groups[title, default: []].sorted { $0.size < $1.size })
        }
    }

    func write(to path: String) throws {
        let columns = 2
        let rows = (panels.count + columns - 1) / columns
        let size = (Self.width * Double(columns) + 120, Self.height * Double(max(rows, 1)))
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size.0)" height="\(size.1)" \
            font-family="sans-serif" font-size="11">
            <rect width="100%" height="100%" fill="white"/>

            """
        for (index, panel) in panels.enumerated() {
            let left = Self.width * Double(index % columns)
            let top = Self.height * Double(index / columns)
            text += "<g transform=\"translate(\(left) \(top))\">\n"
            text += drawn(panel.title, panel.results) + "</g>\n"
        }
        text += legend(at: Self.width * Double(columns)) + "</svg>\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func drawn(_ title: String, _ results: [Result]) -> String {
        let sizes = results.map { log10(Double($0.size)) }
        let values = results.flatMap { result in subjects.compactMap { result.value($0) } }
            .filter { $0 > 0 }
        guard let least = values.min(), let most = values.max(), let last = sizes.last else {
            return ""
        }
        let bottom = floor(log10(least))
        let top = max(ceil(log10(most)), bottom + 1)
        let across = { (size: Double) in
            Self.margin + (size - sizes[0]) / max(last - sizes[0], 1)
                * (Self.width - 1.5 * Self.margin)
        }
        let down = { (value: Double) in
            Self.height - Self.margin
                - (log10(value) - bottom) / (top - bottom) * (Self.height - 1.8 * Self.margin)
        }
        var text = "<text x=\"\(Self.margin)\" y=\"20\" font-weight=\"bold\">\(title), ns</text>\n"
        for power in Int(bottom)...Int(top) {
            let y = down(pow(10, Double(power)))
            text +=
                "<line x1=\"\(Self.margin)\" x2=\"\(across(last))\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"#ddd\"/>"
            text += "<text x=\"4\" y=\"\(y + 4)\">10^\(power)</text>\n"
        }
        for (size, result) in zip(sizes, results) {
            let x = across(size) - 10
            text +=
                "<text x=\"\(x)\" y=\"\(Self.height - Self.margin + 16)\">\(result.size)</text>\n"
        }
        for (index, subject) in subjects.enumerated() {
            let points = zip(sizes, results).compactMap { size, result -> String? in
                guard let value = result.value(subject), value > 0 else { return nil }
                return "\(across(size)),\(down(value))"
            }
            let weight = subject == "ours" ? 3 : 1.5
            text += "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" "
            text += "stroke=\"\(color(index))\" stroke-width=\"\(weight)\"/>\n"
        }
        return text
    }

    private func legend(at left: Double) -> String {
        subjects.enumerated().map { index, subject in
            let y = 30 + 18 * index
            return
                "<rect x=\"\(left)\" y=\"\(y - 8)\" width=\"14\" height=\"4\" fill=\"\(color(index))\"/>"
                + "<text x=\"\(left + 20)\" y=\"\(y)\">\(subject)</text>\n"
        }.joined()
    }

    private func color(_ index: Int) -> String {
        Self.colors[index % Self.colors.count]
    }
}
