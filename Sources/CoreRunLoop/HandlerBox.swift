// Boxes hold closures. The `info` of a context points to a box. The engine retains and releases the
// box with the context's functions.

import CRunLoop
import CRunLoop.Wrapping

// An open class cannot be `package`, so this class is SPI.
/// An object that the `info` of a context points to.
@_spi(Boxes) open class ContextBox {
    /// The loop of the thread to which the content is confined, or nil if any thread may call and
    /// release the content.
    public final var loop: RLRunLoopRef? {
        get { ownLoop }
        set { ownLoop = newValue }
    }

    // The compiler omits exclusivity checks, because the property is private to this file.
    private final var ownLoop: RLRunLoopRef?

    /// Creates a box that is confined to no thread.
    public init() {}

    /// The address of the client's function, which any thread may read; nil if it is unknown.
    open var function: UnsafeRawPointer? { nil }

    /// The pointer that the engine stores; not retained.
    public final var info: UnsafeMutableRawPointer {
        // The caller owns a reference until the engine has retained the box.
        Unmanaged.passUnretained(self).toOpaque()
    }

    /// Whether the calling thread may use the content: the box is confined to this thread, or to no
    /// thread.
    public final var belongsToCallingThread: Bool {
        ownLoop == nil || RLRunLoopIsCurrent(ownLoop)
    }

    /// The `retain` function for contexts.
    public static let retain: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer? = { info in
        info.map { UnsafeRawPointer(Unmanaged<ContextBox>.fromOpaque($0).retain().toOpaque()) }
    }

    /// The `release` function for contexts.
    public static let release: @convention(c) (UnsafeRawPointer?) -> Void = { info in
        guard let info else { return }
        let box = Unmanaged<ContextBox>.fromOpaque(info)
        // Most boxes are confined to no thread, and need only this release.
        if box._withUnsafeGuaranteedRef({ $0.ownLoop == nil }) { return box.release() }
        release(info) { info in
            // Balances `retain`.
            info.map { Unmanaged<ContextBox>.fromOpaque($0).release() }
        }
    }

    /// The `copyDescription` function for contexts; the description contains the client's function.
    public static let copyDescription: @convention(c) (UnsafeRawPointer?) -> RLStringRef? = {
        info in
        guard let info else { return nil }
        let box = Unmanaged<ContextBox>.fromOpaque(info).takeUnretainedValue()
        return RLRunLoopCopyClosureDescription(box.function)
    }

    /// Calls a release function on the thread that the box is confined to.
    public static func release(
        _ info: UnsafeRawPointer?,
        by function: @convention(c) (UnsafeRawPointer?) -> Void
    ) {
        guard let info else { return }
        let loop = Unmanaged<ContextBox>.fromOpaque(info)._withUnsafeGuaranteedRef(\.loop)
        if let loop, !RLRunLoopIsCurrent(loop) {
            // The other thread may be using the content.
            RLRunLoopReleaseLater(loop, info, function)
        } else {
            function(info)
        }
    }
}

/// A box that holds a structure of closures; the engine's callback calls the first closure.
final class HandlerBox<Handlers: ~Copyable>: ContextBox {
    private let handlers: Handlers

    init(_ handlers: consuming Handlers) {
        self.handlers = handlers
    }

    override var function: UnsafeRawPointer? { functionAddress(in: handlers) }

    /// Borrows the handlers of the box that `info` points to, so a call retains nothing.
    @inline(__always)
    static func use<Result>(
        _ info: UnsafeMutableRawPointer?,
        _ body: (borrowing Handlers) -> Result
    ) -> Result? {
        guard let info else { return nil }
        // The engine retains the box during the call.
        return Unmanaged<HandlerBox>.fromOpaque(info)._withUnsafeGuaranteedRef { box in
            body(box.handlers)
        }
    }
}
