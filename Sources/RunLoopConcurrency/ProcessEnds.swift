import CRunLoop.Wrapping
public import CoreRunLoop
import Glibc
public import RunLoopKit

/// Waits until a process has ended, and reaps a child.
///
/// ```swift
/// let end = try await RLWaitForProcess(child)
/// ```
///
/// A child that has ended already but was not reaped is reported at once. A cancelled wait reaps
/// nothing: wait again, or call `waitpid`. Let one task wait for a child. Ours, no CF counterpart.
///
/// - Parameters:
///   - process: The number of the process; it need not be a child. A number below 1 stops the
///     process with a message.
///   - loop: The loop that waits, of any thread; nil for the one that the calling thread runs, as
///     for an actor of that loop, else the main one.
///   - mode: The mode; by default all common ones.
/// - Returns: The end; ``/RunLoopKit/RLProcessEnd/unknown`` for a process that is no child.
/// - Throws: An ``/RunLoopKit/RLSystemError`` if there is no such process or the kernel has no
///   descriptors left; a `CancellationError` if the task is cancelled or the loop's thread ends.
public nonisolated(nonsending) func RLWaitForProcess(
    _ process: CInt,
    on loop: RLRunLoopRef? = nil,
    mode: RLRunLoopMode = .commonModes
) async throws -> RLProcessEnd {
    let loop: RLRunLoopRef = loop ?? RLRunLoopGetRunningOrMain()
    let (ends, continuation) = AsyncStream.makeStream(of: RLProcessEnd.self)
    // Reaped by the task, so that a cancellation between loses no status.
    let source = RLProcessSourceCreate(process: process, reaps: false) { _, status in
        continuation.yield(RLProcessEnd(waitStatus: status ?? kRLProcessStatusUnknown))
    }
    guard let source else { throw RLSystemError(code: errno, to: "wait for process \(process)") }
    defer { RLRunLoopSourceInvalidate(source) }
    let loopEnd = LoopEnd { continuation.finish() }
    defer { loopEnd.forget() }
    RLRunLoopAddSource(loop, source, mode)
    RLRunLoopWakeUp(loop)
    loopEnd.watch(loop)
    var iterator = ends.makeAsyncIterator()
    guard let end = await iterator.next(isolation: #isolation) else { throw CancellationError() }
    // Until it is reaped, the process ID cannot be reused.
    if end != .unknown { waitpid(process, nil, WNOHANG) }
    return end
}
