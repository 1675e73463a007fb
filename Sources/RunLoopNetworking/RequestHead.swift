// From a request to where it goes and the bytes that are sent.

import FoundationEssentials

/// A request as it goes over the wire.
struct RequestHead {
    let host: String
    let port: Int
    let isSecured: Bool
    let bytes: [UInt8]

    init(_ request: RLHTTPRequest) throws(RLHTTPError) {
        let url = request.url
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw .unsupportedScheme(url.scheme ?? "")
        }
        isSecured = scheme == "https"
        guard let name = url.host(percentEncoded: false), !name.isEmpty else {
            throw .invalidRequest("the URL names no host")
        }
        if name.utf8.contains(where: { $0 <= 32 || $0 == 127 }) {
            throw .invalidRequest("the host has a character that no name has")
        }
        if url.user() != nil || url.password() != nil {
            throw .invalidRequest("the URL names a user, for which there is no authentication here")
        }
        host = name
        port = url.port ?? (isSecured ? 443 : 80)
        guard (1...65535).contains(port) else {
            throw .invalidRequest("the port \(port) is not from 1 to 65535")
        }

        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        var lines = ["GET \(path.isEmpty ? "/" : path)\(query) HTTP/1.1"]
        for field in Self.addedFields(to: request, host: name) + request.fields {
            try Self.check(field)
            lines.append("\(field.name): \(field.value)")
        }
        bytes = [UInt8]("\(lines.joined(separator: "\r\n"))\r\n\r\n".utf8)
    }

    /// What is sent unless the request has it.
    private static func addedFields(to request: RLHTTPRequest, host: String) -> [RLHTTPField] {
        let name = host.contains(":") ? "[\(host)]" : host
        let port = request.url.port.map { ":\($0)" } ?? ""
        let added = [
            RLHTTPField(name: "Host", value: name + port),
            RLHTTPField(name: "Connection", value: "close"),
            RLHTTPField(name: "Accept", value: "*/*"),
            RLHTTPField(name: "Accept-Encoding", value: "identity"),
        ]
        return added.filter { own in !request.fields.contains { $0.isNamed(own.name) } }
    }

    private static func check(_ field: RLHTTPField) throws(RLHTTPError) {
        if field.name.isEmpty || !field.name.utf8.allSatisfy(HTTPCharacters.isToken) {
            throw .invalidRequest("'\(field.name)' is no name of a field")
        }
        if !field.value.utf8.allSatisfy(HTTPCharacters.isText) {
            throw .invalidRequest("the value of '\(field.name)' has a control character")
        }
    }
}

/// The classes of characters of RFC 9110.
enum HTTPCharacters {
    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

    static func isToken(_ byte: UInt8) -> Bool {
        isDigit(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || tokenMarks.contains(byte)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte)
    }

    /// What values and reasons consist of: blanks, visible characters and what is not ASCII.
    static func isText(_ byte: UInt8) -> Bool {
        isBlank(byte) || (byte > 32 && byte != 127)
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 32 || byte == 9
    }
}
