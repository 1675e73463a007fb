public import FoundationEssentials

/// Why a request has failed.
public enum RLHTTPError: Error, Hashable, Sendable {
    /// The scheme of the URL is not `http`; the scheme. There is no TLS here, so `https` is one.
    case unsupportedScheme(String)
    /// The request cannot be sent as it is; what is wrong with it.
    case invalidRequest(String)
    /// There was no connection, or it broke; the system's reason.
    case connectionFailed(POSIXError)
    /// The server closed the connection before the response was complete.
    case closedEarly
    /// What came is no response as HTTP/1.1 has it; what is wrong with it.
    case malformedResponse(String)
    /// The server sends more than ``RLHTTPRequest/limits`` allow; of what.
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
            "the scheme '\(scheme)' is not supported: only 'http' is"
        case .invalidRequest(let reason): "the request is invalid: \(reason)"
        case .connectionFailed(let error): "the connection failed: \(error.code)"
        case .closedEarly: "the server closed the connection before the response was complete"
        case .malformedResponse(let reason): "the response is malformed: \(reason)"
        case .limitExceeded(let what): "the response exceeds the limit of its \(what)"
        case .timedOut: "the server did not answer in time"
        case .cancelled: "the request was cancelled"
        case .threadEnded: "the thread of the request has ended"
        }
    }
}
