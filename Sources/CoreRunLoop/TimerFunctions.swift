public import CRunLoop

/// Creates a timer that calls a closure whenever it fires.
///
/// The timer does nothing until it is added to a mode. Missed firings are coalesced: the timer
/// fires once, and then at the next multiple of its interval. The timer retains `handler` until the
/// timer is invalidated or destroyed.
///
/// CF: CFRunLoopTimerCreateWithHandler.
///
/// - Parameters:
///   - fireDate: The date of the first firing, in seconds since 2001. A timer whose date is in the
///     past is due immediately.
///   - interval: The seconds between firings. With `0`, the timer fires once and is then invalid.
///   - order: Stored, without effect.
///   - handler: Called on the thread that runs the loop, with no lock held.
/// - Returns: A valid timer that is in no mode.
public func RLRunLoopTimerCreate(
    fireDate: RLAbsoluteTime,
    interval: RLTimeInterval = 0,
    order: RLIndex = 0,
    handler: @escaping @Sendable (RLRunLoopTimerRef) -> Void
) -> RLRunLoopTimerRef {
    let box = HandlerBox(TimerHandler(body: handler))
    let timer = withExtendedLifetime(box) {
        var context = RLRunLoopTimerContext()
        context.info = box.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        context.copyDescription = ContextBox.copyDescription
        return RLRunLoopTimerCreate(
            nil,
            fireDate,
            interval,
            0,
            order,
            { timer, info in
                guard let timer else { return }
                HandlerBox<TimerHandler>.use(info) { handler in
                    noteFunction(handler)
                    handler.body(timer)
                }
            },
            &context
        )
    }
    guard let timer else {
        preconditionFailure("internal error: no timer was created: please report it")
    }
    return timer
}

private struct TimerHandler: ~Copyable {
    let body: @Sendable (RLRunLoopTimerRef) -> Void
}
