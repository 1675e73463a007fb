// Sets: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of sets, mutable or not.
@discardableResult
@inlinable
public func CFSetGetTypeID() -> CFTypeID {
    RLSetGetTypeID()
}

/// Makes a set.
@discardableResult
@inlinable
public func CFSetCreate(
    _ allocator: CFAllocator!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ count: CFIndex,
    _ callBacks: UnsafePointer<CFSetCallBacks>!
) -> CFSet! {
    RLSetCreate(allocator, values, count, callBacks)
}

/// An immutable set with the same elements and callbacks, which the caller owns; of an immutable
/// one the set itself.
@discardableResult
@inlinable
public func CFSetCreateCopy(_ allocator: CFAllocator!, _ set: CFSet!) -> CFSet! {
    RLSetCreateCopy(allocator, set)
}

/// Makes an empty set that can be changed.
@discardableResult
@inlinable
public func CFSetCreateMutable(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ callBacks: UnsafePointer<CFSetCallBacks>!
) -> CFMutableSet! {
    RLSetCreateMutable(allocator, capacity, callBacks)
}

/// As CFSetCreateMutable, with the elements and callbacks of another set.
@discardableResult
@inlinable
public func CFSetCreateMutableCopy(_ allocator: CFAllocator!, _ capacity: CFIndex, _ set: CFSet!)
    -> CFMutableSet!
{
    RLSetCreateMutableCopy(allocator, capacity, set)
}

/// The number of elements.
@discardableResult
@inlinable
public func CFSetGetCount(_ set: CFSet!) -> CFIndex {
    RLSetGetCount(set)
}

/// 1 if an element is equal to `value`, 0 if none is.
@discardableResult
@inlinable
public func CFSetGetCountOfValue(_ set: CFSet!, _ value: UnsafeRawPointer!) -> CFIndex {
    RLSetGetCountOfValue(set, value)
}

/// Whether an element is equal to `value`.
@discardableResult
@inlinable
public func CFSetContainsValue(_ set: CFSet!, _ value: UnsafeRawPointer!) -> Bool {
    RLSetContainsValue(set, value)
}

/// The element that is equal to `value`, not retained, or nil.
@discardableResult
@inlinable
public func CFSetGetValue(_ set: CFSet!, _ value: UnsafeRawPointer!) -> UnsafeRawPointer! {
    RLSetGetValue(set, value)
}

/// Whether an element is equal to `candidate`; if so and `value` is not nil, stores it there, not
/// retained.
@discardableResult
@inlinable
public func CFSetGetValueIfPresent(
    _ set: CFSet!,
    _ candidate: UnsafeRawPointer!,
    _ value: UnsafeMutablePointer<UnsafeRawPointer?>!
) -> Bool {
    RLSetGetValueIfPresent(set, candidate, value)
}

/// Copies all elements into a list that is large enough, without retaining them.
@inlinable
public func CFSetGetValues(_ set: CFSet!, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!) {
    RLSetGetValues(set, values)
}

/// Calls a function, which must not change the set, for each element.
@inlinable
public func CFSetApplyFunction(
    _ set: CFSet!,
    _ applier: CFSetApplierFunction!,
    _ context: UnsafeMutableRawPointer!
) {
    RLSetApplyFunction(set, applier, context)
}

/// Adds an element unless an equal one is there.
@inlinable
public func CFSetAddValue(_ set: CFMutableSet!, _ value: UnsafeRawPointer!) {
    RLSetAddValue(set, value)
}

/// Puts an element into the place of an equal one; does nothing if there is none.
@inlinable
public func CFSetReplaceValue(_ set: CFMutableSet!, _ value: UnsafeRawPointer!) {
    RLSetReplaceValue(set, value)
}

/// Adds an element, or puts it into the place of an equal one.
@inlinable
public func CFSetSetValue(_ set: CFMutableSet!, _ value: UnsafeRawPointer!) {
    RLSetSetValue(set, value)
}

/// Removes the element that is equal to `value`, if there is one.
@inlinable
public func CFSetRemoveValue(_ set: CFMutableSet!, _ value: UnsafeRawPointer!) {
    RLSetRemoveValue(set, value)
}

/// Removes all elements.
@inlinable
public func CFSetRemoveAllValues(_ set: CFMutableSet!) {
    RLSetRemoveAllValues(set)
}
