// Timers for async code. The timer fires on its loop; a task that waits goes on where it was.

public import CoreRunLoop
public import FoundationEssentials

extension RLTimer {
    /// Waits until the timer has fired next.
    ///
    /// It needs no other thread: the loop has to run, as for any timer.
    ///
    /// - Returns: Whether it fired: false if the timer is invalid, or was invalidated first, or if
    ///   the task is cancelled.
    public nonisolated(nonsending) func nextFire() async -> Bool {
        let waiter = TimerWaiter()
        // Before any wait: the timer may fire as soon as the loop gets to run.
        addWaiter(waiter)
        let hasFired = await waiter.wait()
        if !hasFired { removeWaiter(waiter) }
        return hasFired
    }

    /// The dates at which a timer fires, as a sequence for async code.
    ///
    /// ```swift
    /// for await date in RLTimer.fires(every: .seconds(1)) { print(date) }
    /// ```
    ///
    /// The timer starts with the call, and ends when the loop over it ends or its task is
    /// cancelled. A slow reader gets the newest date only. The sequence ends when the loop's thread
    /// does.
    ///
    /// - Parameters:
    ///   - interval: The time between firings, and until the first.
    ///   - tolerance: By how much it may be late, so that it can be served together with others.
    ///   - loop: The loop, of any thread; the main one by default.
    ///   - mode: In which mode.
    /// - Returns: The dates.
    public static func fires(
        every interval: Duration,
        tolerance: Duration = .zero,
        on loop: RLRunLoopRef = RLRunLoopGetMain(),
        mode: RLRunLoop.Mode = .common
    ) -> AsyncStream<Date> {
        let (dates, continuation) = AsyncStream.makeStream(
            of: Date.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let seconds = interval > .zero ? interval.seconds : 0.0001
        let timer = RLRunLoopTimerCreate(
            fireDate: RLAbsoluteTimeGetCurrent() + seconds,
            interval: seconds
        ) { _ in
            continuation.yield(Date(timeIntervalSinceReferenceDate: RLAbsoluteTimeGetCurrent()))
        }
        RLRunLoopTimerSetTolerance(timer, tolerance.seconds)
        let loopEnd = LoopEnd { continuation.finish() }
        continuation.onTermination = { _ in
            loopEnd.forget()
            RLRunLoopTimerInvalidate(timer)
        }
        RLRunLoopAddTimer(loop, timer, mode.mode)
        RLRunLoopWakeUp(loop)
        loopEnd.watch(loop)
        return dates
    }
}
