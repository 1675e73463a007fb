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
    private let hasLeft = Atomic(false)
    // Whether the last read took all bytes. If so, the loop reports the next bytes.
    private let isDrained = Atomic(false)

    init(of stream: RLStream, _ loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        engine = stream.engine
        self.loop = loop
        self.mode = mode
        loopEnd = LoopEnd { [events] in events.finish() }
        engine.setReadinessHandler { [events] in Self.note(in: events) }
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

    /// Whether another wait has replaced this wait, or this wait has ended.
    var isOver: Bool { hasLeft.load(ordering: .relaxed) }

    func isIn(_ loop: RLRunLoopRef, _ mode: RLRunLoopMode) -> Bool {
        loop === self.loop && mode == self.mode
    }

    private static func note(in events: Mailbox<Bool>) {
        // Coalesces the events until a task takes them.
        deliverEvent { events.put(true) { first, _ in first } }
    }

    /// Only the task that has the stream's turn may call this.
    func noteDrained(_ isDrained: Bool) {
        self.isDrained.store(isDrained, ordering: .relaxed)
    }

    func takeDrained() -> Bool {
        isDrained.exchange(false, ordering: .relaxed)
    }
}
