// The queue behind a port.

import CRunLoop.Wrapping
import CoreRunLoop
import FoundationEssentials
import Glibc

/// Messages from any thread, and the source that tells a loop of them.
final class PortQueue: @unchecked Sendable {
    // Proof: the queue is in `condition`, which locks itself; `source` is set once,
    // before the queue is shared.
    struct Message: Sendable {
        let msgid: UInt32
        let components: [any Sendable]?
        let reply: Reply
    }

    /// Where an answer is to go.
    ///
    /// The port itself is only named, as a message that is never read would keep it for ever.
    enum Reply: Sendable {
        case nowhere
        case receiver
        case other(RLPort)
    }

    private struct State {
        var messages: [Message] = []
        var isOpen = true
    }

    private let condition = Condition(State())
    private(set) var source: RLRunLoopSourceRef?
    let descriptor: CInt

    init() {
        descriptor = RLRunLoopPortCreate()
        if descriptor < 0 {
            let reason = String(cString: strerror(-descriptor))
            warn("RLPort.init()", "the port is invalid, as it gets no descriptor: \(reason)")
            condition.withLock { $0.isOpen = false }
            return
        }
    }

    /// Makes the source, which calls a function when there are messages; once.
    func setReader(_ read: @escaping @Sendable () -> Void) {
        source = RLRunLoopSourceCreate(port: descriptor, perform: read)
    }

    deinit {
        close()
        // The source goes first, so that no loop waits for a descriptor that is closed.
        source = nil
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// How many messages wait.
    var count: Int {
        condition.withLock { $0.messages.count }
    }

    var isOpen: Bool {
        condition.withLock { $0.isOpen }
    }

    /// Does something that concerns the port's own state.
    func withLock<Result: Sendable>(_ body: () -> Result) -> Result {
        condition.withLock { _ in body() }
    }

    /// Adds a message as soon as there is room.
    ///
    /// Returns false if there is none in time, or if the queue has ended.
    func put(_ message: Message, before limitDate: Date) -> Bool {
        let isPut = condition.wait(seconds: limitDate.timeIntervalSinceNow) { state -> Bool? in
            guard state.isOpen else { return false }
            guard state.messages.count < RLPort.queueLimit else { return nil }
            state.messages.append(message)
            return true
        }
        if isPut == true { RLRunLoopPortSignal(descriptor) }
        return isPut ?? false
    }

    /// Takes the first message.
    ///
    /// The loop has used up the signal that told of messages, so this signals again if there are
    /// more.
    func take() -> Message? {
        let (message, isMore) = condition.withLock { state -> (Message?, Bool) in
            let first = state.messages.isEmpty ? nil : state.messages.removeFirst()
            return (first, !state.messages.isEmpty)
        }
        if isMore { RLRunLoopPortSignal(descriptor) }
        return message
    }

    /// Ends the queue.
    ///
    /// Returns false if it has ended before.
    @discardableResult
    func close() -> Bool {
        // Releases the messages when the lock is free, as that may use the port.
        let (wasOpen, messages) = condition.withLock { state in
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
}
