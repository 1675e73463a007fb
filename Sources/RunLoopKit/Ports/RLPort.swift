import CRunLoop.Wrapping
import CoreRunLoop
public import FoundationEssentials
import Glibc
import Synchronization

/// Receives the messages of a port.
///
/// Foundation: PortDelegate.
public protocol RLPortDelegate: AnyObject {
    /// Handles a message.
    ///
    /// Called on the thread of the loop in which the port is scheduled.
    ///
    /// Foundation: handle(_:).
    func handle(_ message: RLPortMessage)
}

/// A delegate that is notified when no more messages come.
package protocol RLPortReader: RLPortDelegate, Sendable {
    /// Called on any thread, possibly repeatedly, when the port gets another delegate, is
    /// invalidated or is deallocated.
    func portHasNoMore()
}

/// A queue of messages to a thread.
///
/// Any thread sends them; the port's delegate receives them in the run loop of its thread.
///
/// A worker thread that knows the main thread's port introduces itself by sending its own:
///
/// ```swift
/// let port = RLPort()
/// port.setDelegate(delegate)
/// RLRunLoop.current.add(port, forMode: .default)
/// RLThread.detachNewThread {
///     let own = RLPort()
///     port.send(before: .distantFuture, msgid: 100, components: [], from: own)
/// }
/// ```
///
/// Ports may be used from any thread. The delegate is called only on the thread that set it. Each
/// message wakes the loop as a version-1 source does. Messages are delivered one by one in the
/// order of sending. A port queues up to ``RLPort/queueLimit`` messages; when it is full, senders
/// block.
///
/// Foundation: Port; on Apple's systems `Port()` makes a Mach port, here a queue with a descriptor.
open class RLPort: @unchecked Sendable {
    // Proof: the mutable state is in `state`, which has a lock. The delegate is only used on the
    // thread that set it, which `delegate(for:_:)` checks. `source` is set once, by `init`.
    struct Message: Sendable {
        let msgid: UInt32
        let components: [any Sendable]?
        let reply: Reply
    }

    /// The port for a reply.
    ///
    /// A value without a reference: an unread message would otherwise retain the port forever.
    enum Reply: Sendable {
        case nowhere
        case receiver
        case other(RLPort)
    }

    private struct State {
        var messages: [Message] = []
        var isOpen: Bool
        weak var delegate: (any RLPortDelegate)?
        // The delegate, if it is a reader.
        weak var reader: (any RLPortReader)?
        // The delegate's thread: a unique number, and the kernel's ID for diagnostics.
        var delegateThread: UInt64 = 0
        var delegateThreadNumber: pid_t = 0
    }

    private let state: Condition<State>
    // Wakes a loop for messages.
    private var source: RLRunLoopSourceRef?
    let descriptor: CInt
    #if DEBUG
        // For a diagnostic in `deinit`: whether a loop has served the port.
        private let wasScheduled = Atomic(false)
    #endif

    /// Creates a port.
    ///
    /// Foundation: Port.init().
    public init() {
        descriptor = RLRunLoopPortCreate()
        state = Condition(State(isOpen: descriptor >= 0))
        if descriptor < 0 {
            let reason = describeError(-descriptor)
            warn("RLPort.init()", "cannot create a descriptor: \(reason); the port is invalid")
            return
        }
        source = RLRunLoopSourceCreate(port: descriptor) { [weak self] in
            guard let self, let message = take() else { return }
            hand(message)
        }
    }

    deinit {
        hintAtUnread()
        close()
        state.withLock { $0.reader }?.portHasNoMore()
        // Released first, so that no loop polls a closed descriptor.
        source = nil
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// The number of messages that a port queues before senders block, as for a Mach port.
    public static let queueLimit = 5

    /// Posted by ``RLNotificationCenter/default`` when a port becomes invalid, with the port as the
    /// object, on the thread that invalidates it.
    ///
    /// Foundation: Port.didBecomeInvalidNotification.
    public static let didBecomeInvalidNotification = RLNotification.Name(
        "RLPortDidBecomeInvalidNotification"
    )

    /// Sets the delegate, which receives the messages; not retained.
    ///
    /// It is called only on the thread that set it: add the port to that thread's loop.
    ///
    /// Foundation: setDelegate(_:).
    open func setDelegate(_ delegate: (any RLPortDelegate)?) {
        let reader = delegate as? any RLPortReader
        if delegate != nil && reader == nil { checkGiver("RLPort.setDelegate(_:)") }
        let former = state.withLock { state in
            defer {
                state.delegate = delegate
                state.reader = reader
                state.delegateThread = delegate == nil ? 0 : RLThreadGetSerialNumber()
                state.delegateThreadNumber = delegate == nil ? 0 : RLThreadGetNumber()
            }
            return state.reader
        }
        if former !== reader { former?.portHasNoMore() }
    }

    /// Calls a closure with the delegate.
    ///
    /// For the thread that set the delegate; on another thread it stops the process with a message.
    /// The delegate is accessible inside the closure only: a port is `Sendable`, so the compiler
    /// would let a returned delegate be sent to another thread.
    ///
    /// Foundation: delegate(), which returns it.
    ///
    /// - Parameter body: Called once, at once, with the delegate, or nil.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public final func withDelegate<Result: Sendable, Failure: Error>(
        _ body: @Sendable ((any RLPortDelegate)?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(delegate(for: "RLPort.withDelegate(_:)", "ask for it there"))
    }

    /// Not here: see ``withDelegate(_:)``.
    ///
    /// Foundation: delegate().
    @available(*, unavailable, message: "use withDelegate(_:), which keeps it on its thread")
    public final func delegate() -> (any RLPortDelegate)? {
        nil
    }

    /// The delegate, if the calling thread is the delegate's; another thread never receives a
    /// reference.
    private func delegate(for call: String, _ remedy: String) -> (any RLPortDelegate)? {
        var found: (any RLPortDelegate)?
        let here = RLThreadGetSerialNumber()
        let foreignThread = state.withLock { state -> pid_t? in
            if state.delegateThread == here { found = state.delegate }
            let isForeign = state.delegateThread != 0 && state.delegateThread != here
            return isForeign ? state.delegateThreadNumber : nil
        }
        if let thread = foreignThread {
            stopProcess(
                call,
                "the delegate was set on thread \(describeThread(thread)), but this is thread "
                    + "\(describeCurrentThread()): \(remedy)"
            )
        }
        return found
    }

    /// Whether messages can be sent to the port.
    ///
    /// Foundation: isValid.
    open var isValid: Bool {
        state.withLock { $0.isOpen }
    }

    /// Ends the port.
    ///
    /// Queued messages are dropped, sending fails, and the port is removed from its loops.
    ///
    /// Foundation: invalidate().
    open func invalidate() {
        guard close() else { return }
        state.withLock { $0.reader }?.portHasNoMore()
        RLNotificationCenter.default.post(name: Self.didBecomeInvalidNotification, object: self)
    }

    /// Adds the port to a mode of a loop; programs call ``RLRunLoop/add(_:forMode:)-(RLPort,_)``.
    ///
    /// Foundation: schedule(in:forMode:).
    open func schedule(in runLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        #if DEBUG
            wasScheduled.store(true, ordering: .relaxed)
        #endif
        if let source { RLRunLoopAddSource(runLoop.loop, source, mode.mode) }
    }

    /// Removes the port from a mode of a loop; programs call
    /// ``RLRunLoop/remove(_:forMode:)-(RLPort,_)``.
    ///
    /// Foundation: remove(from:forMode:).
    open func remove(from runLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        if let source { RLRunLoopRemoveSource(runLoop.loop, source, mode.mode) }
    }

    /// The number of reserved bytes of a message: 0.
    ///
    /// Foundation: reservedSpaceLength.
    open var reservedSpaceLength: Int {
        0
    }

    /// Sends a message with number 0.
    ///
    /// Foundation: send(before:components:from:reserved:).
    @discardableResult
    open func send(
        before limitDate: Date,
        components: [any Sendable]? = nil,
        from replyPort: RLPort? = nil,
        reserved: Int = 0
    ) -> Bool {
        send(
            before: limitDate,
            msgid: 0,
            components: components,
            from: replyPort,
            reserved: reserved
        )
    }

    /// Sends a message to the port.
    ///
    /// Blocks while its queue is full.
    ///
    /// Foundation: send(before:msgid:components:from:reserved:).
    ///
    /// - Parameters:
    ///   - limitDate: The time limit for blocking.
    ///   - msgid: A number that identifies the kind of message to the receiver.
    ///   - components: The contents of the message, such as data and ports. A port that is in its
    ///     own unread message is a retain cycle, which ends when the port is invalidated.
    ///   - replyPort: The port for a reply, which the receiver finds in the message's
    ///     ``RLPortMessage/sendPort``.
    ///   - reserved: Ignored.
    /// - Returns: Whether it was sent. False if the port is or becomes invalid, or the time was up.
    @discardableResult
    open func send(
        before limitDate: Date,
        msgid: UInt32,
        components: [any Sendable]? = nil,
        from replyPort: RLPort? = nil,
        reserved: Int = 0
    ) -> Bool {
        let reply = replyPort.map { $0 === self ? .receiver : Reply.other($0) }
        let message = Message(msgid: msgid, components: components, reply: reply ?? .nowhere)
        let isPut = state.wait(seconds: limitDate.timeIntervalSinceNow) { state -> Bool? in
            guard state.isOpen else { return false }
            guard state.messages.count < RLPort.queueLimit else { return nil }
            state.messages.append(message)
            return true
        }
        if isPut == true { RLRunLoopPortSignal(descriptor) }
        return isPut ?? false
    }

    /// Removes the first message.
    ///
    /// The loop has consumed the signal, so this signals again if there are more.
    private func take() -> Message? {
        let (message, isMore) = state.withLock { state -> (Message?, Bool) in
            let first = state.messages.isEmpty ? nil : state.messages.removeFirst()
            return (first, !state.messages.isEmpty)
        }
        if isMore { RLRunLoopPortSignal(descriptor) }
        return message
    }

    /// Closes the queue of messages; false if it was closed before.
    @discardableResult
    private func close() -> Bool {
        // Releases the messages without the lock: their destructors may use the port.
        let (wasOpen, messages) = state.withLock { state in
            defer {
                state.isOpen = false
                state.messages = []
            }
            return (state.isOpen, state.messages)
        }
        if wasOpen { RLRunLoopSourceInvalidate(source) }
        withExtendedLifetime(messages) {}
        return wasOpen
    }

    /// Whether the other object is the same port.
    ///
    /// Foundation: isEqual(_:).
    open func isEqual(_ object: Any?) -> Bool {
        object as? RLPort === self
    }

    /// A hash of the port's identity.
    ///
    /// Foundation: hash.
    open var hash: Int {
        ObjectIdentifier(self).hashValue
    }

    fileprivate var messageCount: Int {
        state.withLock { $0.messages.count }
    }

    /// The port for a reply to a message, created on use.
    private func port(of reply: Reply) -> RLPort? {
        switch reply {
        case .nowhere: nil
        case .receiver: self
        case .other(let port): port
        }
    }

    /// In debug builds, logs once that a port with messages was never in a loop.
    private func hintAtUnread() {
        #if DEBUG
            let left = messageCount
            if left == 0 || wasScheduled.load(ordering: .relaxed) { return }
            hint(
                "RLPort.send",
                "the port was released with \(left) unread message(s), without having been in a run "
                    + "loop: call RLRunLoop.add(_:forMode:)"
            )
        #endif
    }

    private func hintAtDropped(_ message: Message) {
        let isLost = state.withLock { $0.delegateThread } != 0
        if isLost {
            hint(
                "RLPort.setDelegate(_:)",
                "message \(message.msgid) for \(self) is dropped, as the delegate was released: "
                    + "keep a reference, as a port does not retain its delegate"
            )
        } else {
            hint(
                "RLPort",
                "message \(message.msgid) for \(self) is dropped, as the port has no delegate: set "
                    + "one before adding the port to a run loop"
            )
        }
    }

    /// Passes a message to the delegate, on the loop's thread.
    final func hand(_ sent: Message) {
        let call = "RLPort.setDelegate(_:)"
        let remedy = "set it on the thread in whose run loop the port is"
        guard let delegate = delegate(for: call, remedy) else { return hintAtDropped(sent) }
        let message = RLPortMessage(
            from: port(of: sent.reply),
            to: self,
            sent: sent.components
        )
        message.msgid = sent.msgid
        noteType(of: delegate)
        delegate.handle(message)
    }
}

extension RLPort: CustomStringConvertible {
    /// The kind of port, its address, whether it is valid, and the number of queued messages.
    public var description: String {
        describe(self, "\(isValid ? "valid" : "invalid"), \(messageCount) message(s) waiting")
    }
}

extension RLPort: RLObjectProtocol {}

/// A port that shows the descriptor by which it wakes loops.
///
/// Foundation: NSMachPort.
open class RLMachPort: RLPort, @unchecked Sendable {
    // Proof: the subclass adds no state.

    /// The descriptor, which is readable while messages are queued; it replaces a Mach port.
    ///
    /// Poll it, but do not read it.
    ///
    /// Foundation: machPort.
    open var machPort: UInt32 {
        UInt32(bitPattern: descriptor)
    }
}

/// A port for the threads of one process, which every ``RLPort`` is.
///
/// Between processes, use `RLMessagePortRef`.
///
/// Foundation: MessagePort.
open class RLMessagePort: RLPort, @unchecked Sendable {
    // Proof: the subclass adds no state.
}
