// Loops: CFRunLoop.h in Apple's Swift spelling, each function a call of the one with `RL` in its
// name.

public import CoreRunLoop

/// The type number of loops.
@discardableResult
@inlinable
public func CFRunLoopGetTypeID() -> CFTypeID {
    RLRunLoopGetTypeID()
}

/// The calling thread's loop, made at the first call.
@discardableResult
@inlinable
public func CFRunLoopGetCurrent() -> CFRunLoop! {
    RLRunLoopGetCurrent()
}

/// The main thread's loop, from any thread.
@discardableResult
@inlinable
public func CFRunLoopGetMain() -> CFRunLoop! {
    RLRunLoopGetMain()
}

/// The mode in which a loop runs at this moment, or nil if it does not run.
@discardableResult
@inlinable
public func CFRunLoopCopyCurrentMode(_ loop: CFRunLoop!) -> CFRunLoopMode! {
    RLRunLoopCopyCurrentMode(loop)
}

/// The names of all modes of a loop, in no particular order.
@discardableResult
@inlinable
public func CFRunLoopCopyAllModes(_ loop: CFRunLoop!) -> CFArray! {
    RLRunLoopCopyAllModes(loop)
}

/// Makes a mode a common mode, for good.
@inlinable
public func CFRunLoopAddCommonMode(_ loop: CFRunLoop!, _ mode: CFRunLoopMode!) {
    RLRunLoopAddCommonMode(loop, mode)
}

/// The date at which the first timer of a mode is due, or 0 if it has none.
@discardableResult
@inlinable
public func CFRunLoopGetNextTimerFireDate(_ loop: CFRunLoop!, _ mode: CFRunLoopMode!)
    -> CFAbsoluteTime
{
    RLRunLoopGetNextTimerFireDate(loop, mode)
}

/// Runs the calling thread's loop in the default mode until it is stopped or has nothing to do.
@available(*, noasync)
@inlinable
public func CFRunLoopRun() {
    RLRunLoopRun()
}

/// Runs the calling thread's loop in a mode, for a number of seconds at most.
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

/// Whether a loop sleeps, or looks for events, at this moment.
@discardableResult
@inlinable
public func CFRunLoopIsWaiting(_ loop: CFRunLoop!) -> Bool {
    RLRunLoopIsWaiting(loop)
}

/// Makes a loop's current or next sleep end at once.
@inlinable
public func CFRunLoopWakeUp(_ loop: CFRunLoop!) {
    RLRunLoopWakeUp(loop)
}

/// Makes the innermost run of a loop return at the end of its pass.
@inlinable
public func CFRunLoopStop(_ loop: CFRunLoop!) {
    RLRunLoopStop(loop)
}

/// Whether a source is in a mode or, for the common modes, among the common items.
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

/// Whether an observer is in a mode or, for the common modes, among the common items.
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

/// Whether a timer is in a mode or, for the common modes, among the common items.
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

/// Queues a closure to be called once, by the next pass of the loop in the mode.
///
/// Does not wake the loop. The closure is called on the thread that runs the loop; as on Apple's
/// systems, the compiler does not check that what it captures may be used there.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - mode: A string or an array of strings.
///   - block: What to call.
public func CFRunLoopPerformBlock(_ loop: CFRunLoop!, _ mode: CFTypeRef!, _ block: (() -> Void)!) {
    // `@Sendable` is for the compiler only; a closure has the same form with and without it.
    let block = unsafeBitCast(block, to: (@Sendable () -> Void)?.self)
    if let mode { perform(loop, mode, block) }
}

/// Queues a closure to be called once, by the next pass of the loop in a mode.
///
/// As with the name of the mode, which is all that Apple's systems take.
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
