import CoreRunLoop
public import RunLoopKit

extension RLRunLoop {
    /// Runs an async function to its end from synchronous code, by running this loop meanwhile.
    ///
    /// The function runs where Swift runs detached tasks; what it awaits of this loop, such as timers,
    /// actors that are pinned to it or, on the main loop, the main actor, is served. The thread is not
    /// blocked: everything else in the mode goes on too.
    ///
    /// Not to be called in a job of the main actor or of an actor that is pinned to this loop, if the
    /// function needs that actor: it is not entered twice.
    ///
    /// ```swift
    /// let text = try RLRunLoop.current.runToCompletion { try await download() }
    /// ```
    ///
    /// - Parameters:
    ///   - mode: The mode in which the loop runs. Not ``RLRunLoop/Mode/common``.
    ///   - operation: The function.
    /// - Returns: What the function returns.
    /// - Throws: What the function throws.
    @available(*, noasync)
    public func runToCompletion<Success: Sendable>(
        mode: Mode = .default,
        _ operation: @escaping @Sendable () async throws -> Success
    ) throws -> Success {
        let loop = getRLRunLoop()
        let outcome = Locked<Result<Success, any Error>?>(nil)
        // Something that the loop can wait for.
        let keeper = RLRunLoopSourceCreate {}
        RLRunLoopAddSource(loop, keeper, mode.mode)
        defer { RLRunLoopSourceInvalidate(keeper) }
        Task.detached {
            let result: Result<Success, any Error>
            do {
                result = .success(try await operation())
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
            RLRunLoopPerformBlock(loop, mode.mode) { RLRunLoopStop(RLRunLoopGetCurrent()) }
            RLRunLoopWakeUp(loop)
        }
        while true {
            if let result = outcome.withLock({ $0 }) { return try result.get() }
            run(mode: mode, for: .seconds(3600))
        }
    }
}
