// Arrays: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of arrays, mutable or not.
@discardableResult
@inlinable
public func CFArrayGetTypeID() -> CFTypeID {
    RLArrayGetTypeID()
}

/// Makes an array.
@discardableResult
@inlinable
public func CFArrayCreate(
    _ allocator: CFAllocator!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ count: CFIndex,
    _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFArray! {
    RLArrayCreate(allocator, values, count, callBacks)
}

/// An immutable array with the same elements and callbacks, which the caller owns; of an
/// immutable one the array itself.
@discardableResult
@inlinable
public func CFArrayCreateCopy(_ allocator: CFAllocator!, _ array: CFArray!) -> CFArray! {
    RLArrayCreateCopy(allocator, array)
}

/// Makes an empty array that can be changed.
@discardableResult
@inlinable
public func CFArrayCreateMutable(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFMutableArray! {
    RLArrayCreateMutable(allocator, capacity, callBacks)
}

/// As CFArrayCreateMutable, with the elements and callbacks of another array.
@discardableResult
@inlinable
public func CFArrayCreateMutableCopy(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ array: CFArray!
) -> CFMutableArray! {
    RLArrayCreateMutableCopy(allocator, capacity, array)
}

/// The number of elements.
@discardableResult
@inlinable
public func CFArrayGetCount(_ array: CFArray!) -> CFIndex {
    RLArrayGetCount(array)
}

/// The element at `index`, not retained; an index out of range stops the process.
@discardableResult
@inlinable
public func CFArrayGetValueAtIndex(_ array: CFArray!, _ index: CFIndex) -> UnsafeRawPointer! {
    RLArrayGetValueAtIndex(array, index)
}

/// Copies the elements of a range into a list that is large enough, without retaining them.
@inlinable
public func CFArrayGetValues(
    _ array: CFArray!,
    _ range: CFRange,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!
) {
    RLArrayGetValues(array, range, values)
}

/// Whether an element of a range is equal to `value`.
///
/// O(n).
@discardableResult
@inlinable
public func CFArrayContainsValue(_ array: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!)
    -> Bool
{
    RLArrayContainsValue(array, range, value)
}

/// How many elements of a range are equal to `value`.
///
/// O(n).
@discardableResult
@inlinable
public func CFArrayGetCountOfValue(_ array: CFArray!, _ range: CFRange, _ value: UnsafeRawPointer!)
    -> CFIndex
{
    RLArrayGetCountOfValue(array, range, value)
}

/// The index of the first element of a range that is equal to `value`, or kCFNotFound.
///
/// O(n).
@discardableResult
@inlinable
public func CFArrayGetFirstIndexOfValue(
    _ array: CFArray!,
    _ range: CFRange,
    _ value: UnsafeRawPointer!
) -> CFIndex {
    RLArrayGetFirstIndexOfValue(array, range, value)
}

/// The index of the last element of a range that is equal to `value`, or kCFNotFound.
///
/// O(n).
@discardableResult
@inlinable
public func CFArrayGetLastIndexOfValue(
    _ array: CFArray!,
    _ range: CFRange,
    _ value: UnsafeRawPointer!
) -> CFIndex {
    RLArrayGetLastIndexOfValue(array, range, value)
}

/// Calls a function for each element of a range, in order; it must not change the array.
@inlinable
public func CFArrayApplyFunction(
    _ array: CFArray!,
    _ range: CFRange,
    _ applier: CFArrayApplierFunction!,
    _ context: UnsafeMutableRawPointer!
) {
    RLArrayApplyFunction(array, range, applier, context)
}

/// Adds an element at the end.
///
/// O(1) on average.
@inlinable
public func CFArrayAppendValue(_ array: CFMutableArray!, _ value: UnsafeRawPointer!) {
    RLArrayAppendValue(array, value)
}

/// Adds the elements of a range of another array, or of the same one, at the end.
@inlinable
public func CFArrayAppendArray(
    _ array: CFMutableArray!,
    _ otherArray: CFArray!,
    _ otherRange: CFRange
) {
    RLArrayAppendArray(array, otherArray, otherRange)
}

/// Adds an element before the one at `index`, or at the end if that is the count.
///
/// O(n).
@inlinable
public func CFArrayInsertValueAtIndex(
    _ array: CFMutableArray!,
    _ index: CFIndex,
    _ value: UnsafeRawPointer!
) {
    RLArrayInsertValueAtIndex(array, index, value)
}

/// Replaces the element at `index`, or adds one at the end if that is the count.
@inlinable
public func CFArraySetValueAtIndex(
    _ array: CFMutableArray!,
    _ index: CFIndex,
    _ value: UnsafeRawPointer!
) {
    RLArraySetValueAtIndex(array, index, value)
}

/// Removes the element at `index`.
///
/// O(1) at either end, so that an array can be a queue.
@inlinable
public func CFArrayRemoveValueAtIndex(_ array: CFMutableArray!, _ index: CFIndex) {
    RLArrayRemoveValueAtIndex(array, index)
}

/// Removes all elements.
@inlinable
public func CFArrayRemoveAllValues(_ array: CFMutableArray!) {
    RLArrayRemoveAllValues(array)
}

/// Puts `newCount` elements into the place of a range.
@inlinable
public func CFArrayReplaceValues(
    _ array: CFMutableArray!,
    _ range: CFRange,
    _ newValues: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ newCount: CFIndex
) {
    RLArrayReplaceValues(array, range, newValues, newCount)
}

/// Exchanges two elements.
@inlinable
public func CFArrayExchangeValuesAtIndices(
    _ array: CFMutableArray!,
    _ first: CFIndex,
    _ second: CFIndex
) {
    RLArrayExchangeValuesAtIndices(array, first, second)
}

/// Sorts the elements of a range into ascending order; equal ones keep their order.
///
/// O(n log n).
@inlinable
public func CFArraySortValues(
    _ array: CFMutableArray!,
    _ range: CFRange,
    _ comparator: CFComparatorFunction!,
    _ context: UnsafeMutableRawPointer!
) {
    RLArraySortValues(array, range, comparator, context)
}

/// Where a value is, or would be, in a range that is sorted in ascending order.
///
/// O(log n).
@discardableResult
@inlinable
public func CFArrayBSearchValues(
    _ array: CFArray!,
    _ range: CFRange,
    _ value: UnsafeRawPointer!,
    _ comparator: CFComparatorFunction!,
    _ context: UnsafeMutableRawPointer!
) -> CFIndex {
    RLArrayBSearchValues(array, range, value, comparator, context)
}
