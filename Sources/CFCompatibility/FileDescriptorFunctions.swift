// Descriptors: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// A descriptor with callbacks.
public typealias CFFileDescriptor = RLFileDescriptorRef
/// The system's type of a descriptor.
public typealias CFFileDescriptorNativeDescriptor = RLFileDescriptorNativeDescriptor
/// The client data of a descriptor.
public typealias CFFileDescriptorContext = RLFileDescriptorContext
/// The callback of a descriptor.
public typealias CFFileDescriptorCallBack = RLFileDescriptorCallBack

/// Reading would not block.
@inlinable public var kCFFileDescriptorReadCallBack: CFOptionFlags { kRLFileDescriptorReadCallBack }
/// Writing would not block.
@inlinable public var kCFFileDescriptorWriteCallBack: CFOptionFlags {
    kRLFileDescriptorWriteCallBack
}

/// The type number of descriptors.
@discardableResult
@inlinable
public func CFFileDescriptorGetTypeID() -> CFTypeID {
    RLFileDescriptorGetTypeID()
}

/// Makes an object for a descriptor.
///
/// No callback is enabled at first. Several objects may watch one descriptor.
@discardableResult
@inlinable
public func CFFileDescriptorCreate(
    _ allocator: CFAllocator!,
    _ descriptor: CFFileDescriptorNativeDescriptor,
    _ closeOnInvalidate: Bool,
    _ callout: CFFileDescriptorCallBack!,
    _ context: UnsafePointer<CFFileDescriptorContext>!
) -> CFFileDescriptor! {
    RLFileDescriptorCreate(allocator, descriptor, closeOnInvalidate, callout, context)
}

/// The descriptor; -1 when the object is invalid.
@discardableResult
@inlinable
public func CFFileDescriptorGetNativeDescriptor(_ descriptor: CFFileDescriptor!)
    -> CFFileDescriptorNativeDescriptor
{
    RLFileDescriptorGetNativeDescriptor(descriptor)
}

/// Copies the client data.
///
/// The info is nil when the object is invalid. `context` must not be nil; its version is set.
@inlinable
public func CFFileDescriptorGetContext(
    _ descriptor: CFFileDescriptor!,
    _ context: UnsafeMutablePointer<CFFileDescriptorContext>!
) {
    RLFileDescriptorGetContext(descriptor, context)
}

/// Enables callbacks, each for one call: enable it again, in the callback or later, to be called
/// again.
///
/// A descriptor that became ready in between is reported at once, so that nothing is missed. Takes
/// effect at once, also for a loop that sleeps. Without effect on an invalid object.
@inlinable
public func CFFileDescriptorEnableCallBacks(
    _ descriptor: CFFileDescriptor!,
    _ callBackTypes: CFOptionFlags
) {
    RLFileDescriptorEnableCallBacks(descriptor, callBackTypes)
}

/// Disables callbacks that were enabled.
@inlinable
public func CFFileDescriptorDisableCallBacks(
    _ descriptor: CFFileDescriptor!,
    _ callBackTypes: CFOptionFlags
) {
    RLFileDescriptorDisableCallBacks(descriptor, callBackTypes)
}

/// Makes the object invalid for good: invalidates its source, closes the descriptor if
/// `closeOnInvalidate` was set, releases the info, and wakes the loops that its source was in.
///
/// Does nothing the second time. Does not wait for a callback that runs on another thread. The last
/// release does the same.
@inlinable
public func CFFileDescriptorInvalidate(_ descriptor: CFFileDescriptor!) {
    RLFileDescriptorInvalidate(descriptor)
}

/// Whether the object has not been invalidated.
@discardableResult
@inlinable
public func CFFileDescriptorIsValid(_ descriptor: CFFileDescriptor!) -> Bool {
    RLFileDescriptorIsValid(descriptor)
}

/// The source of the object, for any loops and modes: always the same one, unless that was
/// invalidated.
///
/// The source retains the object.
@discardableResult
@inlinable
public func CFFileDescriptorCreateRunLoopSource(
    _ allocator: CFAllocator!,
    _ descriptor: CFFileDescriptor!,
    _ order: CFIndex
) -> CFRunLoopSource! {
    RLFileDescriptorCreateRunLoopSource(allocator, descriptor, order)
}
