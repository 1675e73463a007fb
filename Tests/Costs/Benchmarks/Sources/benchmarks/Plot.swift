import Foundation

/// How costs grow with size: panels of lines on logarithmic scales, with names at their ends.
struct Plot {
    struct Line {
        let name: String
        /// Sizes that ascend, with what one operation costs at each in nanoseconds.
        let points: [(size: Int, nanoseconds: Double)]
    }

    struct Panel {
        let title: String
        let lines: [Line]
    }

    /// For dark pages: the paper, the words, and the colors that would be hard to see.
    private static let style = """
        <style>
        .paper{fill:#fff}text:not(.name){fill:#1b1f24}.grid{stroke:#ddd}
        @media (prefers-color-scheme:dark){.paper{fill:#14181d}text:not(.name){fill:#dfe5ea}.grid{stroke:#39414a}
        """
        + ["#0072b2": "#4ba3dd", "#8c564b": "#c48d80", "#7a7a00": "#b5b53a", "#d62728": "#f2595b"]
        .sorted { $0.key < $1.key }
        .map { "[stroke='\($0)']{stroke:\($1)}[fill='\($0)']{fill:\($1)}" }.joined(separator: "\n")
        + "}\n</style>\n"

    /// Those with nothing to draw are left out.
    private let panels: [Panel]

    private static let width = 450.0
    private static let height = 320.0
    private static let inset = (left: 62.0, top: 40.0, right: 118.0, bottom: 34.0)
    private static let columns = 2
    private static let labelDistance = 13.0
    private static let colors = [
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#8c564b", "#7a7a00", "#777777",
    ]

    init(_ panels: [Panel]) {
        self.panels = panels.filter { panel in panel.lines.contains { !$0.points.isEmpty } }
    }

    func write(to path: String) throws {
        let columns = max(1, min(Self.columns, panels.count))
        let rows = (panels.count + columns - 1) / columns
        let size = (Self.width * Double(columns), Self.height * Double(max(rows, 1)))
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size.0)" height="\(size.1)" \
            viewBox="0 0 \(size.0) \(size.1)" font-family="sans-serif" font-size="12">
            \(Self.style)<rect width="100%" height="100%" class="paper"/>

            """
        for (index, panel) in panels.enumerated() {
            let left = Self.width * Double(index % columns)
            let top = Self.height * Double(index / columns)
            text += "<g transform=\"translate(\(left) \(top))\">\n"
            text += Drawing(panel, color: color).text + "</g>\n"
        }
        text += "</svg>\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// The same in all panels: ours is red, the floor gray.
    private func color(_ name: String) -> String {
        if name == "floor" { return "#888888" }
        if name == "ours" || name == "RLSocket" { return "#d62728" }
        var names: [String] = []
        for line in panels.flatMap(\.lines) where !names.contains(line.name) {
            if line.name != "floor", line.name != "ours", line.name != "RLSocket" {
                names.append(line.name)
            }
        }
        return Self.colors[(names.firstIndex(of: name) ?? 0) % Self.colors.count]
    }

    /// One panel with its scales.
    private struct Drawing {
        let panel: Panel
        let color: (String) -> String
        let sizes: [Int]
        let range: (least: Double, most: Double)

        init(_ panel: Panel, color: @escaping (String) -> String) {
            self.panel = panel
            self.color = color
            let points = panel.lines.flatMap(\.points)
            sizes = Set(points.map(\.size)).sorted()
            let values = points.map(\.nanoseconds)
            range = ((values.min() ?? 1) / 1.3, (values.max() ?? 10) * 1.3)
        }

        var text: String {
            let left = inset.left
            let title = "<text x=\"\(left)\" y=\"20\" font-weight=\"bold\">\(panel.title)</text>\n"
            return title + grid + axis + lines
        }

        private func across(_ size: Int) -> Double {
            let first = log10(Double(sizes.first ?? 1))
            let last = log10(Double(sizes.last ?? 1))
            let place = (log10(Double(size)) - first) / max(last - first, 0.1)
            return inset.left + place * (width - inset.left - inset.right)
        }

        private func down(_ value: Double) -> Double {
            let place = log(value / range.least) / log(range.most / range.least)
            return height - inset.bottom - place * (height - inset.top - inset.bottom)
        }

        /// Powers of ten, and between them if there are few.
        private var grid: String {
            let factors: [Double] = range.most / range.least > 300 ? [1] : [1, 2, 5]
            let powers = Int(floor(log10(range.least)))...Int(ceil(log10(range.most)))
            let values = powers.flatMap { power in factors.map { $0 * pow(10, Double(power)) } }
            return values.filter { $0 >= range.least && $0 <= range.most }.map { value in
                let y = down(value)
                return """
                    <line x1="\(inset.left)" x2="\(width - inset.right)" y1="\(y)" y2="\(y)" \
                    class="grid"/><text x="\(inset.left - 6)" y="\(y + 4)" \
                    text-anchor="end">\(words(value))</text>

                    """
            }.joined()
        }

        private var axis: String {
            sizes.map { size in
                "<text x=\"\(across(size))\" y=\"\(height - inset.bottom + 18)\" "
                    + "text-anchor=\"middle\">\(grouped(size))</text>\n"
            }.joined()
        }

        /// The lines, and their names in the order of their ends, so far apart that they can be
        /// read.
        private var lines: String {
            var text = ""
            var lowest = -Double.infinity
            let drawn = panel.lines.filter { !$0.points.isEmpty }
            let ends = drawn.map { ($0, down($0.points.last?.nanoseconds ?? 1)) }
            for (line, end) in ends.sorted(by: { $0.1 < $1.1 }) {
                let color = color(line.name)
                let points = line.points.map { "\(across($0.size)),\(down($0.nanoseconds))" }
                let isOurs = color == "#d62728"
                let dashes = line.name == "floor" ? " stroke-dasharray=\"5 3\"" : ""
                text += "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" "
                text += "stroke=\"\(color)\" stroke-width=\"\(isOurs ? 3 : 1.8)\"\(dashes)/>\n"
                lowest = max(end, lowest + labelDistance)
                let x = across(line.points.last?.size ?? 1)
                text += "<line x1=\"\(x)\" y1=\"\(end)\" x2=\"\(width - inset.right + 10)\" "
                text += "y2=\"\(lowest)\" stroke=\"\(color)\" stroke-width=\"0.6\"/>"
                text += "<text x=\"\(width - inset.right + 14)\" y=\"\(lowest + 4)\" "
                text += "fill=\"\(color)\" class=\"name\">\(line.name)</text>\n"
            }
            return text
        }

        private func words(_ nanoseconds: Double) -> String {
            switch nanoseconds {
            case 1e9...: "\(Int(nanoseconds / 1e9)) s"
            case 1e6...: "\(Int((nanoseconds / 1e6).rounded())) ms"
            case 1e3...: "\(Int((nanoseconds / 1e3).rounded())) µs"
            default: "\(Int(nanoseconds.rounded())) ns"
            }
        }

        private func grouped(_ size: Int) -> String {
            size >= 1_000_000
                ? "\(size / 1_000_000) M" : size >= 1000 ? "\(size / 1000) k" : "\(size)"
        }
    }
}

extension Plot {
    /// The workloads that have several sizes, on the loops that differ most.
    init(_ results: [Result], _ subjects: [String]) {
        let shown = ["floor", "ours", "RunLoopKit", "CF", "Foundation", "NIO", "libuv"]
            .filter(subjects.contains)
        let groups = Dictionary(grouping: results, by: \.title).filter { $0.value.count > 2 }
        self.init(
            groups.sorted { $0.key < $1.key }.map { title, results in
                let results = results.sorted { $0.size < $1.size }
                let lines = shown.map { subject in
                    let points = results.compactMap { result in
                        result.value(subject).map { (size: result.size, nanoseconds: $0) }
                    }
                    return Line(name: subject, points: points.filter { $0.nanoseconds > 0 })
                }
                return Panel(title: title, lines: lines)
            }
        )
    }

    /// The processor time of programs that have several sizes.
    init(_ results: [ProgramResult]) {
        let groups = Dictionary(grouping: results, by: \.program.title)
            .filter { $0.value.count > 2 }
        self.init(
            groups.sorted { $0.key < $1.key }.map { title, results in
                let results = results.sorted { $0.size < $1.size }
                let lines = results[0].program.ways.map { way in
                    let points = results.compactMap { result in
                        result.value(way.name).map { (size: result.size, nanoseconds: $0) }
                    }
                    return Line(name: way.name, points: points)
                }
                return Panel(title: "\(title): processor time, by connections", lines: lines)
            }
        )
    }
}
