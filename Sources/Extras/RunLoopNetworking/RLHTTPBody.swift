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
    /// The bytes of a stream, read as the connection takes them.
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
    ///   - length: The number of bytes in the stream. If it is unknown, nil: the body is then sent
    ///     in chunks.
    ///   - open: Returns a new stream that has not been opened. It is called on the thread of the
    ///     request, and again to repeat the body after a redirect or for a server that asks for
    ///     credentials. It must not run the thread's loop.
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
