import Dispatch
import FoundationEssentials
public import RunLoopKit

/// The limits of connections and requests that a client has at a time.
public struct RLHTTPClientConfiguration: Hashable, Sendable {
    /// The most connections to one host; 0 for no limit.
    ///
    /// Other requests wait, in the order in which they were begun.
    ///
    /// Foundation: URLSessionConfiguration.httpMaximumConnectionsPerHost.
    public var connectionsPerHost = 6

    /// The number of connections, with those in use, beyond which one that a request has left is
    /// closed and not kept for the next request; with 0 none is kept.
    public var idleConnections = 32

    /// The most requests that run at a time; fewer than one count as one.
    ///
    /// Others wait, in the order in which they were sent.
    public var requestsAtATime = 256

    /// Makes the configuration that clients have by default.
    public init() {}
}

/// A client for HTTP: connections that its requests share, on one thread.
///
/// ```swift
/// let client = RLHTTPClient()
/// let response = try await client.response(for: RLHTTPRequest(url: url))
/// ```
///
/// All of it may be used from any thread. Its connections are closed when it is released, after its
/// last request.
///
/// Foundation: URLSession.
public final class RLHTTPClient: Sendable {
    /// The limits of connections and requests that it has at a time.
    public let configuration: RLHTTPClientConfiguration

    /// The modes in which the thread's loop serves it.
    public let runLoopModes: [RLRunLoop.Mode]

    let thread: RLPermanentThread
    /// Identifies its connections.
    let owner = NetworkThread.Owner.newClient()

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - configuration: How many connections and requests it has at a time.
    ///   - thread: The thread on which its requests run. It should not be blocked by other tasks.
    ///   - runLoopModes: The modes in which the thread's loop serves it; at least one.
    public init(
        configuration: RLHTTPClientConfiguration = RLHTTPClientConfiguration(),
        on thread: RLPermanentThread = .networkRequestThread,
        runLoopModes: [RLRunLoop.Mode] = [.common]
    ) {
        if runLoopModes.isEmpty {
            stopProcess("RLHTTPClient.init", "argument `runLoopModes` is empty: nothing could run")
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
    ///   - progress: Called on a queue of its own; one call may cover several pieces.
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
    /// It is written into a file of its own beside that one, and takes the place of a file of that
    /// name, and its mode, when it is complete. A path that is no regular file's is refused.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The path of the file.
    ///   - progress: Called on a queue of its own; one call may cover several pieces.
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

    /// Sends a request and returns as soon as the response's head has come.
    ///
    /// The body comes in parts. The server has to wait while nobody takes them.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response without its body, and the parts of that. If nobody holds them any
    ///   more, the request is cancelled.
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
            // A task may be resumed anywhere.
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

/// A result that comes once, for one task that waits for it.
final class Outcome<Value: Sendable>: Sendable {
    private enum State {
        case nothing
        case awaited(CheckedContinuation<Value, any Error>)
        case here(Result<Value, RLHTTPError>)
        case gone
    }

    private let state = Locked(State.nothing)

    /// The first result counts.
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

    /// Waits for the result; once.
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
