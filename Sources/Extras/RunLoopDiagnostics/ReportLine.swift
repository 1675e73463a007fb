import RunLoopKit

// A line of a report. A viewer appends the file and line of the function.
package struct ReportLine: Decodable, Sendable {
    /// The text before the name, or the whole line.
    package let text: String
    /// The name and the offset in the function, as in `main + 34`; nil if unknown.
    package let function: String?
    /// The address, as in `0x55d0c2a4`; nil if the line has no address.
    package let address: String?
    /// Whether the function is on a stack, so lines for inlined functions precede this line.
    package let isOnStack: Bool

    init(_ text: String) {
        self.init(text: text, function: nil, address: nil, isOnStack: false)
    }

    init(text: String, function: String?, address: UInt?, isOnStack: Bool) {
        self.init(text: text, function: function, address: address.map(hexadecimal), isOnStack)
    }

    private init(text: String, function: String?, address: String?, _ isOnStack: Bool) {
        self.text = text
        self.function = function
        self.address = address
        self.isOnStack = isOnStack
    }

    var indented: Self {
        Self(text: "  " + text, function: function, address: address, isOnStack)
    }

    /// The line as the process itself writes it.
    var description: String { text + (function ?? address ?? "") }

    var json: JSONValue {
        .object([
            ("text", .clipped(text, to: 1000)), ("function", .clipped(function, to: 1000)),
            ("address", address.map { .text($0) } ?? .null), ("isOnStack", .flag(isOnStack)),
        ])
    }

    /// Adds the file and line of the function, preceded by lines for inlined functions.
    package func lines(_ places: [SourcePlace]) -> [String] {
        let inlined = isOnStack ? places.dropLast() : []
        // The frame's number; in lines of inlined functions, blanks replace the number.
        let column = text.prefix { $0 == " " || $0.isNumber }
        let blank = String(repeating: " ", count: column.count) + text.dropFirst(column.count)
        let name = function ?? places.last?.function.map(printable) ?? address ?? ""
        func at(_ place: SourcePlace?) -> String {
            place?.text.map { printable(" at \($0)") } ?? ""
        }
        return inlined.map { blank + "[inlined] " + printable($0.function ?? "?") + at($0) }
            + [text + name + at(places.last)]
    }
}

/// Returns an address as in `0x55d0c2a4`.
func hexadecimal(_ address: UInt) -> String {
    "0x" + String(address, radix: 16)
}
