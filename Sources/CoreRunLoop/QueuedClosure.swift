// Closures that are queued for a loop. They do not travel as blocks: Swift would wrap each in a
// block, and the engine would copy that.

import CRunLoop.Wrapping

/// A closure in the queue of a loop.
///
/// The queue is its only owner and calls it in place, so that a call need not retain it.
private struct QueuedClosure: ~Copyable {
    let body: () -> Void
}

/// Calls a closure in place: a borrowed parameter is not copied.
@inline(__always)
private func call(_ closure: borrowing QueuedClosure) {
    closure.body()
}

/// Queues a closure in the modes that an object of the engine names.
@inline(__always)
func performClosure(
    _ loop: RLRunLoopRef!,
    _ mode: RLTypeRef?,
    _ block: __owned (@Sendable () -> Void)?
) {
    guard let block else { return __RLRunLoopPerformBlock(loop, mode, nil) }
    // A closure consists of two words, for which the queue has room.
    var closure: QueuedClosure? = QueuedClosure(body: block)
    withUnsafeMutablePointer(to: &closure) { place in
        let isQueued = RLRunLoopPerformClosure(
            loop,
            mode,
            { $0.map { call($0.assumingMemoryBound(to: QueuedClosure.self).pointee) } },
            // The queue forgets its words after this, so that the closure is moved out of them.
            {
                let closure = $0?.assumingMemoryBound(to: QueuedClosure.self)
                _ = UnsafeMutablePointer(mutating: closure)?.move()
            },
            place
        )
        // The queue owns the closure now, so that this place must not release it.
        if isQueued { place.initialize(to: nil) }
    }
}
