// The collection functions with objects instead of pointers: Swift releases a temporary object as
// soon as its pointer is taken. Functions that return an element have no such form, as the
// element's type is unknown.

public import CRunLoop

/// Counts the elements of a range that equal an object.
///
/// CF: CFArrayGetCountOfValue.
public func RLArrayGetCountOfValue(
    _ array: RLArrayRef!,
    _ range: RLRange,
    _ value: some RLReference
) -> RLIndex {
    value.withTypeReference { RLArrayGetCountOfValue(array, range, $0) }
}

/// Whether an element of a range equals an object.
///
/// CF: CFArrayContainsValue.
public func RLArrayContainsValue(
    _ array: RLArrayRef!,
    _ range: RLRange,
    _ value: some RLReference
) -> Bool {
    value.withTypeReference { RLArrayContainsValue(array, range, $0) }
}

/// The first index in a range whose element equals an object, or `kRLNotFound`.
///
/// CF: CFArrayGetFirstIndexOfValue.
public func RLArrayGetFirstIndexOfValue(
    _ array: RLArrayRef!,
    _ range: RLRange,
    _ value: some RLReference
) -> RLIndex {
    value.withTypeReference { RLArrayGetFirstIndexOfValue(array, range, $0) }
}

/// The last index in a range whose element equals an object, or `kRLNotFound`.
///
/// CF: CFArrayGetLastIndexOfValue.
public func RLArrayGetLastIndexOfValue(
    _ array: RLArrayRef!,
    _ range: RLRange,
    _ value: some RLReference
) -> RLIndex {
    value.withTypeReference { RLArrayGetLastIndexOfValue(array, range, $0) }
}

/// Appends an object.
///
/// CF: CFArrayAppendValue.
public func RLArrayAppendValue(_ array: RLMutableArrayRef!, _ value: some RLReference) {
    value.withTypeReference { RLArrayAppendValue(array, $0) }
}

/// Inserts an object before the element at an index.
///
/// CF: CFArrayInsertValueAtIndex.
public func RLArrayInsertValueAtIndex(
    _ array: RLMutableArrayRef!,
    _ index: RLIndex,
    _ value: some RLReference
) {
    value.withTypeReference { RLArrayInsertValueAtIndex(array, index, $0) }
}

/// Replaces the element at an index, or appends if the index is the count.
///
/// CF: CFArraySetValueAtIndex.
public func RLArraySetValueAtIndex(
    _ array: RLMutableArrayRef!,
    _ index: RLIndex,
    _ value: some RLReference
) {
    value.withTypeReference { RLArraySetValueAtIndex(array, index, $0) }
}

/// The number of entries of a key: 0 or 1.
///
/// CF: CFDictionaryGetCountOfKey.
public func RLDictionaryGetCountOfKey(
    _ dictionary: RLDictionaryRef!,
    _ key: some RLReference
) -> RLIndex {
    key.withTypeReference { RLDictionaryGetCountOfKey(dictionary, $0) }
}

/// The number of entries with a value.
///
/// CF: CFDictionaryGetCountOfValue.
public func RLDictionaryGetCountOfValue(
    _ dictionary: RLDictionaryRef!,
    _ value: some RLReference
) -> RLIndex {
    value.withTypeReference { RLDictionaryGetCountOfValue(dictionary, $0) }
}

/// Whether there is an entry of a key.
///
/// CF: CFDictionaryContainsKey.
public func RLDictionaryContainsKey(
    _ dictionary: RLDictionaryRef!,
    _ key: some RLReference
) -> Bool {
    key.withTypeReference { RLDictionaryContainsKey(dictionary, $0) }
}

/// Whether there is an entry with a value.
///
/// CF: CFDictionaryContainsValue.
public func RLDictionaryContainsValue(
    _ dictionary: RLDictionaryRef!,
    _ value: some RLReference
) -> Bool {
    value.withTypeReference { RLDictionaryContainsValue(dictionary, $0) }
}

/// Adds an entry, unless the key has one.
///
/// CF: CFDictionaryAddValue.
public func RLDictionaryAddValue(
    _ dictionary: RLMutableDictionaryRef!,
    _ key: some RLReference,
    _ value: some RLReference
) {
    key.withTypeReference { key in
        value.withTypeReference { value in RLDictionaryAddValue(dictionary, key, value) }
    }
}

/// Replaces the value of a key that has an entry.
///
/// CF: CFDictionaryReplaceValue.
public func RLDictionaryReplaceValue(
    _ dictionary: RLMutableDictionaryRef!,
    _ key: some RLReference,
    _ value: some RLReference
) {
    key.withTypeReference { key in
        value.withTypeReference { value in RLDictionaryReplaceValue(dictionary, key, value) }
    }
}

/// Adds an entry, or replaces the value of the one of the key.
///
/// CF: CFDictionarySetValue.
public func RLDictionarySetValue(
    _ dictionary: RLMutableDictionaryRef!,
    _ key: some RLReference,
    _ value: some RLReference
) {
    key.withTypeReference { key in
        value.withTypeReference { value in RLDictionarySetValue(dictionary, key, value) }
    }
}

/// Removes the entry of a key, if there is one.
///
/// CF: CFDictionaryRemoveValue.
public func RLDictionaryRemoveValue(
    _ dictionary: RLMutableDictionaryRef!,
    _ key: some RLReference
) {
    key.withTypeReference { RLDictionaryRemoveValue(dictionary, $0) }
}

/// The number of elements that equal an object: 0 or 1.
///
/// CF: CFSetGetCountOfValue.
public func RLSetGetCountOfValue(_ set: RLSetRef!, _ value: some RLReference) -> RLIndex {
    value.withTypeReference { RLSetGetCountOfValue(set, $0) }
}

/// Whether an element equals an object.
///
/// CF: CFSetContainsValue.
public func RLSetContainsValue(_ set: RLSetRef!, _ value: some RLReference) -> Bool {
    value.withTypeReference { RLSetContainsValue(set, $0) }
}

/// Adds an object, unless an element equals it.
///
/// CF: CFSetAddValue.
public func RLSetAddValue(_ set: RLMutableSetRef!, _ value: some RLReference) {
    value.withTypeReference { RLSetAddValue(set, $0) }
}

/// Replaces the element that equals an object.
///
/// CF: CFSetReplaceValue.
public func RLSetReplaceValue(_ set: RLMutableSetRef!, _ value: some RLReference) {
    value.withTypeReference { RLSetReplaceValue(set, $0) }
}

/// Adds an object, or replaces the element that equals it.
///
/// CF: CFSetSetValue.
public func RLSetSetValue(_ set: RLMutableSetRef!, _ value: some RLReference) {
    value.withTypeReference { RLSetSetValue(set, $0) }
}

/// Removes the element that equals an object, if there is one.
///
/// CF: CFSetRemoveValue.
public func RLSetRemoveValue(_ set: RLMutableSetRef!, _ value: some RLReference) {
    value.withTypeReference { RLSetRemoveValue(set, $0) }
}
