public import CRunLoop

/// Creates a source that calls a closure for each signal that arrives.
///
/// The source replaces the signals' default actions and handlers in all threads. It blocks the
/// signals, which stay blocked after the source is destroyed and in programs that the process
/// executes: unblock them in such programs with `posix_spawnattr_setsigmask`. Signals below
/// `SIGRTMIN` are coalesced: a signal that is sent several times may arrive once. The source
/// retains the closure until the source is destroyed. CF has no counterpart.
///
/// - Parameters:
///   - order: Stored, without effect.
///   - signals: The signal numbers, at least one. An unknown number, `SIGKILL` or `SIGSTOP` stops
///     the process with a message.
///   - perform: Called on the loop's thread with the source and the signal.
/// - Returns: A valid source that is in no loop, or nil if no file descriptor is available.
public func RLSignalSourceCreate(
    order: RLIndex = 0,
    signals: [CInt],
    perform: @escaping @Sendable (RLRunLoopSourceRef, RLSignalEvent) -> Void
) -> RLRunLoopSourceRef? {
    withContext(of: HandlerBox(SignalHandler(body: perform))) { context in
        RLSignalSourceCreate(
            nil,
            order,
            signals,
            signals.count,
            { source, event, info in
                guard let source, let event = event?.pointee else { return }
                HandlerBox<SignalHandler>.use(info) { handler in
                    noteFunction(handler)
                    handler.body(source, event)
                }
            },
            context
        )
    }
}

/// Creates a source that calls a closure when a process has ended.
///
/// The source is already invalid when the closure is called. The source retains the closure until
/// the source is destroyed. CF has no counterpart.
///
/// - Parameters:
///   - order: Stored, without effect.
///   - process: The process ID. The process need not be a child.
///   - reaps: Whether the source reaps a child, as `waitpid` does.
///   - perform: Called on the loop's thread with the source and the wait status. The status is nil
///     if the process is not a child or other code has reaped it.
/// - Returns: A valid source that is in no loop, or nil if the process does not exist or no file
///   descriptor is available.
public func RLProcessSourceCreate(
    order: RLIndex = 0,
    process: Int32,
    reaps: Bool = true,
    perform: @escaping @Sendable (RLRunLoopSourceRef, Int32?) -> Void
) -> RLRunLoopSourceRef? {
    withContext(of: HandlerBox(ProcessHandler(body: perform))) { context in
        RLProcessSourceCreate(
            nil,
            order,
            process,
            reaps,
            { source, _, status, info in
                guard let source else { return }
                let known = status == kRLProcessStatusUnknown ? nil : status
                HandlerBox<ProcessHandler>.use(info) { handler in
                    noteFunction(handler)
                    handler.body(source, known)
                }
            },
            context
        )
    }
}

/// Creates a source that calls a closure for each change of the files that it watches.
///
/// `RLFileSourceAddWatch` adds files. The source retains the closure until the source is destroyed.
/// CF has no counterpart.
///
/// - Parameters:
///   - order: Stored, without effect.
///   - perform: Called on the loop's thread with the source, the event, and the event's name as a
///     string. The event's `name` pointer is valid only during the call.
/// - Returns: A valid source that is in no loop, or nil if no file descriptor is available.
public func RLFileSourceCreate(
    order: RLIndex = 0,
    perform: @escaping @Sendable (RLRunLoopSourceRef, RLFileEvent, String?) -> Void
) -> RLRunLoopSourceRef? {
    withContext(of: HandlerBox(FileHandler(body: perform))) { context in
        RLFileSourceCreate(
            nil,
            order,
            { source, event, info in
                guard let source, let event = event?.pointee else { return }
                let name = event.name.map { String(cString: $0) }
                HandlerBox<FileHandler>.use(info) { handler in
                    noteFunction(handler)
                    handler.body(source, event, name)
                }
            },
            context
        )
    }
}

private struct SignalHandler: ~Copyable {
    let body: @Sendable (RLRunLoopSourceRef, RLSignalEvent) -> Void
}

private struct ProcessHandler: ~Copyable {
    let body: @Sendable (RLRunLoopSourceRef, Int32?) -> Void
}

private struct FileHandler: ~Copyable {
    let body: @Sendable (RLRunLoopSourceRef, RLFileEvent, String?) -> Void
}

private func withContext(
    of box: ContextBox,
    _ make: (UnsafeMutablePointer<RLEventSourceContext>) -> RLRunLoopSourceRef?
) -> RLRunLoopSourceRef? {
    withExtendedLifetime(box) {
        var context = RLEventSourceContext()
        context.info = box.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        context.copyDescription = ContextBox.copyDescription
        return make(&context)
    }
}
