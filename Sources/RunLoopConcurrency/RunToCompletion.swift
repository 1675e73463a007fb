import CoreRunLoop
public import RunLoopKit

extension RLRunLoop {
    /// Runs an async function to its end from synchronous code, and this loop meanwhile.
    ///
    /// The function runs as a detached task does. Meanwhile the loop serves the mode: timers,
    /// actors that are pinned to the loop and, on the main loop, the main actor. Callbacks may run
    /// the loop or call this function. It then returns after they have returned.
    ///
    /// Calling it in a job of an actor that the function needs is a deadlock, because actors that
    /// are pinned to a loop, and the main actor, are not reentrant while a job blocks. In a job of
    /// an ``RLRunLoopExecutor`` with more jobs queued, a line is logged after a second, once per
    /// call.
    ///
    /// ```swift
    /// let text = try RLRunLoop.current.runToCompletion { try await download() }
    /// ```
    ///
    /// - Parameters:
    ///   - mode: The mode in which the loop runs. Not ``/RunLoopKit/RLRunLoop/Mode/common``: that
    ///     stops the process.
    ///   - operation: The function.
    /// - Returns: The result of the function.
    /// - Throws: The error of the function.
    @available(*, noasync)
    public func runToCompletion<Success: Sendable>(
        mode: Mode = .default,
        _ operation: @escaping @Sendable () async throws -> Success
    ) throws -> Success {
        let call = "RLRunLoop.runToCompletion(mode:_:)"
        if mode == .common {
            stopProcess(call, "argument `mode` is `.common`, in which no loop can run")
        }
        let loop = getRLRunLoop()
        let awaited = Awaited<Success>()
        // Keeps the mode nonempty.
        let keepAlive = RLRunLoopSourceCreate {}
        RLRunLoopAddSource(loop, keepAlive, mode.mode)
        defer { RLRunLoopSourceInvalidate(keepAlive) }
        let observers = awaited.makeObservers()
        for observer in observers { RLRunLoopAddObserver(loop, observer, mode.mode) }
        defer { for observer in observers { RLRunLoopObserverInvalidate(observer) } }
        Task.detached {
            await awaited.await(operation)
            RLRunLoopWakeUp(loop)
        }
        // In a job, checks after a second whether other jobs are blocked.
        let suspicionDate = ContinuousClock.now + .seconds(1)
        var isSuspicious = JobRunner.isInJob
        while true {
            if let result = awaited.result { return try result.get() }
            if !run(mode: mode, for: .seconds(isSuspicious ? 1 : 3600)) {
                stopProcess(call, "the loop cannot run: it is another thread's, or has ended")
            }
            guard isSuspicious && ContinuousClock.now >= suspicionDate else { continue }
            guard JobRunner.isKeepingJobsWaiting && awaited.result == nil else { continue }
            isSuspicious = false
            warn(
                call,
                "blocks a job of this loop's executor, so that the executor's other jobs wait: do not "
                    + "await their actor in the function"
            )
        }
    }
}

/// The result of an async function, awaited by a run of a loop.
///
/// Observers end that run. They leave no pending stop that would end a nested or later run.
private final class Awaited<Success: Sendable>: Sendable {
    private let outcome = Locked<Result<Success, any Error>?>(nil)
    // The number of runs in the mode, counted from the awaiting run.
    private let depth = Locked(0)

    var result: Result<Success, any Error>? {
        outcome.withLock { $0 }
    }

    func await(_ operation: @Sendable () async throws -> Success) async {
        let result: Result<Success, any Error>
        do {
            result = .success(try await operation())
        } catch {
            result = .failure(error)
        }
        outcome.withLock { $0 = result }
    }

    /// Creates two observers, so that others may run the loop too: one counts entries before them,
    /// and one exits after them.
    func makeObservers() -> [RLRunLoopObserverRef] {
        [
            RLRunLoopObserverCreate(activities: [.entry, .beforeWaiting], order: .min) {
                [self] _, activity in
                if activity == .entry { depth.withLock { $0 += 1 } } else { stopIfOver() }
            },
            RLRunLoopObserverCreate(activities: .exit, order: .max) { [self] _, _ in
                depth.withLock { $0 -= 1 }
            },
        ]
    }

    /// Stops the run before the loop sleeps.
    ///
    /// A later wake-up ends the sleep, and leads here again.
    private func stopIfOver() {
        let isNested = depth.withLock { $0 > 1 }
        if !isNested && result != nil { RLRunLoopStop(RLRunLoopGetCurrent()) }
    }
}
