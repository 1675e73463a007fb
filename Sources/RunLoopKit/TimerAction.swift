// What a timer does. The engine holds it as the timer's info, from making to invalidation.

import CoreRunLoop
import Synchronization

/// The block of a timer and what belongs to it.
///
/// Wrappers come and go: the engine's timer is what a loop keeps, and a wrapper is made for the
/// block if nobody holds one. So nothing here keeps a wrapper, nor the loop, alive.
final class TimerAction {
    private weak var wrapper: RLTimer?
    // Read only while `references` are held, and dropped with the last: `invalidate` may come from
    // another thread, but then the engine holds one for a call that is under way.
    private var block: ((RLTimer) -> Void)?
    private var storedUserInfo: UserInfo?
    private let references = Atomic<Int>(0)
    // Whether there ever was a waiter, so that most timers need no lock.
    private let isAwaited = Atomic<Bool>(false)
    private var waiters: [CheckedContinuation<Bool, Never>] = []
    // Guards the waiters of all timers, which are few and soon told.
    private static let waiting = Locked<Void>(())

    init(userInfo: Any?, block: @escaping (RLTimer) -> Void) {
        self.storedUserInfo = userInfo.map(UserInfo.init)
        self.block = block
    }

    var userInfo: Any? {
        guard hold() else { return nil }
        defer { giveUp() }
        return storedUserInfo?.value
    }

    func remember(_ wrapper: RLTimer) {
        self.wrapper = wrapper
    }

    /// Calls the block, if the timer has not been invalidated meanwhile.
    func run(_ timer: RLRunLoopTimerRef) {
        guard hold() else { return }
        defer { giveUp() }
        runHeld(timer)
    }

    /// Calls the block; for the engine, which holds the action during the call.
    private func runHeld(_ timer: RLRunLoopTimerRef) {
        guard let block else { return }
        noteFunction(TimerBlock(block: block))
        block(wrapper ?? RLTimer(timer, self))
        resumeWaiters(returning: true)
    }

    /// Has someone told of the next firing, or, if there is none, at once.
    func addWaiter(_ waiter: CheckedContinuation<Bool, Never>) {
        var isValid = false
        Self.waiting.withLock { _ in
            // In this order: who drops the last reference looks at the flag after that.
            isAwaited.store(true, ordering: .sequentiallyConsistent)
            isValid = references.load(ordering: .sequentiallyConsistent) > 0
            if isValid { waiters.append(waiter) }
        }
        if !isValid { waiter.resume(returning: false) }
    }

    private func resumeWaiters(returning hasFired: Bool) {
        guard isAwaited.load(ordering: .sequentiallyConsistent) else { return }
        var resumed: [CheckedContinuation<Bool, Never>] = []
        Self.waiting.withLock { _ in swap(&resumed, &waiters) }
        for waiter in resumed { waiter.resume(returning: hasFired) }
    }

    /// A context under which the engine holds this action; to be used while the caller holds it.
    var context: RLRunLoopTimerContext {
        var context = RLRunLoopTimerContext()
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.retain = { info in
            guard let info else { return nil }
            let action = Unmanaged<TimerAction>.fromOpaque(info)
            action._withUnsafeGuaranteedRef { _ = $0.references.add(1, ordering: .relaxed) }
            return UnsafeRawPointer(action.retain().toOpaque())
        }
        context.release = { info in
            guard let info else { return }
            let action = Unmanaged<TimerAction>.fromOpaque(info)
            action._withUnsafeGuaranteedRef { $0.giveUp() }
            action.release()
        }
        return context
    }

    /// Calls the block of the action that the engine holds as its info, now too.
    static func run(_ info: UnsafeMutableRawPointer?, _ timer: RLRunLoopTimerRef) {
        guard let info else { return }
        Unmanaged<TimerAction>.fromOpaque(info)._withUnsafeGuaranteedRef { $0.runHeld(timer) }
    }

    /// Keeps what the client gave for a moment; false if the timer is invalid.
    private func hold() -> Bool {
        var count = references.load(ordering: .relaxed)
        while count > 0 {
            let (isHeld, seen) = references.compareExchange(
                expected: count,
                desired: count + 1,
                ordering: .acquiring
            )
            if isHeld { return true }
            count = seen
        }
        return false
    }

    /// The last reference is that of a valid timer: it is now invalid and not being called, so that
    /// what the client gave goes, whoever still has a wrapper.
    private func giveUp() {
        guard references.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 else {
            return
        }
        block = nil
        storedUserInfo = nil
        resumeWaiters(returning: false)
    }
}

/// What the client gave with a target.
///
/// In an object, as most timers have none.
private final class UserInfo {
    let value: Any

    init(_ value: Any) {
        self.value = value
    }
}

/// Holds a timer's block for `noteFunction`.
private struct TimerBlock {
    let block: (RLTimer) -> Void
}
