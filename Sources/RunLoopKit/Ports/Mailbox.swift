// The queue behind a port.

import CRunLoop.Wrapping
import CoreRunLoop
import FoundationEssentials
import Glibc

/// Messages from any thread, and the source that tells a loop of them.
final class Mailbox: @unchecked Sendable {
    // Proof: the queue is in `condition`, which locks itself; `source` and `onMessage` are set
    // once, before the mailbox is shared.
    struct Letter: Sendable {
        let msgid: UInt32
        let components: [any Sendable]?
        let reply: Reply
    }

    /// Where an answer is to go.
    ///
    /// The port itself is only named, as a letter that nobody reads would keep it for ever.
    enum Reply: Sendable {
        case nowhere
        case receiver
        case other(RLPort)
    }

    private struct State {
        var letters: [Letter] = []
        var isOpen = true
    }

    private let condition = Condition(State())
    private(set) var source: RLRunLoopSourceRef?
    let descriptor: CInt
    var onMessage: (@Sendable () -> Void)?

    init() {
        descriptor = RLRunLoopPortCreate()
        if descriptor < 0 {
            stopProcess("RLPort.init()", "no descriptor: \(String(cString: strerror(-descriptor)))")
        }
        source = RLRunLoopSourceCreate(port: descriptor) { [weak self] in self?.onMessage?() }
    }

    deinit {
        close()
        // After the source: what is not in any loop any more can be closed.
        source = nil
        Glibc.close(descriptor)
    }

    var isOpen: Bool {
        condition.withLock { $0.isOpen }
    }

    /// Does something that concerns the port's own state.
    func withLock<Result: Sendable>(_ body: () -> Result) -> Result {
        condition.withLock { _ in body() }
    }

    /// Adds a letter as soon as there is room; false if there is none in time, or nobody to read
    /// it.
    func put(_ letter: Letter, before limitDate: Date) -> Bool {
        let isPut = condition.wait(seconds: limitDate.timeIntervalSinceNow) { state -> Bool? in
            guard state.isOpen else { return false }
            guard state.letters.count < RLPort.queueLimit else { return nil }
            state.letters.append(letter)
            return true
        }
        if isPut == true { RLRunLoopPortSignal(descriptor) }
        return isPut ?? false
    }

    /// Takes the first letter; the loop has forgotten that there were any.
    func take() -> Letter? {
        let (letter, isMore) = condition.withLock { state -> (Letter?, Bool) in
            let first = state.letters.isEmpty ? nil : state.letters.removeFirst()
            return (first, !state.letters.isEmpty)
        }
        if isMore { RLRunLoopPortSignal(descriptor) }
        return letter
    }

    /// Ends it; false if it has ended before.
    @discardableResult
    func close() -> Bool {
        // The letters go when the lock is free: the end of what is in them may ask for the port.
        let (wasOpen, letters) = condition.withLock { state in
            defer {
                state.isOpen = false
                state.letters = []
            }
            return (state.isOpen, state.letters)
        }
        if wasOpen { RLRunLoopSourceInvalidate(source) }
        withExtendedLifetime(letters) {}
        return wasOpen
    }
}
