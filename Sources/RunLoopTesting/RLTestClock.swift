import CRunLoop.Testing
import Dispatch
public import FoundationEssentials
public import RunLoopKit

/// A clock that a test owns.
///
/// The loops that use it are served as ever, but their time stands still until the test lets it
/// pass, and then passes at once:
///
/// ```swift
/// let clock = RLTestClock()
/// var ticks = 0
/// let timer = RLTimer.scheduledTimer(withTimeInterval: 60, repeats: true) { _ in ticks += 1 }
/// clock.advance(by: .seconds(3600))
/// #expect(ticks == 60)
/// timer.invalidate()
/// ```
///
/// Timers of both kinds, delayed performs, display links, the budgets of idle queues,
/// `RLRunLoopClock`, sequences of dates, and the limits of runs use the loop's clock. Descriptors,
/// other threads and dispatch queues work as ever, in real time, and so do the time-outs of
/// sockets, message ports and requests, `Date()` and Swift's own clocks: ask ``date`` or
/// `RLAbsoluteTimeGetCurrent` for the date that the loop has.
///
/// Dates of such a loop are kept to the microsecond: `0.1 + 0.2` seconds from now is reached by an
/// advance of 300 milliseconds.
///
/// A clock ends when the last reference to it goes, or by ``end()``. All of it may be used from any
/// thread.
public final class RLTestClock: Sendable {
    /// Which loops use a clock at first.
    public enum Scope: Sendable {
        /// That of the calling thread.
        case currentLoop
        /// Those that are named, in place of the calling thread's.
        case loops([RLRunLoopRef])
        /// All that there are and will be, but for those that have a clock of their own, and
        /// threads without a loop. For test programs that run one test at a time.
        case allLoops
    }

    private let clock: Handle

    /// Makes a clock that stands at the present.
    ///
    /// The calling thread owns it; that matters for ``isAutomatic`` only.
    ///
    /// - Parameters:
    ///   - scope: Which loops use it.
    ///   - date: Which date it is; nil for today's.
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

    /// Has another loop, of any thread, use the clock.
    ///
    /// The process stops with a line if it has another clock already.
    public func add(_ loop: RLRunLoopRef) {
        RLTestClockAddLoop(clock.reference, loop)
    }

    /// Gives the loops the clocks back that they had before.
    ///
    /// Events still to come are then due when that clock comes to their moments. The process stops
    /// with a line if the clock is being advanced.
    public func end() {
        clock.end()
    }

    // MARK: Letting time pass

    /// Lets time pass: all that falls due in it is served, in order, each thing at its own date.
    ///
    /// This runs the loop of the calling thread, which uses the clock meanwhile if it has
    /// none. At each date the clock stands until nothing is left to do: what callbacks of that date
    /// have signalled, queued, sent to other loops of the clock, or made due, is served first, also
    /// by the loops of other threads. A loop that does not run at all is not waited for.
    ///
    /// A callback may advance the clock itself, or run the loop: that adds its time. If two threads
    /// advance one clock at the same time the process stops with a line.
    ///
    /// - Parameters:
    ///   - duration: How much. `.zero` serves what there is to do now. Less stops the process with
    ///     a line.
    ///   - mode: The mode in which to run the loop; nil for the one in which it runs, else the
    ///     default one.
    public func advance(by duration: Duration, mode: RLRunLoop.Mode? = nil) {
        RLTestClockAdvance(clock.reference, duration.wholeNanoseconds, mode?.mode.rawValue)
    }

    /// Lets time pass until a date.
    ///
    /// - Parameters:
    ///   - date: The date. One that has passed stops the process with a line.
    ///   - mode: As for ``advance(by:mode:)``.
    public func advance(to date: Date, mode: RLRunLoop.Mode? = nil) {
        let seconds = date.timeIntervalSinceReferenceDate - self.date.timeIntervalSinceReferenceDate
        let microseconds = (seconds * 1e6).rounded()
        advance(by: .microseconds(Int64(microseconds)), mode: mode)
    }

    /// Serves all that there is to do in the loops of the clock, without letting time pass.
    ///
    /// - Parameter mode: As for ``advance(by:mode:)``.
    public func runUntilIdle(mode: RLRunLoop.Mode? = nil) {
        advance(by: .zero, mode: mode)
    }

    /// Has the clock say something later, or earlier, in one step.
    ///
    /// So much time was spent in something else than the loop: in a callback that takes long, or
    /// asleep with the whole system. What repeats leaves out what it has missed.
    public func jump(by duration: Duration) {
        nanoseconds += duration.wholeNanoseconds
    }

    /// Whether the owner's loop lets time pass by itself; false at first.
    ///
    /// If it would sleep until a timer or the end of its run, and all other loops of the clock are
    /// at rest, then the clock is there at once. So `run(until:)` returns at once, on that date. A
    /// timer more than ten years ahead is one that is not to fire, and is waited for.
    ///
    /// With an automatic clock the loop cannot wait for anything that takes real time, such as a
    /// reply: a time-out beside it comes first.
    public var isAutomatic: Bool {
        get { clock.isAutomatic }
        set { clock.isAutomatic = newValue }
    }

    // MARK: What it says

    /// The date.
    ///
    /// To set it is to set the wall clock: what is due stays due when it was. A date before 1761
    /// or after 2240 stops the process with a line.
    public var date: Date {
        get { Date(timeIntervalSinceReferenceDate: RLTestClockGetDate(clock.reference)) }
        set { RLTestClockSetDate(clock.reference, newValue.timeIntervalSinceReferenceDate) }
    }

    /// The moment, as `RLClockGetNanoseconds` tells it to the clock's loops.
    ///
    /// To set it is ``jump(by:)``.
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
    /// Serves all that there is to do in a mode, and what comes of it, and does not wait.
    ///
    /// Timers that are due, blocks, signalled sources, ready descriptors, the main queue's work,
    /// idle work: the loop runs until it would sleep. By a ``RLTestClock`` this also waits for the
    /// clock's other loops.
    ///
    /// - Parameter mode: The mode; nil for the one in which the loop runs, else the default one.
    public func runUntilIdle(mode: Mode? = nil) {
        checkThread(of: getRLRunLoop(), "RLRunLoop.runUntilIdle(mode:)")
        RLTestingRunUntilIdle(mode?.mode.rawValue)
    }
}

extension RLTestClock {
    /// Lets time pass by a loop of another thread, or between the parts of an `async` test.
    ///
    /// As ``advance(by:mode:)`` on the loop's thread; the caller is suspended meanwhile, so that
    /// the tasks of that loop go on. The loop has to run in a common mode; a line says so if it
    /// does not within ten seconds. The main loop need not run: this runs it on the main dispatch
    /// queue, whose other work, that of the main actor, goes on afterwards.
    ///
    /// - Parameters:
    ///   - duration: How much.
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
