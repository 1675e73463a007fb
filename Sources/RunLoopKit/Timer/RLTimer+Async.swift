// Timers for async code. The timer fires on its loop; a waiting task resumes on its own executor.

import CRunLoop.Wrapping
public import CoreRunLoop
public import FoundationEssentials

extension RLTimer {
    /// Waits for the next firing of the timer.
    ///
    /// The loop must run, as for any timer; no other thread is needed.
    ///
    /// - Returns: Whether it fired. False if the timer is or becomes invalid, or if the task is
    ///   cancelled.
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
    /// The timer starts with the call. It ends when the iteration ends or its task is cancelled. A
    /// slow reader receives the newest date only. The sequence ends with the loop's thread.
    ///
    /// - Parameters:
    ///   - interval: The time between firings, and until the first.
    ///   - tolerance: The greatest delay, which lets the loop serve it together with other timers.
    ///   - loop: The loop, of any thread; nil for the one that the calling thread runs, as for an
    ///     actor of that loop, else the main one.
    ///   - mode: The mode.
    /// - Returns: The dates.
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
