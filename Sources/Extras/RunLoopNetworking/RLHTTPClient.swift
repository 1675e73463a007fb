import Dispatch
import FoundationEssentials
public import RunLoopKit

/// The limits of a client's concurrent connections and requests.
///
/// Foundation: URLSessionConfiguration.
public struct RLHTTPClientConfiguration: Hashable, Sendable {
    /// The greatest number of connections to one host; 0 for no limit.
    ///
    /// Further requests wait, in the order in which they were sent.
    ///
    /// Foundation: URLSessionConfiguration.httpMaximumConnectionsPerHost.
    public var connectionsPerHost = 6

    /// The number of connections, idle and in use, up to which idle connections are kept for later
    /// requests.
    ///
    /// With more connections, a connection is closed when its request ends. With 0, no idle
    /// connection is kept.
    public var idleConnections = 32

    /// The greatest number of concurrent requests, at least 1.
    ///
    /// Further requests wait, in the order in which they were sent.
    public var requestsAtATime = 256

    /// Creates the default configuration.
    public init() {}
}

/// An HTTP client, whose requests share connections on one thread.
///
/// ```swift
/// let client = RLHTTPClient()
/// let response = try await client.response(for: RLHTTPRequest(url: url))
/// ```
///
/// A client is thread-safe. The connections are closed after the last reference to the client is
/// released and its last request is over.
///
/// Foundation: URLSession.
public final class RLHTTPClient: Sendable {
    /// The limits of concurrent connections and requests, fixed at creation.
    public let configuration: RLHTTPClientConfiguration

    /// The modes in which the thread's loop serves the client.
    public let runLoopModes: [RLRunLoop.Mode]

    let thread: RLPermanentThread
    let owner = NetworkThread.Owner.newClient()

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - configuration: The limits of concurrent connections and requests.
    ///   - thread: The thread on which the requests run. Other tasks should not block the thread.
    ///   - runLoopModes: The modes in which the thread's loop serves the client; at least one.
    public init(
        configuration: RLHTTPClientConfiguration = RLHTTPClientConfiguration(),
        on thread: RLPermanentThread = .networkRequestThread,
        runLoopModes: [RLRunLoop.Mode] = [.common]
    ) {
        if runLoopModes.isEmpty {
            stopProcess(
                "RLHTTPClient.init",
                "argument `runLoopModes` is empty: pass at least one mode"
            )
        }
        self.configuration = configuration
        self.thread = thread
        self.runLoopModes = runLoopModes
    }

    deinit {
        thread.execute(modes: runLoopModes) { [owner] in
            NetworkThread.current().drop(owner, .cancelled)
        }
    }

    /// Sends a request and returns the response with its body.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - progress: Called on a private serial queue; one call may cover several pieces of the
    ///     body.
    /// - Returns: The response, whatever its status code.
    /// - Throws: An ``RLHTTPError``; ``RLHTTPError/cancelled`` if the task was cancelled.
    public func response(
        for request: RLHTTPRequest,
        progress: (@Sendable (RLHTTPProgress) -> Void)? = nil
    ) async throws -> RLHTTPResponse {
        try await run(request, progress) { MemorySink(limit: $0.limits.bodyLength) }
    }

    /// Sends a request and writes the response's body into a file, whatever the status code.
    ///
    /// The body is first written into a temporary file in the same directory. When the body is
    /// complete, the temporary file is renamed to `path`. An existing file or symbolic link is
    /// replaced, and the file's mode is kept. Only a regular file can be replaced.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The path of the file.
    ///   - progress: Called on a private serial queue; one call may cover several pieces of the
    ///     body.
    /// - Returns: The response without its body.
    /// - Throws: An ``RLHTTPError``; ``RLHTTPError/cancelled`` if the task was cancelled.
    public func download(
        _ request: RLHTTPRequest,
        toFile path: String,
        progress: (@Sendable (RLHTTPProgress) -> Void)? = nil
    ) async throws -> RLHTTPResponse {
        try FileSink.check(path)
        return try await run(request, progress) { _ in FileSink(path: path) }
    }

    /// Sends a request and returns when the response's head has arrived.
    ///
    /// The body follows in parts, with back-pressure: see ``RLHTTPBodyParts``.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response without its body, and the parts of the body. Releasing the parts
    ///   cancels the request.
    /// - Throws: An ``RLHTTPError``; ``RLHTTPError/cancelled`` if the task was cancelled.
    public func parts(
        of request: RLHTTPRequest
    ) async throws -> (response: RLHTTPResponse, body: RLHTTPBodyParts) {
        let parts = PartQueue()
        let operation = RLHTTPRequestOperation(
            request,
            client: self,
            makeSink: { _ in PartSink(parts) },
            callbackQueue: nil,
            completion: { parts.end($0) }
        )
        let body = RLHTTPBodyParts(operation, parts)
        let head = try await withTaskCancellationHandler {
            operation.start()
            return try await parts.head()
        } onCancel: {
            operation.cancel()
        }
        return (head, body)
    }

    private func run(
        _ request: RLHTTPRequest,
        _ progress: (@Sendable (RLHTTPProgress) -> Void)?,
        _ makeSink: @escaping @Sendable (RLHTTPRequest) -> any BodySink
    ) async throws -> RLHTTPResponse {
        let outcome = Outcome<RLHTTPResponse>()
        let operation = RLHTTPRequestOperation(
            request,
            client: self,
            makeSink: makeSink,
            // The closure needs its own serial queue, because a task may resume on any thread.
            callbackQueue: progress.map { _ in DispatchQueue(label: "RLHTTPClient") },
            progress: progress,
            completion: { outcome.come($0) }
        )
        return try await withTaskCancellationHandler {
            operation.start()
            return try await outcome.value()
        } onCancel: {
            operation.cancel()
        }
    }
}

/// A result for one waiting task; later results are ignored.
final class Outcome<Value: Sendable>: Sendable {
    private enum State {
        case nothing
        case awaited(CheckedContinuation<Value, any Error>)
        case here(Result<Value, RLHTTPError>)
        case gone
    }

    private let state = Locked(State.nothing)

    func come(_ result: Result<Value, RLHTTPError>) {
        let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .nothing: state = .here(result)
            case .awaited(let waiter):
                state = .gone
                return waiter
            case .here, .gone: break
            }
            return nil
        }
        waiter?.resume(with: result.mapError { $0 })
    }

    /// Waits for the result; call this function once.
    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { waiter in
            let result: Result<Value, RLHTTPError>? = state.withLock { state in
                if case .here(let result) = state {
                    state = .gone
                    return result
                }
                state = .awaited(waiter)
                return nil
            }
            if let result { waiter.resume(with: result.mapError { $0 }) }
        }
    }
}
