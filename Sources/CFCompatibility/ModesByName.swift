// On Linux's own CoreFoundation a mode is the string of its name: code with a branch for Linux
// passes those, and takes the names in the constants. Elsewhere a mode is a value of its own type.

public import CoreRunLoop

/// The mode in which a loop usually runs, as Linux's own CoreFoundation spells it.
@inlinable public var kCFRunLoopDefaultMode: CFRunLoopMode! { .defaultMode }
/// The name that stands for all common modes, as Linux's own CoreFoundation spells it.
@inlinable public var kCFRunLoopCommonModes: CFRunLoopMode! { .commonModes }

/// Whether a source is in the mode of a name.
@discardableResult
@_disfavoredOverload
@inlinable
public func CFRunLoopContainsSource(
    _ loop: CFRunLoop!,
    _ source: CFRunLoopSource!,
    _ mode: CFString!
) -> Bool {
    CFRunLoopContainsSource(loop, source, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Adds a source to the mode of a name, or to all common modes.
@_disfavoredOverload
@inlinable
public func CFRunLoopAddSource(_ loop: CFRunLoop!, _ source: CFRunLoopSource!, _ mode: CFString!) {
    CFRunLoopAddSource(loop, source, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Removes a source from the mode of a name, or from all common modes.
@_disfavoredOverload
@inlinable
public func CFRunLoopRemoveSource(
    _ loop: CFRunLoop!,
    _ source: CFRunLoopSource!,
    _ mode: CFString!
) {
    CFRunLoopRemoveSource(loop, source, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Whether an observer is in the mode of a name.
@discardableResult
@_disfavoredOverload
@inlinable
public func CFRunLoopContainsObserver(
    _ loop: CFRunLoop!,
    _ observer: CFRunLoopObserver!,
    _ mode: CFString!
) -> Bool {
    CFRunLoopContainsObserver(loop, observer, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Adds an observer to the mode of a name, or to all common modes.
@_disfavoredOverload
@inlinable
public func CFRunLoopAddObserver(
    _ loop: CFRunLoop!,
    _ observer: CFRunLoopObserver!,
    _ mode: CFString!
) {
    CFRunLoopAddObserver(loop, observer, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Removes an observer from the mode of a name, or from all common modes.
@_disfavoredOverload
@inlinable
public func CFRunLoopRemoveObserver(
    _ loop: CFRunLoop!,
    _ observer: CFRunLoopObserver!,
    _ mode: CFString!
) {
    CFRunLoopRemoveObserver(loop, observer, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Whether a timer is in the mode of a name.
@discardableResult
@_disfavoredOverload
@inlinable
public func CFRunLoopContainsTimer(
    _ loop: CFRunLoop!,
    _ timer: CFRunLoopTimer!,
    _ mode: CFString!
) -> Bool {
    CFRunLoopContainsTimer(loop, timer, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Adds a timer to the mode of a name, or to all common modes.
@_disfavoredOverload
@inlinable
public func CFRunLoopAddTimer(_ loop: CFRunLoop!, _ timer: CFRunLoopTimer!, _ mode: CFString!) {
    CFRunLoopAddTimer(loop, timer, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Removes a timer from the mode of a name, or from all common modes.
@_disfavoredOverload
@inlinable
public func CFRunLoopRemoveTimer(_ loop: CFRunLoop!, _ timer: CFRunLoopTimer!, _ mode: CFString!) {
    CFRunLoopRemoveTimer(loop, timer, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Makes the mode of a name a common mode, for good.
@_disfavoredOverload
@inlinable
public func CFRunLoopAddCommonMode(_ loop: CFRunLoop!, _ mode: CFString!) {
    CFRunLoopAddCommonMode(loop, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// The date at which the first timer of the mode of a name is due, or 0.
@discardableResult
@_disfavoredOverload
@inlinable
public func CFRunLoopGetNextTimerFireDate(_ loop: CFRunLoop!, _ mode: CFString!) -> CFAbsoluteTime {
    CFRunLoopGetNextTimerFireDate(loop, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Runs the calling thread's loop in the mode of a name, for a number of seconds at most.
@available(*, noasync)
@discardableResult
@_disfavoredOverload
@inlinable
public func CFRunLoopRunInMode(
    _ mode: CFString!,
    _ seconds: CFTimeInterval,
    _ returnAfterSourceHandled: Bool
) -> CFRunLoopRunResult {
    CFRunLoopRunInMode(mode.map(CFRunLoopMode.init(rawValue:)), seconds, returnAfterSourceHandled)
}

/// Delivers a stream's events in the mode of a name.
@_disfavoredOverload
@inlinable
public func CFReadStreamScheduleWithRunLoop(
    _ stream: CFReadStream!,
    _ loop: CFRunLoop!,
    _ mode: CFString!
) {
    CFReadStreamScheduleWithRunLoop(stream, loop, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Stops delivering a stream's events in the mode of a name.
@_disfavoredOverload
@inlinable
public func CFReadStreamUnscheduleFromRunLoop(
    _ stream: CFReadStream!,
    _ loop: CFRunLoop!,
    _ mode: CFString!
) {
    CFReadStreamUnscheduleFromRunLoop(stream, loop, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Delivers a stream's events in the mode of a name.
@_disfavoredOverload
@inlinable
public func CFWriteStreamScheduleWithRunLoop(
    _ stream: CFWriteStream!,
    _ loop: CFRunLoop!,
    _ mode: CFString!
) {
    CFWriteStreamScheduleWithRunLoop(stream, loop, mode.map(CFRunLoopMode.init(rawValue:)))
}

/// Stops delivering a stream's events in the mode of a name.
@_disfavoredOverload
@inlinable
public func CFWriteStreamUnscheduleFromRunLoop(
    _ stream: CFWriteStream!,
    _ loop: CFRunLoop!,
    _ mode: CFString!
) {
    CFWriteStreamUnscheduleFromRunLoop(stream, loop, mode.map(CFRunLoopMode.init(rawValue:)))
}
