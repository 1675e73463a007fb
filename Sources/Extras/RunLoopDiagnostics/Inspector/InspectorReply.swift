/// A reply to a viewer: a JSON object whose first field is the version.
enum InspectorReply {
    /// The maximum size of a reply, because both processes hold the whole reply in memory.
    static let mostBytes = 32 << 20

    static func bytes(_ fields: [(String, JSONValue)]) -> [UInt8] {
        let bytes = Array(jsonObject([version] + fields).utf8)
        guard bytes.count <= mostBytes else {
            return refusal("the reply has \(bytes.count) bytes, which is too much")
        }
        return bytes
    }

    static func refusal(_ reason: String) -> [UInt8] {
        Array(jsonObject([version, ("error", .text(reason))]).utf8)
    }

    private static var version: (String, JSONValue) {
        ("version", .number(Int(InspectorRequest.version)))
    }
}

extension JSONValue {
    /// Shortens names, which can be very long.
    static func clipped(_ text: String, to most: Int = 400) -> JSONValue {
        .text(text.count <= most ? text : text.prefix(most - 1) + "…")
    }

    /// An address in hexadecimal digits, which the viewer symbolizes.
    static func address(_ address: UInt?) -> JSONValue {
        address.map { .text(hexadecimal($0)) } ?? .null
    }

    static func clipped(_ text: String?, to most: Int = 400) -> JSONValue {
        text.map { .clipped($0, to: most) } ?? .null
    }
}
