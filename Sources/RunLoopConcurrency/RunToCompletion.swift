import CoreRunLoop
public import RunLoopKit

extension RLRunLoop {
    /// Runs an async function from synchronous code, and runs this loop until the function has
    /// returned.
    ///
    /// The function runs like a detached task. During that time, the loop serves the mode: timers,
    /// actors on the loop and, on the main loop, the main actor. Callbacks may run the loop or call
    /// `runToCompletion` again; the outer call returns after the nested calls.
    ///
    /// A call in a job of an actor deadlocks if the function needs the actor, because neither
    /// actors on a loop nor the main actor are reentrant while a job blocks. If the call is in a
    /// job of an ``RLRunLoopExecutor`` and blocks queued jobs, a warning is logged after a second,
    /// once per call.
    ///
    /// ```swift
    /// let text = try RLRunLoop.current.runToCompletion { try await download() }
    /// ```
    ///
    /// - Parameters:
    ///   - mode: The mode in which the loop runs. ``/RunLoopKit/RLRunLoop/Mode/common`` stops the
    ///     process.
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
            stopProcess(
                call,
                "argument `mode` is `.common`, in which no loop can run: pass a single mode"
            )
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
        // If this call is in a job, checks after a second whether the job blocks other jobs.
        let suspicionDate = ContinuousClock.now + .seconds(1)
        var isSuspicious = JobRunner.isInJob
        while true {
            if let result = awaited.result { return try result.get() }
            if !run(mode: mode, for: .seconds(isSuspicious ? 1 : 3600)) {
                stopProcess(
                    call,
                    "the run loop cannot run: call this on the loop's own thread, before the "
                        + "thread ends"
                )
            }
            guard isSuspicious && ContinuousClock.now >= suspicionDate else { continue }
            guard JobRunner.isKeepingJobsWaiting && awaited.result == nil else { continue }
            isSuspicious = false
            warn(
                call,
                "called in a job of this loop's executor, whose other jobs wait until it "
                    + "returns: in jobs use `await` instead"
            )
        }
    }
}

/// The result of an async function.
///
/// Observers stop the run that waits for the result. A stop from another thread could end a nested
/// or later run instead.
private final class Awaited<Success: Sendable>: Sendable {
    private let outcome = Locked<Result<Success, any Error>?>(nil)
    // The number of runs in progress, from the run that waits for the result to the innermost run.
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

    /// Creates an observer that counts entries before all other observers, and an observer that
    /// counts exits after all others.
    ///
    /// So the count is right even if an observer runs the loop.
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

    /// Called before each sleep.
    ///
    /// The wake-up after the result causes another call, so no result is missed.
    private func stopIfOver() {
        let isNested = depth.withLock { $0 > 1 }
        if !isNested && result != nil { RLRunLoopStop(RLRunLoopGetCurrent()) }
    }
}
