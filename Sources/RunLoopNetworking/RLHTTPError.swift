public import FoundationEssentials
public import RunLoopKit

/// Why a request has failed.
public enum RLHTTPError: Error, Hashable, Sendable {
    /// The scheme of the URL is neither `http` nor `https`; the scheme.
    case unsupportedScheme(String)
    /// The request is invalid; the reason.
    case invalidRequest(String)
    /// The connection could not be made, or broke; the system's reason.
    case connectionFailed(POSIXError)
    /// The connection could not be secured, or violated TLS later; the reason.
    case connectionNotSecured(RLStreamTLSError)
    /// The server closed the connection before the response was complete.
    case closedEarly
    /// The response violates HTTP/1.1; the reason.
    case malformedResponse(String)
    /// The server sent more than ``RLHTTPRequest/limits`` allow; which limit.
    case limitExceeded(String)
    /// Nothing came from the server for ``RLHTTPRequest/timeoutIntervalForRequest``, or the
    /// response was not complete after ``RLHTTPRequest/timeoutIntervalForResource``.
    case timedOut
    /// ``RLHTTPRequestOperation/cancel()`` was called.
    case cancelled
    /// The thread on which the request was to run has ended.
    case threadEnded
}

extension RLHTTPError: CustomStringConvertible {
    /// A line for people.
    public var description: String {
        switch self {
        case .unsupportedScheme(let scheme):
            "the scheme '\(scheme)' is not supported: only 'http' and 'https' are"
        case .invalidRequest(let reason): "the request is invalid: \(reason)"
        case .connectionFailed(let error): "the connection failed: \(error.code)"
        case .connectionNotSecured(let error): "the connection is not secure: \(error.description)"
        case .closedEarly: "the server closed the connection before the response was complete"
        case .malformedResponse(let reason): "the response is malformed: \(reason)"
        case .limitExceeded(let what): "the response exceeds the limit of its \(what)"
        case .timedOut: "the server did not answer in time"
        case .cancelled: "the request was cancelled"
        case .threadEnded: "the thread of the request has ended"
        }
    }
}
