// Stores closures in a loop's queue without blocks: Swift would wrap each closure in a block, and
// the engine would copy the block.

import CRunLoop.Wrapping

/// A closure in a loop's queue.
///
/// The queue owns the closure, and calls the closure without a retain.
private struct QueuedClosure: ~Copyable {
    let body: () -> Void
}

/// Calls a closure in place: a borrowed parameter is not copied.
@inline(__always)
private func call(_ closure: borrowing QueuedClosure) {
    closure.body()
}

/// Queues a closure; `mode` is a string, or an array of strings.
@inline(__always)
func performClosure(
    _ loop: RLRunLoopRef!,
    _ mode: RLTypeRef?,
    _ block: __owned (@Sendable () -> Void)?
) {
    guard let block else { return __RLRunLoopPerformBlock(loop, mode, nil) }
    // A closure has two words, which fit an entry of the queue.
    var closure: QueuedClosure? = QueuedClosure(body: block)
    withUnsafeMutablePointer(to: &closure) { place in
        let isQueued = RLRunLoopPerformClosure(
            loop,
            mode,
            { $0.map { call($0.assumingMemoryBound(to: QueuedClosure.self).pointee) } },
            // Moves the closure out of the entry, which the queue discards after this call.
            {
                let closure = $0?.assumingMemoryBound(to: QueuedClosure.self)
                _ = UnsafeMutablePointer(mutating: closure)?.move()
            },
            place
        )
        // The queue owns the closure now.
        if isQueued { place.initialize(to: nil) }
    }
}
