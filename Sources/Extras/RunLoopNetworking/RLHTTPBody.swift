public import FoundationEssentials
public import RunLoopKit

/// The body of a request.
///
/// Foundation: URLRequest.httpBody, httpBodyStream.
public enum RLHTTPBody: Hashable, Sendable {
    /// The bytes, kept in memory.
    case data(Data)
    /// The bytes of the regular file at a path.
    case file(String)
    /// The bytes of a stream, which is read as fast as the connection accepts them.
    case stream(RLHTTPBodyStream)
}

/// A body that is read from a stream.
///
/// Foundation: URLRequest.httpBodyStream.
public final class RLHTTPBodyStream: Hashable, Sendable {
    let length: Int?
    let open: @Sendable () -> RLInputStream?

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - length: The number of bytes in the stream. If the length is nil, the body is sent in
    ///     chunks.
    ///   - open: Returns a new stream that has not been opened. Called on the request's thread, and
    ///     again if a redirect or a request for credentials requires the body once more. The
    ///     closure must not run the thread's loop.
    public init(length: Int? = nil, open: @escaping @Sendable () -> RLInputStream?) {
        self.length = length
        self.open = open
    }

    /// Compares the identities of the objects.
    public static func == (first: RLHTTPBodyStream, second: RLHTTPBodyStream) -> Bool {
        first === second
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
