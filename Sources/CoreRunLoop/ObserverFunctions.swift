public import CRunLoop

/// Creates an observer that calls a closure.
///
/// The observer retains `handler` until the observer is invalidated or destroyed.
///
/// CF: CFRunLoopObserverCreateWithHandler.
///
/// - Parameters:
///   - activities: The activities to observe.
///   - repeats: Whether the observer is called more than once. If not, the observer is invalid
///     after its first call.
///   - order: The order among the observers of a mode. Observers with a lower order are called
///     first; observers with the same order are called in the order in which they were added.
///   - handler: Called on the thread that runs the loop, with no lock held.
/// - Returns: A valid observer that is in no mode.
public func RLRunLoopObserverCreate(
    activities: RLRunLoopActivity,
    repeats: Bool = true,
    order: RLIndex = 0,
    handler: @escaping @Sendable (RLRunLoopObserverRef, RLRunLoopActivity) -> Void
) -> RLRunLoopObserverRef {
    let box = HandlerBox(ObserverHandler(body: handler))
    let observer = withExtendedLifetime(box) {
        var context = RLRunLoopObserverContext()
        context.info = box.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        context.copyDescription = ContextBox.copyDescription
        return RLRunLoopObserverCreate(
            nil,
            activities.rawValue,
            repeats,
            order,
            { observer, activity, info in
                guard let observer else { return }
                HandlerBox<ObserverHandler>.use(info) { handler in
                    noteFunction(handler)
                    handler.body(observer, activity)
                }
            },
            &context
        )
    }
    guard let observer else {
        preconditionFailure("internal error: no observer was created: please report it")
    }
    return observer
}

private struct ObserverHandler: ~Copyable {
    let body: @Sendable (RLRunLoopObserverRef, RLRunLoopActivity) -> Void
}
