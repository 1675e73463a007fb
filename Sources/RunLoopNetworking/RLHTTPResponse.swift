public import FoundationEssentials

/// A server's response, whatever its status code.
public struct RLHTTPResponse: Hashable, Sendable {
    /// The minor version of HTTP/1: 0 or 1.
    public var minorVersion: Int

    /// The status code, such as 200 or 404; from 200 to 999.
    ///
    /// Redirections are not followed.
    public var statusCode: Int

    /// The server's words for the status code; may be empty.
    public var reason: String

    /// The header fields, in order.
    public var fields: [RLHTTPField]

    /// The body.
    public var body = Data()

    /// The trailer fields after a chunked body.
    public var trailers: [RLHTTPField] = []

    /// The value of a header field, whatever the case of its name.
    ///
    /// - Returns: Nil if there is none; if there are several, all of them with commas between.
    public func value(forField name: String) -> String? {
        let values = fields.filter { $0.isNamed(name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// The progress of a response.
public struct RLHTTPProgress: Hashable, Sendable {
    /// The bytes of the body received so far.
    public var receivedLength: Int

    /// The bytes of the whole body; nil if the server did not say.
    public var expectedLength: Int?
}
