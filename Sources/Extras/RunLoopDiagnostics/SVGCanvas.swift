struct SVGCanvas {
    private var elements: [String] = []

    func document(width: Double, height: Double) -> String {
        let (width, height) = (Int(width), Int(height.rounded(.up)))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="Helvetica, Arial, sans-serif">
            <style>
            \(Self.style)
            </style>
            <rect class="paper" width="100%" height="100%"/>
            \(elements.joined(separator: "\n"))
            </svg>

            """
    }

    // Labels of bars are always dark, as the bars are light in both color schemes.
    private static let style = """
        .paper{fill:#fff}.title{font-size:14px;font-weight:bold}.head{font-size:12px;font-weight:bold}
        .title,.head{fill:#1b1f24}.note{font-size:11px;fill:#4a525c}.mark{font-size:10px;fill:#4a525c}
        .fold{font-size:10px;font-style:italic;fill:#6b7480}.axis{stroke:#9aa3ad}.tick{stroke:#4a525c}
        .letter{font-size:9px;fill:#4a525c}.name{font-size:10px;fill:#14171a}
        .asleep{font-size:10px;fill:#5d6670}
        .gap{fill:#8a94a0;fill-opacity:.13;stroke:#8a94a0;stroke-opacity:.6;stroke-dasharray:2 3}
        rect{stroke:#fff;stroke-width:.6}.sleep{fill:#f1f3f6;stroke:#d5dae0}
        .run{fill:#dfe3e8}.observer{fill:#c9aeea}
        .block{fill:#82d3c1}.source0{fill:#92bdf5}.source1{fill:#84d6ec}.timer{fill:#f8bb66}
        .main{fill:#f5a0ab}.other{fill:#c2c8cf}
        @media (prefers-color-scheme:dark){.paper{fill:#14181d}.title,.head{fill:#e8ebef}
        rect{stroke:#14181d}
        .note,.mark,.letter,.asleep{fill:#aab3bd}.fold{fill:#8f99a4}.axis,.tick{stroke:#9aa3ad}
        .run{fill:#8e98a4}.sleep{fill:#232930;stroke:#343c46}}
        """

    mutating func text(_ x: Double, _ y: Double, _ text: String, class style: String) {
        elements.append(
            "<text class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">"
                + "\(Self.escaped(text))</text>"
        )
    }

    mutating func line(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double) {
        elements.append(
            "<path class=\"axis\" d=\"M\(Self.number(x)) \(Self.number(y))"
                + "L\(Self.number(x2)) \(Self.number(y2))\"/>"
        )
    }

    mutating func tick(_ x: Double, _ y: Double, _ height: Double, _ title: String) {
        elements.append(
            "<path class=\"tick\" d=\"M\(Self.number(x)) \(Self.number(y))v\(Self.number(height))\">"
                + "<title>\(Self.escaped(title))</title></path>"
        )
    }

    mutating func gap(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ title: String)
    {
        elements.append(
            "<rect class=\"gap\" \(Self.place(x, y, width, height))>"
                + "<title>\(Self.escaped(title))</title></rect>"
        )
    }

    /// Draws a bar with the first label that fits.
    mutating func bar(
        _ x: Double,
        _ y: Double,
        _ width: Double,
        _ height: Double,
        class style: String,
        label: [String],
        title: String
    ) {
        elements.append(
            "<rect class=\"\(style)\" \(Self.place(x, y, width, height)) rx=\"1.5\">"
                + "<title>\(Self.escaped(title))</title></rect>"
        )
        guard let fitting = label.first(where: { Self.width(of: $0, size: 10) + 8 <= width }),
            !fitting.isEmpty
        else { return }
        text(x + 4, y + height - 4, fitting, class: style == "sleep" ? "asleep" : "name")
    }

    /// Estimates the width in the widest of the common fonts.
    static func width(of text: String, size: Double) -> Double {
        text.reduce(0) { width, character in
            switch character {
            case "i", "l", "j", ".", ",", ":", "'", "|", " ", "f", "t", "r", "(", ")", "I":
                width + size * 0.42
            case "m", "w", "M", "W", "%", "@", "µ", "#": width + size * 0.95
            case "A"..."Z", "…", "“", "”": width + size * 0.74
            default: width + size * 0.63
            }
        }
    }

    private static func place(
        _ x: Double,
        _ y: Double,
        _ width: Double,
        _ height: Double
    ) -> String {
        "x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\""
    }

    /// One decimal place is enough for pixels.
    private static func number(_ number: Double) -> String {
        let text = decimal(number, places: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "\n"
            // XML 1.0 cannot represent other control characters.
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += "�"
            case "\u{FFFE}", "\u{FFFF}": result += "�"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

package func escapedForXML(_ text: String) -> String {
    SVGCanvas.escaped(text)
}
