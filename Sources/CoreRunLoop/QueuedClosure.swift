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
    var closure = RLRunLoopClosure()
    closure.call = { block in
        let words = block.map { $0 + kRLRunLoopClosureWords }
        words.map { call($0.assumingMemoryBound(to: QueuedClosure.self).pointee) }
    }
    closure.release = { words in
        _ = words?.assumingMemoryBound(to: QueuedClosure.self).move()
    }
    withUnsafeMutableBytes(of: &closure.words) { words in
        // A closure consists of two words.
        words.bindMemory(to: QueuedClosure.self).initializeElement(
            at: 0,
            to: QueuedClosure(body: block)
        )
    }
    RLRunLoopPerformClosure(loop, mode, &closure)
}
