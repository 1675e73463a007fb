// Closures for another thread.

import CoreRunLoop
import Dispatch
import Glibc
import RunLoopKit

/// What the threads do; only one at a time has it.
private final class Tally: @unchecked Sendable {
    // Proof: who asks for something looks at the sum only when all of it was done.
    private(set) var sum = 0

    func add(_ number: Int) {
        sum += number
    }
}

/// A thread that runs its loop: what closures are handed to.
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

    /// Hands closures over while none of them can be performed, and then has them performed.
    func perform(_ times: Int) {
        let mayGoOn = DispatchSemaphore(value: 0)
        thread.perform { mayGoOn.wait() }
        let tally = tally
        let isOver = DispatchSemaphore(value: 0)
        for number in 0..<times { thread.perform { tally.add(number) } }
        thread.perform { isOver.signal() }
        mayGoOn.signal()
        isOver.wait()
    }

    /// Hands closures over that are performed in one mode only.
    func ask(_ times: Int, in mode: RLRunLoop.Mode) {
        for _ in 0..<times { thread.perform(modes: [mode]) {} }
    }

    /// Hands closures over, each when the one before has been performed.
    func wait(_ times: Int) {
        let tally = tally
        for number in 0..<times { thread.perform(waitUntilDone: true) { tally.add(number) } }
    }
}
