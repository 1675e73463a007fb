// The types and constants of collections, in the spellings in which Apple's systems import them.

public import CoreRunLoop

/// An immutable array of pointers.
public typealias CFArray = RLArrayRef
/// An array that can be changed.
public typealias CFMutableArray = RLMutableArrayRef
/// Called with each element of an array.
public typealias CFArrayApplierFunction = RLArrayApplierFunction
/// What an array does with its elements.
public typealias CFArrayCallBacks = RLArrayCallBacks
/// Adds a reference to an element of an array.
public typealias CFArrayRetainCallBack = RLArrayRetainCallBack
/// Releases an element of an array.
public typealias CFArrayReleaseCallBack = RLArrayReleaseCallBack
/// Describes an element of an array.
public typealias CFArrayCopyDescriptionCallBack = RLArrayCopyDescriptionCallBack
/// Whether two elements of arrays are equal.
public typealias CFArrayEqualCallBack = RLArrayEqualCallBack

/// How to look for bytes in data.
public typealias CFDataSearchFlags = RLDataSearchFlags

/// An immutable set of pointers.
public typealias CFSet = RLSetRef
/// A set that can be changed.
public typealias CFMutableSet = RLMutableSetRef
/// Called with each element of a set.
public typealias CFSetApplierFunction = RLSetApplierFunction
/// Adds a reference to an element of a set.
public typealias CFSetRetainCallBack = RLSetRetainCallBack
/// Releases an element of a set.
public typealias CFSetReleaseCallBack = RLSetReleaseCallBack
/// Describes an element of a set.
public typealias CFSetCopyDescriptionCallBack = RLSetCopyDescriptionCallBack
/// Whether two elements of sets are equal.
public typealias CFSetEqualCallBack = RLSetEqualCallBack
/// A hash of an element of a set.
public typealias CFSetHashCallBack = RLSetHashCallBack
/// What a set does with its elements.
public typealias CFSetCallBacks = RLSetCallBacks

/// An immutable dictionary of pointers.
public typealias CFDictionary = RLDictionaryRef
/// A dictionary that can be changed.
public typealias CFMutableDictionary = RLMutableDictionaryRef
/// Called with each key and value of a dictionary.
public typealias CFDictionaryApplierFunction = RLDictionaryApplierFunction
/// Adds a reference to a key or value of a dictionary.
public typealias CFDictionaryRetainCallBack = RLDictionaryRetainCallBack
/// Releases a key or value of a dictionary.
public typealias CFDictionaryReleaseCallBack = RLDictionaryReleaseCallBack
/// Describes a key or value of a dictionary.
public typealias CFDictionaryCopyDescriptionCallBack = RLDictionaryCopyDescriptionCallBack
/// Whether two keys or values of dictionaries are equal.
public typealias CFDictionaryEqualCallBack = RLDictionaryEqualCallBack
/// A hash of a key of a dictionary.
public typealias CFDictionaryHashCallBack = RLDictionaryHashCallBack
/// What a dictionary does with its keys.
public typealias CFDictionaryKeyCallBacks = RLDictionaryKeyCallBacks
/// What a dictionary does with its values.
public typealias CFDictionaryValueCallBacks = RLDictionaryValueCallBacks

/// The callbacks of arrays whose elements are objects.
@inlinable public var kCFTypeArrayCallBacks: CFArrayCallBacks {
    kRLTypeArrayCallBacks
}
/// The callbacks of sets whose elements are objects.
@inlinable public var kCFTypeSetCallBacks: CFSetCallBacks {
    kRLTypeSetCallBacks
}
/// The callbacks of sets that copy their elements, which are strings.
@inlinable public var kCFCopyStringSetCallBacks: CFSetCallBacks {
    kRLCopyStringSetCallBacks
}
/// The callbacks of dictionaries whose keys are objects.
@inlinable public var kCFTypeDictionaryKeyCallBacks: CFDictionaryKeyCallBacks {
    kRLTypeDictionaryKeyCallBacks
}
/// The callbacks of dictionaries that copy their keys, which are strings.
@inlinable public var kCFCopyStringDictionaryKeyCallBacks: CFDictionaryKeyCallBacks {
    kRLCopyStringDictionaryKeyCallBacks
}
/// The callbacks of dictionaries whose values are objects.
@inlinable public var kCFTypeDictionaryValueCallBacks: CFDictionaryValueCallBacks {
    kRLTypeDictionaryValueCallBacks
}
