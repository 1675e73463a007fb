// Closures for another thread.

import CoreRunLoop
import Dispatch
import Glibc
import RunLoopKit

/// A sum that one thread at a time uses.
private final class Tally: @unchecked Sendable {
    // Proof: the requesting thread reads the sum only after all additions.
    private(set) var sum = 0

    func add(_ number: Int) {
        sum += number
    }
}

/// A thread that runs its loop and performs closures.
struct ThreadPerformer {
    private let thread = RLThread {
        RLRunLoopAddSource(RLRunLoopGetCurrent(), RLRunLoopSourceCreate {}, .defaultMode)
        RLRunLoop.current.run()
    }
    private let tally = Tally()

    init() {
        thread.start()
        thread.perform(waitUntilDone: true) {}
    }

    /// Enqueues closures while the thread is blocked, and then waits until all are performed.
    func perform(_ times: Int) {
        let mayContinue = DispatchSemaphore(value: 0)
        thread.perform { mayContinue.wait() }
        let tally = tally
        let isOver = DispatchSemaphore(value: 0)
        for number in 0..<times { thread.perform { tally.add(number) } }
        thread.perform { isOver.signal() }
        mayContinue.signal()
        isOver.wait()
    }

    /// Enqueues closures for one mode.
    func ask(_ times: Int, in mode: RLRunLoop.Mode) {
        for _ in 0..<times { thread.perform(modes: [mode]) {} }
    }

    /// Enqueues closures, each after the previous one was performed.
    func wait(_ times: Int) {
        let tally = tally
        for number in 0..<times { thread.perform(waitUntilDone: true) { tally.add(number) } }
    }
}
