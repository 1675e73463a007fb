import Glibc

/// An error of a system call, with a description.
///
/// Foundation has no counterpart.
public struct RLSystemError: Error, Hashable, Sendable {
    /// The `errno` value, such as `EADDRINUSE`.
    ///
    /// For a failed name resolution, the negative error code of `getaddrinfo`.
    public let code: CInt

    /// The operation and the reason: `"cannot listen at 0.0.0.0:80: Permission denied"`.
    public let description: String

    /// Creates an error from its code and the failed operation.
    ///
    /// - Parameters:
    ///   - code: The error code.
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
