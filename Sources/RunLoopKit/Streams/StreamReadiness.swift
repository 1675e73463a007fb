// Waits of tasks for a stream, in a loop of any thread.

import CoreRunLoop
import Synchronization

/// Waits in a loop until a stream has bytes or space.
final class StreamReadiness: Sendable {
    private let engine: EngineStream
    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode
    /// The events; over if the loop's thread has ended.
    let events = Mailbox<Bool>()
    private let loopEnd: LoopEnd
    // Another wait has replaced this one.
    private let hasLeft = Atomic(false)
    // The last read took all bytes: the loop reports more.
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

    /// Ends all waits, and removes the stream from the loop.
    func leave() {
        if hasLeft.exchange(true, ordering: .relaxed) { return }
        loopEnd.forget()
        events.finish()
        engine.setClient(nil)
        engine.remove(from: loop, mode)
    }

    /// Whether another wait has taken its place.
    var isOver: Bool { hasLeft.load(ordering: .relaxed) }

    func isIn(_ loop: RLRunLoopRef, _ mode: RLRunLoopMode) -> Bool {
        loop === self.loop && mode == self.mode
    }

    private static func note(in events: Mailbox<Bool>) {
        // Coalesces the events until a task takes them.
        deliverEvent { events.put(true) { first, _ in first } }
    }

    /// Notes whether a read has left no bytes, so that the next read begins with a wait.
    ///
    /// For the task whose turn it is.
    func noteDrained(_ isDrained: Bool) {
        self.isDrained.store(isDrained, ordering: .relaxed)
    }

    /// Whether no bytes were left, at most once for each ``noteDrained(_:)``.
    func takeDrained() -> Bool {
        isDrained.exchange(false, ordering: .relaxed)
    }
}
