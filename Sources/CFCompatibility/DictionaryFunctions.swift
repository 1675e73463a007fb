// Dictionaries: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of dictionaries, mutable or not.
@discardableResult
@inlinable
public func CFDictionaryGetTypeID() -> CFTypeID {
    RLDictionaryGetTypeID()
}

/// Makes a dictionary.
@discardableResult
@inlinable
public func CFDictionaryCreate(
    _ allocator: CFAllocator!,
    _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ count: CFIndex,
    _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFDictionary! {
    RLDictionaryCreate(allocator, keys, values, count, keyCallBacks, valueCallBacks)
}

/// An immutable dictionary with the same entries and callbacks, which the caller owns; of an
/// immutable one the dictionary itself.
@discardableResult
@inlinable
public func CFDictionaryCreateCopy(_ allocator: CFAllocator!, _ dictionary: CFDictionary!)
    -> CFDictionary!
{
    RLDictionaryCreateCopy(allocator, dictionary)
}

/// Makes an empty dictionary that can be changed.
@discardableResult
@inlinable
public func CFDictionaryCreateMutable(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! {
    RLDictionaryCreateMutable(allocator, capacity, keyCallBacks, valueCallBacks)
}

/// As CFDictionaryCreateMutable, with the entries and callbacks of another dictionary.
@discardableResult
@inlinable
public func CFDictionaryCreateMutableCopy(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ dictionary: CFDictionary!
) -> CFMutableDictionary! {
    RLDictionaryCreateMutableCopy(allocator, capacity, dictionary)
}

/// The number of entries.
@discardableResult
@inlinable
public func CFDictionaryGetCount(_ dictionary: CFDictionary!) -> CFIndex {
    RLDictionaryGetCount(dictionary)
}

/// 1 if there is a key equal to `key`, 0 if there is none.
@discardableResult
@inlinable
public func CFDictionaryGetCountOfKey(_ dictionary: CFDictionary!, _ key: UnsafeRawPointer!)
    -> CFIndex
{
    RLDictionaryGetCountOfKey(dictionary, key)
}

/// How many values are equal to `value`.
///
/// O(n).
@discardableResult
@inlinable
public func CFDictionaryGetCountOfValue(_ dictionary: CFDictionary!, _ value: UnsafeRawPointer!)
    -> CFIndex
{
    RLDictionaryGetCountOfValue(dictionary, value)
}

/// Whether there is a key equal to `key`.
@discardableResult
@inlinable
public func CFDictionaryContainsKey(_ dictionary: CFDictionary!, _ key: UnsafeRawPointer!) -> Bool {
    RLDictionaryContainsKey(dictionary, key)
}

/// Whether there is a value equal to `value`.
///
/// O(n).
@discardableResult
@inlinable
public func CFDictionaryContainsValue(_ dictionary: CFDictionary!, _ value: UnsafeRawPointer!)
    -> Bool
{
    RLDictionaryContainsValue(dictionary, value)
}

/// The value of a key, not retained, or nil if there is none.
@discardableResult
@inlinable
public func CFDictionaryGetValue(_ dictionary: CFDictionary!, _ key: UnsafeRawPointer!)
    -> UnsafeRawPointer!
{
    RLDictionaryGetValue(dictionary, key)
}

/// Whether there is a key equal to `key`; if so and `actualKey` is not nil, stores it there, not
/// retained.
@discardableResult
@inlinable
public func CFDictionaryGetKeyIfPresent(
    _ dictionary: CFDictionary!,
    _ key: UnsafeRawPointer!,
    _ actualKey: UnsafeMutablePointer<UnsafeRawPointer?>!
) -> Bool {
    RLDictionaryGetKeyIfPresent(dictionary, key, actualKey)
}

/// Whether there is a key equal to `key`; if so and `value` is not nil, stores its value there,
/// not retained.
@discardableResult
@inlinable
public func CFDictionaryGetValueIfPresent(
    _ dictionary: CFDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeMutablePointer<UnsafeRawPointer?>!
) -> Bool {
    RLDictionaryGetValueIfPresent(dictionary, key, value)
}

/// Copies all keys and values, in the same order, into lists that are large enough, without
/// retaining them.
///
/// Either list may be nil.
@inlinable
public func CFDictionaryGetKeysAndValues(
    _ dictionary: CFDictionary!,
    _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!
) {
    RLDictionaryGetKeysAndValues(dictionary, keys, values)
}

/// Calls a function, which must not change the dictionary, for each entry.
@inlinable
public func CFDictionaryApplyFunction(
    _ dictionary: CFDictionary!,
    _ applier: CFDictionaryApplierFunction!,
    _ context: UnsafeMutableRawPointer!
) {
    RLDictionaryApplyFunction(dictionary, applier, context)
}

/// Adds an entry unless its key is there.
@inlinable
public func CFDictionaryAddValue(
    _ dictionary: CFMutableDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeRawPointer!
) {
    RLDictionaryAddValue(dictionary, key, value)
}

/// Replaces the entry of a key that is there, its key too; does nothing otherwise.
@inlinable
public func CFDictionaryReplaceValue(
    _ dictionary: CFMutableDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeRawPointer!
) {
    RLDictionaryReplaceValue(dictionary, key, value)
}

/// Adds an entry, or replaces the one of its key, the key too.
@inlinable
public func CFDictionarySetValue(
    _ dictionary: CFMutableDictionary!,
    _ key: UnsafeRawPointer!,
    _ value: UnsafeRawPointer!
) {
    RLDictionarySetValue(dictionary, key, value)
}

/// Removes the entry of a key, if there is one.
@inlinable
public func CFDictionaryRemoveValue(_ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!) {
    RLDictionaryRemoveValue(dictionary, key)
}

/// Removes all entries.
@inlinable
public func CFDictionaryRemoveAllValues(_ dictionary: CFMutableDictionary!) {
    RLDictionaryRemoveAllValues(dictionary)
}
