// Adds sources whose handlers need not be `Sendable`.

@_spi(Boxes) public import CoreRunLoop
import Glibc

extension RLRunLoop {
    /// Calls a closure for each signal to the process.
    ///
    /// ```swift
    /// RLRunLoop.main.observe(signals: [SIGINT, SIGTERM]) { _, _ in RLRunLoop.main.stop() }
    /// exit(RLRunLoop.main.runUntilStopped())
    /// ```
    ///
    /// The source replaces the signals' default actions and handlers in all threads. It blocks the
    /// signals, which stay blocked after the source is invalidated and in programs that the process
    /// executes: unblock them in such programs with `posix_spawnattr_setsigmask`. Signals below
    /// `SIGRTMIN` are coalesced: a signal that is sent several times may arrive once. If several
    /// sources observe a signal, only the source that is served first receives it.
    ///
    /// - Parameters:
    ///   - signals: The signal numbers, at least one. An unknown number, `SIGKILL` or `SIGSTOP`
    ///     stops the process with a message.
    ///   - modes: The modes; by default all common modes.
    ///   - handler: Called on the loop's thread with the source and the signal.
    /// - Returns: The source, which stays in the loop until it is invalidated. If no file
    ///   descriptor is available, the source is invalid, and a warning is logged.
    @discardableResult
    public func observe(
        signals: [CInt],
        in modes: [Mode] = [.common],
        handler: @escaping (RLRunLoopSource, RLSignalEvent) -> Void
    ) -> RLRunLoopSource {
        let call: StaticString = "RLRunLoop.observe(signals:in:handler:)"
        return addEventSource(handler, call, modes) { context in
            RLSignalSourceCreate(
                nil,
                0,
                signals,
                signals.count,
                { _, event, info in
                    guard let event = event?.pointee else { return }
                    SourceBox.of(info)?.call(event)
                },
                &context
            )
        }
    }

    /// Calls a closure when a process has ended.
    ///
    /// ```swift
    /// RLRunLoop.main.observe(process: child) { _, end in print("child \(end)") }
    /// ```
    ///
    /// A child that has already ended but was not reaped is also reported. The source is already
    /// invalid when the closure is called. The source refers to the process itself, so reuse of the
    /// process ID is harmless.
    ///
    /// - Parameters:
    ///   - process: The process ID. The process need not be a child. A number below 1 stops the
    ///     calling process with a message.
    ///   - reaps: Whether the source reaps a child, as `waitpid` does.
    ///   - modes: The modes; by default all common modes.
    ///   - handler: Called once on the loop's thread with the source and the end of the process.
    /// - Returns: The source, which stays in the loop until the process has ended or the source is
    ///   invalidated. If the process does not exist, or no file descriptor is available, the source
    ///   is invalid, and a warning is logged.
    @discardableResult
    public func observe(
        process: CInt,
        reaps: Bool = true,
        in modes: [Mode] = [.common],
        handler: @escaping (RLRunLoopSource, RLProcessEnd) -> Void
    ) -> RLRunLoopSource {
        let call: StaticString = "RLRunLoop.observe(process:reaps:in:handler:)"
        return addEventSource(handler, call, modes) { context in
            RLProcessSourceCreate(
                nil,
                0,
                process,
                reaps,
                { _, _, status, info in
                    SourceBox.of(info)?.call(RLProcessEnd(waitStatus: status))
                },
                &context
            )
        }
    }

    private func addEventSource<Event>(
        _ handler: @escaping (RLRunLoopSource, Event) -> Void,
        _ call: StaticString,
        _ modes: [Mode],
        _ make: (inout RLEventSourceContext) -> RLRunLoopSourceRef?
    ) -> RLRunLoopSource {
        add(SourceBox(self, handler), call, modes) { box in
            var context = RLEventSourceContext()
            context.info = box.info
            context.retain = ThreadBox.beginUse
            context.release = ThreadBox.endUse
            context.copyDescription = ContextBox.copyDescription
            let source = make(&context)
            if source == nil { warnOfInvalidSource(call, errno) }
            return source
        }
    }

    private func warnOfInvalidSource(_ call: StaticString, _ error: CInt) {
        let remedy =
            error == ESRCH
            ? "observe a process that was not reaped"
            : "check the limit of open files and the sandbox"
        warn("\(call)", "the returned source is invalid: \(describeError(error)): \(remedy)")
    }

    /// Calls a closure while a descriptor is ready.
    ///
    /// The loop does not read from the descriptor. Hang-ups and errors are always reported.
    /// Invalidate the source at EOF, and before you close the descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: Any descriptor that can be polled. The caller owns it.
    ///   - events: The events to wait for.
    ///   - modes: The modes; by default all common modes.
    ///   - handler: Called on the loop's thread with the source and the events that are ready.
    /// - Returns: The source, which stays in the loop until it is invalidated.
    @discardableResult
    public func observe(
        descriptor: CInt,
        _ events: RLRunLoopDescriptorEvents = .read,
        in modes: [Mode] = [.common],
        handler: @escaping (RLRunLoopSource, RLRunLoopDescriptorEvents) -> Void
    ) -> RLRunLoopSource {
        let box = DescriptorBox(self, descriptor, events, handler)
        return add(box, "RLRunLoop.observe(descriptor:_:in:handler:)", modes) { box in
            var context = RLRunLoopSourceContext2()
            context.version = 2
            context.info = box.info
            context.retain = ThreadBox.beginUse
            context.release = ThreadBox.endUse
            context.copyDescription = ContextBox.copyDescription
            context.getDescriptor = { DescriptorBox.of($0)?.descriptor ?? -1 }
            context.getEvents = { DescriptorBox.of($0)?.events ?? [] }
            context.perform = { DescriptorBox.of($0)?.call($1) }
            return RLRunLoopSourceCreate(nil, 0, &context)
        }
    }

    /// Adds a source whose handler is called in the pass after ``RLRunLoopSource/signal()``.
    ///
    /// - Parameters:
    ///   - modes: The modes; by default all common modes.
    ///   - order: The order among signaled sources. Sources with a lower order are called first.
    ///   - handler: Called on the loop's thread with the source.
    /// - Returns: The source, which stays in the loop until it is invalidated. Until then, the
    ///   modes are not empty.
    @discardableResult
    public func addSource(
        in modes: [Mode] = [.common],
        order: Int = 0,
        handler: @escaping (RLRunLoopSource) -> Void
    ) -> RLRunLoopSource {
        let box = SourceBox<Void>(self) { source, _ in handler(source) }
        return add(box, "RLRunLoop.addSource(in:order:handler:)", modes) { box in
            var context = RLRunLoopSourceContext()
            context.info = box.info
            context.retain = ThreadBox.beginUse
            context.release = ThreadBox.endUse
            context.copyDescription = ContextBox.copyDescription
            context.perform = { SourceBox<Void>.of($0)?.call(()) }
            return RLRunLoopSourceCreate(nil, order, &context)
        }
    }

    private func add<Event, Box: SourceBox<Event>>(
        _ box: Box,
        _ call: StaticString,
        _ modes: [Mode],
        _ make: (Box) -> RLRunLoopSourceRef?
    ) -> RLRunLoopSource {
        checkGiver(call)
        checkThreadUnlessEnded(of: loop, call)
        if modes.isEmpty { hintAtNoModes(call) }
        guard let reference = make(box) else {
            // The source does not exist, so this code begins and ends the use of the box.
            ThreadBox.endUse(ThreadBox.beginUse(box.info))
            let invalid = RLRunLoopSourceCreate {}
            RLRunLoopSourceInvalidate(invalid)
            return RLRunLoopSource(invalid, loop, box)
        }
        let source = RLRunLoopSource(reference, loop, box)
        box.reference = reference
        for mode in modes { RLRunLoopAddSource(loop, reference, mode.mode) }
        return source
    }
}
