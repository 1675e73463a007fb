// Conforms the engine's objects to Swift's protocols: equality, hashes, identity, descriptions and
// `Sendable`. The importer generates the reference counting.

public import CRunLoop

/// An object of the engine, reference-counted by Swift.
///
/// `RLEqual` defines equality: strings, data and numbers are compared by value, collections by
/// their elements, sources by their contexts, and all other objects by identity. Use `===` to
/// compare identities. The description is the result of `RLCopyDescription`.
///
/// Loops, their items, strings and numbers are also `Sendable`. Collections and data are not:
/// mutable and immutable collections have the same type, and only one thread at a time may use a
/// mutable collection. A new object that a function has just returned can still be sent to another
/// thread. Mutable strings are thread-safe, but have the same type as immutable strings. To make
/// several calls on the same characters, copy the mutable string first.
///
/// CF: CFTypeRef.
public protocol RLReference: Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The object as an unretained pointer.
    ///
    /// Use the pointer only while other code retains the object, for example inside
    /// `withExtendedLifetime`. To retain the object during a call, use `withTypeReference(_:)`.
    var unsafeTypeReference: RLTypeRef { get }
}

extension RLReference {
    /// The object as an unretained pointer, valid only while other code retains the object.
    @inlinable
    public var unsafeTypeReference: RLTypeRef {
        // A reference to an imported object is the pointer to it.
        unsafeBitCast(self, to: RLTypeRef.self)
    }

    /// The former name of ``unsafeTypeReference``.
    @available(
        *,
        unavailable,
        message: "Pass the object itself, or write object.withTypeReference { pointer in … }."
    )
    public var typeReference: RLTypeRef { unsafeTypeReference }

    /// Calls a closure with the object as a pointer, and retains the object until the closure
    /// returns.
    ///
    /// Use this function to call C functions that take any object and have no Swift overload.
    @inlinable
    public func withTypeReference<Result, Failure: Error>(
        _ body: (RLTypeRef) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(unsafeTypeReference)
    }

    /// Retains the object, and returns it as a pointer.
    ///
    /// Use this function in C callbacks that return an object, such as the reply of a message port.
    /// The receiver of the pointer must release the object with `RLRelease`.
    @inlinable
    public func unsafeRetained() -> RLTypeRef {
        withTypeReference { pointer in
            RLRetain(pointer)
            return pointer
        }
    }

    /// Returns whether two objects are equal according to `RLEqual`.
    public static func == (first: Self, second: Self) -> Bool {
        RLEqual(first, second)
    }

    /// Hashes the object with `RLHash`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(RLHash(self))
    }

    /// The text of `RLCopyDescription`.
    public var description: String {
        String(RLCopyDescription(self))
    }

    /// The text of `RLCopyDescription`.
    public var debugDescription: String {
        String(RLCopyDescription(self))
    }
}

// `@retroactive`: a C module cannot declare conformances, and this is its only Swift overlay.
// `@unchecked`: reference counts are atomic, and these objects are immutable or have internal
// locks, so any thread may call any function on them.

/// A run loop, compared by identity.
extension RLRunLoopRef: RLReference, @retroactive @unchecked Sendable {}
extension RLRunLoopRef: @retroactive Hashable {}
extension RLRunLoopRef: @retroactive CustomStringConvertible {}
extension RLRunLoopRef: @retroactive CustomDebugStringConvertible {}

/// A source. Sources with equal contexts are equal.
extension RLRunLoopSourceRef: RLReference, @retroactive @unchecked Sendable {}
extension RLRunLoopSourceRef: @retroactive Hashable {}
extension RLRunLoopSourceRef: @retroactive CustomStringConvertible {}
extension RLRunLoopSourceRef: @retroactive CustomDebugStringConvertible {}

/// An observer, compared by identity.
extension RLRunLoopObserverRef: RLReference, @retroactive @unchecked Sendable {}
extension RLRunLoopObserverRef: @retroactive Hashable {}
extension RLRunLoopObserverRef: @retroactive CustomStringConvertible {}
extension RLRunLoopObserverRef: @retroactive CustomDebugStringConvertible {}

/// A timer, compared by identity.
extension RLRunLoopTimerRef: RLReference, @retroactive @unchecked Sendable {}
extension RLRunLoopTimerRef: @retroactive Hashable {}
extension RLRunLoopTimerRef: @retroactive CustomStringConvertible {}
extension RLRunLoopTimerRef: @retroactive CustomDebugStringConvertible {}

/// A string. Strings with the same characters are equal.
extension RLStringRef: RLReference, @retroactive @unchecked Sendable {}
extension RLStringRef: @retroactive Hashable {}
extension RLStringRef: @retroactive CustomStringConvertible {}
extension RLStringRef: @retroactive CustomDebugStringConvertible {}

/// A mutable string, which several threads may read and change concurrently.
///
/// Swift uses one type for mutable and immutable strings.
///
/// CF: CFMutableStringRef.
public typealias RLMutableStringRef = RLStringRef

/// A number. Numbers with the same value are equal.
extension RLNumberRef: RLReference, @retroactive @unchecked Sendable {}
extension RLNumberRef: @retroactive Hashable {}
extension RLNumberRef: @retroactive CustomStringConvertible {}
extension RLNumberRef: @retroactive CustomDebugStringConvertible {}

/// A date, compared by its value.
extension RLDateRef: RLReference, @retroactive @unchecked Sendable {}
extension RLDateRef: @retroactive Hashable {}
extension RLDateRef: @retroactive CustomStringConvertible {}
extension RLDateRef: @retroactive CustomDebugStringConvertible {}

/// A time zone. Time zones with the same name are equal.
extension RLTimeZoneRef: RLReference, @retroactive @unchecked Sendable {}
extension RLTimeZoneRef: @retroactive Hashable {}
extension RLTimeZoneRef: @retroactive CustomStringConvertible {}
extension RLTimeZoneRef: @retroactive CustomDebugStringConvertible {}

/// An allocator, compared by identity.
extension RLAllocatorRef: RLReference, @retroactive @unchecked Sendable {}
extension RLAllocatorRef: @retroactive Hashable {}
extension RLAllocatorRef: @retroactive CustomStringConvertible {}
extension RLAllocatorRef: @retroactive CustomDebugStringConvertible {}

/// The URL of a file. URLs with the same text are equal.
extension RLURLRef: RLReference, @retroactive @unchecked Sendable {}
extension RLURLRef: @retroactive Hashable {}
extension RLURLRef: @retroactive CustomStringConvertible {}
extension RLURLRef: @retroactive CustomDebugStringConvertible {}

/// An error. Errors with the same domain, code and user info are equal. Errors are not `Sendable`,
/// because the user info may contain any object.
extension RLErrorRef: RLReference {}
extension RLErrorRef: @retroactive Hashable {}
extension RLErrorRef: @retroactive CustomStringConvertible {}
extension RLErrorRef: @retroactive CustomDebugStringConvertible {}

/// A Boolean, compared by identity.
extension RLBooleanRef: RLReference, @retroactive @unchecked Sendable {}
extension RLBooleanRef: @retroactive Hashable {}
extension RLBooleanRef: @retroactive CustomStringConvertible {}
extension RLBooleanRef: @retroactive CustomDebugStringConvertible {}

/// The null object, compared by identity.
extension RLNullRef: RLReference, @retroactive @unchecked Sendable {}
extension RLNullRef: @retroactive Hashable {}
extension RLNullRef: @retroactive CustomStringConvertible {}
extension RLNullRef: @retroactive CustomDebugStringConvertible {}

/// A mutable or immutable array. Arrays with equal elements are equal.
extension RLArrayRef: RLReference {}
extension RLArrayRef: @retroactive Hashable {}
extension RLArrayRef: @retroactive CustomStringConvertible {}
extension RLArrayRef: @retroactive CustomDebugStringConvertible {}

/// A mutable array.
///
/// Swift uses one type for mutable and immutable arrays.
///
/// CF: CFMutableArrayRef.
public typealias RLMutableArrayRef = RLArrayRef

/// Mutable or immutable data. Data objects with the same bytes are equal.
extension RLDataRef: RLReference {}
extension RLDataRef: @retroactive Hashable {}
extension RLDataRef: @retroactive CustomStringConvertible {}
extension RLDataRef: @retroactive CustomDebugStringConvertible {}

/// Mutable data.
///
/// Swift uses one type for mutable and immutable data.
///
/// CF: CFMutableDataRef.
public typealias RLMutableDataRef = RLDataRef

/// A mutable or immutable set. Sets with equal elements are equal.
extension RLSetRef: RLReference {}
extension RLSetRef: @retroactive Hashable {}
extension RLSetRef: @retroactive CustomStringConvertible {}
extension RLSetRef: @retroactive CustomDebugStringConvertible {}

/// A mutable set.
///
/// Swift uses one type for mutable and immutable sets.
///
/// CF: CFMutableSetRef.
public typealias RLMutableSetRef = RLSetRef

/// A mutable or immutable dictionary. Dictionaries with equal keys and values are equal.
extension RLDictionaryRef: RLReference {}
extension RLDictionaryRef: @retroactive Hashable {}
extension RLDictionaryRef: @retroactive CustomStringConvertible {}
extension RLDictionaryRef: @retroactive CustomDebugStringConvertible {}

/// A mutable dictionary.
///
/// Swift uses one type for mutable and immutable dictionaries.
///
/// CF: CFMutableDictionaryRef.
public typealias RLMutableDictionaryRef = RLDictionaryRef

/// Returns whether two references refer to the same object, or are both nil.
@inlinable
public func === <Object: RLReference>(first: Object?, second: Object?) -> Bool {
    // `map(\.unsafeTypeReference)` would instantiate a key path at each call.
    first?.unsafeTypeReference == second?.unsafeTypeReference
}

/// Returns whether two references refer to different objects.
@inlinable
public func !== <Object: RLReference>(first: Object?, second: Object?) -> Bool {
    !(first === second)
}

/// Returns whether two objects are equal.
///
/// CF: CFEqual.
public func RLEqual(_ first: (some RLReference)?, _ second: (some RLReference)?) -> Bool {
    withExtendedLifetime((first, second)) {
        RLEqual(first?.unsafeTypeReference, second?.unsafeTypeReference)
    }
}

/// Returns a hash that is equal for equal objects.
///
/// CF: CFHash.
public func RLHash(_ object: (some RLReference)?) -> RLHashCode {
    withExtendedLifetime(object) { RLHash(object?.unsafeTypeReference) }
}

/// Returns the ID of the object's type.
///
/// CF: CFGetTypeID.
public func RLGetTypeID(_ object: (some RLReference)?) -> RLTypeID {
    withExtendedLifetime(object) { RLGetTypeID(object?.unsafeTypeReference) }
}

/// Returns the reference count of an object.
///
/// Use it for debugging only: another thread may change the count at any time.
///
/// CF: CFGetRetainCount.
public func RLGetRetainCount(_ object: some RLReference) -> RLIndex {
    withExtendedLifetime(object) { RLGetRetainCount(object.unsafeTypeReference) }
}

/// Returns a description of an object for debugging, whose format may change.
///
/// CF: CFCopyDescription.
public func RLCopyDescription(_ object: (some RLReference)?) -> RLStringRef {
    withExtendedLifetime(object) { RLCopyDescription(object?.unsafeTypeReference) }
}

/// Prints an object's description and a newline to standard error.
///
/// CF: CFShow.
public func RLShow(_ object: (some RLReference)?) {
    withExtendedLifetime(object) { RLShow(object?.unsafeTypeReference) }
}
