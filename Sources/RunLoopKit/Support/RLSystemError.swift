import Glibc

/// A call that the system has refused, in words.
///
/// Ours, no Foundation counterpart.
public struct RLSystemError: Error, Hashable, Sendable {
    /// The number of the error, such as `EADDRINUSE`; of a name that cannot be looked up, a number
    /// of `getaddrinfo`, which is negative.
    public let code: CInt

    /// The call and the reason: `"cannot listen at 0.0.0.0:80: Permission denied"`.
    public let description: String

    /// Makes an error from its number and what cannot be done.
    ///
    /// - Parameters:
    ///   - code: The number of the error.
    ///   - deed: The text between "cannot" and the reason, such as `"listen at 0.0.0.0:80"`.
    public init(code: CInt, to deed: String) {
        let reason = code < 0 ? gai_strerror(code) : UnsafePointer(strerror(code))
        self.code = code
        description = "cannot \(deed): \(reason.map { String(cString: $0) } ?? "error \(code)")"
    }

    init(code: CInt, description: String) {
        self.code = code
        self.description = description
    }
}

extension RLSystemError: CustomStringConvertible {}
