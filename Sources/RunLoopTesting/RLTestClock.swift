import CRunLoop.Testing
import CRunLoop.Wrapping
import Dispatch
public import FoundationEssentials
public import RunLoopKit

/// A virtual clock that a test advances.
///
/// For the loops that use the clock, time passes only while the test advances the clock. An advance
/// does not wait:
///
/// ```swift
/// let clock = RLTestClock()
/// var ticks = 0
/// let timer = RLTimer.scheduledTimer(withTimeInterval: 60, repeats: true) { _ in ticks += 1 }
/// clock.advance(by: .seconds(3600))
/// assert(ticks == 60)
/// timer.invalidate()
/// ```
///
/// Timers, delayed performs, display links, the budgets of idle queues, `RLRunLoopClock`, sequences
/// of fire dates, the limits of runs, and the connect time-outs of streams in the loop use the
/// loop's clock. Descriptors, other threads, dispatch queues, the time-outs of sockets, of sending
/// to message ports and of an `RLHTTPClient`, `Date()` and Swift's own clocks use real time.
/// ``date`` and `RLAbsoluteTimeGetCurrent` return the date of the virtual clock.
///
/// Dates of such a loop are rounded to microseconds, so an advance of 300 milliseconds reaches a
/// date that is `0.1 + 0.2` seconds from now.
///
/// A clock ends when it is deallocated, or by ``end()``. Clocks are thread-safe.
///
/// Foundation has no counterpart.
public final class RLTestClock: Sendable {
    /// The loops that a clock controls initially.
    public enum Scope: Sendable {
        /// The calling thread's loop.
        case currentLoop
        /// The given loops only.
        case loops([RLRunLoopRef])
        /// All present and future loops without a clock of their own, and threads without a loop.
        ///
        /// Use it only in test programs that run one test at a time.
        case allLoops
    }

    private let clock: Handle
    // Used by the `async` functions.
    private let state = Locked(
        (firstLoop: RLRunLoopRef?.none, wasUsed: false, awaitedTimers: TimersOfOtherThreads.count)
    )

    /// Creates a clock that starts at the current date, or at a given date.
    ///
    /// The calling thread owns the clock. Only ``isAutomatic`` depends on the owner.
    ///
    /// - Parameters:
    ///   - scope: The loops that use the clock.
    ///   - date: The initial date; nil for the current date.
    ///   - isAutomatic: See ``isAutomatic``.
    public init(
        for scope: Scope = .currentLoop,
        startingAt date: Date? = nil,
        isAutomatic: Bool = false
    ) {
        clock = Handle(RLTestClockCreate())
        if let date { self.date = date }
        switch scope {
        case .currentLoop: if let loop = RLRunLoopGetCurrent() { add(loop) }
        case .loops(let loops): loops.forEach(add)
        case .allLoops: RLTestClockAddAllLoops(clock.reference)
        }
        if isAutomatic { self.isAutomatic = true }
    }

    /// Adds a loop of any thread to the clock.
    ///
    /// If the loop already has another clock, the call stops the process with a message.
    public func add(_ loop: RLRunLoopRef) {
        RLTestClockAddLoop(clock.reference, loop)
        state.withLock { $0.firstLoop = $0.firstLoop ?? loop }
    }

    /// Restores the former clocks of the loops.
    ///
    /// Pending events stay due at the same times, which are now times of the restored clocks. If
    /// the clock is being advanced, the call stops the process with a message.
    public func end() {
        clock.end()
    }

    // MARK: Advancing

    /// Advances the clock and serves all items that become due, in order, each at its own date.
    ///
    /// The call runs the loop of the calling thread; a loop without a clock uses this clock during
    /// the call. At each date, the clock stands still until the loops are idle: they first serve
    /// all work that callbacks have signaled, queued, sent to other loops of the clock, or made
    /// due. Loops of other threads are included if they run.
    ///
    /// A callback may advance the clock or run the loop, which adds to the time that passes. If two
    /// threads advance the same clock at the same time, the process stops with a message.
    ///
    /// - Parameters:
    ///   - duration: The duration. `.zero` serves the items that are due now. A negative duration,
    ///     or a duration that ends after the year 2128, stops the process with a message.
    ///   - mode: The mode in which to run the loop; nil for its current mode or, if the loop does
    ///     not run, default mode.
    public func advance(by duration: Duration, mode: RLRunLoop.Mode? = nil) {
        RLTestClockAdvance(clock.reference, duration.wholeNanoseconds, mode?.mode.rawValue)
    }

    /// Advances the clock to a date.
    ///
    /// - Parameters:
    ///   - date: The date. A date in the past, or after the year 2128, stops the process with a
    ///     message.
    ///   - mode: See ``advance(by:mode:)``.
    public func advance(to date: Date, mode: RLRunLoop.Mode? = nil) {
        advance(by: distance(to: date), mode: mode)
    }

    private func distance(to date: Date) -> Duration {
        let seconds = date.timeIntervalSinceReferenceDate - self.date.timeIntervalSinceReferenceDate
        guard abs(seconds) < 1e10 else {
            stopProcess(
                "RLTestClock.advance(to:)",
                "argument `date` (\(date.timeIntervalSinceReferenceDate) seconds since "
                    + "2001) must lie between the clock's date and the end of 2128"
            )
        }
        return .microseconds(Int64((seconds * 1e6).rounded()))
    }

    /// Serves the loops of the clock until they are idle, without advancing it.
    ///
    /// - Parameter mode: See ``advance(by:mode:)``.
    public func runUntilIdle(mode: RLRunLoop.Mode? = nil) {
        advance(by: .zero, mode: mode)
    }

    /// Moves the clock forward or back in one step.
    ///
    /// A jump simulates a long callback or a suspended system: repeating timers skip missed
    /// firings. A jump to a date before 1970 or after 2128 stops the process with a message.
    public func jump(by duration: Duration) {
        nanoseconds = moment(after: duration)
    }

    /// Returns the time after a duration, or an invalid time if the sum is out of range.
    private func moment(after duration: Duration) -> Int64 {
        let distance = duration.wholeNanoseconds
        let (sum, isOver) = nanoseconds.addingReportingOverflow(distance)
        return isOver ? distance < 0 ? .min : .max : sum
    }

    /// Whether the loop of the clock's owner advances the clock automatically.
    ///
    /// The initial value is an argument of the initializer.
    ///
    /// If this loop would sleep until a timer or the end of its run, and all other loops of the
    /// clock are idle, the clock moves to that time without waiting. So `run(until:)` returns
    /// immediately, with the clock at its limit date. A timer that is more than ten years ahead
    /// does not move the clock.
    ///
    /// With an automatic clock, the loop cannot wait for real events, such as a reply, because a
    /// time-out always fires first.
    public var isAutomatic: Bool {
        get { clock.isAutomatic }
        set { clock.isAutomatic = newValue }
    }

    // MARK: Reading

    /// The clock's current date.
    ///
    /// Setting the date simulates a change of the wall clock, and does not move timers. A date
    /// before 1970 or after 2128 stops the process with a message.
    public var date: Date {
        get { Date(timeIntervalSinceReferenceDate: RLTestClockGetDate(clock.reference)) }
        set { RLTestClockSetDate(clock.reference, newValue.timeIntervalSinceReferenceDate) }
    }

    /// The clock's current time, which `RLClockGetNanoseconds` returns in the clock's loops.
    ///
    /// Setting the time has the same effect as ``jump(by:)``.
    public var nanoseconds: Int64 {
        get { RLTestClockGetNanoseconds(clock.reference) }
        set { RLTestClockSetNanoseconds(clock.reference, newValue) }
    }
}

/// Owns the engine's clock, and ends it once.
///
/// `@unchecked`: the engine's functions are thread-safe, and a lock protects the other state.
private final class Handle: @unchecked Sendable {
    let reference: RLTestClockRef
    private let state = Locked((isAutomatic: false, hasEnded: false))

    init(_ reference: RLTestClockRef) {
        self.reference = reference
    }

    deinit {
        end()
    }

    var isAutomatic: Bool {
        get { state.withLock { $0.isAutomatic } }
        set {
            state.withLock { $0.isAutomatic = newValue }
            RLTestClockSetAutomatic(reference, newValue)
        }
    }

    func end() {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        if isFirst { RLTestClockEnd(reference) }
    }
}

extension RLRunLoop {
    /// Runs the loop in a mode until it would sleep.
    ///
    /// The call serves due timers, blocks, signaled sources, ready descriptors, the main queue's
    /// work and idle work. If the loop has a ``RLTestClock``, the call also waits for the clock's
    /// other loops.
    ///
    /// - Parameter mode: The mode; nil for the loop's current mode or, if the loop does not run,
    ///   default mode.
    public func runUntilIdle(mode: Mode? = nil) {
        checkThread(of: getRLRunLoop(), "RLRunLoop.runUntilIdle(mode:)")
        RLTestingRunUntilIdle(mode?.mode.rawValue)
    }
}

// MARK: - Async tests

extension RLTestClock {
    /// Advances the clock in an `async` test.
    ///
    /// ```swift
    /// let task = Task { try await poller.run() }
    /// await clock.advance(by: .seconds(3600))
    /// ```
    ///
    /// The call works like ``advance(by:mode:)`` on the loop that the calling thread runs, as in
    /// tests with the trait `.runLoop`; on the main actor, on the main loop; otherwise, on the
    /// clock's first loop. Tasks of this loop or of the main actor run during the call: they reach
    /// their sleeps before the clock moves.
    ///
    /// If no loop of the clock has a timer, the first advance waits up to ten seconds until a task
    /// on another thread has started a timer, and then logs a warning. With `.runLoop`, it waits
    /// one second. A later advance waits only if tasks on other threads have started timers since
    /// the previous advance.
    ///
    /// - Parameter duration: The duration: see ``advance(by:mode:)``.
    public nonisolated(nonsending) func advance(by duration: Duration) async {
        await advance(by: duration, on: servingLoop("RLTestClock.advance(by:)"))
    }

    /// Advances the clock to a date in an `async` test.
    ///
    /// - Parameter date: The date. A date in the past stops the process with a message.
    public nonisolated(nonsending) func advance(to date: Date) async {
        await advance(by: distance(to: date))
    }

    /// Serves the loops of the clock in an `async` test until they are idle.
    ///
    /// Tasks reach their sleeps, and the clock does not move.
    public nonisolated(nonsending) func runUntilIdle() async {
        await serve(.zero, on: servingLoop("RLTestClock.runUntilIdle()"), warningAfter: 10)
    }

    /// Advances the clock from a loop of another thread.
    ///
    /// The call works like ``advance(by:)``. The loop must run in a common mode; if it does not do
    /// so within ten seconds, a warning is logged. The main loop need not run: the call runs it on
    /// the main dispatch queue.
    ///
    /// - Parameters:
    ///   - duration: The duration.
    ///   - loop: The loop.
    public nonisolated(nonsending) func advance(by duration: Duration, on loop: RLRunLoopRef) async
    {
        await advance(by: duration, on: loop, warningAfter: 10)
    }

    /// Advances the clock, and logs a warning if that takes longer than `seconds`.
    package nonisolated(nonsending) func advance(
        by duration: Duration,
        on loop: RLRunLoopRef,
        warningAfter seconds: Int
    ) async {
        await serve(.zero, on: loop, warningAfter: seconds)
        await waitForSomethingDue(on: loop)
        // Tasks of the main actor cannot run inside an advance, so the clock advances in steps, and
        // the tasks run between two steps.
        guard loop === RLRunLoopGetMain(), duration > .zero else {
            return await serve(duration, on: loop)
        }
        let end = moment(after: duration)
        while nanoseconds < end {
            let next = RLTestClockGetNextMoment(clock.reference)
            // Without a next date, the clock moves at most five years at once.
            let step = next == .max ? moment(after: .seconds(5 * 365 * 86400)) : next
            await serve(.nanoseconds(max(0, min(end, step) - nanoseconds)), on: loop)
        }
    }

    /// Runs the loop until it is idle and, if it is the main loop, until the main queue is empty.
    private nonisolated(nonsending) func serve(
        _ duration: Duration,
        on loop: RLRunLoopRef,
        warningAfter seconds: Int? = nil
    ) async {
        guard loop === RLRunLoopGetMain() else {
            return await pass(duration, on: loop, warningAfter: seconds)
        }
        await MainActorJobs.startTakingJobs()
        await pass(duration, on: loop, warningAfter: seconds)
        await MainActorJobs.drain()
        await pass(.zero, on: loop)
        await MainActorJobs.stopTakingJobs()
    }

    private nonisolated(nonsending) func pass(
        _ duration: Duration,
        on loop: RLRunLoopRef,
        warningAfter seconds: Int? = nil
    ) async {
        let warning = seconds.map { seconds in
            DispatchWorkItem {
                warn(
                    "RLTestClock.advance(by:on:)",
                    "still waiting after \(seconds) s: the run loop does not run in a "
                        + "common mode, so the test clock cannot advance; run the loop in a "
                        + "common mode"
                )
            }
        }
        // `cancel` is thread-safe, although the class is not Sendable.
        nonisolated(unsafe) let sharedWarning = warning
        if let warning, let seconds {
            timeoutQueue.asyncAfter(deadline: .now() + .seconds(seconds), execute: warning)
        }
        await withCheckedContinuation { continuation in
            let advance: @Sendable () -> Void = {
                sharedWarning?.cancel()
                self.advance(by: duration)
                continuation.resume()
            }
            // If the main loop does not run, other code serves the main queue.
            if loop === RLRunLoopGetMain(), RLRunLoopCopyCurrentMode(loop) == nil {
                return DispatchQueue.main.async(execute: advance)
            }
            RLRunLoopPerformBlock(loop, .commonModes) {
                advance()
                // Otherwise a run with only this block would sleep in its empty mode (BLK-12).
                RLRunLoopWakeUp(loop)
            }
            RLRunLoopWakeUp(loop)
        }
    }

    // MARK: Tasks of other threads

    /// Whether all tasks run on their loop's thread, so that an idle loop has no running task.
    @TaskLocal private static var seesAllTasks = false

    /// Runs a function whose tasks all run on the thread of their loop.
    package static func withVisibleTasks(_ function: () async throws -> Void) async rethrows {
        try await $seesAllTasks.withValue(true, operation: function)
    }

    /// Waits until a task on another thread has started a timer, if a timer is expected.
    ///
    /// On busy processors, such tasks may be delayed. Even if all tasks run on the thread of their
    /// loop, `Task.yield` may move a task to another thread temporarily.
    private nonisolated(nonsending) func waitForSomethingDue(on loop: RLRunLoopRef) async {
        let (wasUsed, awaitedTimers) = state.withLock { ($0.wasUsed, $0.awaitedTimers) }
        let isAwaiting = !wasUsed || TimersOfOtherThreads.count != awaitedTimers
        let patience = !isAwaiting ? 0 : Self.seesAllTasks ? wasUsed ? 0 : 1 : 10
        let limit = ContinuousClock.now + .seconds(patience)
        while RLTestClockGetNextMoment(clock.reference) == .max {
            guard ContinuousClock.now < limit else { return warnOfNothingDue() }
            try? await Task.sleep(for: .milliseconds(1))
            await pass(.zero, on: loop)
        }
        state.withLock { $0.wasUsed = true }
    }

    /// Warns that no timer is due, unless an earlier advance found a timer.
    ///
    /// After such an advance, the tasks have probably ended.
    private func warnOfNothingDue() {
        let wasUsed = state.withLock { state in
            defer {
                state.wasUsed = true
                state.awaitedTimers = TimersOfOtherThreads.count
            }
            return state.wasUsed
        }
        if wasUsed { return }
        warn(
            "RLTestClock.advance(by:)",
            "no timer or sleep is scheduled on this clock: check that the code under test "
                + "uses this clock and its loop, or use the trait `.runLoop`"
        )
    }

    // MARK: The loop

    private func servingLoop(_ call: String) -> RLRunLoopRef {
        let loop: RLRunLoopRef = RLRunLoopGetRunningOrMain()
        guard let first = state.withLock({ $0.firstLoop }), !RLRunLoopIsCurrent(loop) else {
            return loop
        }
        if RLRunLoopIsCurrent(first) {
            stopProcess(
                call,
                "the clock belongs to thread \(describeCurrentThread()), which does not "
                    + "run its loop: use the trait `.runLoop`, make the test @MainActor, or "
                    + "create the clock by RLTestClock(for:)"
            )
        }
        return first
    }
}
