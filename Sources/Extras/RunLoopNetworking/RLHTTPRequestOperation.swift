public import Dispatch
public import RunLoopKit

/// Sends an HTTP request, on the network request thread.
///
/// ```swift
/// let operation = RLHTTPRequestOperation(RLHTTPRequest(url: url)) { result in
///     show(result)        // on the main queue
/// }
/// operation.start()
/// ```
///
/// By default, all operations share one thread. The thread serves an operation while the thread's
/// loop runs in one of the operation's modes. Operations with the same modes share connections, and
/// so do the operations of an ``RLHTTPClient``. An operation is thread-safe. The thread retains a
/// running operation.
///
/// AFNetworking: AFHTTPRequestOperation.
public final class RLHTTPRequestOperation: Sendable {
    /// The state of an operation.
    public enum State: Hashable, Sendable {
        /// The operation was not started, or the network thread has not served it yet.
        case ready
        /// The operation is running.
        case executing
        /// The completion was called, or is about to be called, with a response or an error.
        case finished
        /// The operation was cancelled.
        case cancelled
    }

    private struct Situation {
        var state = State.ready
        // Nil before the start.
        var started: ContinuousClock.Instant?
        var isCancelled = false
        var pause = PauseState()
        // The latest unreported progress.
        var progress: RLHTTPProgress?
        // Both closures are released after their last call.
        var onProgress: (@Sendable (RLHTTPProgress) -> Void)?
        var complete: (@Sendable (Result<RLHTTPResponse, RLHTTPError>) -> Void)?
    }

    /// The request.
    public let request: RLHTTPRequest

    /// The modes in which the network thread's loop serves the operation.
    ///
    /// AFNetworking: runLoopModes.
    public let runLoopModes: [RLRunLoop.Mode]

    private let configuration: RLHTTPClientConfiguration
    private let client: RLHTTPClient?
    private let makeSink: @Sendable (RLHTTPRequest) -> any BodySink
    private let thread: RLPermanentThread
    // Nil if the closures may be called on the network thread.
    private let queue: DispatchQueue?
    private let situation: Locked<Situation>

    /// Creates an operation that reports to the main actor; ``start()`` starts it.
    ///
    /// The main dispatch queue calls the closures. The main run loop serves this queue in its
    /// common modes.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - thread: The thread on which the operation runs. Other tasks should not block the thread.
    ///   - runLoopModes: The modes in which the thread's loop serves the operation; at least one.
    ///   - progress: Called when more of the body has arrived; one call may cover several pieces.
    ///   - completion: Called once, after the last call of `progress`. Afterwards, both closures
    ///     are released.
    public convenience init(
        _ request: RLHTTPRequest,
        on thread: RLPermanentThread = .networkRequestThread,
        runLoopModes: [RLRunLoop.Mode] = [.common],
        progress: (@MainActor @Sendable (RLHTTPProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<RLHTTPResponse, RLHTTPError>) -> Void
    ) {
        var onProgress: (@Sendable (RLHTTPProgress) -> Void)?
        if let progress { onProgress = onMainQueue(progress) }
        self.init(
            request,
            on: thread,
            runLoopModes: runLoopModes,
            callbackQueue: .main,
            progress: onProgress,
            completion: onMainQueue(completion)
        )
    }

    /// Creates an operation that reports to a queue; ``start()`` starts it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - thread: The thread on which the operation runs. Other tasks should not block the thread.
    ///   - runLoopModes: The modes in which the thread's loop serves the operation; at least one.
    ///   - callbackQueue: The serial queue on which the closures are called.
    ///   - progress: Called when more of the body has arrived; one call may cover several pieces.
    ///   - completion: Called once, after the last call of `progress`. Afterwards, both closures
    ///     are released.
    public init(
        _ request: RLHTTPRequest,
        on thread: RLPermanentThread = .networkRequestThread,
        runLoopModes: [RLRunLoop.Mode] = [.common],
        callbackQueue: DispatchQueue,
        progress: (@Sendable (RLHTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<RLHTTPResponse, RLHTTPError>) -> Void
    ) {
        if runLoopModes.isEmpty {
            stopProcess(
                "RLHTTPRequestOperation.init",
                "argument `runLoopModes` is empty: pass at least one mode"
            )
        }
        self.request = request
        self.thread = thread
        self.runLoopModes = runLoopModes
        configuration = RLHTTPClientConfiguration()
        client = nil
        makeSink = { MemorySink(limit: $0.limits.bodyLength) }
        queue = callbackQueue
        situation = Locked(Situation(onProgress: progress, complete: completion))
    }

    /// Creates an operation that shares the connections and limits of a client; ``start()`` starts
    /// it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - client: The client, whose thread and modes the operation uses.
    ///   - callbackQueue: The serial queue on which the closures are called.
    ///   - progress: Called when more of the body has arrived or been sent; one call may cover
    ///     several pieces.
    ///   - completion: Called once, after the last call of `progress`. Afterwards, both closures
    ///     are released.
    public convenience init(
        _ request: RLHTTPRequest,
        client: RLHTTPClient,
        callbackQueue: DispatchQueue,
        progress: (@Sendable (RLHTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<RLHTTPResponse, RLHTTPError>) -> Void
    ) {
        self.init(
            request,
            client: client,
            makeSink: { MemorySink(limit: $0.limits.bodyLength) },
            callbackQueue: callbackQueue,
            progress: progress,
            completion: completion
        )
    }

    init(
        _ request: RLHTTPRequest,
        client: RLHTTPClient,
        makeSink: @escaping @Sendable (RLHTTPRequest) -> any BodySink,
        callbackQueue: DispatchQueue?,
        progress: (@Sendable (RLHTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<RLHTTPResponse, RLHTTPError>) -> Void
    ) {
        self.request = request
        self.client = client
        self.makeSink = makeSink
        thread = client.thread
        runLoopModes = client.runLoopModes
        configuration = client.configuration
        queue = callbackQueue
        situation = Locked(Situation(onProgress: progress, complete: completion))
    }

    private var owner: NetworkThread.Owner {
        client?.owner ?? .operations(runLoopModes)
    }

    /// The state of the operation.
    ///
    /// Another thread may change the state at any time.
    public var state: State {
        situation.withLock { $0.state }
    }

    /// Starts the operation, unless it was cancelled.
    ///
    /// The operation runs on the network thread; its closures may be called on other threads before
    /// this method returns. Starting twice stops the process.
    ///
    /// AFNetworking: start.
    public func start() {
        let isCancelled = situation.withLock { situation in
            if situation.started != nil {
                stopProcess(
                    "RLHTTPRequestOperation.start()",
                    "the operation was already started: create another operation"
                )
            }
            situation.started = .now
            return situation.isCancelled
        }
        if isCancelled { return }
        // If the thread ends first, the dropped ticket fails the operation.
        let ticket = StartTicket(self)
        thread.execute(modes: runLoopModes) { ticket.redeem() }
    }

    /// Cancels the operation.
    ///
    /// The completion receives ``RLHTTPError/cancelled``, unless the response was complete already.
    /// The network thread closes the connection in its next pass in one of the modes. An operation
    /// that was not started is cancelled at once. Idempotent; may be called in the completion.
    ///
    /// AFNetworking: cancel.
    public func cancel() {
        let (isFirst, isStarted) = situation.withLock { situation in
            defer { situation.isCancelled = true }
            return (!situation.isCancelled, situation.started != nil)
        }
        if !isFirst { return }
        if !isStarted { return complete(.failure(.cancelled)) }
        if isOver { return }
        thread.execute(modes: runLoopModes) { [self] in
            NetworkThread.current().cancel(self, of: owner)
        }
    }

    /// Whether the operation is paused.
    ///
    /// AFNetworking: isPaused.
    public var isPaused: Bool {
        situation.withLock { $0.pause.isOn }
    }

    /// Pauses the operation until ``resume()``.
    ///
    /// A queued operation does not start while it is paused. If the queue skips the operation,
    /// resuming moves it to the end of the queue. A running operation stops sending and reading,
    /// but keeps its connection and still counts as a concurrent request. A piece in transit is
    /// still sent or received, and a response without a body still ends the operation. A pause
    /// counts towards `timeoutIntervalForResource`, but not towards `timeoutIntervalForRequest`.
    /// The state does not change, and the operation can be cancelled.
    ///
    /// AFNetworking: pause, which closes the connection.
    public func pause() {
        situation.withLock { $0.pause.isOn = true }
    }

    /// Continues a paused operation.
    ///
    /// AFNetworking: resume.
    public func resume() {
        situation.withLock { $0.pause = PauseState(isOn: false, end: .now) }
        thread.execute(modes: runLoopModes) { [self] in
            NetworkThread.current().resume(self, of: owner)
        }
    }
}

// These methods are called on the network thread.
extension RLHTTPRequestOperation: ExchangeOwner {
    var pauseState: PauseState {
        situation.withLock(\.pause)
    }

    fileprivate func begin() {
        guard let exchange = makeExchange() else { return }
        let thread = NetworkThread.current()
        thread.connections(of: owner, configuration, runLoopModes).add(exchange)
    }

    private func makeExchange() -> HTTPExchange? {
        let (isCancelled, started) = situation.withLock { situation in
            if !situation.isCancelled { situation.state = .executing }
            return (situation.isCancelled, situation.started)
        }
        do {
            if isCancelled { throw RLHTTPError.cancelled }
            return try HTTPExchange(
                request,
                of: self,
                started: started ?? .now,
                sink: makeSink(request)
            )
        } catch let error as RLHTTPError {
            complete(.failure(error))
        } catch {}
        return nil
    }

    func complete(_ result: Result<RLHTTPResponse, RLHTTPError>) {
        let complete = situation.withLock { situation in
            defer { situation.complete = nil }
            if situation.complete != nil {
                situation.state = result == .failure(.cancelled) ? .cancelled : .finished
            }
            return situation.complete
        }
        guard let complete else { return }
        call { [self] in
            // Released without the lock: captured objects may call this object in `deinit`.
            _ = situation.withLock { situation in
                defer { situation.onProgress = nil }
                return situation.onProgress
            }
            complete(result)
        }
    }

    private func call(_ body: @escaping @Sendable () -> Void) {
        if let queue { queue.async(execute: body) } else { body() }
    }

    private var isOver: Bool {
        state == .finished || state == .cancelled
    }

    func report(_ progress: RLHTTPProgress) {
        let isWaiting = situation.withLock { situation in
            if situation.onProgress == nil { return true }
            defer { situation.progress = progress }
            return situation.progress != nil
        }
        if isWaiting { return }
        call { [self] in
            let (onProgress, progress) = situation.withLock { situation in
                defer { situation.progress = nil }
                return (situation.onProgress, situation.progress)
            }
            if let onProgress, let progress { onProgress(progress) }
        }
    }
}

private func onMainQueue<Value: Sendable>(
    _ body: @escaping @MainActor @Sendable (Value) -> Void
) -> @Sendable (Value) -> Void {
    { value in MainActor.assumeIsolated { body(value) } }
}

/// The pending start of an operation, which fails if the ticket is released unused.
private final class StartTicket: Sendable {
    private let operation: RLHTTPRequestOperation

    init(_ operation: RLHTTPRequestOperation) {
        self.operation = operation
    }

    deinit {
        // `complete` has no effect on a finished operation.
        if operation.state == .ready { operation.complete(.failure(.threadEnded)) }
    }

    func redeem() {
        operation.begin()
    }
}

extension RLHTTPRequestOperation: CustomStringConvertible {
    /// The address, the request's method and URL, and the state.
    public var description: String {
        describe(self, "\(request), \(state)")
    }
}
