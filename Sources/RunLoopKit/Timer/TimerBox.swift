@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping
import Synchronization

/// What a timer of the engine holds for its wrapper: the block, who waits for the timer to fire,
/// and, as long as the timer is in a loop, the wrapper.
///
/// The wrapper keeps the box, and the engine uses it until the timer is invalid, or gone: what the
/// client gave goes with the last use. Once the timer is in a loop, only the thread of that loop
/// uses the variables.
final class TimerBox: ContextBox {
    private struct Action {
        let block: (RLTimer) -> Void
    }

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

    // What the client gave; nil when the engine has let go of it.
    private var content: Content?
    // The engine's references, which have one to the box together.
    private let uses = Atomic(0)

    // What the loop keeps: the wrapper, and what is made of it, if anything is.
    private var wrapper: RLTimer?
    private var owner: AnyObject?
    // For the block, if no loop keeps the wrapper.
    private weak var namedWrapper: RLTimer?

    // Of all timers together, as hardly any has one.
    private static let waiters = Locked<[ObjectIdentifier: [TimerWaiter]]>([:])
    private let hasWaiters = Atomic(false)

    init(userInfo: UserInfo?, block: @escaping (RLTimer) -> Void) {
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

    // --- What the client gave ---

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
            // The reference of all uses together.
            let box = Unmanaged<TimerBox>.fromOpaque(info)
            box._withUnsafeGuaranteedRef { $0.letGo() }
            box.release()
        }
    }

    private func letGo() {
        // It goes at the end of this function: its end may ask for others.
        let given = content
        content = nil
        resumeWaiters(returning: false)
        forgetWrapper()
        withExtendedLifetime(given) {}
    }

    // The engine has a use while it asks.
    override var function: UnsafeRawPointer? {
        content.flatMap { functionAddress(in: $0.action) }
    }

    /// What was given with a target; nil when the engine has let go of it.
    var userInfo: Any? { content?.userInfo?.value }

    // --- What a loop keeps ---

    /// Has the timer's loop keep the wrapper; on the loop's thread, or before the timer is in the
    /// loop.
    func keep(_ wrapper: RLTimer, owner: AnyObject?) {
        if self.wrapper != nil { return }
        self.wrapper = wrapper
        self.owner = owner
    }

    /// Has the loop keep the wrapper no longer.
    func letGoOfWrapper() {
        // This reference is for the thread of the loop.
        Self.release(Self.retain(info)) { info in
            guard let info else { return }
            // The reference that was just added.
            Unmanaged<TimerBox>.fromOpaque(info).takeRetainedValue().forgetWrapper()
        }
    }

    private func forgetWrapper() {
        // They go at the end of this function: their end may ask for the timer.
        let wrapper = wrapper
        let owner = owner
        self.wrapper = nil
        if owner != nil { self.owner = nil }
        withExtendedLifetime(wrapper) {}
        withExtendedLifetime(owner) {}
    }

    /// Has a loop keep no wrapper any longer, as it ends.
    static func letGoOfWrappers(in loop: RLRunLoopRef) {
        for mode in RLRunLoopCopyAllModes(loop).map([RLRunLoopMode].init) ?? [] {
            RLRunLoopVisitItems(
                loop,
                mode.rawValue,
                { state, _ in
                    guard let state = state?.pointee, state.kind == kRLRunLoopItemTimer,
                        let item = state.item
                    else {
                        return
                    }
                    // What the kind says about an object is what it can be cast to.
                    TimerBox.box(of: unsafeBitCast(item, to: RLRunLoopTimerRef.self))?
                        .letGoOfWrapper()
                },
                nil
            )
        }
    }

    /// Remembers the wrapper of a timer whose reference gets known: a loop may have the one without
    /// the other.
    func name(_ wrapper: RLTimer) {
        if loop == nil { loop = RLRunLoopGetCurrent() }
        if namedWrapper == nil && belongsToCallingThread { namedWrapper = wrapper }
    }

    // --- Calls ---

    /// The callback of the engine's timer, which holds the box meanwhile.
    static func fire(_ timer: RLRunLoopTimerRef?, _ info: UnsafeMutableRawPointer?) {
        guard let timer, let info else { return }
        Unmanaged<TimerBox>.fromOpaque(info)._withUnsafeGuaranteedRef { box in
            box.checkOwnThread()
            box.callBlock(with: box.wrapper ?? box.namedWrapper ?? RLTimer(timer))
        }
    }

    /// Calls the block by hand.
    func call(with wrapper: RLTimer) {
        checkOwnThread()
        _ = Self.beginUse(info)
        callBlock(with: wrapper)
        Self.endUse(info)
    }

    private func checkOwnThread() {
        checkItsThread(
            "RLTimer",
            "add the timer by RLRunLoop.add(_:forMode:), or use RLRunLoopTimerCreate"
        )
    }

    private func callBlock(with wrapper: RLTimer) {
        guard let action = content?.action else { return }
        noteFunction(action)
        action.block(wrapper)
        resumeWaiters(returning: true)
    }

    // --- Who waits ---

    /// Has someone told of the next firing, or, if the timer ends before, of that.
    func addWaiter(_ waiter: TimerWaiter, of timer: RLRunLoopTimerRef) {
        Self.waiters.withLock { $0[ObjectIdentifier(self), default: []].append(waiter) }
        hasWaiters.store(true, ordering: .releasing)
        // Its end may just have told all that were there.
        if !RLRunLoopTimerIsValid(timer) { resumeWaiters(returning: false) }
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
