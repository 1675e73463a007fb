// Creates sources from closures, and from contexts of versions 1 and 2 without a cast.

public import CRunLoop

/// Creates a version-0 source that calls closures.
///
/// After `RLRunLoopSourceSignal`, the loop calls `perform` once. The signal does not wake a
/// sleeping loop: call `RLRunLoopWakeUp`. The source retains the closures until the source is
/// destroyed.
///
/// CF: CFRunLoopSourceCreate with a CFRunLoopSourceContext.
///
/// - Parameters:
///   - order: The order among signaled sources. Sources with a lower order are called first.
///   - schedule: Called for each mode that the source enters, on the thread that adds the source.
///   - cancel: Called for each mode that the source leaves, on the thread that removes the source.
///   - perform: Called on the loop's thread after the source was signaled.
/// - Returns: A valid source that is in no loop.
public func RLRunLoopSourceCreate(
    order: RLIndex = 0,
    schedule: (@Sendable (RLRunLoopRef, RLRunLoopMode) -> Void)? = nil,
    cancel: (@Sendable (RLRunLoopRef, RLRunLoopMode) -> Void)? = nil,
    perform: @escaping @Sendable () -> Void
) -> RLRunLoopSourceRef {
    let box = HandlerBox(SignalHandlers(perform: perform, schedule: schedule, cancel: cancel))
    return withExtendedLifetime(box) {
        var context = RLRunLoopSourceContext()
        context.info = box.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        context.copyDescription = ContextBox.copyDescription
        context.schedule = { info, loop, name in
            guard let loop, let name else { return }
            HandlerBox<SignalHandlers>.use(info) { $0.schedule?(loop, RLRunLoopMode(name)) }
        }
        context.cancel = { info, loop, name in
            guard let loop, let name else { return }
            HandlerBox<SignalHandlers>.use(info) { $0.cancel?(loop, RLRunLoopMode(name)) }
        }
        context.perform = {
            HandlerBox<SignalHandlers>.use($0) { handlers in
                noteFunction(handlers)
                handlers.perform()
            }
        }
        return RLRunLoopSourceCreate(nil, order, &context)
    }
}

/// Creates a version-1 source that calls a closure when a port is ready.
///
/// If the port is an eventfd or a timerfd, the loop reads 8 bytes from it before the call. The loop
/// never reads from other descriptors. The source retains the closure until the source is
/// destroyed.
///
/// CF: CFRunLoopSourceCreate with a CFRunLoopSourceContext1.
///
/// - Parameters:
///   - order: Stored, without effect.
///   - port: The descriptor. The caller owns it, and must keep it open while the source is valid.
///   - perform: Called on the loop's thread when the port is ready.
/// - Returns: A valid source that is in no loop.
public func RLRunLoopSourceCreate(
    order: RLIndex = 0,
    port: RLRunLoopPort,
    perform: @escaping @Sendable () -> Void
) -> RLRunLoopSourceRef {
    let box = HandlerBox(PortHandlers(perform: perform, port: port))
    return withExtendedLifetime(box) {
        var context = RLRunLoopSourceContext1()
        context.version = 1
        context.info = box.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        context.copyDescription = ContextBox.copyDescription
        context.getPort = { HandlerBox<PortHandlers>.use($0) { $0.port } ?? -1 }
        context.perform = {
            HandlerBox<PortHandlers>.use($0) { handlers in
                noteFunction(handlers)
                handlers.perform()
            }
        }
        return RLRunLoopSourceCreate(nil, order, &context)
    }
}

/// Creates a version-2 source that calls a closure while a descriptor is ready.
///
/// The loop never reads from the descriptor. Hang-ups and errors are always delivered. The source
/// retains the closures until the source is destroyed. CF has no counterpart.
///
/// - Parameters:
///   - order: Stored, without effect.
///   - descriptor: Any descriptor that can be polled. The caller owns it, and must keep it open
///     while the source is valid.
///   - events: Returns the events to poll for. Called when the source enters a mode and after
///     `RLRunLoopSourceUpdateEvents`. It must not call functions of the loop.
///   - perform: Called on the loop's thread with the events that are ready.
/// - Returns: A valid source that is in no loop.
public func RLRunLoopSourceCreate(
    order: RLIndex = 0,
    descriptor: CInt,
    events: @escaping @Sendable () -> RLRunLoopDescriptorEvents = { .read },
    perform: @escaping @Sendable (RLRunLoopDescriptorEvents) -> Void
) -> RLRunLoopSourceRef {
    let box = HandlerBox(
        DescriptorHandlers(perform: perform, descriptor: descriptor, events: events)
    )
    return withExtendedLifetime(box) {
        var context = RLRunLoopSourceContext2()
        context.version = 2
        context.info = box.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        context.copyDescription = ContextBox.copyDescription
        context.getDescriptor = {
            HandlerBox<DescriptorHandlers>.use($0) { $0.descriptor } ?? -1
        }
        context.getEvents = { HandlerBox<DescriptorHandlers>.use($0) { $0.events() } ?? [] }
        context.perform = {
            let events = $1
            HandlerBox<DescriptorHandlers>.use($0) { handlers in
                noteFunction(handlers)
                handlers.perform(events)
            }
        }
        return RLRunLoopSourceCreate(nil, order, &context)
    }
}

/// Creates a source from a version-1 context.
///
/// CF: CFRunLoopSourceCreate, which needs a cast.
///
/// - Parameters:
///   - allocator: Ignored.
///   - order: Stored, without effect.
///   - context: A context whose version is 1; copied.
/// - Returns: A valid source that is in no loop, or nil if the context's version is unknown.
public func RLRunLoopSourceCreate(
    _ allocator: RLAllocatorRef!,
    _ order: RLIndex,
    _ context: UnsafeMutablePointer<RLRunLoopSourceContext1>
) -> RLRunLoopSourceRef! {
    // The engine reads the version first, and then the structure of that version.
    let anyVersion = UnsafeMutableRawPointer(context)
    return anyVersion.withMemoryRebound(to: RLRunLoopSourceContext.self, capacity: 1) {
        RLRunLoopSourceCreate(allocator, order, $0)
    }
}

/// Creates a source from a version-2 context.
///
/// CF has no counterpart.
///
/// - Parameters:
///   - allocator: Ignored.
///   - order: Stored, without effect.
///   - context: A context whose version is 2; copied.
/// - Returns: A valid source that is in no loop, or nil if the context's version is unknown.
public func RLRunLoopSourceCreate(
    _ allocator: RLAllocatorRef!,
    _ order: RLIndex,
    _ context: UnsafeMutablePointer<RLRunLoopSourceContext2>
) -> RLRunLoopSourceRef! {
    // See the overload for version 1.
    let anyVersion = UnsafeMutableRawPointer(context)
    return anyVersion.withMemoryRebound(to: RLRunLoopSourceContext.self, capacity: 1) {
        RLRunLoopSourceCreate(allocator, order, $0)
    }
}

/// Copies the context of a version-1 source.
///
/// CF: CFRunLoopSourceGetContext, which needs a cast.
///
/// - Parameters:
///   - source: A source of version 1. A source of another version stops the process.
///   - context: Receives the context. Its version must be 1.
public func RLRunLoopSourceGetContext(
    _ source: RLRunLoopSourceRef!,
    _ context: UnsafeMutablePointer<RLRunLoopSourceContext1>
) {
    // The engine reads the version first, and then writes the structure of that version.
    let anyVersion = UnsafeMutableRawPointer(context)
    anyVersion.withMemoryRebound(to: RLRunLoopSourceContext.self, capacity: 1) {
        RLRunLoopSourceGetContext(source, $0)
    }
}

/// Copies the context of a version-2 source.
///
/// CF has no counterpart.
///
/// - Parameters:
///   - source: A source of version 2. A source of another version stops the process.
///   - context: Receives the context. Its version must be 2.
public func RLRunLoopSourceGetContext(
    _ source: RLRunLoopSourceRef!,
    _ context: UnsafeMutablePointer<RLRunLoopSourceContext2>
) {
    // See the overload for version 1.
    let anyVersion = UnsafeMutableRawPointer(context)
    anyVersion.withMemoryRebound(to: RLRunLoopSourceContext.self, capacity: 1) {
        RLRunLoopSourceGetContext(source, $0)
    }
}

// `perform` must be the first property, which `noteFunction` reads.

private struct SignalHandlers: ~Copyable, Sendable {
    let perform: @Sendable () -> Void
    let schedule: (@Sendable (RLRunLoopRef, RLRunLoopMode) -> Void)?
    let cancel: (@Sendable (RLRunLoopRef, RLRunLoopMode) -> Void)?
}

private struct PortHandlers: ~Copyable, Sendable {
    let perform: @Sendable () -> Void
    let port: RLRunLoopPort
}

private struct DescriptorHandlers: ~Copyable, Sendable {
    let perform: @Sendable (RLRunLoopDescriptorEvents) -> Void
    let descriptor: CInt
    let events: @Sendable () -> RLRunLoopDescriptorEvents
}
