// Allocators: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// What an allocator is made of.
public typealias CFAllocatorContext = RLAllocatorContext
/// Adds a reference to an allocator's info.
public typealias CFAllocatorRetainCallBack = RLAllocatorRetainCallBack
/// Releases an allocator's info.
public typealias CFAllocatorReleaseCallBack = RLAllocatorReleaseCallBack
/// Describes an allocator's info.
public typealias CFAllocatorCopyDescriptionCallBack = RLAllocatorCopyDescriptionCallBack
/// Provides memory.
public typealias CFAllocatorAllocateCallBack = RLAllocatorAllocateCallBack
/// Changes the size of memory.
public typealias CFAllocatorReallocateCallBack = RLAllocatorReallocateCallBack
/// Frees memory.
public typealias CFAllocatorDeallocateCallBack = RLAllocatorDeallocateCallBack
/// How much an allocator would give.
public typealias CFAllocatorPreferredSizeCallBack = RLAllocatorPreferredSizeCallBack

/// The same in effect as `kCFAllocatorMalloc`.
@inlinable public var kCFAllocatorMallocZone: CFAllocator! { kRLAllocatorMallocZone }
/// The new allocator is to allocate itself, which makes no difference here.
@inlinable public var kCFAllocatorUseContext: CFAllocator! { kRLAllocatorUseContext }

/// The type number of allocators.
@discardableResult
@inlinable
public func CFAllocatorGetTypeID() -> CFTypeID {
    RLAllocatorGetTypeID()
}

/// Makes an allocator from a client's functions.
@discardableResult
@inlinable
public func CFAllocatorCreate(
    _ allocator: CFAllocator!,
    _ context: UnsafeMutablePointer<CFAllocatorContext>!
) -> CFAllocator! {
    RLAllocatorCreate(allocator, context)
}

/// Allocates memory.
///
/// Nil if the allocator has none, or if `size` is not greater than 0.
@discardableResult
@inlinable
public func CFAllocatorAllocate(_ allocator: CFAllocator!, _ size: CFIndex, _ hint: CFOptionFlags)
    -> UnsafeMutableRawPointer!
{
    RLAllocatorAllocate(allocator, size, hint)
}

/// Resizes memory, keeping its contents.
///
/// Nil if that fails, and then the old memory stays valid.
@discardableResult
@inlinable
public func CFAllocatorReallocate(
    _ allocator: CFAllocator!,
    _ ptr: UnsafeMutableRawPointer!,
    _ newsize: CFIndex,
    _ hint: CFOptionFlags
) -> UnsafeMutableRawPointer! {
    RLAllocatorReallocate(allocator, ptr, newsize, hint)
}

/// Frees memory that came from the allocator; nil is ignored.
@inlinable
public func CFAllocatorDeallocate(_ allocator: CFAllocator!, _ ptr: UnsafeMutableRawPointer!) {
    RLAllocatorDeallocate(allocator, ptr)
}

/// How many bytes the allocator, or the thread's default one, would give for `size`: at least
/// those, and 0 if `size` is not greater than 0.
@discardableResult
@inlinable
public func CFAllocatorGetPreferredSizeForSize(
    _ allocator: CFAllocator!,
    _ size: CFIndex,
    _ hint: CFOptionFlags
) -> CFIndex {
    RLAllocatorGetPreferredSizeForSize(allocator, size, hint)
}

/// Copies what the allocator was made of; of nil, the thread's default one.
@inlinable
public func CFAllocatorGetContext(
    _ allocator: CFAllocator!,
    _ context: UnsafeMutablePointer<CFAllocatorContext>!
) {
    RLAllocatorGetContext(allocator, context)
}

/// Sets the calling thread's default allocator, which the thread keeps until it has another one or
/// ends.
///
/// Nil is ignored.
@inlinable
public func CFAllocatorSetDefault(_ allocator: CFAllocator!) {
    RLAllocatorSetDefault(allocator)
}
