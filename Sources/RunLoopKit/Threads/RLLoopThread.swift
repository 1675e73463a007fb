public import CoreRunLoop
import Glibc

/// The members of an ``RLThread`` that Foundation's threads lack.
///
/// They are outside of the class, so that subclasses written for Foundation's class may have
/// members of these names.
public protocol RLLoopThread: AnyObject {}

extension RLLoopThread where Self: RLThread {
    /// The thread's run loop, for use from any thread.
    ///
    /// Nil before the thread is started and after it has ended. Waits for a thread that is being
    /// started. The loop ends with its thread; the thread's object does not retain it.
    public var runLoop: RLRunLoopRef? {
        queue?.loop
    }

    /// Waits for the end of the thread and its loop.
    ///
    /// The thread must have been started. Any number of threads may wait. Waiting for the calling
    /// thread itself, or for a thread that was not made here, such as ``RLThread/main``, stops the
    /// process.
    ///
    /// Foundation has no such function.
    public func join() {
        if self === RLThread.current { stopProcess("RLThread.join()", "a thread waits for itself") }
        noteWait { false }
        defer { forgetWait() }
        // The system lets only one thread join. The others wait for that one.
        let handle = condition.wait { state -> pthread_t?? in
            if state.isAdopted { stopProcess("RLThread.join()", "the thread was not made here") }
            if state.phase == .new { stopProcess("RLThread.join()", "the thread was not started") }
            if state.isJoined { return state.hasEnded ? .some(nil) : nil }
            guard let handle = state.handle else { return nil }
            state.isJoined = true
            return handle
        }
        guard let handle else { return }
        pthread_join(handle, nil)
        condition.withLock { $0.hasEnded = true }
    }

    /// Performs a block on the thread when its loop runs in one of the given modes.
    ///
    /// - Parameters:
    ///   - wait: Whether to return only after the block was performed. On the thread itself it is
    ///     then performed at once. Two threads that wait for each other deadlock.
    ///   - modes: The modes in which the loop may perform it. Without a mode it is never performed,
    ///     and the call does not wait.
    ///   - block: The block.
    /// - Returns: Whether the block was performed or, without waiting, was queued. False if the
    ///   thread was not started, has ended, or ends first.
    @discardableResult
    public func perform(
        waitUntilDone wait: Bool = false,
        modes: [RLRunLoop.Mode] = [.common],
        _ block: @escaping @Sendable () -> Void
    ) -> Bool {
        if wait && self === RLThread.current {
            block()
            return true
        }
        if modes.isEmpty { hintAtNoModes("RLThread.perform(waitUntilDone:modes:_:)") }
        if wait && modes.isEmpty { return false }
        let completion = wait ? Condition<Bool?>(nil) : nil
        guard queue?.add(modes: modes, completion: completion, block: block) ?? false else {
            hint(
                "RLThread.perform",
                "\(self) was stopped, has ended or was not started: the block is not performed"
            )
            return false
        }
        guard let completion else { return true }
        noteWait { completion.withLock { $0 != nil } }
        defer { forgetWait() }
        return completion.wait { $0 }
    }
}

// Of debug builds: two threads that wait for each other, which nothing ends.
extension RLLoopThread where Self: RLThread {
    /// Notes that the calling thread is about to wait for this one, and reports it if this one
    /// waits for the calling thread.
    @inline(__always)
    fileprivate func noteWait(isOver: @escaping @Sendable () -> Bool) {
        #if DEBUG
            let own = RLThread.current
            let wait = Wait(thread: ObjectIdentifier(self), isOver: isOver)
            let others = waits.withLock { waits in
                waits[ObjectIdentifier(own)] = wait
                return waits[ObjectIdentifier(self)]
            }
            guard let others, others.thread == ObjectIdentifier(own), !others.isOver() else {
                return
            }
            hint(
                "RLThread.join() or perform",
                "waits for \(self), which waits for this thread: neither goes on"
            )
        #endif
    }

    @inline(__always)
    fileprivate func forgetWait() {
        #if DEBUG
            waits.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(RLThread.current)) }
        #endif
    }
}

#if DEBUG
    private struct Wait: Sendable {
        let thread: ObjectIdentifier
        // The other thread may have done already what is waited for.
        let isOver: @Sendable () -> Bool
    }

    // By the thread that waits.
    private let waits = Locked<[ObjectIdentifier: Wait]>([:])
#endif
