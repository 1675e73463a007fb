@_spi(Boxes) import CoreRunLoop
import CRunLoop.Wrapping
import Synchronization

/// The info of an engine's timer that a wrapper created; the wrapper retains the box too.
///
/// After the timer was added to a loop, the mutable fields are confined to the loop's thread.
final class TimerBox: ThreadBox {
    private struct Action {
        let block: (RLTimer) -> Void
    }

    private struct Content {
        let action: Action
        let userInfo: UserInfo?
    }

    // A class, because most timers have no user info, and moving existential values is expensive.
    final class UserInfo {
        fileprivate let value: Any

        init(_ value: Any) {
            self.value = value
        }
    }

    private var content: Content?
    private let block: UnsafeRawPointer?
    // All boxes share one table of waiters, because most timers have no waiters, and a list would
    // double the size of each box.
    private static let waiters = Locked<[ObjectIdentifier: [Waiter]]>([:])
    private let hasWaiters = Atomic(false)
    private let hasEnded = Atomic(false)
    // Whether the engine's timer was returned to the client, who may pass it to other threads.
    private let isGivenOut = Atomic(false)

    // The wrapper and its owner, if any, retained on behalf of the loop.
    private var wrapper: RLTimer?
    private var owner: AnyObject?
    // The wrapper to pass to the block if `wrapper` is nil.
    private weak var namedWrapper: RLTimer?

    init(userInfo: UserInfo?, block: @escaping (RLTimer) -> Void) {
        let action = Action(block: block)
        content = Content(action: action, userInfo: userInfo)
        self.block = functionAddress(in: action)
    }

    deinit {
        assert(!hasWaiters.load(ordering: .relaxed))
    }

    /// Returns the box; nil on a foreign thread, for an invalid timer, and for a timer without a
    /// box.
    static func box(of timer: RLRunLoopTimerRef) -> TimerBox? {
        // The info is a box if its release function is `endUse`. The info is retained, because
        // another thread may invalidate the timer.
        guard let info = RLRunLoopTimerRetainInfo(timer, endUse) else { return nil }
        defer { endUse(info) }
        let box = Unmanaged<ThreadBox>.fromOpaque(info).takeUnretainedValue()
        // On another thread, a wrapper must not access the content of the box.
        return box.belongsToCallingThread ? box as? TimerBox : nil
    }

    // --- The client's block and user info ---

    // Any thread may read the address of the function, even after the release of the content.
    override var function: UnsafeRawPointer? { block }

    /// The user info; nil after the release of the content.
    var userInfo: Any? { content?.userInfo?.value }

    /// Whether the content was released, which means that the timer has ended.
    var isOver: Bool { hasEnded.load(ordering: .sequentiallyConsistent) }

    override func releaseContent() {
        // The content is released at the end of this function: destructors may use the timer.
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

    // --- The wrapper ---

    /// Retains the wrapper; call this on the loop's thread, or before the timer is in the loop.
    func keep(_ wrapper: RLTimer, owner: AnyObject?) {
        if self.wrapper != nil { return }
        self.wrapper = wrapper.isFirst ? wrapper : first(for: wrapper)
        self.owner = owner
    }

    /// Lets another thread use a timer that has left its loop.
    ///
    /// A timer whose reference was returned to the client stays confined, because any thread may
    /// release the reference.
    func leaveLoop() {
        // Another thread may invalidate the timer during this call.
        guard beginUseUnlessOver() else { return }
        letGoOfWrapper()
        if belongsToCallingThread && !isGivenOut.load(ordering: .relaxed) { leaveThread() }
        Self.endUse(info)
    }

    /// Releases the wrapper, on the loop's thread.
    func letGoOfWrapper() {
        // Passes a reference to the box to the loop's thread.
        Self.release(Self.retain(info)) { info in
            guard let info else { return }
            // Consumes the reference that was passed.
            Unmanaged<TimerBox>.fromOpaque(info).takeRetainedValue().forgetWrapper()
        }
    }

    private func forgetWrapper() {
        // The content is released at the end of this function: destructors may use the timer.
        let wrapper = wrapper
        let owner = owner
        self.wrapper = nil
        if owner != nil { self.owner = nil }
        withExtendedLifetime(wrapper) {}
        withExtendedLifetime(owner) {}
    }

    /// Stores the wrapper for the block, because a C function may add the timer to a loop.
    ///
    /// The loop then does not retain the wrapper.
    func name(_ wrapper: RLTimer) {
        nameElsewhere()
        if loop == nil, let current = RLRunLoopGetCurrent() {
            belong(to: RLRunLoop.wrapper(of: current))
        }
        if namedWrapper == nil && wrapper.isFirst && belongsToCallingThread {
            namedWrapper = wrapper
        }
    }

    /// Records that the client has the engine's timer.
    ///
    /// A timer in another thread's loop needs no more, because that loop retains the wrapper.
    func nameElsewhere() {
        isGivenOut.store(true, ordering: .relaxed)
    }

    /// Returns a first wrapper, because only a first wrapper has user info.
    private func first(for wrapper: RLTimer) -> RLTimer {
        wrapper.isFirst ? wrapper : RLTimer(wrapper.timer, of: self)
    }

    // --- Calls ---

    /// The callback of the engine's timer; the engine retains the box during the call.
    static func fire(_ timer: RLRunLoopTimerRef?, _ info: UnsafeMutableRawPointer?) {
        guard let timer, let info else { return }
        Unmanaged<TimerBox>.fromOpaque(info)._withUnsafeGuaranteedRef { box in
            box.checkOwnThread()
            box.callBlock(with: box.wrapper ?? box.namedWrapper ?? RLTimer(timer, of: box))
            deliverEvent { box.resumeWaiters(returning: true) }
        }
    }

    /// Calls the block directly, for `fire()`.
    func call(with wrapper: RLTimer) {
        checkOwnThread()
        _ = Self.beginUse(info)
        callBlock(with: first(for: wrapper))
        resumeWaiters(returning: true)
        Self.endUse(info)
    }

    private func checkOwnThread() {
        checkItsThread(
            "RLTimer",
            "add the timer by RLRunLoop.add(_:forMode:), or use RLRunLoopTimerCreate, "
                + "whose closure is @Sendable"
        )
    }

    private func callBlock(with wrapper: RLTimer) {
        guard let action = content?.action else { return }
        noteFunction(action)
        action.block(wrapper)
    }

    // --- Waiters ---

    /// Resumes a waiter at the next firing, or earlier if the timer ends.
    func addWaiter(_ waiter: Waiter, of timer: RLRunLoopTimerRef) {
        changeWaiters { $0.append(waiter) }
        // The timer may have ended before the waiter was added.
        if isOver || !RLRunLoopTimerIsValid(timer) { resumeWaiters(returning: false) }
    }

    func removeWaiter(_ waiter: Waiter) {
        changeWaiters { $0.removeAll { $0 === waiter } }
    }

    private func changeWaiters(_ change: (inout [Waiter]) -> Void) {
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
        var resumed: [Waiter] = []
        changeWaiters { swap(&resumed, &$0) }
        for waiter in resumed { waiter.end(hasFired) }
    }
}

extension TimerBox {
    /// A task's wait until a timer fires or ends, or the task is cancelled.
    final class Waiter: Sendable {
        private struct State {
            var task: Suspension<Bool>?
            // Whether the timer has fired. Nil during the wait.
            var result: Bool?
        }

        private let state = Locked(State())

        func wait(isolation: isolated (any Actor)? = #isolation) async -> Bool {
            await withTaskCancellationHandler {
                // The closure captures `isolation` and so has the isolation of this function.
                return await withUnsafeContinuation { begin(Suspension($0, isolation)) }
            } onCancel: {
                end(false)
            }
        }

        private func begin(_ task: Suspension<Bool>) {
            let result = state.withLock { state in
                if state.result == nil { state.task = task }
                return state.result
            }
            if let result { task.resume(returning: result) }
        }

        /// Ends the wait; idempotent.
        func end(_ hasFired: Bool) {
            let task = state.withLock { state in
                defer { state.task = nil }
                state.result = state.result ?? hasFired
                return state.task
            }
            task?.resume(returning: hasFired)
        }
    }
}
