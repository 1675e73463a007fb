public import FoundationEssentials

/// A server's response, whatever its status code.
///
/// Foundation: HTTPURLResponse, with the body.
public struct RLHTTPResponse: Hashable, Sendable {
    /// The major version of HTTP: 1 or 2.
    public var majorVersion = 1

    /// The minor version: 0 or 1 for HTTP/1, 0 for HTTP/2.
    public var minorVersion: Int

    /// The status code, such as 200 or 404; from 200 to 999.
    public var statusCode: Int

    /// The reason phrase of the status line; may be empty.
    public var reason: String

    /// The header fields, in order.
    public var fields: [RLHTTPField]

    /// The body; empty if it was written into a file or delivered in parts.
    public var body = Data()

    /// The trailer fields after a chunked body.
    public var trailers: [RLHTTPField] = []

    /// Returns the value of a header field; its name is case-insensitive.
    ///
    /// - Returns: The value; all values, separated by commas, if there are several fields; nil if
    ///   there is none.
    public func value(forField name: String) -> String? {
        var value: String?
        for field in fields where field.isNamed(name) {
            value = value.map { "\($0), \(field.value)" } ?? field.value
        }
        return value
    }
}

/// The progress of a request and its response.
///
/// Foundation: URLSessionTask.progress.
public struct RLHTTPProgress: Hashable, Sendable {
    /// The bytes of the body received so far, before they are decompressed.
    public var receivedLength: Int

    /// The bytes of the whole body before decompression; nil if the server did not send the length.
    public var expectedLength: Int?

    /// The bytes of the request's body sent so far.
    public var sentLength = 0

    /// The bytes of the request's whole body; nil if the length is unknown.
    public var expectedSentLength: Int?
}
