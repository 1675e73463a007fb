import CRunLoop.Wrapping
public import CoreRunLoop
import RunLoopKit

/// A clock whose sleeps are timers of a run loop.
///
/// ```swift
/// let clock = RLRunLoopClock(loop: RLRunLoopGetMain())
/// try await clock.sleep(for: .seconds(1), tolerance: .milliseconds(100))
/// ```
///
/// Like `ContinuousClock` on Linux, the clock stops while the system is suspended. The loop must
/// run in the clock's mode; no other thread is needed.
///
/// CF has no counterpart.
public struct RLRunLoopClock: Clock {
    /// A point in time of the clock.
    public struct Instant: InstantProtocol, Sendable {
        /// The time since an unspecified origin.
        let offset: Swift.Duration

        /// Returns the instant that is later by a duration, or earlier if the duration is negative.
        public func advanced(by duration: Swift.Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the duration from this instant to another instant.
        public func duration(to other: Instant) -> Swift.Duration {
            other.offset - offset
        }

        /// Returns whether the first instant is before the second.
        public static func < (first: Instant, second: Instant) -> Bool {
            first.offset < second.offset
        }
    }

    /// An error: the loop's thread ended before the end of a sleep.
    public struct LoopEnded: Error {
        /// Creates the error.
        public init() {}
    }

    private let sleepers: Sleepers

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - loop: The loop, which may belong to any thread. Nil selects the loop that the calling
    ///     thread runs, for example in an actor on that loop, or else the main loop.
    ///   - mode: The mode of the sleeps' timers; by default all common modes.
    public init(loop: RLRunLoopRef? = nil, mode: RLRunLoopMode = .commonModes) {
        sleepers = Sleepers(loop: loop ?? RLRunLoopGetRunningOrMain(), mode: mode)
    }

    /// The current instant.
    public var now: Instant {
        Instant(offset: .nanoseconds(sleepers.nanoseconds))
    }

    /// The resolution of the clock: one nanosecond.
    public var minimumResolution: Swift.Duration {
        .nanoseconds(1)
    }

    /// Waits until an instant.
    ///
    /// - Parameters:
    ///   - deadline: The instant.
    ///   - tolerance: The maximum delay. A tolerance lets the loop wake up once for several timers.
    /// - Throws: `CancellationError` as soon as the task is cancelled. ``LoopEnded`` if the loop's
    ///   thread has ended or ends before the deadline.
    public nonisolated(nonsending) func sleep(
        until deadline: Instant,
        tolerance: Swift.Duration? = nil
    ) async throws {
        try Task.checkCancellation()
        let sleeper = Sleeper()
        defer { sleepers.remove(sleeper) }
        let error = await sleeper.wait {
            sleepers.add(sleeper, until: deadline, tolerance: tolerance?.seconds ?? 0)
        }
        if let error { throw error }
    }
}

extension RLRunLoopClock {
    /// Waits for a duration.
    ///
    /// Unlike `Clock`'s function of the same name, this function does not leave the caller's actor.
    ///
    /// - Parameters:
    ///   - duration: The duration.
    ///   - tolerance: See ``sleep(until:tolerance:)``.
    /// - Throws: See ``sleep(until:tolerance:)``.
    public nonisolated(nonsending) func sleep(
        for duration: Swift.Duration,
        tolerance: Swift.Duration? = nil
    ) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
    }
}

/// A sleep.
///
/// Its timer, a cancellation or the end of the loop ends the sleep.
private final class Sleeper: Sendable {
    private struct State {
        var task: Suspension<(any Error)?>?
        var timer: RLRunLoopTimerRef?
        var error: (any Error)?
        var hasEnded = false
    }

    private let state = Locked(State())

    /// Returns the error with which the sleep ended, or nil.
    func wait(
        isolation: isolated (any Actor)? = #isolation,
        beginWaiting: () -> Void
    ) async -> (any Error)? {
        await withTaskCancellationHandler {
            // The closure captures `isolation` and so has the isolation of this function.
            await withUnsafeContinuation { continuation in
                begin(Suspension(continuation, isolation))
                beginWaiting()
            }
        } onCancel: {
            end(throwing: CancellationError())
        }
    }

    private func begin(_ task: Suspension<(any Error)?>) {
        let error = state.withLock { state -> (any Error)? in
            if !state.hasEnded { state.task = task }
            return state.hasEnded ? state.error ?? CancellationError() : nil
        }
        if let error { task.resume(returning: error) }
    }

    /// Stores the timer, which the end of the sleep invalidates; returns false if the sleep has
    /// ended.
    func adopt(_ timer: RLRunLoopTimerRef) -> Bool {
        state.withLock { state in
            if !state.hasEnded { state.timer = timer }
            return !state.hasEnded
        }
    }

    func end(throwing error: (any Error)? = nil) {
        let (task, timer) = state.withLock { state in
            defer {
                state = State(error: error, hasEnded: true)
            }
            return (state.task, state.timer)
        }
        if let timer { RLRunLoopTimerInvalidate(timer) }
        task?.resume(returning: error)
    }
}

/// The sleeps of a clock, which throw when the loop ends.
private final class Sleepers: Sendable {
    private struct State {
        var sleepers: [ObjectIdentifier: Sleeper] = [:]
        var isOver = false
    }

    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode
    private let state = Locked(State())
    private let loopEnd = Locked<LoopEnd?>(nil)

    init(loop: RLRunLoopRef, mode: RLRunLoopMode) {
        self.loop = loop
        self.mode = mode
        let end = LoopEnd { [weak self] in self?.close() }
        loopEnd.withLock { $0 = end }
        end.watch(loop)
    }

    deinit {
        loopEnd.withLock { $0 }?.forget()
    }

    var nanoseconds: Int64 { RLRunLoopGetClockNanoseconds(loop) }

    func add(_ sleeper: Sleeper, until deadline: RLRunLoopClock.Instant, tolerance: Double) {
        let isOver = state.withLock { state in
            if !state.isOver { state.sleepers[ObjectIdentifier(sleeper)] = sleeper }
            return state.isOver
        }
        if isOver { return sleeper.end(throwing: RLRunLoopClock.LoopEnded()) }
        let distance = deadline.offset - .nanoseconds(nanoseconds)
        let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent() + distance.seconds) {
            [weak sleeper] _ in deliverEvent { sleeper?.end() }
        }
        RLRunLoopTimerSetTolerance(timer, tolerance)
        guard sleeper.adopt(timer) else { return }
        TimersOfOtherThreads.note(loop)
        RLRunLoopAddTimer(loop, timer, mode)
        // The fire date is a date of the calling thread's clock, which may be another clock.
        if RLRunLoopHasTestClock(loop) {
            RLRunLoopTimerSetNextFireTime(timer, deadline.offset.wholeNanoseconds)
        }
        RLRunLoopWakeUp(loop)
    }

    func remove(_ sleeper: Sleeper) {
        state.withLock { _ = $0.sleepers.removeValue(forKey: ObjectIdentifier(sleeper)) }
    }

    private func close() {
        let sleepers = state.withLock { state in
            defer {
                state.sleepers = [:]
                state.isOver = true
            }
            return Array(state.sleepers.values)
        }
        for sleeper in sleepers { sleeper.end(throwing: RLRunLoopClock.LoopEnded()) }
    }
}
