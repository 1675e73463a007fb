@_spi(Boxes) public import CoreRunLoop

/// A source of a run loop: a signal, a descriptor, or a source that the program signals.
///
/// ``RLRunLoop/observe(signals:in:handler:)`` and its siblings make it. The loop retains it until
/// it is invalidated; this value only refers to it, and may be passed to other threads. The handler
/// is confined to the loop's thread, which also releases it.
///
/// CF: CFRunLoopSource.
public struct RLRunLoopSource: Hashable, Sendable {
    /// The engine's source.
    ///
    /// Add it to its own loop only: in the loop of another thread, its call stops the process with
    /// a line. For another loop use `RLRunLoopSourceCreate` or `RLSignalSourceCreate`, whose
    /// closures are `@Sendable`.
    public let reference: RLRunLoopSourceRef
    private let loop: RLRunLoopRef
    // Only the loop's thread uses its content.
    private nonisolated(unsafe) let box: ThreadBox

    init(_ reference: RLRunLoopSourceRef, _ loop: RLRunLoopRef, _ box: ThreadBox) {
        self.reference = reference
        self.loop = loop
        self.box = box
    }

    /// Whether two values refer to one source.
    public static func == (first: RLRunLoopSource, second: RLRunLoopSource) -> Bool {
        first.reference === second.reference
    }

    /// Hashes the identity of the source.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reference)
    }

    /// Whether the handler can be called again.
    public var isValid: Bool {
        RLRunLoopSourceIsValid(reference)
    }

    /// Signals the source of ``RLRunLoop/addSource(in:order:handler:)``, and wakes its loop.
    ///
    /// Several signals before the handler's call count as one. May be called from any thread.
    public func signal() {
        RLRunLoopSourceSignal(reference)
        RLRunLoopWakeUp(loop)
    }

    /// Removes the source from its loop for good and releases its handler.
    public func invalidate() {
        RLRunLoopSourceInvalidate(reference)
        // The handler may refer to the source: without this, the cycle would keep both.
        box.releaseContentOnItsThread()
    }
}

extension RLRunLoopSource: CustomStringConvertible {
    /// Whether the source is valid.
    public var description: String {
        "<RLRunLoopSource: \(isValid ? "valid" : "invalid")>"
    }
}
