@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping
import Synchronization

/// What a timer of the engine holds for its wrapper: the block, the waiters for the timer to fire,
/// and, as long as the timer is in a loop, the wrapper.
///
/// The wrapper keeps the box. The engine uses it until the timer is invalid or gone, and the last
/// use releases what the client gave. Once the timer is in a loop, only the thread of that loop
/// uses the variables.
final class TimerBox: ContextBox {
    private struct Action {
        let block: (RLTimer) -> Void
    }

    private struct Content {
        let action: Action
        let userInfo: UserInfo?
    }

    // An object of its own, as hardly any timer has one, and values of any type cost much to move.
    final class UserInfo {
        fileprivate let value: Any

        init(_ value: Any) {
            self.value = value
        }
    }

    // What the client gave; nil when the engine has let go of it.
    private var content: Content?
    // How many references the engine has. Together they hold one reference to the box.
    private let uses = Atomic(0)

    // What the loop keeps: the wrapper, and the object that is made of it, if there is one.
    private var wrapper: RLTimer?
    private var owner: AnyObject?
    // For the block, if no loop keeps the wrapper.
    private weak var namedWrapper: RLTimer?

    // One table for all timers, as hardly any has waiters.
    private static let waiters = Locked<[ObjectIdentifier: [TimerWaiter]]>([:])
    private let hasWaiters = Atomic(false)

    init(userInfo: UserInfo?, block: @escaping (RLTimer) -> Void) {
        content = Content(action: Action(block: block), userInfo: userInfo)
    }

    /// The box of a timer that was made for a wrapper, on its thread; nil for other timers and
    /// invalid ones.
    static func box(of timer: RLRunLoopTimerRef) -> TimerBox? {
        var context = RLRunLoopTimerContext()
        RLRunLoopTimerGetContext(timer, &context)
        guard let info = context.info, let release = context.release else { return nil }
        let own = unsafeBitCast(endUse, to: UnsafeRawPointer.self)
        // The info is a box if our function releases it.
        guard unsafeBitCast(release, to: UnsafeRawPointer.self) == own else { return nil }
        let box = Unmanaged<TimerBox>.fromOpaque(info).takeUnretainedValue()
        // On another thread, a wrapper must not lead to what belongs to the box's thread.
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
        // Released at the end of this function, as its end may call code that uses the timer.
        let given = content
        content = nil
        resumeWaiters(returning: false)
        forgetWrapper()
        withExtendedLifetime(given) {}
    }

    // The engine holds the box while it asks for this.
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
        // This reference goes to the thread of the loop.
        Self.release(Self.retain(info)) { info in
            guard let info else { return }
            // The reference that was just added.
            Unmanaged<TimerBox>.fromOpaque(info).takeRetainedValue().forgetWrapper()
        }
    }

    private func forgetWrapper() {
        // Released at the end of this function, as their end may call code that uses the timer.
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
            loop.visitTimers(of: mode) { _, timer in
                TimerBox.box(of: timer)?.letGoOfWrapper()
            }
        }
    }

    /// Remembers the wrapper of a timer whose reference is given out: a loop may then have the
    /// timer without the wrapper.
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

    // --- Waiters ---

    /// Has a waiter told of the next firing, or of the timer's end if that comes first.
    func addWaiter(_ waiter: TimerWaiter, of timer: RLRunLoopTimerRef) {
        Self.waiters.withLock { $0[ObjectIdentifier(self), default: []].append(waiter) }
        hasWaiters.store(true, ordering: .releasing)
        // The timer's end may have told its waiters just before.
        if !RLRunLoopTimerIsValid(timer) { resumeWaiters(returning: false) }
    }

    /// Forgets a waiter that does not wait any more.
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
    /// The compiler keeps the box's content on its thread, but not the engine's timer.
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
