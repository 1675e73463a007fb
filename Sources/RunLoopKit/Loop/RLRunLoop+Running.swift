// Running a loop, which only its own thread may do.

import CRunLoop.Wrapping
import CoreRunLoop
public import FoundationEssentials
public import Glibc

extension RLRunLoop {
    /// The time in seconds for which the loop polls for events before it sleeps.
    ///
    /// 0, the default, sleeps at once.
    ///
    /// Polling keeps a processor busy: see `RLRunLoopSetBusyPollInterval`.
    public var busyPollInterval: TimeInterval {
        get {
            hintAtForeignRead("RLRunLoop.busyPollInterval.getter")
            return RLRunLoopGetBusyPollInterval(loop)
        }
        set {
            warnIfEnded(loop, "RLRunLoop.busyPollInterval")
            RLRunLoopSetBusyPollInterval(loop, newValue)
        }
    }

    /// Runs the loop in a mode until a source was served or the date has come.
    ///
    /// Sources include `perform(_:on:…)` of other threads. Timers, blocks and observers do not end
    /// the run.
    ///
    /// Foundation: RunLoop.run(mode:before:).
    ///
    /// - Parameters:
    ///   - mode: The mode. Not ``Mode/common``.
    ///   - limitDate: The time limit. A date in the past makes one pass without sleeping.
    ///     `Date.distantFuture` means no limit.
    /// - Returns: Whether the loop ran. False, at once, if the mode has no source, timer or block.
    @available(*, noasync)
    @discardableResult
    public func run(mode: Mode, before limitDate: Date) -> Bool {
        runOnce(mode, limitDate.secondsFromNow, "RLRunLoop.run(mode:before:)") != nil
    }

    /// Runs the loop in a mode until a source was served or the time is up.
    ///
    /// - Parameters:
    ///   - mode: The mode. Not ``Mode/common``.
    ///   - duration: The time limit. Zero or less makes one pass without sleeping.
    /// - Returns: Whether the loop ran. False, at once, if the mode has no source, timer or block.
    @available(*, noasync)
    @discardableResult
    public func run(mode: Mode, for duration: Duration) -> Bool {
        runOnce(mode, duration.seconds, "RLRunLoop.run(mode:for:)") != nil
    }

    /// Runs the loop in default mode until the date has come.
    ///
    /// It returns early if the mode has no source, timer or block. `RLRunLoopStop` ends the current
    /// pass only.
    ///
    /// Foundation: RunLoop.run(until:).
    ///
    /// - Parameter limitDate: The end of the run. A date in the past makes one pass without
    ///   sleeping.
    @available(*, noasync)
    public func run(until limitDate: Date) {
        while runOnce(.default, limitDate.secondsFromNow, "RLRunLoop.run(until:)") != nil
            && limitDate.secondsFromNow > 0
        {}
    }

    /// Runs the loop in default mode until the instant has come.
    ///
    /// - Parameter limit: The end of the run. An instant in the past makes one pass without
    ///   sleeping.
    @available(*, noasync)
    public func run(until limit: ContinuousClock.Instant) {
        run(for: limit.secondsFromNow, "RLRunLoop.run(until:)")
    }

    /// Runs the loop in default mode for some time.
    ///
    /// - Parameter duration: The time. Zero or less makes one pass without sleeping.
    @available(*, noasync)
    public func run(for duration: Duration) {
        run(for: duration.seconds, "RLRunLoop.run(for:)")
    }

    /// Runs the loop in default mode while the mode has a source, timer or block.
    ///
    /// `RLRunLoopStop` does not end it: ``runUntilStopped()`` is for that.
    ///
    /// Foundation: RunLoop.run().
    @available(*, noasync)
    public func run() {
        while let end = runOnce(.default, .infinity, "RLRunLoop.run()") {
            if end != .stopped { continue }
            hint(
                "RLRunLoop.run()",
                "RLRunLoopStop() has ended a pass, but not this run, which continues until the loop "
                    + "is empty: call runUntilStopped() instead"
            )
        }
    }

    /// Runs the loop in default mode until it is stopped, even if it is empty.
    ///
    /// ```swift
    /// RLThread.detachNewThread {
    ///     work()
    ///     RLRunLoop.main.stop()
    /// }
    /// exit(RLRunLoop.main.runUntilStopped())
    /// ```
    ///
    /// - Returns: The code of ``stop(withCode:)``; 0 after `RLRunLoopStop`, which ends this run if
    ///   no other is nested in it.
    @available(*, noasync)
    @discardableResult
    public func runUntilStopped() -> Int32 {
        checkThread(of: loop, "RLRunLoop.runUntilStopped()")
        return RLRunLoopRunUntilStopped()
    }

    /// Ends ``runUntilStopped()``: that of the innermost run if there are several, or the next if
    /// there is none.
    ///
    /// May be called from any thread. The innermost run of the loop returns first, as after
    /// `RLRunLoopStop`; `runUntilStopped()` returns as soon as no run is nested in it.
    ///
    /// - Parameter code: The result of `runUntilStopped()`, for `exit`. The first call decides.
    public nonisolated func stop(withCode code: Int32 = EXIT_SUCCESS) {
        RLRunLoopStopWithCode(loop, code)
    }

    /// Runs the loop in a mode until a source was served or the date has come.
    ///
    /// Foundation: RunLoop.acceptInput(forMode:before:).
    ///
    /// - Parameters:
    ///   - mode: The mode. Not ``Mode/common``.
    ///   - limitDate: The time limit. A date in the past makes one pass without sleeping.
    @available(*, noasync)
    public func acceptInput(forMode mode: Mode, before limitDate: Date) {
        checkThread(of: loop, "RLRunLoop.acceptInput(forMode:before:)")
        let seconds = limitDate.secondsFromNow
        checkLimit(seconds, "RLRunLoop.acceptInput(forMode:before:)")
        RLRunLoopRunInMode(mode.mode, seconds, true)
    }

    /// Serves ready items of a mode without sleeping, and returns the date of its next timer.
    ///
    /// Foundation: RunLoop.limitDate(forMode:).
    ///
    /// - Parameter mode: The mode. Not ``Mode/common``.
    /// - Returns: The date of the next timer, `Date.distantFuture` if there is none, nil if the
    ///   mode has no source, timer or block.
    @available(*, noasync)
    public func limitDate(forMode mode: Mode) -> Date? {
        checkThread(of: loop, "RLRunLoop.limitDate(forMode:)")
        RLRunLoopRunInMode(mode.mode, -1, true)
        if RLRunLoopModeIsEmpty(loop, mode.mode.rawValue) { return nil }
        let date = RLRunLoopGetNextTimerFireDate(loop, mode.mode)
        return date == 0 ? .distantFuture : Date(timeIntervalSinceReferenceDate: date)
    }

    /// Does nothing.
    ///
    /// Foundation: configureAsServer(), which does nothing either.
    @available(*, deprecated, message: "has no effect")
    public func configureAsServer() {}

    private func run(for seconds: TimeInterval, _ call: StaticString) {
        let start = RLRunLoopGetClockNanoseconds(loop)
        var left = seconds
        while runOnce(.default, left, call) != nil {
            left = seconds - Double(RLRunLoopGetClockNanoseconds(loop) - start) / 1e9
            if left <= 0 { return }
        }
    }

    /// Stops the process for NaN, which the engine treats as no limit.
    private func checkLimit(_ seconds: TimeInterval, _ call: StaticString) {
        if seconds.isNaN {
            stopProcess(
                "\(call)",
                "the limit is NaN: pass Date.distantFuture for no limit"
            )
        }
    }

    /// Runs the loop, and returns the reason for its end; nil if it did not run.
    private func runOnce(
        _ mode: Mode,
        _ seconds: TimeInterval,
        _ call: StaticString
    ) -> RLRunLoopRunResult? {
        checkLimit(seconds, call)
        // Unlike CF's, this does not run for blocks in the common modes (NSRL-4).
        let end = RLRunLoopRunUnlessEmpty(loop, mode.mode.rawValue, seconds, true)
        if end != 0 { return RLRunLoopRunResult(rawValue: end) }
        // Checked only here: on another thread the engine does not run the loop.
        checkThread(of: loop, call)
        return nil
    }
}
