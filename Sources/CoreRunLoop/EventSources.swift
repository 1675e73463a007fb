// Sources for signals, process exits and file changes, from closures.

public import CRunLoop

/// Creates a source that calls a closure for each signal that arrives.
///
/// It replaces default actions and handlers in all threads. The signals are blocked, and stay
/// blocked after the source is destroyed, and in programs that the process executes: unblock them
/// there by `posix_spawnattr_setsigmask`. A signal below `SIGRTMIN` that is sent several times may
/// arrive once. The source retains the closure until it is destroyed. Ours, no CF counterpart.
///
/// - Parameters:
///   - order: Stored, without effect.
///   - signals: The numbers, at least one. An unknown number, `SIGKILL` and `SIGSTOP` stop the
///     process with a message.
///   - perform: Called on the loop's thread with the source and the signal.
/// - Returns: A valid source that is in no loop, or nil if the kernel has no descriptors left.
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
/// The source is invalid when the closure is called. It retains the closure until it is destroyed.
/// Ours, no CF counterpart.
///
/// - Parameters:
///   - order: Stored, without effect.
///   - process: The number of the process; it need not be a child.
///   - reaps: Whether the source reaps a child, as `waitpid` does.
///   - perform: Called on the loop's thread with the source and the wait status. The status is nil
///     if the process is not a child or other code has reaped it.
/// - Returns: A valid source that is in no loop, or nil if there is no such process.
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
/// `RLFileSourceAddWatch` adds files. The source retains the closure until it is destroyed. Ours,
/// no CF counterpart.
///
/// - Parameters:
///   - order: Stored, without effect.
///   - perform: Called on the loop's thread with the source, the event, whose `name` is valid
///     during the call, and that name as a string.
/// - Returns: A valid source that is in no loop, or nil if the kernel has no descriptors left.
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

/// Calls a function with a context that retains a box for the lifetime of the source.
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
