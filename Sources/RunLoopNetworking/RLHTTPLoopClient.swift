public import RunLoopKit

/// A client for HTTP on the run loop of its thread, with no other thread and no queue.
///
/// ```swift
/// let client = RLHTTPLoopClient()
/// client.send(RLHTTPRequest(url: url)) { result in show(result) }
/// RLRunLoop.current.run()
/// ```
///
/// The loop of the thread that makes it serves it, in its modes, and calls the closures: they may
/// use whatever belongs to the thread. Used on another thread, it stops the process. Its
/// connections are closed when it has been released and its last request is over, or when the
/// thread ends.
///
/// Foundation: URLSession whose delegate queue is that of the thread.
public final class RLHTTPLoopClient {
    /// The limits of connections and requests that it has at a time.
    public let configuration: RLHTTPClientConfiguration

    /// The modes in which the loop serves it.
    public let runLoopModes: [RLRunLoop.Mode]

    private let owner = NetworkThread.Owner.newClient()
    private let thread = NetworkThread.current()
    private let loop = RLRunLoopGetCurrent()

    /// Makes a client on the calling thread's loop.
    ///
    /// - Parameters:
    ///   - configuration: How many connections and requests it has at a time.
    ///   - runLoopModes: The modes in which the loop serves it; at least one.
    public init(
        configuration: RLHTTPClientConfiguration = RLHTTPClientConfiguration(),
        runLoopModes: [RLRunLoop.Mode] = [.common]
    ) {
        if runLoopModes.isEmpty {
            stopProcess(
                "RLHTTPLoopClient.init",
                "argument `runLoopModes` is empty: nothing could run"
            )
        }
        self.configuration = configuration
        self.runLoopModes = runLoopModes
    }

    deinit {
        RLRunLoopPerformBlock(loop, runLoopModes.map(\.mode)) { [owner] in
            NetworkThread.current().drop(owner, .cancelled)
        }
        RLRunLoopWakeUp(loop)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The path of a file for the body, whatever the status code: it takes the place of
    ///     one of that name when it is complete. With nil the response has the body.
    ///   - progress: Called when more of the body has come or been sent; one call may cover several
    ///     pieces.
    ///   - completion: Called once, after the last call of `progress`, with the response, whatever
    ///     its status code; not before this method has returned, unless the thread has ended. Both
    ///     closures are released then.
    /// - Returns: What pauses and cancels the request. It need not be kept.
    @discardableResult
    public func send(
        _ request: RLHTTPRequest,
        toFile path: String? = nil,
        progress: ((RLHTTPProgress) -> Void)? = nil,
        completion: @escaping (Result<RLHTTPResponse, RLHTTPError>) -> Void
    ) -> RLHTTPTask {
        checkGiver("RLHTTPLoopClient.send")
        if RLRunLoopGetCurrent() !== loop {
            stopProcess("RLHTTPLoopClient.send", "the client belongs to another thread")
        }
        let task = RLHTTPTask(self, progress, completion)
        guard let connections else {
            task.complete(.failure(.threadEnded))
            return task
        }
        let limit = request.limits.bodyLength
        do throws(RLHTTPError) {
            if let path { try FileSink.check(path) }
            let exchange = try HTTPExchange(
                request,
                of: task,
                started: .now,
                sink: path.map { FileSink(path: $0) } ?? MemorySink(limit: limit)
            )
            connections.add(exchange)
        } catch {
            connections.performLater { task.complete(.failure(error)) }
        }
        return task
    }

    /// Nil when the thread has ended, which would not close them any more.
    fileprivate var connections: Connections? {
        thread.isOver ? nil : thread.connections(of: owner, configuration, runLoopModes)
    }
}

/// A request of an ``RLHTTPLoopClient``; for its thread.
///
/// Foundation: URLSessionTask.
public final class RLHTTPTask: ExchangeOwner {
    var pauseState = PauseState()
    // Nil when it is over.
    private var client: RLHTTPLoopClient?
    private var tellProgress: ((RLHTTPProgress) -> Void)?
    private var tellEnd: ((Result<RLHTTPResponse, RLHTTPError>) -> Void)?
    // The latest one, unless it has been told.
    private var progress: RLHTTPProgress?

    fileprivate init(
        _ client: RLHTTPLoopClient,
        _ progress: ((RLHTTPProgress) -> Void)?,
        _ completion: @escaping (Result<RLHTTPResponse, RLHTTPError>) -> Void
    ) {
        self.client = client
        tellProgress = progress
        tellEnd = completion
    }

    /// Cancels the request: the loop calls the completion with ``RLHTTPError/cancelled``, unless
    /// the response is complete before.
    ///
    /// Foundation: cancel.
    public func cancel() {
        onLoop { connections, task in
            connections.exchange(of: task)?.finish(.failure(.cancelled))
        }
    }

    /// Whether the request is paused.
    public var isPaused: Bool { pauseState.isOn }

    /// Has the request wait until ``resume()``, as ``RLHTTPRequestOperation/pause()`` does.
    ///
    /// Foundation: suspend.
    public func pause() {
        pauseState.isOn = true
    }

    /// Goes on with a request that is paused.
    ///
    /// Foundation: resume.
    public func resume() {
        pauseState = PauseState(isOn: false, end: .now)
        onLoop { connections, task in connections.resume(task) }
    }

    // No closure is called by a function that libcurl calls, in which nothing can begin or end.

    private func onLoop(_ body: @escaping (Connections, RLHTTPTask) -> Void) {
        guard let connections = client?.connections else { return }
        connections.performLater { [self] in
            if client != nil { body(connections, self) }
        }
    }

    func report(_ progress: RLHTTPProgress) {
        guard tellProgress != nil, let client else { return }
        let isWaiting = self.progress != nil
        self.progress = progress
        if !isWaiting { client.connections?.performLater { [self] in tell() } }
    }

    private func tell() {
        guard let progress else { return }
        self.progress = nil
        tellProgress?(progress)
    }

    func complete(_ result: Result<RLHTTPResponse, RLHTTPError>) {
        // After the progress that waits, which may run the loop until the request is over.
        if progress != nil, let connections = client?.connections {
            return connections.performLater { [self] in complete(result) }
        }
        tell()
        let tellEnd = tellEnd
        self.tellEnd = nil
        tellProgress = nil
        client = nil
        tellEnd?(result)
    }
}

@available(*, unavailable, message: "it belongs to its thread; RLHTTPClient may be used from any")
extension RLHTTPLoopClient: Sendable {}

@available(*, unavailable, message: "it belongs to its thread")
extension RLHTTPTask: Sendable {}
