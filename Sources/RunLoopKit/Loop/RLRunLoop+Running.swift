import CRunLoop.Wrapping
import CoreRunLoop
public import FoundationEssentials
public import Glibc

extension RLRunLoop {
    /// The time, in seconds, for which the loop polls for events before it sleeps.
    ///
    /// With 0, the default, the loop sleeps immediately.
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

    /// Runs the loop in a mode until it has served a source or reached a date.
    ///
    /// A `perform(_:on:…)` from another thread counts as a source. Timers, blocks and observers do
    /// not end the run.
    ///
    /// Foundation: RunLoop.run(mode:before:).
    ///
    /// - Parameters:
    ///   - mode: The mode; not ``Mode/common``.
    ///   - limitDate: The time limit. With a date in the past, the loop makes one pass without
    ///     sleeping. `Date.distantFuture` means no limit.
    /// - Returns: Whether the loop ran. The function immediately returns false if the mode is
    ///   empty: it has no source, timer or block. The common modes of the main loop are never
    ///   empty, except inside work of the main queue.
    @available(*, noasync)
    @discardableResult
    public func run(mode: Mode, before limitDate: Date) -> Bool {
        runOnce(mode, limitDate.secondsFromNow, "RLRunLoop.run(mode:before:)") != nil
    }

    /// Runs the loop in a mode until it has served a source or reached a time limit.
    ///
    /// - Parameters:
    ///   - mode: The mode; not ``Mode/common``.
    ///   - duration: The time limit. With zero or less, the loop makes one pass without sleeping.
    /// - Returns: Whether the loop ran, as for ``run(mode:before:)``.
    @available(*, noasync)
    @discardableResult
    public func run(mode: Mode, for duration: Duration) -> Bool {
        runOnce(mode, duration.seconds, "RLRunLoop.run(mode:for:)") != nil
    }

    /// Runs the loop in default mode until a date.
    ///
    /// The function returns early if the mode is empty: see ``run(mode:before:)``. `RLRunLoopStop`
    /// ends only the current pass.
    ///
    /// Foundation: RunLoop.run(until:).
    ///
    /// - Parameter limitDate: The end of the run. With a date in the past, the loop makes one pass
    ///   without sleeping.
    @available(*, noasync)
    public func run(until limitDate: Date) {
        while runOnce(.default, limitDate.secondsFromNow, "RLRunLoop.run(until:)") != nil
            && limitDate.secondsFromNow > 0
        {}
    }

    /// Runs the loop in default mode until an instant.
    ///
    /// `RLRunLoopStop` ends only the current pass.
    ///
    /// - Parameter limit: The end of the run. With an instant in the past, the loop makes one pass
    ///   without sleeping.
    @available(*, noasync)
    public func run(until limit: ContinuousClock.Instant) {
        run(for: limit.secondsFromNow, "RLRunLoop.run(until:)")
    }

    /// Runs the loop in default mode for some time.
    ///
    /// `RLRunLoopStop` ends only the current pass.
    ///
    /// - Parameter duration: The time. With zero or less, the loop makes one pass without sleeping.
    @available(*, noasync)
    public func run(for duration: Duration) {
        run(for: duration.seconds, "RLRunLoop.run(for:)")
    }

    /// Runs the loop in default mode until the mode is empty.
    ///
    /// See ``run(mode:before:)`` for empty modes. `RLRunLoopStop` does not end the run. For a run
    /// that can be stopped, use ``runUntilStopped()``.
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

    /// Runs the loop in default mode until it is stopped, even if the mode is empty.
    ///
    /// ```swift
    /// RLThread.detachNewThread {
    ///     work()
    ///     RLRunLoop.main.stop()
    /// }
    /// exit(RLRunLoop.main.runUntilStopped())
    /// ```
    ///
    /// - Returns: The code from ``stop(withCode:)``, or 0 after `RLRunLoopStop`, which ends this
    ///   run if no other run is nested in it.
    @available(*, noasync)
    @discardableResult
    public func runUntilStopped() -> Int32 {
        checkThread(of: loop, "RLRunLoop.runUntilStopped()")
        return RLRunLoopRunUntilStopped()
    }

    /// Ends the innermost call of ``runUntilStopped()``.
    ///
    /// If no such call is running, the next call returns immediately. Thread-safe. Like
    /// `RLRunLoopStop`, this function first ends the innermost run of the loop;
    /// `runUntilStopped()` returns as soon as no run is nested in it.
    ///
    /// - Parameter code: The result of `runUntilStopped()`, which the program can pass to `exit`.
    ///   If several calls stop the same run, the first call's code counts.
    public nonisolated func stop(withCode code: Int32 = EXIT_SUCCESS) {
        RLRunLoopStopWithCode(loop, code)
    }

    /// Runs the loop in a mode until it has served a source or reached a date, like
    /// ``run(mode:before:)``.
    ///
    /// Foundation: RunLoop.acceptInput(forMode:before:).
    @available(*, noasync)
    public func acceptInput(forMode mode: Mode, before limitDate: Date) {
        checkThread(of: loop, "RLRunLoop.acceptInput(forMode:before:)")
        let seconds = limitDate.secondsFromNow
        checkLimit(seconds, "RLRunLoop.acceptInput(forMode:before:)")
        RLRunLoopRunInMode(mode.mode, seconds, true)
    }

    /// Serves ready items of a mode without sleeping, and returns the date of the mode's next
    /// timer.
    ///
    /// Foundation: RunLoop.limitDate(forMode:).
    ///
    /// - Parameter mode: The mode; not ``Mode/common``.
    /// - Returns: The date of the next timer, or `Date.distantFuture` if the mode has no timer. Nil
    ///   if the mode is empty: see ``run(mode:before:)``.
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
    /// Foundation: configureAsServer(), which also does nothing.
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

    /// Stops the process if the limit is NaN, which the engine would treat as no limit.
    private func checkLimit(_ seconds: TimeInterval, _ call: StaticString) {
        if seconds.isNaN {
            stopProcess(
                "\(call)",
                "the limit is NaN: pass Date.distantFuture for no limit"
            )
        }
    }

    /// Returns the reason for the end of the run, or nil if the loop did not run.
    private func runOnce(
        _ mode: Mode,
        _ seconds: TimeInterval,
        _ call: StaticString
    ) -> RLRunLoopRunResult? {
        checkLimit(seconds, call)
        // Unlike CFRunLoopRunInMode, this function does not run the loop for blocks in the common
        // modes (NSRL-4).
        let end = RLRunLoopRunUnlessEmpty(loop, mode.mode.rawValue, seconds, true)
        if end != 0 { return RLRunLoopRunResult(rawValue: end) }
        // On another thread, the engine does not run the loop and returns 0, so only this path
        // checks the thread.
        checkThread(of: loop, call)
        return nil
    }
}
