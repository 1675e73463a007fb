// A client's closure travels through the engine as the `info` of a context, in a box. The engine
// holds the box by the context's `retain` and `release`, as it does any client's info.

import CRunLoop
import CRunLoop.Wrapping

// Open, as classes are that are for one package only; so those who want it have to ask for it.
/// An object that the `info` of a context points to.
///
/// It is retained and released by ``ContextBox/retain`` and ``ContextBox/release``, whatever is in
/// it.
@_spi(Boxes) open class ContextBox {
    /// The loop of the thread that the content belongs to; nil: any thread may call it and let it
    /// go.
    public final var loop: RLRunLoopRef? {
        get { ownLoop }
        set { ownLoop = newValue }
    }

    // Only this file accesses it, which so needs no checks of exclusive access.
    private final var ownLoop: RLRunLoopRef?

    /// Makes a box that belongs to no thread.
    public init() {}

    /// The address of the client's function, for descriptions; nil if the box knows none.
    ///
    /// Any thread may ask for it.
    open var function: UnsafeRawPointer? { nil }

    /// The pointer under which the engine knows the box; not retained.
    public final var info: UnsafeMutableRawPointer {
        // The engine adds its own reference while the caller still holds this one.
        Unmanaged.passUnretained(self).toOpaque()
    }

    /// Whether the calling thread may call what is in the box.
    public final var belongsToCallingThread: Bool {
        ownLoop == nil || RLRunLoopIsCurrent(ownLoop)
    }

    /// The `retain` of contexts.
    public static let retain: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer? = { info in
        info.map { UnsafeRawPointer(Unmanaged<ContextBox>.fromOpaque($0).retain().toOpaque()) }
    }

    /// The `release` of contexts.
    public static let release: @convention(c) (UnsafeRawPointer?) -> Void = { info in
        guard let info else { return }
        let box = Unmanaged<ContextBox>.fromOpaque(info)
        // Most boxes belong to no thread: they are not asked for more.
        if box._withUnsafeGuaranteedRef({ $0.ownLoop == nil }) { return box.release() }
        release(info) { info in
            // The counterpart of the reference that `retain` added.
            info.map { Unmanaged<ContextBox>.fromOpaque($0).release() }
        }
    }

    /// The `copyDescription` of contexts, which names the client's function.
    public static let copyDescription: @convention(c) (UnsafeRawPointer?) -> RLStringRef? = {
        info in
        guard let info else { return nil }
        let box = Unmanaged<ContextBox>.fromOpaque(info).takeUnretainedValue()
        return RLRunLoopCopyClosureDescription(box.function)
    }

    /// Has a box released by a function, on the box's own thread.
    public static func release(
        _ info: UnsafeRawPointer?,
        by function: @convention(c) (UnsafeRawPointer?) -> Void
    ) {
        guard let info else { return }
        let loop = Unmanaged<ContextBox>.fromOpaque(info)._withUnsafeGuaranteedRef(\.loop)
        if let loop, !RLRunLoopIsCurrent(loop) {
            // That thread may be using what is in it.
            RLRunLoopReleaseLater(loop, info, function)
        } else {
            function(info)
        }
    }
}

/// A box of closures in a structure, of which the first is the one that the engine's callback
/// calls.
final class HandlerBox<Handlers: ~Copyable>: ContextBox {
    private let handlers: Handlers

    init(_ handlers: consuming Handlers) {
        self.handlers = handlers
    }

    override var function: UnsafeRawPointer? { functionAddress(in: handlers) }

    /// Calls a function with the handlers of the box that an `info` points to.
    ///
    /// They are borrowed: nothing has to be retained for a call.
    @inline(__always)
    static func use<Result>(
        _ info: UnsafeMutableRawPointer?,
        _ body: (borrowing Handlers) -> Result
    ) -> Result? {
        guard let info else { return nil }
        // The engine calls with the info that it retained, and keeps it during the call.
        return Unmanaged<HandlerBox>.fromOpaque(info)._withUnsafeGuaranteedRef { box in
            body(box.handlers)
        }
    }
}
