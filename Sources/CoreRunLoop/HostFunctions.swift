public import CRunLoop

private struct HostHandler: ~Copyable {
    let body: @Sendable (RLHostRef, RLHostInfoType, RLStreamError) -> Void
}

/// Sets a closure as the client of a host, and replaces the former client.
///
/// The host retains the closure until the host gets another client or is destroyed.
///
/// CF: CFHostSetClient.
///
/// - Parameters:
///   - theHost: The host.
///   - handler: Called on a loop's thread when a resolution has ended. The error's domain is 0 if
///     the resolution succeeded.
public func RLHostSetClient(
    _ theHost: RLHostRef!,
    handler: @escaping @Sendable (RLHostRef, RLHostInfoType, RLStreamError) -> Void
) {
    var context = RLHostClientContext()
    context.retain = { ContextBox.retain($0) }
    context.release = { ContextBox.release($0) }
    let box = HandlerBox(HostHandler(body: handler))
    withExtendedLifetime(box) {
        context.info = box.info
        _ = RLHostSetClient(
            theHost,
            { host, type, error, info in
                guard let host, let error else { return }
                HandlerBox<HostHandler>.use(info) { handler in
                    noteFunction(handler)
                    handler.body(host, type, error.pointee)
                }
            },
            &context
        )
    }
}

/// Schedules a host's client in a mode of a loop, in addition to other modes and loops.
///
/// CF: CFHostScheduleWithRunLoop.
public func RLHostScheduleWithRunLoop(
    _ theHost: RLHostRef!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    RLHostScheduleWithRunLoop(theHost, runLoop, runLoopMode?.rawValue)
}

/// Unschedules a host's client from a mode of a loop.
///
/// CF: CFHostUnscheduleFromRunLoop.
public func RLHostUnscheduleFromRunLoop(
    _ theHost: RLHostRef!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    RLHostUnscheduleFromRunLoop(theHost, runLoop, runLoopMode?.rawValue)
}
