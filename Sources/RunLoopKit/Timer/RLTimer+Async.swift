// Waits for timers in async code. The timer fires on its loop; a waiting task resumes on its own
// executor.

import CRunLoop.Wrapping
public import CoreRunLoop
public import FoundationEssentials

extension RLTimer {
    /// Waits for the next firing of the timer.
    ///
    /// As for any timer, the timer's loop must run. No other thread is needed.
    ///
    /// - Returns: Whether the timer fired. False if the timer is or becomes invalid, or if the task
    ///   is cancelled.
    public nonisolated(nonsending) func nextFire() async -> Bool {
        let waiter = TimerBox.Waiter()
        // Registered before the task waits, because the timer may fire as soon as the loop runs.
        addWaiter(waiter)
        let hasFired = await waiter.wait()
        if !hasFired { removeWaiter(waiter) }
        return hasFired
    }

    /// Starts a repeating timer, and returns its fire dates as an asynchronous sequence.
    ///
    /// ```swift
    /// for await date in RLTimer.fires(every: .seconds(1)) { print(date) }
    /// ```
    ///
    /// The timer starts with this call. The end of the iteration or a cancellation of the iterating
    /// task invalidates the timer. A slow reader receives only the newest date. The sequence ends
    /// when the loop's thread ends.
    ///
    /// - Parameters:
    ///   - interval: The time between firings, and until the first firing.
    ///   - tolerance: The maximum delay of a firing. A tolerance lets the loop serve several timers
    ///     at once.
    ///   - loop: The timer's loop, which may belong to any thread. Nil selects the loop that the
    ///     calling thread runs, for example in an actor on that loop, or else the main loop.
    ///   - mode: The mode.
    /// - Returns: The sequence of fire dates.
    public static func fires(
        every interval: Duration,
        tolerance: Duration = .zero,
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) -> RLEventSequence<Date> {
        let (dates, queue) = RLEventSequence<Date>.make()
        let loop: RLRunLoopRef = loop ?? RLRunLoopGetRunningOrMain()
        let seconds = interval > .zero ? interval.seconds : 0.0001
        let timer = RLRunLoopTimerCreate(
            fireDate: RLAbsoluteTimeGetCurrent() + seconds,
            interval: seconds
        ) { _ in
            let date = Date(timeIntervalSinceReferenceDate: RLAbsoluteTimeGetCurrent())
            deliverEvent { queue.yieldNewest(EventBox(date)) }
        }
        RLRunLoopTimerSetTolerance(timer, tolerance.seconds)
        let loopEnd = LoopEnd { queue.finish() }
        queue.whenOver {
            loopEnd.forget()
            RLRunLoopTimerInvalidate(timer)
        }
        TimersOfOtherThreads.note(loop)
        RLRunLoopAddTimer(loop, timer, mode.mode)
        RLRunLoopWakeUp(loop)
        loopEnd.watch(loop)
        return dates
    }
}
