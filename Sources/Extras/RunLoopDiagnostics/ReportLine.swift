import RunLoopKit

/// A line of a report that may end with a function's name.
///
/// A viewer appends the place in the source.
package struct ReportLine: Decodable, Sendable {
    /// The text before the name, or the whole line.
    package let text: String
    /// The name and the offset in the function, as in `main + 34`; nil if it is unknown.
    package let function: String?
    /// The address in the function, as in `0x55d0c2a4`; nil if the line contains none.
    package let address: String?
    /// Whether the function is on a stack; the line is then preceded by the functions inlined into
    /// it.
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

    /// The line, indented by two spaces.
    var indented: Self {
        Self(text: "  " + text, function: function, address: address, isOnStack)
    }

    /// The line in the form that the process itself writes.
    var description: String { text + (function ?? address ?? "") }

    var json: JSONValue {
        .object([
            ("text", .clipped(text, to: 1000)), ("function", .clipped(function, to: 1000)),
            ("address", address.map { .text($0) } ?? .null), ("isOnStack", .flag(isOnStack)),
        ])
    }

    /// The line with the place of its function, preceded by lines for inlined functions.
    package func lines(_ places: [SourcePlace]) -> [String] {
        let inlined = isOnStack ? places.dropLast() : []
        // Replaces the frame's number by blanks.
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

/// The address in the form `0x55d0c2a4`.
func hexadecimal(_ address: UInt) -> String {
    "0x" + String(address, radix: 16)
}
