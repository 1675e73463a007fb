import CRunLoop.Wrapping
@_spi(Boxes) public import CoreRunLoop
import Glibc

/// A TCP server, which listens on one port at the IPv4 and IPv6 addresses of a host.
///
/// ```swift
/// let listener = try RLListener(host: "localhost", port: 0)
/// print("listening on port \(listener.port)")
/// listener.accept(in: .current) { connection in
///     clients.append(Client(connection.input, connection.output))
/// }
/// ```
///
/// A loop accepts one connection per pass, so that a flood of connections does not starve other
/// sources. If no file descriptor is available, connections wait, and the loop retries ten times a
/// second.
///
/// The sockets are closed by ``invalidate()``, when the loop's thread ends, or when the listener is
/// deallocated. A loop that accepts connections retains the listener. A forked child shares the
/// sockets: invalidate the listener in the child, which does not affect the parent.
///
/// Foundation has no counterpart.
public final class RLListener: Sendable {
    private enum Use {
        case none, handler, tasks
    }

    private struct State {
        // The listening descriptors, until a loop accepts connections.
        var handles: [CInt]
        var sockets: [RLSocketRef] = []
        var use = Use.none
        var loopEnd: LoopEnd?
        var isValid = true
    }

    /// The port.
    ///
    /// If the listener was created with port 0, the port that the system chose.
    public let port: UInt16

    /// The addresses and ports at which the listener listens, such as `"127.0.0.1:4711"` and
    /// `"[::1]:4711"`.
    public let addresses: [String]

    private let state: Locked<State>
    // The accepted sockets, which tasks wait for.
    private let accepted = Mailbox<AcceptedSocket>()

    /// Creates a listener, which listens immediately.
    ///
    /// Connections wait in the sockets' queues until a loop accepts them.
    ///
    /// A recently used port can be reused (`SO_REUSEADDR`). If the port is in use, the error is
    /// `EADDRINUSE`.
    ///
    /// - Parameters:
    ///   - host: A host name or an address; nil for all addresses of this host. Resolving a name
    ///     blocks. The listener listens at each address of the name that belongs to this host.
    ///   - port: The port. With 0, the system chooses a port that is free at all the addresses.
    /// - Throws: The system's error.
    public init(host: String? = nil, port: UInt16) throws(RLSystemError) {
        let sockets = try ListeningSockets.open(host: host, port: port)
        self.port = sockets.port
        addresses = sockets.addresses
        state = Locked(State(handles: sockets.handles))
    }

    deinit {
        invalidate()
    }

    /// Whether the listener listens.
    ///
    /// False after ``invalidate()``, and after the end of the loop's thread.
    public var isValid: Bool {
        state.withLock { $0.isValid }
    }

    /// Stops listening and closes the sockets.
    ///
    /// The call releases the handler and ends sequences of connections. Accepted connections are
    /// not affected.
    public func invalidate() {
        let ended = state.withLock { state in
            defer { state = State(handles: [], use: state.use, isValid: false) }
            return state
        }
        ended.loopEnd?.forget()
        for handle in ended.handles { close(handle) }
        for socket in ended.sockets { RLSocketInvalidate(socket) }
        accepted.finish()
        for socket in accepted.drain() { close(socket.handle) }
    }

    /// Accepts connections in a mode of the calling thread's loop, and calls a handler with each
    /// connection.
    ///
    /// The loop retains the listener and the handler until ``invalidate()``.
    ///
    /// - Parameters:
    ///   - runLoop: The calling thread's loop.
    ///   - mode: The mode.
    ///   - handler: Called on the loop's thread. On the main loop, the closure may be isolated to
    ///     the main actor.
    public func accept(
        in runLoop: RLRunLoop,
        forMode mode: RLRunLoop.Mode = .common,
        handler: @escaping (RLConnection) -> Void
    ) {
        let call: StaticString = "RLListener.accept(in:forMode:handler:)"
        checkGiver(call)
        checkThread(of: runLoop.loop, call, remedy: "use accept(on:mode:) or connections(on:mode:)")
        let box = ListenerBox(self, handler)
        guard box.belong(to: runLoop) else { return invalidate() }
        let sockets = begin(.handler, "\(call)") { handle in box.makeSocket(handle) }
        for socket in sockets ?? [] { Self.add(socket, to: runLoop.loop, mode.mode) }
    }

    /// Returns the connections as an asynchronous sequence.
    ///
    /// ```swift
    /// for await connection in listener.connections() {
    ///     Task { try await greet(connection) }
    /// }
    /// ```
    ///
    /// In code on the main actor, `greet` must be `@MainActor`.
    ///
    /// The loop accepts a connection only when a task requests it, so peers wait while the reader
    /// is busy. The sequence ends after ``invalidate()``, when the loop's thread ends, and when the
    /// task is cancelled. Several tasks may iterate over the sequence: each connection goes to one
    /// task.
    ///
    /// - Parameters:
    ///   - loop: The loop that accepts connections; it may belong to any thread. Nil selects the
    ///     loop that the calling thread runs, for example in an actor on that loop, or else the
    ///     main loop. Later calls use the loop of the first call.
    ///   - mode: The mode.
    /// - Returns: The sequence, which retains the listener.
    public func connections(
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) -> Connections {
        Connections(listener: self, loop: loop ?? RLRunLoopGetRunningOrMain(), mode: mode)
    }

    /// Accepts one connection.
    ///
    /// Any task may use the connection.
    ///
    /// - Parameters:
    ///   - loop: The loop that accepts connections; it may belong to any thread. Nil selects the
    ///     loop that the calling thread runs, for example in an actor on that loop, or else the
    ///     main loop. Later calls use the loop of the first call.
    ///   - mode: The mode.
    /// - Returns: The connection. Nil if the listener was invalidated, the loop's thread has ended,
    ///   or the task is cancelled.
    public nonisolated(nonsending) func accept(
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) async -> sending RLConnection? {
        let next = await takeSocket(loop ?? RLRunLoopGetRunningOrMain(), mode)
        return next.map { RLConnection($0) }
    }

    @inline(__always) fileprivate func takeSocket(
        _ loop: RLRunLoopRef,
        _ mode: RLRunLoop.Mode,
        isolation: isolated (any Actor)? = #isolation
    ) async -> AcceptedSocket? {
        beginForTasks(loop, mode)
        return await accepted.take { acceptOne() }
    }

    private func beginForTasks(_ loop: RLRunLoopRef, _ mode: RLRunLoop.Mode) {
        let sockets = begin(.tasks, "RLListener.accept(on:mode:)") { handle in
            let socket = RLSocketCreateWithNative(handle, callBackTypes: .acceptCallBack) {
                [weak self] _, event in
                guard case .accepted(let handle, let address) = event else { return }
                guard let self else { return _ = close(handle) }
                take(AcceptedSocket(handle, address))
            }
            if let socket { RLSocketSetSocketFlags(socket, kRLSocketCloseOnInvalidate) }
            return socket
        }
        guard let sockets else { return }
        let loopEnd = LoopEnd { [weak self] in self?.invalidate() }
        let isValid = state.withLock { state in
            if state.isValid { state.loopEnd = loopEnd }
            return state.isValid
        }
        guard isValid else { return }
        for socket in sockets { Self.add(socket, to: loop, mode.mode) }
        loopEnd.watch(loop)
    }

    /// Creates the sockets that accept connections.
    ///
    /// Returns nil if tasks already accept connections or the listener is invalid.
    private func begin(
        _ use: Use,
        _ call: String,
        _ make: (CInt) -> RLSocketRef?
    ) -> [RLSocketRef]? {
        let (former, handles) = state.withLock { state in
            defer {
                state.use = use
                state.handles = []
            }
            return (state.use, state.handles)
        }
        if former == use && use == .tasks { return nil }
        if former != .none {
            stopProcess(call, "the listener already accepts connections: create another listener")
        }
        let sockets = handles.compactMap(make)
        let isValid = state.withLock { state in
            if state.isValid { state.sockets = sockets }
            return state.isValid
        }
        if isValid { return sockets }
        // The listener was invalidated, perhaps by another thread.
        for socket in sockets { RLSocketInvalidate(socket) }
        return nil
    }

    private static func add(_ socket: RLSocketRef, to loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        let source = RLSocketCreateRunLoopSource(nil, socket, 0)
        if let source { RLRunLoopAddSource(loop, source, mode) }
    }

    /// Accepts one more connection at each socket, for a waiting task.
    private func acceptOne() {
        for socket in state.withLock({ $0.sockets }) {
            RLSocketEnableCallBacks(socket, RLSocketCallBackType.acceptCallBack.rawValue)
        }
    }

    private func take(_ socket: AcceptedSocket) {
        deliverEvent {
            if !accepted.put(socket) { close(socket.handle) }
            if accepted.hasWaiters { acceptOne() }
        }
    }
}

extension RLListener {
    /// The sequence that ``RLListener/connections(on:mode:)`` returns.
    public struct Connections: AsyncSequence, Sendable {
        /// A connection.
        public typealias Element = RLConnection
        /// The sequence never throws.
        public typealias Failure = Never

        fileprivate let listener: RLListener
        fileprivate let loop: RLRunLoopRef
        fileprivate let mode: RLRunLoop.Mode

        /// Creates an iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(connections: self)
        }

        /// An iterator over the connections.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let connections: Connections

            /// Waits for a connection, and returns nil at the end of the sequence.
            public mutating func next(
                isolation: isolated (any Actor)? = #isolation
            ) async -> RLConnection? {
                let listener = connections.listener
                let next = await listener.takeSocket(connections.loop, connections.mode)
                return next.map { RLConnection($0) }
            }
        }
    }
}

extension RLListener: CustomStringConvertible {
    /// The addresses, or `invalid`.
    public var description: String {
        describe(self, isValid ? "listening at " + addresses.joined(separator: ", ") : "invalid")
    }
}

/// The info of the listener's sockets, which calls the handler.
private final class ListenerBox: ThreadBox {
    private struct Content {
        let handler: (RLConnection) -> Void
        // Retained on behalf of the loop.
        let listener: RLListener
    }

    private var content: Content?
    private let handler: UnsafeRawPointer?

    init(_ listener: RLListener, _ handler: @escaping (RLConnection) -> Void) {
        let content = Content(handler: handler, listener: listener)
        self.content = content
        self.handler = functionAddress(in: content)
    }

    override var function: UnsafeRawPointer? { handler }

    override func releaseContent() {
        // The content is released at the end of this function: destructors may use the listener.
        let given = content
        content = nil
        withExtendedLifetime(given) {}
    }

    override func letGo() {
        content?.listener.invalidate()
        releaseContent()
    }

    func makeSocket(_ handle: CInt) -> RLSocketRef? {
        var context = RLSocketContext()
        context.info = info
        context.retain = ThreadBox.beginUse
        context.release = ThreadBox.endUse
        context.copyDescription = ContextBox.copyDescription
        return withExtendedLifetime(self) {
            RLSocketCreateWithNative(
                nil,
                handle,
                RLSocketCallBackType.acceptCallBack.rawValue,
                { _, _, address, data, info in
                    guard let info, let address, let data else { return }
                    let accepted = AcceptedSocket(data.load(as: RLSocketNativeHandle.self), address)
                    // The engine retains the box during the call.
                    Unmanaged<ListenerBox>.fromOpaque(info).takeUnretainedValue().call(accepted)
                },
                &context
            )
        }
    }

    private func call(_ accepted: AcceptedSocket) {
        checkItsThread("RLListener", "iterate over connections(on:mode:) instead")
        guard let content else { return _ = close(accepted.handle) }
        noteFunction(content)
        content.handler(RLConnection(accepted))
    }
}
