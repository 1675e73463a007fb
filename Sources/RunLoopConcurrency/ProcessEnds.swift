import CRunLoop.Wrapping
public import CoreRunLoop
import Glibc
public import RunLoopKit

/// Waits until a process has ended, and reaps it if it is a child.
///
/// ```swift
/// let end = try await RLWaitForProcess(child)
/// ```
///
/// For a child that has already ended but was not reaped, the function returns immediately. A
/// cancelled wait does not reap the child: wait again, or call `waitpid`. Only one task may wait
/// for a child. CF has no counterpart.
///
/// - Parameters:
///   - process: The process ID. The process need not be a child. A number below 1 stops the calling
///     process with a message.
///   - loop: The loop that waits; it may belong to any thread. Nil selects the loop that the
///     calling thread runs, for example in an actor on that loop, or else the main loop.
///   - mode: The mode; by default all common modes.
/// - Returns: The reason for the end, or ``/RunLoopKit/RLProcessEnd/unknown`` if the process is not
///   a child.
/// - Throws: An ``/RunLoopKit/RLSystemError`` if the process does not exist or no file descriptor
///   is available. `CancellationError` if the task is cancelled or the loop's thread ends.
public nonisolated(nonsending) func RLWaitForProcess(
    _ process: CInt,
    on loop: RLRunLoopRef? = nil,
    mode: RLRunLoopMode = .commonModes
) async throws -> RLProcessEnd {
    let loop: RLRunLoopRef = loop ?? RLRunLoopGetRunningOrMain()
    // Unlike an AsyncStream, the sequence resumes the task on the executor of its actor. No thread
    // of Swift's own pool is needed, which a forked child does not have.
    let (ends, queue) = RLEventSequence<RLProcessEnd>.make()
    // The task reaps the child after the wait, so a cancelled wait loses no status.
    let source = RLProcessSourceCreate(process: process, reaps: false) { _, status in
        queue.yield(EventBox(RLProcessEnd(waitStatus: status ?? kRLProcessStatusUnknown)))
    }
    guard let source else { throw RLSystemError(code: errno, to: "wait for process \(process)") }
    defer { RLRunLoopSourceInvalidate(source) }
    let loopEnd = LoopEnd { queue.finish() }
    defer { loopEnd.forget() }
    RLRunLoopAddSource(loop, source, mode)
    RLRunLoopWakeUp(loop)
    loopEnd.watch(loop)
    var iterator = ends.makeAsyncIterator()
    guard let end = await iterator.next(isolation: #isolation) else { throw CancellationError() }
    // The process ID cannot be reused before the child is reaped.
    if end != .unknown { waitpid(process, nil, WNOHANG) }
    return end
}
