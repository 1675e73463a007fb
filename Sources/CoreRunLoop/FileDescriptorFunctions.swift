public import CRunLoop

/// Creates an object that calls a closure when its file descriptor is ready.
///
/// Callbacks are disabled at first, and again at each call of the closure: enable them with
/// `RLFileDescriptorEnableCallBacks`, for example in the closure. The object retains the closure
/// until the object is invalidated or destroyed.
///
/// CF: CFFileDescriptorCreate.
///
/// - Parameters:
///   - descriptor: Any descriptor that can be polled.
///   - closeOnInvalidate: Whether the object closes the descriptor when it is invalidated or
///     destroyed.
///   - handler: Called on a loop's thread with the enabled types that are ready:
///     `kRLFileDescriptorReadCallBack`, `kRLFileDescriptorWriteCallBack`.
/// - Returns: An object whose source is in no loop, or nil for a negative descriptor.
public func RLFileDescriptorCreate(
    _ descriptor: RLFileDescriptorNativeDescriptor,
    closeOnInvalidate: Bool,
    handler: @escaping @Sendable (RLFileDescriptorRef, RLOptionFlags) -> Void
) -> RLFileDescriptorRef? {
    let box = HandlerBox(DescriptorHandler(body: handler))
    return withExtendedLifetime(box) {
        var context = RLFileDescriptorContext()
        context.info = box.info
        context.retain = { UnsafeMutableRawPointer(mutating: ContextBox.retain($0)) }
        context.release = { ContextBox.release($0) }
        return RLFileDescriptorCreate(
            nil,
            descriptor,
            closeOnInvalidate,
            { descriptor, types, info in
                guard let descriptor else { return }
                HandlerBox<DescriptorHandler>.use(info) { handler in
                    noteFunction(handler)
                    handler.body(descriptor, types)
                }
            },
            &context
        )
    }
}

private struct DescriptorHandler: ~Copyable {
    let body: @Sendable (RLFileDescriptorRef, RLOptionFlags) -> Void
}
