@_spi(Boxes) public import CoreRunLoop

/// A source of a run loop, for signals, processes or descriptors, or for signaling by the program.
///
/// ``RLRunLoop/observe(signals:in:handler:)`` and similar functions create sources. The loop
/// retains the source until the source is invalidated; this value is only a reference, which other
/// threads may use. The handler is confined to the loop's thread, which also releases it.
///
/// CF: CFRunLoopSource.
public struct RLRunLoopSource: Hashable, Sendable {
    /// The engine's source.
    ///
    /// Do not add the source to the loop of another thread: if that thread serves the source, the
    /// process stops with a message. For other loops use `RLRunLoopSourceCreate` or
    /// `RLSignalSourceCreate`, whose closures are `@Sendable`.
    public let reference: RLRunLoopSourceRef
    private let loop: RLRunLoopRef
    // Only the loop's thread uses the box's content.
    private nonisolated(unsafe) let box: ThreadBox

    init(_ reference: RLRunLoopSourceRef, _ loop: RLRunLoopRef, _ box: ThreadBox) {
        self.reference = reference
        self.loop = loop
        self.box = box
    }

    /// Returns whether two values refer to the same source.
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

    /// Signals a source that ``RLRunLoop/addSource(in:order:handler:)`` created, and wakes its
    /// loop.
    ///
    /// Thread-safe. Several signals before the handler's call are coalesced.
    public func signal() {
        RLRunLoopSourceSignal(reference)
        RLRunLoopWakeUp(loop)
    }

    /// Removes the source from its loop permanently and releases its handler.
    public func invalidate() {
        RLRunLoopSourceInvalidate(reference)
        // Breaks the retain cycle if the handler refers to the source.
        box.releaseContentOnItsThread()
    }
}

extension RLRunLoopSource: CustomStringConvertible {
    /// Whether the source is valid.
    public var description: String {
        "<RLRunLoopSource: \(isValid ? "valid" : "invalid")>"
    }
}
