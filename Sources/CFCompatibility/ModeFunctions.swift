// Functions with modes of type `CFRunLoopMode`. `CFDeclarations` declares the same functions with
// strings, as CoreFoundation on Linux has them.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

/// Returns the mode of the loop's innermost run, or nil if the loop does not run.
@discardableResult
@inlinable
public func CFRunLoopCopyCurrentMode(_ loop: CFRunLoop!) -> CFRunLoopMode! {
    RLRunLoopCopyCurrentMode(loop)
}

/// Adds a mode to the common modes, permanently.
@inlinable
public func CFRunLoopAddCommonMode(_ loop: CFRunLoop!, _ mode: CFRunLoopMode!) {
    RLRunLoopAddCommonMode(loop, mode)
}

/// Returns the fire date of the earliest timer in a mode, in seconds since 2001; 0 if the mode has
/// no timer.
@discardableResult
@inlinable
public func CFRunLoopGetNextTimerFireDate(_ loop: CFRunLoop!, _ mode: CFRunLoopMode!)
    -> CFAbsoluteTime
{
    RLRunLoopGetNextTimerFireDate(loop, mode)
}

/// Runs the calling thread's loop in a mode, for at most a number of seconds.
@available(*, noasync)
@discardableResult
@inlinable
public func CFRunLoopRunInMode(
    _ mode: CFRunLoopMode!,
    _ seconds: CFTimeInterval,
    _ returnAfterSourceHandled: Bool
) -> CFRunLoopRunResult {
    RLRunLoopRunInMode(mode, seconds, returnAfterSourceHandled)
}

/// Returns whether a source is in a mode or, for the common modes, among the common items.
@discardableResult
@inlinable
public func CFRunLoopContainsSource(
    _ loop: CFRunLoop!,
    _ source: CFRunLoopSource!,
    _ mode: CFRunLoopMode!
) -> Bool {
    RLRunLoopContainsSource(loop, source, mode)
}

/// Adds a source to a mode, or to all common modes.
@inlinable
public func CFRunLoopAddSource(
    _ loop: CFRunLoop!,
    _ source: CFRunLoopSource!,
    _ mode: CFRunLoopMode!
) {
    RLRunLoopAddSource(loop, source, mode)
}

/// Removes a source from a mode or from all common modes.
@inlinable
public func CFRunLoopRemoveSource(
    _ loop: CFRunLoop!,
    _ source: CFRunLoopSource!,
    _ mode: CFRunLoopMode!
) {
    RLRunLoopRemoveSource(loop, source, mode)
}

/// Returns whether an observer is in a mode or, for the common modes, among the common items.
@discardableResult
@inlinable
public func CFRunLoopContainsObserver(
    _ loop: CFRunLoop!,
    _ observer: CFRunLoopObserver!,
    _ mode: CFRunLoopMode!
) -> Bool {
    RLRunLoopContainsObserver(loop, observer, mode)
}

/// Adds an observer to a mode, or to all common modes.
@inlinable
public func CFRunLoopAddObserver(
    _ loop: CFRunLoop!,
    _ observer: CFRunLoopObserver!,
    _ mode: CFRunLoopMode!
) {
    RLRunLoopAddObserver(loop, observer, mode)
}

/// Removes an observer from a mode or from all common modes.
@inlinable
public func CFRunLoopRemoveObserver(
    _ loop: CFRunLoop!,
    _ observer: CFRunLoopObserver!,
    _ mode: CFRunLoopMode!
) {
    RLRunLoopRemoveObserver(loop, observer, mode)
}

/// Returns whether a timer is in a mode or, for the common modes, among the common items.
@discardableResult
@inlinable
public func CFRunLoopContainsTimer(
    _ loop: CFRunLoop!,
    _ timer: CFRunLoopTimer!,
    _ mode: CFRunLoopMode!
) -> Bool {
    RLRunLoopContainsTimer(loop, timer, mode)
}

/// Adds a timer to a mode, or to all common modes.
@inlinable
public func CFRunLoopAddTimer(_ loop: CFRunLoop!, _ timer: CFRunLoopTimer!, _ mode: CFRunLoopMode!)
{
    RLRunLoopAddTimer(loop, timer, mode)
}

/// Removes a timer from a mode or from all common modes.
@inlinable
public func CFRunLoopRemoveTimer(
    _ loop: CFRunLoop!,
    _ timer: CFRunLoopTimer!,
    _ mode: CFRunLoopMode!
) {
    RLRunLoopRemoveTimer(loop, timer, mode)
}

/// Enqueues a closure for the loop's next pass in a mode or one of several modes.
///
/// Does not wake the loop. The closure is called on the loop's thread. As on Apple's systems, the
/// compiler does not check that the captured values may be used on that thread.
///
/// - Parameters:
///   - loop: The loop of any thread.
///   - mode: A string or an array of strings.
///   - block: The closure.
public func CFRunLoopPerformBlock(_ loop: CFRunLoop!, _ mode: CFTypeRef!, _ block: (() -> Void)!) {
    // `@Sendable` does not change the representation of a closure.
    let block = unsafeBitCast(block, to: (@Sendable () -> Void)?.self)
    if let mode { perform(loop, mode, block) }
}

/// Enqueues a closure for the loop's next pass in a mode.
///
/// On Apple's systems, the function only takes a string or an array.
@inlinable
public func CFRunLoopPerformBlock(
    _ loop: CFRunLoop!,
    _ mode: CFRunLoopMode,
    _ block: (() -> Void)!
) {
    CFRunLoopPerformBlock(loop, mode.rawValue, block)
}

private func perform(
    _ loop: CFRunLoop!,
    _ mode: some RLReference,
    _ block: (@Sendable () -> Void)?
) {
    RLRunLoopPerformBlock(loop, mode, block)
}

/// Schedules a stream in a mode of a loop, in addition to other modes and loops.
///
/// Pending events are then delivered in that mode. No-op for a closed stream.
@inlinable
public func CFReadStreamScheduleWithRunLoop(
    _ stream: (any RLReadStreamOwner)!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFRunLoopMode!
) {
    RLReadStreamScheduleWithRunLoop(stream, runLoop, runLoopMode)
}

/// Schedules a stream in a mode of a loop, in addition to other modes and loops.
///
/// Pending events are then delivered in that mode. No-op for a closed stream.
@inlinable
public func CFWriteStreamScheduleWithRunLoop(
    _ stream: (any RLWriteStreamOwner)!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFRunLoopMode!
) {
    RLWriteStreamScheduleWithRunLoop(stream, runLoop, runLoopMode)
}

/// Removes a stream from a mode of a loop.
///
/// Events stay pending until the stream is scheduled again.
@inlinable
public func CFReadStreamUnscheduleFromRunLoop(
    _ stream: (any RLReadStreamOwner)!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFRunLoopMode!
) {
    RLReadStreamUnscheduleFromRunLoop(stream, runLoop, runLoopMode)
}

/// Removes a stream from a mode of a loop.
///
/// Events stay pending until the stream is scheduled again.
@inlinable
public func CFWriteStreamUnscheduleFromRunLoop(
    _ stream: (any RLWriteStreamOwner)!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFRunLoopMode!
) {
    RLWriteStreamUnscheduleFromRunLoop(stream, runLoop, runLoopMode)
}

// Disfavored, so that a reply mode of `nil` selects the imported function.
/// Sends a message and, if a mode is given, runs the loop in the mode until the reply arrives.
@_disfavoredOverload
@available(*, noasync)
@discardableResult
@inlinable
public func CFMessagePortSendRequest(
    _ remote: CFMessagePort!,
    _ messageID: Int32,
    _ data: CFData!,
    _ sendTimeout: CFTimeInterval,
    _ receiveTimeout: CFTimeInterval,
    _ replyMode: CFRunLoopMode!,
    _ returnData: UnsafeMutablePointer<CFData?>!
) -> Int32 {
    CFMessagePortSendRequest(
        remote,
        messageID,
        data,
        sendTimeout,
        receiveTimeout,
        replyMode?.rawValue,
        returnData
    )
}
