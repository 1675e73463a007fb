@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping
import Synchronization

/// The info of a timer of the engine that was made for a wrapper: the block, the waiters and, as
/// long as the timer is in a loop, the wrapper.
///
/// The wrapper keeps the box. Once the timer is in a loop, only the thread of that loop uses the
/// variables.
final class TimerBox: ThreadBox {
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

    // The client's block and object; nil when they are released.
    private var content: Content?
    private let block: UnsafeRawPointer?
    // In one table, as hardly any timer has waiters: a list in each would double its size.
    private static let waiters = Locked<[ObjectIdentifier: [TimerWaiter]]>([:])
    private let hasWaiters = Atomic(false)
    private let hasEnded = Atomic(false)
    // Whether any thread may have the engine's timer.
    private let isGivenOut = Atomic(false)

    // Kept for the loop: the wrapper, and the object that is made of it, if there is one.
    private var wrapper: RLTimer?
    private var owner: AnyObject?
    // For the block, if no loop keeps the wrapper.
    private weak var namedWrapper: RLTimer?

    init(userInfo: UserInfo?, block: @escaping (RLTimer) -> Void) {
        let action = Action(block: block)
        content = Content(action: action, userInfo: userInfo)
        self.block = functionAddress(in: action)
    }

    deinit {
        assert(!hasWaiters.load(ordering: .relaxed))
    }

    /// The box of a timer that was made for a wrapper, on its thread; nil for other timers and
    /// invalid ones.
    static func box(of timer: RLRunLoopTimerRef) -> TimerBox? {
        // The info is a box if our function releases it. Another thread may invalidate the timer.
        guard let info = RLRunLoopTimerRetainInfo(timer, endUse) else { return nil }
        defer { endUse(info) }
        let box = Unmanaged<ThreadBox>.fromOpaque(info).takeUnretainedValue()
        // On another thread, a wrapper must not lead to the content of the box.
        return box.belongsToCallingThread ? box as? TimerBox : nil
    }

    // --- The client's block and object ---

    // Any thread may ask for it, also when the content is released.
    override var function: UnsafeRawPointer? { block }

    /// The object that was given with a target; nil when it is released.
    var userInfo: Any? { content?.userInfo?.value }

    /// Whether the content is released, so that the timer does nothing any more.
    var isOver: Bool { hasEnded.load(ordering: .sequentiallyConsistent) }

    override func releaseContent() {
        // Released at the end of this function, as its end may call code that uses the timer.
        let given = content
        content = nil
        hasEnded.store(true, ordering: .sequentiallyConsistent)
        resumeWaiters(returning: false)
        forgetWrapper()
        withExtendedLifetime(given) {}
    }

    override func letGo() {
        if let timer = (wrapper ?? namedWrapper)?.timer { RLRunLoopTimerInvalidate(timer) }
        releaseContent()
    }

    // --- The wrapper that a loop keeps ---

    /// Has the timer's loop keep the wrapper; on the loop's thread, or before the timer is in the
    /// loop.
    func keep(_ wrapper: RLTimer, owner: AnyObject?) {
        if self.wrapper != nil { return }
        self.wrapper = wrapper.isFirst ? wrapper : first(for: wrapper)
        self.owner = owner
    }

    /// Notes that the timer is in no loop any more, so that another thread may have it.
    ///
    /// One whose reference was given out stays with its thread: any other may drop the reference.
    func leaveLoop() {
        // Another thread may invalidate the timer meanwhile.
        guard beginUseUnlessOver() else { return }
        letGoOfWrapper()
        if belongsToCallingThread && !isGivenOut.load(ordering: .relaxed) { leaveThread() }
        Self.endUse(info)
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

    /// Remembers the wrapper of a timer whose reference is given out: a loop may then have the
    /// timer without the wrapper.
    func name(_ wrapper: RLTimer) {
        nameElsewhere()
        if loop == nil, let current = RLRunLoopGetCurrent() {
            belong(to: RLRunLoop.wrapper(of: current))
        }
        if namedWrapper == nil && wrapper.isFirst && belongsToCallingThread {
            namedWrapper = wrapper
        }
    }

    /// The same for the timer of another thread's loop, which keeps the wrapper.
    func nameElsewhere() {
        isGivenOut.store(true, ordering: .relaxed)
    }

    /// The object to call the block with: only one with which the timer was made has a user info.
    private func first(for wrapper: RLTimer) -> RLTimer {
        wrapper.isFirst ? wrapper : RLTimer(wrapper.timer, of: self)
    }

    // --- Calls ---

    /// The callback of the engine's timer, which holds the box meanwhile.
    static func fire(_ timer: RLRunLoopTimerRef?, _ info: UnsafeMutableRawPointer?) {
        guard let timer, let info else { return }
        Unmanaged<TimerBox>.fromOpaque(info)._withUnsafeGuaranteedRef { box in
            box.checkOwnThread()
            box.callBlock(with: box.wrapper ?? box.namedWrapper ?? RLTimer(timer, of: box))
        }
    }

    /// Calls the block by hand.
    func call(with wrapper: RLTimer) {
        checkOwnThread()
        _ = Self.beginUse(info)
        callBlock(with: first(for: wrapper))
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

    /// Resumes a waiter at the next firing, or at the timer's end if that comes first.
    func addWaiter(_ waiter: TimerWaiter, of timer: RLRunLoopTimerRef) {
        changeWaiters { $0.append(waiter) }
        // The timer may have ended just before, and has then resumed the waiters of that moment.
        if isOver || !RLRunLoopTimerIsValid(timer) { resumeWaiters(returning: false) }
    }

    /// Removes a waiter whose task was cancelled.
    func removeWaiter(_ waiter: TimerWaiter) {
        changeWaiters { $0.removeAll { $0 === waiter } }
    }

    private func changeWaiters(_ change: (inout [TimerWaiter]) -> Void) {
        Self.waiters.withLock { table in
            var own = table.removeValue(forKey: ObjectIdentifier(self)) ?? []
            change(&own)
            hasWaiters.store(!own.isEmpty, ordering: .sequentiallyConsistent)
            if !own.isEmpty { table[ObjectIdentifier(self)] = own }
        }
    }

    @inline(__always) private func resumeWaiters(returning hasFired: Bool) {
        if hasWaiters.load(ordering: .sequentiallyConsistent) { takeWaiters(returning: hasFired) }
    }

    @inline(never) private func takeWaiters(returning hasFired: Bool) {
        var resumed: [TimerWaiter] = []
        changeWaiters { swap(&resumed, &$0) }
        for waiter in resumed { waiter.end(hasFired) }
    }
}

/// Waits until a timer fires or ends, or until the task is cancelled.
final class TimerWaiter: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Bool, Never>?
        // Whether the timer has fired, once that is known.
        var result: Bool?
    }

    private let state = Locked(State())

    /// Waits, on the caller's executor, until the timer fires or ends, or the task is cancelled.
    func wait(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        await withTaskCancellationHandler {
            // Capturing it isolates the closure like this function, so no other thread is involved.
            _ = isolation
            return await withCheckedContinuation { begin($0) }
        } onCancel: {
            end(false)
        }
    }

    private func begin(_ continuation: CheckedContinuation<Bool, Never>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
    }

    /// Resumes the wait; later calls do nothing.
    func end(_ hasFired: Bool) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            state.result = state.result ?? hasFired
            return state.continuation
        }
        continuation?.resume(returning: hasFired)
    }
}
