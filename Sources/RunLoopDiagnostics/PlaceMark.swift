import CRunLoopDiagnostics
import RunLoopKit

/// Addresses in texts for a viewer, which puts places in the source there.
///
/// A mark stands between two characters that ``printable(_:)`` leaves in no name. A process that is
/// looked into reads no debug information.
package enum PlaceMark {
    private static let beginning: Unicode.Scalar = "\u{2068}"
    private static let end: Unicode.Scalar = "\u{2069}"

    /// The mark of an address.
    static func text(_ address: UInt) -> String {
        "\(beginning)\(String(address, radix: 16))\(end)"
    }

    /// Replaces each mark in a text, and the name before it if the process has found none.
    package static func replace(
        in text: String,
        name: (UInt) -> String? = { _ in nil },
        _ place: (UInt) -> String
    ) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let (before, address, after) = split(rest) {
            result += naming(String(before), name(address)) + place(address)
            rest = after
        }
        return result + String(rest)
    }

    /// Puts a name in place of what a process writes if it finds none, as in `app+0x12`, at the end
    /// of a text.
    package static func naming(_ text: String, _ name: String?) -> String {
        let start = text.lastIndex { " \n>".contains($0) }.map(text.index(after:))
        let word = text[(start ?? text.startIndex)...]
        guard let name, word.contains("+0x") else { return text }
        return text.dropLast(word.count) + name
    }

    /// Replaces the first mark of each line of a report by what the viewer knows: the function's
    /// line gets the place, and a name if it has none; those before it are the functions that are
    /// inlined.
    package static func fillIn(_ report: String, _ lines: SourceLines) -> String {
        report.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let (before, address, after) = split(line.unicodeScalars[...]) else {
                return String(line)
            }
            let head = String(before)
            let places = lines.places(at: address)
            let isOnStack = head.first { $0 != " " }?.isNumber ?? false
            let inlined = isOnStack ? places.dropLast() : []
            // In place of the number.
            let blank = String(head.map { $0.isNumber ? " " : $0 }.prefix(6)) + head.dropFirst(6)
            let texts = inlined.map { place in
                blank + "[inlined] " + printable(place.function ?? "?") + at(place)
            }
            let own = head + name(String(after), places.last) + at(places.last)
            return (texts + [own]).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Replaces the marks of a trace in a form.
    package static func fillIn(_ trace: String, form: String, _ lines: SourceLines) -> String {
        switch form {
        case "svg":
            return replace(
                in: trace,
                name: { lines.place(at: $0)?.shortName.map(SVGCanvas.escaped) },
                { SVGCanvas.escaped(lines.place(at: $0)?.suffix ?? "") }
            )
        case "json":
            // What the process wrote is text between quotation marks; in a name they are escaped.
            return replace(in: trace) { address in
                String(
                    JSONValue.text(lines.place(at: address)?.text ?? "").written.dropFirst()
                        .dropLast()
                )
            }.replacing(#","source":"""#, with: "")
        default:
            return replace(
                in: trace,
                name: { lines.place(at: $0)?.shortName },
                { lines.place(at: $0)?.suffix ?? "" }
            )
        }
    }

    /// What is behind a mark: as the process wrote it, unless that has found no name.
    private static func name(_ written: String, _ place: SourceLines.Place?) -> String {
        guard written.hasPrefix("0x"), let place, let function = place.function else {
            return written
        }
        return "\(printable(function)) + \(place.offset)"
    }

    private static func at(_ place: SourceLines.Place?) -> String {
        place?.text.map { printable(" at \($0)") } ?? ""
    }

    /// What is before the first mark, its address, and what is behind it.
    private static func split(
        _ text: Substring.UnicodeScalarView
    ) -> (Substring.UnicodeScalarView, UInt, Substring.UnicodeScalarView)? {
        var start = text.startIndex
        while let first = text[start...].firstIndex(of: beginning) {
            start = text.index(after: first)
            // No further than an address is long: names in pictures and in JSON may have many such
            // characters.
            if let last = text[start...].prefix(17).firstIndex(of: end),
                let address = UInt(String(text[start..<last]), radix: 16)
            {
                return (text[..<first], address, text[last...].dropFirst())
            }
        }
        return nil
    }
}

/// The places of functions while a text is written: of each, once.
final class PlaceWriter {
    enum Style {
        /// Looked up, in this process.
        case shown
        /// Marked, for a viewer.
        case marked
        case leftOut
    }

    private let style: Style
    private lazy var lines = RLSourceLinesGetOwn()
    private var known: [UInt: SourceLines.Place?] = [:]

    init(_ style: Style) {
        self.style = style
    }

    /// What follows a name, as in ` at Document.swift:42`.
    func suffix(_ address: UInt) -> String {
        style == .marked ? PlaceMark.text(address) : place(address)?.suffix ?? ""
    }

    /// As in `/home/me/app/Document.swift:42`, or nil if it is not known.
    func path(_ address: UInt) -> String? {
        style == .marked ? PlaceMark.text(address) : place(address)?.text
    }

    private func place(_ address: UInt) -> SourceLines.Place? {
        guard style == .shown, address != 0 else { return nil }
        if let place = known[address] { return place }
        let place = SourceLines.ownPlaces(at: address, lines).last
        known[address] = .some(place)
        return place
    }
}

/// The name of a function as tables have it: without modules, arguments and the like.
package func shortFunctionName(_ symbol: String) -> String {
    TraceNames.shortened(symbol)
}

/// Text for a file of XML.
package func escapedForXML(_ text: String) -> String {
    SVGCanvas.escaped(text)
}

extension SourceLines.Place {
    /// The function's name, as tables have it.
    package var shortName: String? {
        function.map { printable(TraceNames.shortened($0)) }
    }

    /// As in ` at Document.swift:42`; empty if it is not known.
    package var suffix: String {
        shortText.map { printable(" at \($0)") } ?? ""
    }
}
