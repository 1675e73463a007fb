import CRunLoop.Wrapping
import CoreRunLoop
public import FoundationEssentials
import Glibc
import Synchronization

/// An object that receives the messages of a port.
///
/// Foundation: PortDelegate.
public protocol RLPortDelegate: AnyObject {
    /// Handles a message, on the thread of the loop in which the port is scheduled.
    ///
    /// Foundation: handle(_:).
    func handle(_ message: RLPortMessage)
}

/// A delegate that is notified when the port will deliver no more messages.
package protocol RLPortReader: RLPortDelegate, Sendable {
    /// Called when the port gets another delegate, is invalidated or is deallocated.
    ///
    /// The call may come on any thread, and several times.
    func portHasNoMore()
}

/// A queue of messages to a thread.
///
/// Any thread can send messages. The port's delegate receives them in the run loop of the
/// delegate's thread.
///
/// For example, a worker thread sends its own port to the main thread's port:
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
/// Ports are thread-safe. The delegate is called only on the thread that set it. A message wakes
/// the loop like a version-1 source. Messages are delivered one at a time, in the order in which
/// they were sent. A port queues up to ``RLPort/queueLimit`` messages. While the queue is full,
/// senders block.
///
/// Foundation: Port. On Apple's systems, `Port()` creates a Mach port; here it creates a queue with
/// a descriptor.
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
    /// `receiver` stands for the port that receives the message. A reference to this port would
    /// form a retain cycle with the unread message.
    enum Reply: Sendable {
        case nowhere
        case receiver
        case other(RLPort)
    }

    private struct State {
        var messages: [Message] = []
        var isOpen: Bool
        weak var delegate: (any RLPortDelegate)?
        weak var reader: (any RLPortReader)?
        // The delegate's thread, as a unique number and, for diagnostics, as the kernel's ID.
        var delegateThread: UInt64 = 0
        var delegateThreadNumber: pid_t = 0
    }

    private let state: Condition<State>
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
            warn(
                "RLPort.init()",
                "cannot create a descriptor: \(reason), so the port is invalid: raise the "
                    + "limit of open files"
            )
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
        // The source is released first, so that no loop polls a closed descriptor.
        source = nil
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// The number of messages that a port queues before senders block; the same as for a Mach port.
    public static let queueLimit = 5

    /// The name of the notification that ``RLNotificationCenter/default`` posts when a port becomes
    /// invalid.
    ///
    /// The notification is posted on the thread that invalidates the port. Its object is the port.
    ///
    /// Foundation: Port.didBecomeInvalidNotification.
    public static let didBecomeInvalidNotification = RLNotification.Name(
        "RLPortDidBecomeInvalidNotification"
    )

    /// Sets the delegate, which receives the messages.
    ///
    /// The port does not retain the delegate, and calls it only on the thread that sets it: add the
    /// port to that thread's loop.
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

    /// Calls a closure immediately with the delegate or nil.
    ///
    /// A call on a thread other than the thread that set the delegate stops the process with a
    /// message. The delegate is accessible only inside the closure, because a port is `Sendable`
    /// and the compiler would permit sending a returned delegate to another thread.
    ///
    /// Foundation: delegate(), which returns the delegate.
    public final func withDelegate<Result: Sendable, Failure: Error>(
        _ body: @Sendable ((any RLPortDelegate)?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(delegate(for: "RLPort.withDelegate(_:)", "call this on the former thread"))
    }

    /// Unavailable: use ``withDelegate(_:)``.
    ///
    /// Foundation: delegate().
    @available(*, unavailable, message: "use withDelegate(_:), which keeps it on its thread")
    public final func delegate() -> (any RLPortDelegate)? {
        nil
    }

    /// Returns the delegate to the thread that set it, and stops the process on any other thread.
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
                "the delegate was set on thread \(describeThread(thread)), but is used on "
                    + "thread \(describeCurrentThread()): \(remedy)"
            )
        }
        return found
    }

    /// Whether messages can be sent to the port.
    ///
    /// Foundation: isValid.
    open var isValid: Bool {
        isOpen
    }

    /// A subclass cannot override it, so it may be read under a lock.
    final var isOpen: Bool {
        state.withLock { $0.isOpen }
    }

    /// Invalidates the port permanently.
    ///
    /// Queued messages are dropped, later sends fail, and the port is removed from its loops.
    ///
    /// Foundation: invalidate().
    open func invalidate() {
        guard close() else { return }
        state.withLock { $0.reader }?.portHasNoMore()
        RLNotificationCenter.default.post(name: Self.didBecomeInvalidNotification, object: self)
    }

    /// Adds the port to a mode of a loop.
    ///
    /// Programs call ``RLRunLoop/add(_:forMode:)-(RLPort,_)`` instead.
    ///
    /// Foundation: schedule(in:forMode:).
    open func schedule(in runLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        #if DEBUG
            wasScheduled.store(true, ordering: .relaxed)
        #endif
        if let source { RLRunLoopAddSource(runLoop.loop, source, mode.mode) }
    }

    /// Removes the port from a mode of a loop.
    ///
    /// Programs call ``RLRunLoop/remove(_:forMode:)-(RLPort,_)`` instead.
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

    /// Sends a message to the port, and blocks while the port's queue is full.
    ///
    /// Foundation: send(before:msgid:components:from:reserved:).
    ///
    /// - Parameters:
    ///   - limitDate: The time limit for blocking.
    ///   - msgid: A number that identifies the kind of message to the receiver.
    ///   - components: The contents of the message, such as data and ports. An unread message that
    ///     contains its own port forms a retain cycle until the port is invalidated.
    ///   - replyPort: The port for a reply. The receiver gets it as the message's
    ///     ``RLPortMessage/sendPort``.
    ///   - reserved: Ignored.
    /// - Returns: Whether the message was sent. False if the port is or becomes invalid, or if the
    ///   time limit has passed.
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

    /// Takes a message; signals the port again if messages are left, because the loop has consumed
    /// the signal.
    private func take() -> Message? {
        let (message, isMore) = state.withLock { state -> (Message?, Bool) in
            let first = state.messages.isEmpty ? nil : state.messages.removeFirst()
            return (first, !state.messages.isEmpty)
        }
        if isMore { RLRunLoopPortSignal(descriptor) }
        return message
    }

    /// Closes the queue; returns false if the queue was already closed.
    @discardableResult
    private func close() -> Bool {
        // The messages are released without the lock: their destructors may use the port.
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

    /// Returns whether the other object is this port.
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

    private func port(of reply: Reply) -> RLPort? {
        switch reply {
        case .nowhere: nil
        case .receiver: self
        case .other(let port): port
        }
    }

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
                "message \(message.msgid) for \(self) is dropped, as the port has no "
                    + "delegate: set a delegate before you add the port to a run loop"
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

/// A port that exposes the descriptor with which it wakes loops.
///
/// Foundation: NSMachPort.
open class RLMachPort: RLPort, @unchecked Sendable {
    // Proof: this subclass adds no state.

    /// The port's descriptor, which replaces the Mach port.
    ///
    /// The descriptor is readable while messages are queued. Poll the descriptor, but do not read
    /// it.
    ///
    /// Foundation: machPort.
    open var machPort: UInt32 {
        UInt32(bitPattern: descriptor)
    }
}

/// A port for the threads of one process, like ``RLPort``.
///
/// Between processes, use `RLMessagePortRef`.
///
/// Foundation: MessagePort.
open class RLMessagePort: RLPort, @unchecked Sendable {
    // Proof: this subclass adds no state.
}
