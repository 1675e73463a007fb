public import RunLoopKit

/// An HTTP client on the run loop of its thread, without other threads or queues.
///
/// ```swift
/// let client = RLHTTPLoopClient()
/// client.send(RLHTTPRequest(url: url)) { result in show(result) }
/// RLRunLoop.current.run()
/// ```
///
/// The client is confined to the thread that creates it; use on another thread stops the process.
/// The thread's loop serves the client in ``runLoopModes`` and calls the closures, which may use
/// other objects that are confined to the thread. The connections are closed after the last
/// reference to the client is released and its last request is over, or when the thread ends.
///
/// In a forked child, the parent's requests are inactive: their closures are not called.
///
/// Foundation: URLSession with a delegate queue on the calling thread.
public final class RLHTTPLoopClient {
    /// The limits of concurrent connections and requests.
    public let configuration: RLHTTPClientConfiguration

    /// The modes in which the loop serves the client.
    public let runLoopModes: [RLRunLoop.Mode]

    private let owner = NetworkThread.Owner.newClient()
    private let thread = NetworkThread.current()
    fileprivate let loop: RLRunLoopRef = RLRunLoopGetCurrent()

    /// Creates a client on the calling thread's loop.
    ///
    /// - Parameters:
    ///   - configuration: The limits of concurrent connections and requests.
    ///   - runLoopModes: The modes in which the loop serves the client; at least one.
    public init(
        configuration: RLHTTPClientConfiguration = RLHTTPClientConfiguration(),
        runLoopModes: [RLRunLoop.Mode] = [.common]
    ) {
        if runLoopModes.isEmpty {
            stopProcess(
                "RLHTTPLoopClient.init",
                "argument `runLoopModes` is empty: pass at least one mode"
            )
        }
        self.configuration = configuration
        self.runLoopModes = runLoopModes
    }

    deinit {
        RLRunLoopPerformBlock(loop, runLoopModes.map(\.mode)) { [owner, loop] in
            NetworkThread.current().drop(owner, .cancelled)
            // Otherwise a run with only this block would sleep in its empty mode (BLK-12).
            RLRunLoopWakeUp(loop)
        }
        RLRunLoopWakeUp(loop)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The path of a file for the body, whatever the status code. The complete body
    ///     replaces an existing file. If the path is nil, the response has the body.
    ///   - progress: Called when more of the body has been received or sent; one call may cover
    ///     several pieces.
    ///   - completion: Called once, after the last call of `progress`, with an error or the
    ///     response, whatever its status code. It is called after this method has returned, unless
    ///     the thread has ended. Afterwards, both closures are released.
    /// - Returns: The task that pauses and cancels the request. You need not retain it.
    @discardableResult
    public func send(
        _ request: RLHTTPRequest,
        toFile path: String? = nil,
        progress: ((RLHTTPProgress) -> Void)? = nil,
        completion: @escaping (Result<RLHTTPResponse, RLHTTPError>) -> Void
    ) -> RLHTTPTask {
        checkGiver("RLHTTPLoopClient.send")
        checkThread(
            of: loop,
            "RLHTTPLoopClient.send",
            remedy: "make a client on each thread, or use RLHTTPClient"
        )
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

    /// The connections; nil after the end of the thread, because nothing would close new
    /// connections.
    fileprivate var connections: Connections? {
        thread.isOver ? nil : thread.connections(of: owner, configuration, runLoopModes)
    }
}

/// A request of an ``RLHTTPLoopClient``, confined to the client's thread.
///
/// Foundation: URLSessionTask.
public final class RLHTTPTask: ExchangeOwner {
    var pauseState = PauseState()
    private let loop: RLRunLoopRef
    // Nil after the completion.
    private var client: RLHTTPLoopClient?
    private var onProgress: ((RLHTTPProgress) -> Void)?
    private var onCompletion: ((Result<RLHTTPResponse, RLHTTPError>) -> Void)?
    // The latest unreported progress.
    private var progress: RLHTTPProgress?

    fileprivate init(
        _ client: RLHTTPLoopClient,
        _ progress: ((RLHTTPProgress) -> Void)?,
        _ completion: @escaping (Result<RLHTTPResponse, RLHTTPError>) -> Void
    ) {
        self.client = client
        loop = client.loop
        onProgress = progress
        onCompletion = completion
    }

    /// Cancels the request.
    ///
    /// The loop calls the completion with ``RLHTTPError/cancelled``, unless the response is
    /// complete already.
    ///
    /// Foundation: cancel.
    public func cancel() {
        checkOwnThread("RLHTTPTask.cancel()")
        onLoop { connections, task in
            connections.exchange(of: task)?.finish(.failure(.cancelled))
        }
    }

    /// Whether the request is paused.
    public var isPaused: Bool {
        checkOwnThread("RLHTTPTask.isPaused")
        return pauseState.isOn
    }

    /// Pauses the request until ``resume()``, as ``RLHTTPRequestOperation/pause()`` does.
    ///
    /// Foundation: suspend.
    public func pause() {
        checkOwnThread("RLHTTPTask.pause()")
        pauseState.isOn = true
    }

    /// Continues a paused request.
    ///
    /// Foundation: resume.
    public func resume() {
        checkOwnThread("RLHTTPTask.resume()")
        pauseState = PauseState(isOn: false, end: .now)
        onLoop { connections, task in connections.resume(task) }
    }

    /// Stops the process on another thread, unless the task's thread has ended.
    private func checkOwnThread(_ call: StaticString) {
        if RLRunLoopHasEnded(loop) { return }
        checkThread(of: loop, call, remedy: "use RLHTTPRequestOperation")
    }

    // Deferred to the next pass: a callback of libcurl cannot start or end transfers.

    private func onLoop(_ body: @escaping (Connections, RLHTTPTask) -> Void) {
        guard let connections = client?.connections else { return }
        connections.performLater { [self] in
            if client != nil { body(connections, self) }
        }
    }

    func report(_ progress: RLHTTPProgress) {
        guard onProgress != nil, let client else { return }
        let isWaiting = self.progress != nil
        self.progress = progress
        if !isWaiting { client.connections?.performLater { [self] in reportProgress() } }
    }

    private func reportProgress() {
        guard let progress else { return }
        self.progress = nil
        onProgress?(progress)
    }

    func complete(_ result: Result<RLHTTPResponse, RLHTTPError>) {
        // Deferred until progress is reported: `onProgress` may run the loop until the request
        // ends.
        if progress != nil, let connections = client?.connections {
            return connections.performLater { [self] in complete(result) }
        }
        reportProgress()
        let onCompletion = onCompletion
        self.onCompletion = nil
        onProgress = nil
        client = nil
        onCompletion?(result)
    }
}

@available(*, unavailable, message: "it belongs to its thread; RLHTTPClient may be used from any")
extension RLHTTPLoopClient: Sendable {}

@available(*, unavailable, message: "it belongs to its thread")
extension RLHTTPTask: Sendable {}
