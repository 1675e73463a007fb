// The closures of a source travel through the engine as `info`. The engine holds the box by the
// context's `retain` and `release`, from the making of the source to its destruction.

import CRunLoop

final class HandlerBox<Handlers: Sendable>: Sendable {
    let handlers: Handlers

    init(_ handlers: Handlers) {
        self.handlers = handlers
    }

    /// The pointer under which the engine knows the box; not retained.
    var info: UnsafeMutableRawPointer {
        // The engine adds its own reference while the caller still holds this one.
        Unmanaged.passUnretained(self).toOpaque()
    }

    /// Calls with the handlers, without references to what they capture: the engine's is enough.
    @inline(__always)
    static func withHandlers(
        of info: UnsafeMutableRawPointer?,
        _ body: (borrowing Handlers) -> Void
    ) {
        // As for `handlers(of:)`.
        guard let info else { return }
        Unmanaged<HandlerBox>.fromOpaque(info)._withUnsafeGuaranteedRef { body($0.handlers) }
    }

    static func handlers(of info: UnsafeMutableRawPointer?) -> Handlers? {
        // The engine calls with the info that it retained, and keeps it during the call.
        info.map { Unmanaged<HandlerBox>.fromOpaque($0).takeUnretainedValue().handlers }
    }
}

/// Retains any box, whatever its handlers; the `retain` of contexts.
func retainBox(_ info: UnsafeRawPointer?) -> UnsafeRawPointer? {
    // Boxes are plain Swift objects, so that the reference can be counted without their type.
    info.map { UnsafeRawPointer(Unmanaged<AnyObject>.fromOpaque($0).retain().toOpaque()) }
}

/// Releases any box; the `release` of contexts.
func releaseBox(_ info: UnsafeRawPointer?) {
    // The counterpart of the reference that `retainBox` added.
    info.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
}
