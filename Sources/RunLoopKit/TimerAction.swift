// What a timer does. The engine holds it as the timer's info, from making to invalidation.

import CoreRunLoop
import Synchronization

/// The block of a timer and what belongs to it.
///
/// Wrappers come and go: the engine's timer is what a loop keeps, and a wrapper is made for the
/// block if nobody holds one. So nothing here keeps a wrapper, nor the loop, alive.
final class TimerAction {
    private weak var wrapper: RLTimer?
    private var block: ((RLTimer) -> Void)?
    private var storedUserInfo: Any?
    private var waiters: [CheckedContinuation<Bool, Never>] = []
    // Guards the three above: `invalidate` may come from another thread.
    private let lock = Locked<Void>(())
    private let engineReferences = Atomic<Int>(0)

    init(userInfo: Any?, block: @escaping (RLTimer) -> Void) {
        self.storedUserInfo = userInfo
        self.block = block
    }

    var userInfo: Any? {
        var info: Any?
        lock.withLock { _ in info = storedUserInfo }
        return info
    }

    func remember(_ wrapper: RLTimer) {
        self.wrapper = wrapper
    }

    /// Calls the block, if the timer has not been invalidated meanwhile.
    func run(_ timer: RLRunLoopTimerRef) {
        var block: ((RLTimer) -> Void)?
        lock.withLock { _ in block = self.block }
        guard let block else { return }
        noteFunction(TimerBlock(block: block))
        block(wrapper ?? RLTimer(timer, self))
        resumeWaiters(returning: true)
    }

    /// Has someone told of the next firing, or, if there is none, at once.
    func addWaiter(_ waiter: CheckedContinuation<Bool, Never>) {
        var isValid = false
        lock.withLock { _ in
            isValid = block != nil
            if isValid { waiters.append(waiter) }
        }
        if !isValid { waiter.resume(returning: false) }
    }

    private func resumeWaiters(returning hasFired: Bool) {
        var resumed: [CheckedContinuation<Bool, Never>] = []
        lock.withLock { _ in swap(&resumed, &waiters) }
        for waiter in resumed { waiter.resume(returning: hasFired) }
    }

    /// A context under which the engine holds this action; to be used while the caller holds it.
    var context: RLRunLoopTimerContext {
        var context = RLRunLoopTimerContext()
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.retain = { info in
            guard let info else { return nil }
            let action = Unmanaged<TimerAction>.fromOpaque(info)
            action.takeUnretainedValue().engineReferences.add(1, ordering: .relaxed)
            return UnsafeRawPointer(action.retain().toOpaque())
        }
        context.release = { info in
            guard let info else { return }
            let action = Unmanaged<TimerAction>.fromOpaque(info)
            action.takeUnretainedValue().engineGivesUp()
            action.release()
        }
        return context
    }

    static func of(_ info: UnsafeMutableRawPointer?) -> TimerAction? {
        // The engine holds its info during the call.
        info.map { Unmanaged<TimerAction>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The last reference of the engine is that of a valid timer: it is now invalid and not being
    /// called, so that what the client gave goes, whoever still has a wrapper.
    private func engineGivesUp() {
        guard engineReferences.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else {
            return
        }
        var given: (block: ((RLTimer) -> Void)?, userInfo: Any?)
        lock.withLock { _ in
            given = (block, storedUserInfo)
            block = nil
            storedUserInfo = nil
        }
        withExtendedLifetime(given) {}
        resumeWaiters(returning: false)
    }
}

/// Holds a timer's block for `noteFunction`.
private struct TimerBlock {
    let block: (RLTimer) -> Void
}
