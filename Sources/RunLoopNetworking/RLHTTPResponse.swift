public import FoundationEssentials

/// What a server has answered, whatever its status code.
public struct RLHTTPResponse: Hashable, Sendable {
    /// The minor version of HTTP/1: 0 or 1.
    public var minorVersion: Int

    /// What became of the request, such as 200 or 404; from 200 to 999.
    ///
    /// Redirections are not followed.
    public var statusCode: Int

    /// The server's words for the status code; may be empty.
    public var reason: String

    /// The fields of the head, in order.
    public var fields: [RLHTTPField]

    /// The body.
    public var body = Data()

    /// The fields that followed a body in chunks.
    public var trailers: [RLHTTPField] = []

    /// The value of a field of the head, in whatever case its name is written.
    ///
    /// - Returns: Nil if there is none; if there are several, all of them with commas between.
    public func value(forField name: String) -> String? {
        let values = fields.filter { $0.isNamed(name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// How far a response has come.
public struct RLHTTPProgress: Hashable, Sendable {
    /// The bytes of the body that have come.
    public var receivedLength: Int

    /// The bytes of the whole body; nil if the server did not say.
    public var expectedLength: Int?
}
