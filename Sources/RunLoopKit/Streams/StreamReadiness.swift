import CoreRunLoop
import Synchronization

/// A task's wait, in a loop of any thread, until a stream has bytes or space.
final class StreamReadiness: Sendable {
    private let engine: EngineStream
    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode
    /// Finished when the wait or the loop's thread has ended.
    let events = Mailbox<Bool>()
    private let loopEnd: LoopEnd
    // Whether the wait has ended, or receives no more events.
    private let hasLeft = Atomic(false)
    // Whether the last read took all bytes. If so, the loop reports the next bytes.
    private let isDrained = Atomic(false)

    init(of stream: RLStream, _ loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        engine = stream.engine
        self.loop = loop
        self.mode = mode
        loopEnd = LoopEnd { [events] in events.finish() }
        engine.setReadinessHandler { [events, weak self] event in
            switch event {
            case .interrupted: self?.interrupt()
            case .replaced: self?.leaveToOtherClient()
            default: Self.note(in: events)
            }
        }
        engine.schedule(in: loop, mode)
        loopEnd.watch(loop)
    }

    deinit {
        leave()
    }

    func leave() {
        if hasLeft.exchange(true, ordering: .relaxed) { return }
        loopEnd.forget()
        events.finish()
        engine.setClient(nil)
        engine.remove(from: loop, mode)
    }

    /// Ends this wait, but lets the waiting task begin another wait.
    ///
    /// Called when the stream was closed, was removed from a mode or a queue, or lost its client.
    private func interrupt() {
        if hasLeft.exchange(true, ordering: .relaxed) { return }
        loopEnd.forget()
        Self.note(in: events)
    }

    /// Called when the stream has another client, such as a delegate.
    private func leaveToOtherClient() {
        if !isOver && isAwaited {
            stopProcess(
                engine.nameOfSetClient,
                "a task waits for \(engine.description): cancel the task before you set a client "
                    + "or delegate, or use only tasks"
            )
        }
        interrupt()
    }

    var isAwaited: Bool { events.hasWaiters }

    /// Whether this wait has ended, so that a task must begin another wait.
    var isOver: Bool { hasLeft.load(ordering: .relaxed) }

    func isIn(_ loop: RLRunLoopRef, _ mode: RLRunLoopMode) -> Bool {
        loop === self.loop && mode == self.mode
    }

    private static func note(in events: Mailbox<Bool>) {
        // Coalesces the events until a task takes them.
        deliverEvent { events.put(true) { first, _ in first } }
    }

    /// Records whether the last read took all bytes; only the task that has the turn may call this.
    func noteDrained(_ isDrained: Bool) {
        self.isDrained.store(isDrained, ordering: .relaxed)
    }

    func takeDrained() -> Bool {
        isDrained.exchange(false, ordering: .relaxed)
    }
}
