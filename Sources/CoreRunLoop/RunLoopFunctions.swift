// Functions of the loop with ``RLRunLoopMode`` instead of a string.

public import CRunLoop

/// The mode in which a loop runs at this moment: that of the innermost run.
///
/// CF: CFRunLoopCopyCurrentMode.
///
/// - Parameter loop: The loop, of any thread.
/// - Returns: The mode, or nil if the loop does not run.
public func RLRunLoopCopyCurrentMode(_ loop: RLRunLoopRef!) -> RLRunLoopMode! {
    __RLRunLoopCopyCurrentMode(loop).map(RLRunLoopMode.init(rawValue:))
}

/// Makes a mode a common mode, for good: it receives all common items, present and future.
///
/// Ignored for ``RLRunLoopMode/commonModes`` itself and for a mode that is common already.
///
/// CF: CFRunLoopAddCommonMode.
@inlinable
public func RLRunLoopAddCommonMode(_ loop: RLRunLoopRef!, _ mode: RLRunLoopMode!) {
    RLRunLoopAddCommonMode(loop, mode?.rawValue)
}

/// The date at which the first timer of a mode is due, in seconds since 2001, or 0 if it has none.
///
/// CF: CFRunLoopGetNextTimerFireDate.
@inlinable
public func RLRunLoopGetNextTimerFireDate(
    _ loop: RLRunLoopRef!,
    _ mode: RLRunLoopMode!
) -> RLAbsoluteTime {
    RLRunLoopGetNextTimerFireDate(loop, mode?.rawValue)
}

/// Runs the calling thread's loop in a mode.
///
/// Runs may be nested, in callbacks of any kind.
///
/// CF: CFRunLoopRunInMode.
///
/// - Parameters:
///   - mode: The mode. Nil, ``RLRunLoopMode/commonModes`` and a mode with no source, timer or block
///     give `.finished` at once.
///   - seconds: The time limit. `0` or less makes one pass without sleeping. More than 504911232
///     (16 years), infinity or NaN means no limit.
///   - returnAfterSourceHandled: Whether to return after the first source that was served.
/// - Returns: The reason for which the run ended.
@inlinable
@available(*, noasync)
@discardableResult
public func RLRunLoopRunInMode(
    _ mode: RLRunLoopMode!,
    _ seconds: RLTimeInterval,
    _ returnAfterSourceHandled: Bool
) -> RLRunLoopRunResult {
    RLRunLoopRunInMode(mode?.rawValue, seconds, returnAfterSourceHandled)
}

/// Queues a closure for the loop's next pass in a mode.
///
/// Does not wake the loop: call `RLRunLoopWakeUp` for that. The closure is released after the call,
/// or with the loop.
///
/// CF: CFRunLoopPerformBlock.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - mode: The mode, or ``RLRunLoopMode/commonModes`` for all common modes.
///   - block: Called on the thread that runs the loop.
public func RLRunLoopPerformBlock(
    _ loop: RLRunLoopRef!,
    _ mode: RLRunLoopMode!,
    _ block: __owned (@Sendable () -> Void)!
) {
    withExtendedLifetime(mode) { performClosure(loop, mode?.rawValue.unsafeTypeReference, block) }
}

/// Queues a closure for the loop's next pass in one of some modes.
///
/// Does not wake the loop: call `RLRunLoopWakeUp` for that.
///
/// CF: CFRunLoopPerformBlock with an array.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - modes: The modes. Without a mode, the closure is never called.
///   - block: Called on the thread that runs the loop.
/// - Complexity: O(n) in the number of modes.
public func RLRunLoopPerformBlock(
    _ loop: RLRunLoopRef!,
    _ modes: [RLRunLoopMode],
    _ block: __owned (@Sendable () -> Void)!
) {
    RLRunLoopPerformBlock(loop, RLArrayRef.make(of: modes), block)
}

/// Queues a closure for the loop's next pass in a mode that is given as an object of the engine.
///
/// Does not wake the loop: call `RLRunLoopWakeUp` for that.
///
/// CF: CFRunLoopPerformBlock.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - mode: A string, or an array of strings. Anything else makes the call do nothing.
///   - block: Called on the thread that runs the loop.
public func RLRunLoopPerformBlock(
    _ loop: RLRunLoopRef!,
    _ mode: some RLReference,
    _ block: __owned (@Sendable () -> Void)!
) {
    withExtendedLifetime(mode) { performClosure(loop, mode.unsafeTypeReference, block) }
}

/// Queues a function for the loop's next pass in a mode.
///
/// Does not wake the loop: call `RLRunLoopWakeUp` for that. Unlike a closure, a function needs no
/// allocation for captures.
///
/// CF: none.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - mode: The mode, or ``RLRunLoopMode/commonModes`` for all common modes.
///   - function: Called on the thread that runs the loop.
///   - info: The argument of the function, valid until the call. If the loop ends first, the
///     function is not called.
@inlinable
public func RLRunLoopPerformFunction(
    _ loop: RLRunLoopRef!,
    _ mode: RLRunLoopMode!,
    _ function: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!,
    _ info: UnsafeMutableRawPointer?
) {
    withExtendedLifetime(mode) {
        __RLRunLoopPerformFunction(loop, mode?.rawValue.unsafeTypeReference, function, info)
    }
}

/// Whether a source, or one equal to it, is in a mode or, for ``RLRunLoopMode/commonModes``, among
/// the common items.
///
/// CF: CFRunLoopContainsSource.
@inlinable
public func RLRunLoopContainsSource(
    _ loop: RLRunLoopRef!,
    _ source: RLRunLoopSourceRef!,
    _ mode: RLRunLoopMode!
) -> Bool {
    RLRunLoopContainsSource(loop, source, mode?.rawValue)
}

/// Adds a source to a mode, or to all common modes.
///
/// Does nothing if the source is invalid, if the mode has an equal one, or if the loop's thread has
/// ended. Calls a version-0 source's `schedule`.
///
/// CF: CFRunLoopAddSource.
@inlinable
public func RLRunLoopAddSource(
    _ loop: RLRunLoopRef!,
    _ source: RLRunLoopSourceRef!,
    _ mode: RLRunLoopMode!
) {
    RLRunLoopAddSource(loop, source, mode?.rawValue)
}

/// Removes a source from a mode or from all common modes.
///
/// Calls a version-0 source's `cancel`.
///
/// CF: CFRunLoopRemoveSource.
@inlinable
public func RLRunLoopRemoveSource(
    _ loop: RLRunLoopRef!,
    _ source: RLRunLoopSourceRef!,
    _ mode: RLRunLoopMode!
) {
    RLRunLoopRemoveSource(loop, source, mode?.rawValue)
}

/// Whether an observer is in a mode or, for ``RLRunLoopMode/commonModes``, among the common items.
///
/// CF: CFRunLoopContainsObserver.
@inlinable
public func RLRunLoopContainsObserver(
    _ loop: RLRunLoopRef!,
    _ observer: RLRunLoopObserverRef!,
    _ mode: RLRunLoopMode!
) -> Bool {
    RLRunLoopContainsObserver(loop, observer, mode?.rawValue)
}

/// Adds an observer to a mode, or to all common modes.
///
/// Does nothing if the observer is invalid, there already, or in another loop.
///
/// CF: CFRunLoopAddObserver.
@inlinable
public func RLRunLoopAddObserver(
    _ loop: RLRunLoopRef!,
    _ observer: RLRunLoopObserverRef!,
    _ mode: RLRunLoopMode!
) {
    RLRunLoopAddObserver(loop, observer, mode?.rawValue)
}

/// Removes an observer from a mode or from all common modes.
///
/// CF: CFRunLoopRemoveObserver.
@inlinable
public func RLRunLoopRemoveObserver(
    _ loop: RLRunLoopRef!,
    _ observer: RLRunLoopObserverRef!,
    _ mode: RLRunLoopMode!
) {
    RLRunLoopRemoveObserver(loop, observer, mode?.rawValue)
}

/// Whether a timer is in a mode or, for ``RLRunLoopMode/commonModes``, among the common items.
///
/// CF: CFRunLoopContainsTimer.
@inlinable
public func RLRunLoopContainsTimer(
    _ loop: RLRunLoopRef!,
    _ timer: RLRunLoopTimerRef!,
    _ mode: RLRunLoopMode!
) -> Bool {
    RLRunLoopContainsTimer(loop, timer, mode?.rawValue)
}

/// Adds a timer to a mode, or to all common modes.
///
/// Does nothing if the timer is invalid, there already, or in another loop. A loop that sleeps in
/// the mode serves the timer without an earlier wake-up.
///
/// - Complexity: O(log n) in the number of timers of the mode.
///
/// CF: CFRunLoopAddTimer.
@inlinable
public func RLRunLoopAddTimer(
    _ loop: RLRunLoopRef!,
    _ timer: RLRunLoopTimerRef!,
    _ mode: RLRunLoopMode!
) {
    RLRunLoopAddTimer(loop, timer, mode?.rawValue)
}

/// Removes a timer from a mode or from all common modes.
///
/// CF: CFRunLoopRemoveTimer.
@inlinable
public func RLRunLoopRemoveTimer(
    _ loop: RLRunLoopRef!,
    _ timer: RLRunLoopTimerRef!,
    _ mode: RLRunLoopMode!
) {
    RLRunLoopRemoveTimer(loop, timer, mode?.rawValue)
}

extension RLRunLoopRef {
    /// Visits the items of a mode; each is retained during its call.
    package func visitItems(of mode: RLRunLoopMode, _ body: (RLRunLoopItemState) -> Void) {
        struct Visitor {
            let body: (RLRunLoopItemState) -> Void
        }
        withoutActuallyEscaping(body) { body in
            withUnsafePointer(to: Visitor(body: body)) { visitor in
                RLRunLoopVisitItems(
                    self,
                    mode.rawValue,
                    { state, info in
                        guard let state, let info else { return }
                        // The visitor outlives this call, which is synchronous.
                        info.assumingMemoryBound(to: Visitor.self).pointee.body(state.pointee)
                    },
                    UnsafeMutableRawPointer(mutating: visitor)
                )
            }
        }
    }

    /// Visits the timers of a mode; each is retained during its call.
    package func visitTimers(
        of mode: RLRunLoopMode,
        _ body: (RLRunLoopItemState, RLRunLoopTimerRef) -> Void
    ) {
        visitItems(of: mode) { state in
            guard state.kind == kRLRunLoopItemTimer, let item = state.item else { return }
            // References are pointers, and the kind guarantees the type.
            body(state, unsafeBitCast(item, to: RLRunLoopTimerRef.self))
        }
    }
}

extension RLRunLoopItemState {
    /// The address of the closure that a timer or an observer calls; nil if it is unknown.
    ///
    /// Any thread may call this during a visit.
    package var closure: UInt? {
        guard let item, isDescribedByBox else { return nil }
        // The engine retains the box only for its description, and gives other threads no access to
        // it.
        let text = String(RLCopyDescription(item))
        guard let begin = text.firstRange(of: "<closure>{")?.upperBound else { return nil }
        let address = text[begin...].split(separator: "(0x").last?.prefix { $0.isHexDigit }
        return address.flatMap { UInt($0, radix: 16) }
    }

    // Excludes a client's own description function, which may be confined to one thread.
    private var isDescribedByBox: Bool {
        var timer = RLRunLoopTimerContext()
        var observer = RLRunLoopObserverContext()
        // References are pointers, and the kind guarantees the type.
        switch kind {
        case kRLRunLoopItemTimer:
            RLRunLoopTimerGetContext(unsafeBitCast(item, to: RLRunLoopTimerRef?.self), &timer)
        case kRLRunLoopItemObserver:
            RLRunLoopObserverGetContext(
                unsafeBitCast(item, to: RLRunLoopObserverRef?.self),
                &observer
            )
        default: return false
        }
        guard let function = timer.copyDescription ?? observer.copyDescription else { return false }
        return unsafeBitCast(function, to: UInt.self)
            == unsafeBitCast(ContextBox.copyDescription, to: UInt.self)
    }
}
