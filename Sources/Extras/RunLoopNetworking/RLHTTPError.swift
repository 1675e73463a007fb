public import FoundationEssentials
public import RunLoopKit

/// The reason for the failure of a request.
///
/// Foundation: URLError.
public enum RLHTTPError: Error, Hashable, Sendable {
    /// Libcurl is not usable.
    ///
    /// The value is the reason, with the name of the missing package.
    case libraryMissing(String)
    /// The URL's scheme is neither `http` nor `https`; the value is the scheme.
    case unsupportedScheme(String)
    /// The request is invalid; the value is the reason.
    case invalidRequest(String)
    /// The body of the request could not be read, or could not be read again.
    ///
    /// The value is the system's error.
    case bodyFailed(POSIXError)
    /// No address was found for the host.
    case hostNotFound
    /// The proxy from the environment variables was not found, or rejected a connection for
    /// `https`.
    ///
    /// The value is the reason, such as the status of the proxy's response: 407 if it requires
    /// credentials. For `http`, a rejection by the proxy is a response with that status.
    case proxyFailed(String)
    /// The connection could not be established, or was lost.
    ///
    /// The value is the system's error.
    case connectionFailed(POSIXError)
    /// The TLS handshake failed, or the peer violated TLS later.
    ///
    /// The value is the reason.
    case connectionNotSecured(RLStreamTLSError)
    /// The server closed the connection before the response was complete.
    case closedEarly
    /// The response violates HTTP; the value is the reason.
    case malformedResponse(String)
    /// There were more redirects than ``RLHTTPRequest/redirectLimit``.
    case tooManyRedirects
    /// The server sent more than ``RLHTTPRequest/limits`` allow.
    ///
    /// The value names the limit.
    case limitExceeded(String)
    /// The body could not be written into its file.
    ///
    /// The value is the system's error.
    case fileFailed(POSIXError)
    /// Nothing was transferred for ``RLHTTPRequest/timeoutIntervalForRequest``, or the response was
    /// incomplete after ``RLHTTPRequest/timeoutIntervalForResource``.
    case timedOut
    /// ``RLHTTPRequestOperation/cancel()`` was called, or the task was cancelled.
    case cancelled
    /// The thread of the request has ended.
    case threadEnded
}

extension RLHTTPError: CustomStringConvertible {
    /// The error in words, with its reason.
    public var description: String {
        switch self {
        case .libraryMissing(let reason): reason
        case .unsupportedScheme(let scheme):
            "the scheme '\(scheme)' is not supported: only 'http' and 'https' are"
        case .invalidRequest(let reason): "the request is invalid: \(reason)"
        case .bodyFailed(let error): "the body could not be sent: \(words(error))"
        case .hostNotFound: "the host was not found"
        case .proxyFailed(let reason): "the proxy failed: \(reason)"
        case .connectionFailed(let error): "the connection failed: \(words(error))"
        case .connectionNotSecured(let error): "the connection is not secure: \(error.description)"
        case .closedEarly: "the server closed the connection before the response was complete"
        case .malformedResponse(let reason): "the response is malformed: \(reason)"
        case .tooManyRedirects: "the server redirects without end"
        case .limitExceeded(let what): "the response exceeds the limit of its \(what)"
        case .fileFailed(let error): "the body could not be written: \(words(error))"
        case .timedOut: "the request timed out"
        case .cancelled: "the request was cancelled"
        case .threadEnded: "the thread of the request has ended"
        }
    }
}

private func words(_ error: POSIXError) -> String {
    describeError(error.code.rawValue)
}
