// Run loop functions that take ``RLRunLoopMode`` instead of a string.

public import CRunLoop

/// Returns the mode in which a loop currently runs: the mode of its innermost run.
///
/// CF: CFRunLoopCopyCurrentMode.
///
/// - Parameter loop: The loop, of any thread.
/// - Returns: The mode, or nil if the loop does not run.
public func RLRunLoopCopyCurrentMode(_ loop: RLRunLoopRef!) -> RLRunLoopMode! {
    __RLRunLoopCopyCurrentMode(loop).map(RLRunLoopMode.init(rawValue:))
}

/// Adds a mode to a loop's common modes permanently.
///
/// The mode receives all present and future common items. A no-op for ``RLRunLoopMode/commonModes``
/// itself, and for a mode that is already common.
///
/// CF: CFRunLoopAddCommonMode.
@inlinable
public func RLRunLoopAddCommonMode(_ loop: RLRunLoopRef!, _ mode: RLRunLoopMode!) {
    RLRunLoopAddCommonMode(loop, mode?.rawValue)
}

/// Returns the date at which the first timer of a mode is due, in seconds since 2001, or 0 if the
/// mode has no timer.
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
/// Runs may be nested: a callback of any kind may run the loop again.
///
/// CF: CFRunLoopRunInMode.
///
/// - Parameters:
///   - mode: The mode. The function returns `.finished` immediately for nil, for
///     ``RLRunLoopMode/commonModes``, and for a mode without sources, timers and blocks.
///   - seconds: The time limit. With `0` or less, the loop makes one pass without sleeping. More
///     than 504911232 (16 years), infinity or NaN means no limit.
///   - returnAfterSourceHandled: Whether to return after serving one source.
/// - Returns: The reason for the end of the run.
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
/// The call does not wake the loop: also call `RLRunLoopWakeUp`. The closure is released after its
/// call, or when the loop is destroyed.
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

/// Queues a closure for the loop's next pass in any of several modes.
///
/// The closure is called once. The call does not wake the loop: also call `RLRunLoopWakeUp`.
///
/// CF: CFRunLoopPerformBlock with an array.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - modes: The modes. If the array is empty, the closure is never called.
///   - block: Called on the thread that runs the loop.
/// - Complexity: O(n) in the number of modes.
public func RLRunLoopPerformBlock(
    _ loop: RLRunLoopRef!,
    _ modes: [RLRunLoopMode],
    _ block: __owned (@Sendable () -> Void)!
) {
    RLRunLoopPerformBlock(loop, RLArrayRef.make(of: modes), block)
}

/// Queues a closure for the loop's next pass in a mode that an object of the engine names.
///
/// The call does not wake the loop: also call `RLRunLoopWakeUp`.
///
/// CF: CFRunLoopPerformBlock.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - mode: A string, or an array of strings. With any other object, the function does nothing.
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
/// The call does not wake the loop: also call `RLRunLoopWakeUp`. Unlike a closure, a function needs
/// no allocation for captures.
///
/// CF has no counterpart.
///
/// - Parameters:
///   - loop: The loop, of any thread.
///   - mode: The mode, or ``RLRunLoopMode/commonModes`` for all common modes.
///   - function: Called on the thread that runs the loop.
///   - info: The argument of the function, which must be valid until the call. If the loop ends
///     before, the function is not called.
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

/// Returns whether a mode contains a source or an equal source.
///
/// For ``RLRunLoopMode/commonModes``, the common items are searched.
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
/// Does nothing if the source is invalid, if the mode contains an equal source, or if the loop's
/// thread has ended. Calls a version-0 source's `schedule`.
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

/// Returns whether a mode contains an observer.
///
/// For ``RLRunLoopMode/commonModes``, the common items are searched.
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
/// Does nothing if the observer is invalid, already in the mode, or in another loop.
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

/// Returns whether a mode contains a timer.
///
/// For ``RLRunLoopMode/commonModes``, the common items are searched.
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
/// Does nothing if the timer is invalid, already in the mode, or in another loop. A loop that
/// sleeps in the mode fires the timer on time: you need not wake the loop.
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
    /// Calls a closure with each item of a mode, and retains the item during the call.
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

    /// Calls a closure with each timer of a mode, and retains the timer during the call.
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
    /// The address of the item's closure; nil if it is unknown.
    ///
    /// During a visit, any thread may read the address.
    package var closure: UInt? {
        guard let item, isDescribedByBox else { return nil }
        // Reads the address from the description, because the box is not accessible: the engine
        // retains the box only while it describes the item, and another thread may release the box.
        let text = String(RLCopyDescription(item))
        guard let begin = text.firstRange(of: "<closure>{")?.upperBound else { return nil }
        let address = text[begin...].split(separator: "(0x").last?.prefix { $0.isHexDigit }
        return address.flatMap { UInt($0, radix: 16) }
    }

    // Whether a `ContextBox` describes the item. Otherwise a function of the client describes it,
    // which may be confined to one thread.
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
