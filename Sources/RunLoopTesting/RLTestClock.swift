import CRunLoop.Testing
import Dispatch
public import FoundationEssentials
public import RunLoopKit

/// A virtual clock, which a test advances.
///
/// The time of the loops that use it stands still until the test advances it, and then passes at
/// once:
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
/// Timers of both kinds, delayed performs, display links, the budgets of idle queues,
/// `RLRunLoopClock`, sequences of dates, and the limits of runs use the loop's clock. Descriptors,
/// other threads and dispatch queues work in real time, and so do the time-outs of sockets, message
/// ports and requests, `Date()` and Swift's own clocks. ``date`` and `RLAbsoluteTimeGetCurrent`
/// return the loop's date.
///
/// Dates of such a loop are rounded to the microsecond: an advance of 300 milliseconds reaches `0.1
/// + 0.2` seconds from now.
///
/// A clock ends with its last reference or by ``end()``. It may be used from any thread.
public final class RLTestClock: Sendable {
    /// Which loops use a clock at first.
    public enum Scope: Sendable {
        /// That of the calling thread.
        case currentLoop
        /// The given loops only.
        case loops([RLRunLoopRef])
        /// All present and future loops without a clock of their own, and threads without a loop.
        ///
        /// For test programs that run one test at a time.
        case allLoops
    }

    private let clock: Handle

    /// Makes a clock that starts at the present.
    ///
    /// The calling thread owns it, which matters for ``isAutomatic`` only.
    ///
    /// - Parameters:
    ///   - scope: The loops that use it.
    ///   - date: The first date; nil for the present.
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
    /// If the loop has another clock already, the process stops with a line.
    public func add(_ loop: RLRunLoopRef) {
        RLTestClockAddLoop(clock.reference, loop)
    }

    /// Restores the former clocks of the loops.
    ///
    /// Pending events are then due at the same times of those clocks. If the clock is being
    /// advanced, the process stops with a line.
    public func end() {
        clock.end()
    }

    // MARK: Letting time pass

    /// Advances the clock and serves everything that falls due, in order, each at its own date.
    ///
    /// This runs the loop of the calling thread, which uses the clock meanwhile if it has none. At
    /// each date the clock stands until nothing is left to do. Work that callbacks of that date
    /// have signaled, queued, sent to other loops of the clock, or made due is served first, also
    /// by the loops of other threads. Loops that do not run are not waited for.
    ///
    /// A callback may advance the clock or run the loop, which adds its time. If two threads
    /// advance one clock at the same time, the process stops with a line.
    ///
    /// - Parameters:
    ///   - duration: The duration. `.zero` serves what is due now. A negative one stops the process
    ///     with a line.
    ///   - mode: The mode in which to run the loop; nil for the one in which it runs, else the
    ///     default one.
    public func advance(by duration: Duration, mode: RLRunLoop.Mode? = nil) {
        RLTestClockAdvance(clock.reference, duration.wholeNanoseconds, mode?.mode.rawValue)
    }

    /// Advances the clock to a date.
    ///
    /// - Parameters:
    ///   - date: The date. A date in the past stops the process with a line.
    ///   - mode: As for ``advance(by:mode:)``.
    public func advance(to date: Date, mode: RLRunLoop.Mode? = nil) {
        let seconds = date.timeIntervalSinceReferenceDate - self.date.timeIntervalSinceReferenceDate
        let microseconds = (seconds * 1e6).rounded()
        advance(by: .microseconds(Int64(microseconds)), mode: mode)
    }

    /// Serves the loops of the clock until they are idle, without advancing it.
    ///
    /// - Parameter mode: As for ``advance(by:mode:)``.
    public func runUntilIdle(mode: RLRunLoop.Mode? = nil) {
        advance(by: .zero, mode: mode)
    }

    /// Moves the clock forward or back in one step.
    ///
    /// It simulates a long callback or a suspended system: repeating timers skip missed firings.
    public func jump(by duration: Duration) {
        nanoseconds += duration.wholeNanoseconds
    }

    /// Whether the owner's loop advances the clock by itself; false at first.
    ///
    /// When it would sleep until a timer or the end of its run, and all other loops of the clock
    /// are idle, the clock moves there at once. So `run(until:)` returns at once, on that date. A
    /// timer more than ten years ahead counts as one that never fires and does not move the clock.
    ///
    /// With an automatic clock the loop cannot wait for real events, such as a reply: a time-out
    /// always fires first.
    public var isAutomatic: Bool {
        get { clock.isAutomatic }
        set { clock.isAutomatic = newValue }
    }

    // MARK: What it says

    /// The date.
    ///
    /// Setting it sets the wall clock and moves no timer. A date before 1761 or after 2240 stops
    /// the process with a line.
    public var date: Date {
        get { Date(timeIntervalSinceReferenceDate: RLTestClockGetDate(clock.reference)) }
        set { RLTestClockSetDate(clock.reference, newValue.timeIntervalSinceReferenceDate) }
    }

    /// The time, as `RLClockGetNanoseconds` returns it to the clock's loops.
    ///
    /// Setting it is a ``jump(by:)``.
    public var nanoseconds: Int64 {
        get { RLTestClockGetNanoseconds(clock.reference) }
        set { RLTestClockSetNanoseconds(clock.reference, newValue) }
    }
}

/// The engine's clock, which ends once.
///
/// `@unchecked`: the engine's functions are for any thread, and the rest is behind a lock.
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
    /// It serves due timers, blocks, signaled sources, ready descriptors, the main queue's work and
    /// idle work. With a ``RLTestClock`` it also waits for the clock's other loops.
    ///
    /// - Parameter mode: The mode; nil for the one in which the loop runs, else the default one.
    public func runUntilIdle(mode: Mode? = nil) {
        checkThread(of: getRLRunLoop(), "RLRunLoop.runUntilIdle(mode:)")
        RLTestingRunUntilIdle(mode?.mode.rawValue)
    }
}

extension RLTestClock {
    /// Advances the clock from a loop of another thread, or between the parts of an `async` test.
    ///
    /// As ``advance(by:mode:)`` on the loop's thread. The caller is suspended meanwhile, so that
    /// the tasks of that loop can run. The loop has to run in a common mode; if it does not within
    /// ten seconds, a line is logged. The main loop need not run: this runs it on the main dispatch
    /// queue, whose other work, including that of the main actor, continues afterwards.
    ///
    /// - Parameters:
    ///   - duration: The duration.
    ///   - loop: The loop.
    public func advance(by duration: Duration, on loop: RLRunLoopRef) async {
        await advance(by: duration, on: loop, warningAfter: 10)
    }

    /// The same, with a line after so many seconds.
    package func advance(
        by duration: Duration,
        on loop: RLRunLoopRef,
        warningAfter seconds: Int
    ) async {
        let call = "RLTestClock.advance(by:on:)"
        let alarm = DispatchWorkItem {
            warn(
                call,
                "the run loop has not run in a common mode for \(seconds) seconds: no time passes"
            )
        }
        // Work items may be cancelled from any thread, and are not declared so.
        nonisolated(unsafe) let sharedAlarm = alarm
        alarmQueue.asyncAfter(deadline: .now() + .seconds(seconds), execute: alarm)
        await withCheckedContinuation { continuation in
            let advance: @Sendable () -> Void = {
                sharedAlarm.cancel()
                self.advance(by: duration)
                continuation.resume()
            }
            // Code that runs the main thread without our loop runs the queue.
            if loop === RLRunLoopGetMain(), RLRunLoopCopyCurrentMode(loop) == nil {
                return DispatchQueue.main.async(execute: advance)
            }
            RLRunLoopPerformBlock(loop, .commonModes, advance)
            RLRunLoopWakeUp(loop)
        }
    }
}
