/// A JSON value to encode; the library does not import Foundation's encoder.
enum JSONValue {
    case text(String)
    case number(Int)
    case count(UInt64)
    case flag(Bool)
    /// Nanoseconds, encoded as microseconds.
    case microseconds(UInt64)
    case list([JSONValue])
    case object([(String, JSONValue)])
    case null

    var written: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .text(let characters): appendQuoted(characters, to: &text)
        case .number(let number): text += String(number)
        case .count(let number): text += String(number)
        case .flag(let isTrue): text += isTrue ? "true" : "false"
        case .microseconds(let nanoseconds):
            let fraction = String(nanoseconds % 1000)
            let zeros = String(repeating: "0", count: 3 - fraction.count)
            text += "\(nanoseconds / 1000).\(zeros)\(fraction)"
        case .list(let values): writeList(values, to: &text)
        case .object(let fields): writeObject(fields, to: &text)
        case .null: text += "null"
        }
    }

    private func writeList(_ values: [JSONValue], to text: inout String) {
        var separator = "["
        for value in values {
            text += separator
            value.write(to: &text)
            separator = ","
        }
        text += values.isEmpty ? "[]" : "]"
    }

    private func writeObject(_ fields: [(String, JSONValue)], to text: inout String) {
        var separator = "{"
        for (name, value) in fields {
            text += separator
            appendQuoted(name, to: &text)
            text += ":"
            value.write(to: &text)
            separator = ","
        }
        text += fields.isEmpty ? "{}" : "}"
    }
}

/// The fields keep their order.
func jsonObject(_ fields: [(String, JSONValue)]) -> String {
    JSONValue.object(fields).written
}

private func appendQuoted(_ characters: String, to text: inout String) {
    text += "\""
    for scalar in characters.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\t": text += "\\t"
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
    }
    text += "\""
}
