// These collection functions take objects instead of pointers, because Swift may release a
// temporary object as soon as its pointer is taken. Functions that return an element have no
// overload: the element's type is unknown.

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

/// Returns whether an element of a range equals an object.
///
/// CF: CFArrayContainsValue.
public func RLArrayContainsValue(
    _ array: RLArrayRef!,
    _ range: RLRange,
    _ value: some RLReference
) -> Bool {
    value.withTypeReference { RLArrayContainsValue(array, range, $0) }
}

/// Returns the first index in a range whose element equals an object, or `kRLNotFound`.
///
/// CF: CFArrayGetFirstIndexOfValue.
public func RLArrayGetFirstIndexOfValue(
    _ array: RLArrayRef!,
    _ range: RLRange,
    _ value: some RLReference
) -> RLIndex {
    value.withTypeReference { RLArrayGetFirstIndexOfValue(array, range, $0) }
}

/// Returns the last index in a range whose element equals an object, or `kRLNotFound`.
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

/// Replaces the element at an index, or appends the object if the index equals the count.
///
/// CF: CFArraySetValueAtIndex.
public func RLArraySetValueAtIndex(
    _ array: RLMutableArrayRef!,
    _ index: RLIndex,
    _ value: some RLReference
) {
    value.withTypeReference { RLArraySetValueAtIndex(array, index, $0) }
}

/// Returns the number of entries for a key: 0 or 1.
///
/// CF: CFDictionaryGetCountOfKey.
public func RLDictionaryGetCountOfKey(
    _ dictionary: RLDictionaryRef!,
    _ key: some RLReference
) -> RLIndex {
    key.withTypeReference { RLDictionaryGetCountOfKey(dictionary, $0) }
}

/// Returns the number of entries whose value equals `value`.
///
/// CF: CFDictionaryGetCountOfValue.
public func RLDictionaryGetCountOfValue(
    _ dictionary: RLDictionaryRef!,
    _ value: some RLReference
) -> RLIndex {
    value.withTypeReference { RLDictionaryGetCountOfValue(dictionary, $0) }
}

/// Returns whether a dictionary has an entry for a key.
///
/// CF: CFDictionaryContainsKey.
public func RLDictionaryContainsKey(
    _ dictionary: RLDictionaryRef!,
    _ key: some RLReference
) -> Bool {
    key.withTypeReference { RLDictionaryContainsKey(dictionary, $0) }
}

/// Returns whether a dictionary has an entry with a value.
///
/// CF: CFDictionaryContainsValue.
public func RLDictionaryContainsValue(
    _ dictionary: RLDictionaryRef!,
    _ value: some RLReference
) -> Bool {
    value.withTypeReference { RLDictionaryContainsValue(dictionary, $0) }
}

/// Adds an entry, unless the dictionary has an entry for the key.
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

/// Replaces the value for a key, if the dictionary has an entry for the key.
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

/// Sets the value for a key: replaces the entry for the key, or adds an entry.
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

/// Removes the entry for a key, if there is one.
///
/// CF: CFDictionaryRemoveValue.
public func RLDictionaryRemoveValue(
    _ dictionary: RLMutableDictionaryRef!,
    _ key: some RLReference
) {
    key.withTypeReference { RLDictionaryRemoveValue(dictionary, $0) }
}

/// Returns the number of elements that equal an object: 0 or 1.
///
/// CF: CFSetGetCountOfValue.
public func RLSetGetCountOfValue(_ set: RLSetRef!, _ value: some RLReference) -> RLIndex {
    value.withTypeReference { RLSetGetCountOfValue(set, $0) }
}

/// Returns whether an element equals an object.
///
/// CF: CFSetContainsValue.
public func RLSetContainsValue(_ set: RLSetRef!, _ value: some RLReference) -> Bool {
    value.withTypeReference { RLSetContainsValue(set, $0) }
}

/// Adds an object, unless the set has an equal element.
///
/// CF: CFSetAddValue.
public func RLSetAddValue(_ set: RLMutableSetRef!, _ value: some RLReference) {
    value.withTypeReference { RLSetAddValue(set, $0) }
}

/// Replaces the element that equals an object, if there is one.
///
/// CF: CFSetReplaceValue.
public func RLSetReplaceValue(_ set: RLMutableSetRef!, _ value: some RLReference) {
    value.withTypeReference { RLSetReplaceValue(set, $0) }
}

/// Adds an object, or replaces an equal element by the object.
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
