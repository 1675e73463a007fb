@_spi(Boxes) import CoreRunLoop
import Synchronization

/// What a timer of the engine holds for its wrapper: the block, and who waits for the timer to fire.
///
/// The engine lets go of it when the timer is invalid, or gone.
final class TimerBox: ContextBox {
    let userInfo: Any?
    // What the client has, or a loop keeps. Made anew for the block if there is none.
    weak var wrapper: RLTimer?

    private let action: Action
    private let hasWaiters = Atomic(false)

    private struct Action {
        let block: (RLTimer) -> Void
    }

    // Of all timers together, as hardly any has one.
    private static let waiters = Locked<[ObjectIdentifier: [TimerWaiter]]>([:])

    init(userInfo: Any?, block: @escaping (RLTimer) -> Void) {
        self.userInfo = userInfo
        self.action = Action(block: block)
    }

    deinit {
        resumeWaiters(returning: false)
        // On the thread of the loop that keeps the wrapper, if one does.
        RLRunLoop.known?.forget(ObjectIdentifier(self))
    }

    /// The callback of the engine's timer.
    static func fire(_ timer: RLRunLoopTimerRef?, _ info: UnsafeMutableRawPointer?) {
        guard let timer, let info else { return }
        // The engine keeps it during the call.
        Unmanaged<TimerBox>.fromOpaque(info)._withUnsafeGuaranteedRef { $0.call(timer) }
    }

    /// Calls the block.
    func call(_ timer: RLRunLoopTimerRef) {
        checkHome(
            "RLTimer",
            "add the timer by RLRunLoop.add(_:forMode:), or use RLRunLoopTimerCreate"
        )
        noteFunction(action)
        action.block(wrapper ?? RLTimer(timer, self))
        resumeWaiters(returning: true)
    }

    /// Has someone told of the next firing.
    func addWaiter(_ waiter: TimerWaiter) {
        Self.waiters.withLock { $0[ObjectIdentifier(self), default: []].append(waiter) }
        hasWaiters.store(true, ordering: .releasing)
    }

    /// Forgets someone who does not wait any more.
    func removeWaiter(_ waiter: TimerWaiter) {
        Self.waiters.withLock { $0[ObjectIdentifier(self)]?.removeAll { $0 === waiter } }
    }

    private func resumeWaiters(returning hasFired: Bool) {
        guard hasWaiters.load(ordering: .acquiring) else { return }
        hasWaiters.store(false, ordering: .relaxed)
        let resumed = Self.waiters.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) } ?? []
        for waiter in resumed { waiter.end(hasFired) }
    }
}

extension ContextBox {
    /// Stops the process if the calling thread is not the one that the box belongs to.
    ///
    /// The compiler keeps what is in the box on its thread; a reference of the engine's does not.
    func checkHome(_ call: StaticString, _ remedy: @autoclosure () -> String) {
        if isAtHome { return }
        stopProcess(
            "\(call)",
            "what it calls is not for thread \(describeCurrentThread()): it belongs to the thread that "
                + "made it, and the engine's reference has brought it here; \(remedy()), whose closures "
                + "are @Sendable"
        )
    }
}
