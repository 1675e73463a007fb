// Closures on their way to a loop. As a block, each would be copied, with a closure around it.

import CRunLoop.Wrapping

/// A closure in the queue of a loop, which is its only owner: called where it lies, it need not be
/// retained for the call.
private struct QueuedClosure: ~Copyable {
    let body: () -> Void
}

/// Borrowed, so that nothing is copied out.
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
            // The queue's words, of which it forgets the bytes.
            {
                let closure = $0?.assumingMemoryBound(to: QueuedClosure.self)
                _ = UnsafeMutablePointer(mutating: closure)?.move()
            },
            place
        )
        // What the queue has taken over has been moved out of its place.
        if isQueued { place.initialize(to: nil) }
    }
}
