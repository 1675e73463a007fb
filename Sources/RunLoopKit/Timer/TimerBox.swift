@_spi(Boxes) import CoreRunLoop
import Synchronization

/// What a timer of the engine holds for its wrapper: the block, and who waits for the timer to
/// fire.
///
/// The wrapper keeps the box, and the engine uses it until the timer is invalid, or gone. What the
/// client gave goes with the last use. A weak reference of the wrapper's would do the same, but
/// cost a side table.
final class TimerBox: ContextBox {
    private struct Content {
        let action: Action
        let userInfo: UserInfo?
    }

    // Apart, as hardly any timer has one, and values of any type are dear to move.
    final class UserInfo {
        fileprivate let value: Any

        init(_ value: Any) {
            self.value = value
        }
    }

    private struct Action {
        let block: (RLTimer) -> Void
    }

    // Only those with a use look at it; the last one takes it away.
    private var content: Content?
    // All together have one reference to the box.
    private let uses = Atomic(0)

    // For the block, if no loop keeps the wrapper. Written once, by who sets the first of these.
    private weak var namedWrapper: RLTimer?
    private let repeats: Bool
    private let isNamed = Atomic(false)
    private let hasName = Atomic(false)
    private let hasWaiters = Atomic(false)
    /// Whether another loop than the keeper has kept the wrapper, ever.
    let isAmongOthers = Atomic(false)

    /// The loop that keeps the wrapper, if one does.
    let keeper = Atomic<UnsafeMutableRawPointer?>(nil)
    // These are guarded by the lock of that loop.
    var kept: RLTimer?
    var next: Unmanaged<TimerBox>?
    var previous: Unmanaged<TimerBox>?

    // Of all timers together, as hardly any has one.
    private static let waiters = Locked<[ObjectIdentifier: [TimerWaiter]]>([:])

    init(repeats: Bool, userInfo: UserInfo?, block: @escaping (RLTimer) -> Void) {
        self.repeats = repeats
        content = Content(action: Action(block: block), userInfo: userInfo)
    }

    /// The box of a timer that was made for a wrapper, on its thread; nil if it was not, or is
    /// over.
    static func box(of timer: RLRunLoopTimerRef) -> TimerBox? {
        var context = RLRunLoopTimerContext()
        RLRunLoopTimerGetContext(timer, &context)
        guard let info = context.info, let release = context.release else { return nil }
        let own = unsafeBitCast(endUse, to: UnsafeRawPointer.self)
        // It is ours if our function releases it.
        guard unsafeBitCast(release, to: UnsafeRawPointer.self) == own else { return nil }
        let box = Unmanaged<TimerBox>.fromOpaque(info).takeUnretainedValue()
        // Elsewhere a wrapper must not lead to what belongs to that thread.
        return box.belongsToCallingThread ? box : nil
    }

    /// The `retain` of the engine's timer.
    static let beginUse: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer? = { info in
        guard let info else { return nil }
        let box = Unmanaged<TimerBox>.fromOpaque(info)
        let isFirst = box._withUnsafeGuaranteedRef {
            $0.uses.wrappingAdd(1, ordering: .relaxed).oldValue == 0
        }
        if isFirst { _ = box.retain() }
        return info
    }

    /// The `release` of the engine's timer.
    static let endUse: @convention(c) (UnsafeRawPointer?) -> Void = { info in
        guard let info else { return }
        let isLast = Unmanaged<TimerBox>.fromOpaque(info)._withUnsafeGuaranteedRef {
            $0.uses.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
        }
        if !isLast { return }
        ContextBox.release(info) { info in
            guard let info else { return }
            let box = Unmanaged<TimerBox>.fromOpaque(info)
            box._withUnsafeGuaranteedRef { $0.letGo() }
            // The reference of all uses together.
            box.release()
        }
    }

    private func letGo() {
        // It goes at the end of this function: its end may ask for others.
        let given = content.take()
        resumeWaiters(returning: false)
        // On the thread of the loop that keeps the wrapper, if one does.
        if mayBeKept { _ = RLRunLoop.withKnown { $0.forget(self) } }
        withExtendedLifetime(given) {}
    }

    /// Calls a function while the content stays; nil if it has gone.
    private func use<Result>(_ body: () -> Result) -> Result? {
        var count = uses.load(ordering: .relaxed)
        while count > 0 {
            let (isMine, found) = uses.weakCompareExchange(
                expected: count,
                desired: count + 1,
                ordering: .acquiring
            )
            if isMine {
                defer { Self.endUse(info) }
                return body()
            }
            count = found
        }
        return nil
    }

    override var function: UnsafeRawPointer? {
        use { content.flatMap { functionAddress(in: $0.action) } } ?? nil
    }

    /// What was given with a target; nil when the engine has let go of it.
    var userInfo: Any? {
        use { content?.userInfo?.value } ?? nil
    }

    /// The callback of the engine's timer, which has a use.
    static func fire(_ timer: RLRunLoopTimerRef?, _ info: UnsafeMutableRawPointer?) {
        guard let info else { return }
        Unmanaged<TimerBox>.fromOpaque(info)._withUnsafeGuaranteedRef { $0.fire(timer) }
    }

    private func fire(_ timer: RLRunLoopTimerRef?) {
        checkOwnThread()
        if let wrapper = takeWrapper(RLRunLoopGetCurrentCounterpart()) {
            callUsed(with: wrapper)
        } else if let timer {
            callUsed(with: RLTimer(timer))
        }
    }

    /// Calls the block by hand.
    func call(with wrapper: RLTimer) {
        checkOwnThread()
        _ = use { callUsed(with: wrapper) }
    }

    private func checkOwnThread() {
        checkItsThread(
            "RLTimer",
            "add the timer by RLRunLoop.add(_:forMode:), or use RLRunLoopTimerCreate"
        )
    }

    private func callUsed(with wrapper: RLTimer) {
        guard let action = content?.action else { return }
        noteFunction(action)
        action.block(wrapper)
        resumeWaiters(returning: true)
    }

    /// The wrapper that this thread's loop keeps, or that the client has.
    ///
    /// The loop keeps a timer that does not repeat no longer, as that is over when it was called.
    @inline(__always)
    private func takeWrapper(_ counterpart: UnsafeMutableRawPointer?) -> RLTimer? {
        if mayBeKept, let counterpart {
            // This thread's loop keeps its object until the thread ends.
            let kept = Unmanaged<RLRunLoop>.fromOpaque(counterpart)._withUnsafeGuaranteedRef {
                repeats ? $0.keptTimer(of: self) : $0.forget(self)
            }
            if let kept { return kept }
        }
        return hasName.load(ordering: .acquiring) ? namedWrapper : nil
    }

    /// Whether a loop may keep the wrapper.
    private var mayBeKept: Bool {
        keeper.load(ordering: .relaxed) != nil || isAmongOthers.load(ordering: .relaxed)
    }

    /// Remembers the wrapper of a timer whose reference gets known: a loop may have the one without
    /// the other.
    func name(_ wrapper: RLTimer) {
        if isNamed.exchange(true, ordering: .relaxed) { return }
        namedWrapper = wrapper
        hasName.store(true, ordering: .releasing)
    }

    /// Has someone told of the next firing, or, if there is none, at once.
    func addWaiter(_ waiter: TimerWaiter) {
        let isAdded: Void? = use {
            Self.waiters.withLock { $0[ObjectIdentifier(self), default: []].append(waiter) }
            hasWaiters.store(true, ordering: .releasing)
        }
        if isAdded == nil { waiter.end(false) }
    }

    /// Forgets someone who does not wait any more.
    func removeWaiter(_ waiter: TimerWaiter) {
        Self.waiters.withLock { $0[ObjectIdentifier(self)]?.removeAll { $0 === waiter } }
    }

    @inline(__always)
    private func resumeWaiters(returning hasFired: Bool) {
        if hasWaiters.load(ordering: .acquiring) { resumeAll(returning: hasFired) }
    }

    private func resumeAll(returning hasFired: Bool) {
        hasWaiters.store(false, ordering: .relaxed)
        let resumed = Self.waiters.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) } ?? []
        for waiter in resumed { waiter.end(hasFired) }
    }
}

extension ContextBox {
    /// Stops the process if the calling thread is not the one that the box belongs to.
    ///
    /// The compiler keeps what is in the box on its thread; a reference of the engine's does not.
    func checkItsThread(_ call: StaticString, _ remedy: @autoclosure () -> String) {
        if belongsToCallingThread { return }
        stopProcess(
            "\(call)",
            "what it calls is not for thread \(describeCurrentThread()): it belongs to the thread that "
                + "made it, and the engine's reference has brought it here; \(remedy()), whose closures "
                + "are @Sendable"
        )
    }
}
