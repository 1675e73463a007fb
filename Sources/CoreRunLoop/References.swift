// Conformances that Swift code expects of each object: equality, hashes, identity, descriptions and
// `Sendable`. The importer generates the reference counting.

public import CRunLoop

/// An object of the engine, reference-counted by Swift.
///
/// `RLEqual` defines equality: strings, data and numbers by value, collections by their elements,
/// sources by their contexts, everything else by identity. Use `===` to compare identities. The
/// description is the result of `RLCopyDescription`.
///
/// Loops, their items, strings and numbers are also `Sendable`. Collections and data are not,
/// because mutable ones, which only one thread at a time may use, have the same type. A new object
/// that a function has just returned can still be sent to another thread. Mutable strings have the
/// same type as all strings. Several threads may change one at the same time; if a thread reads it
/// meanwhile, protect it by a lock.
///
/// CF: CFTypeRef, as far as Swift code relies on it.
public protocol RLReference: Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The object as a pointer, which does not extend the object's lifetime.
    ///
    /// Use it only where something else retains the object, such as a `withExtendedLifetime` around
    /// the call. `withTypeReference(_:)` does that by itself.
    var unsafeTypeReference: RLTypeRef { get }
}

extension RLReference {
    /// The object as a pointer, which does not extend the object's lifetime.
    ///
    /// Use it only where something else retains the object, such as a `withExtendedLifetime` around
    /// the call. `withTypeReference(_:)` does that by itself.
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

    /// Calls a closure with the object as a pointer, and retains the object until it returns.
    ///
    /// For C functions that take any object and have no Swift form.
    ///
    /// - Parameter body: Called with the pointer, which is valid until it returns.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    @inlinable
    public func withTypeReference<Result, Failure: Error>(
        _ body: (RLTypeRef) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(unsafeTypeReference)
    }

    /// Retains the object, and returns it as a pointer.
    ///
    /// For C callbacks that return an object, such as the reply of a message port. The receiver of
    /// the pointer must release it with `RLRelease`.
    ///
    /// - Returns: The object as a pointer.
    @inlinable
    public func unsafeRetained() -> RLTypeRef {
        withTypeReference { pointer in
            RLRetain(pointer)
            return pointer
        }
    }

    /// Whether two objects are equal, by `RLEqual`.
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
// locks, so that any thread may call any function on them.

/// A run loop, compared by identity.
extension RLRunLoopRef: RLReference, @retroactive @unchecked Sendable {}
extension RLRunLoopRef: @retroactive Hashable {}
extension RLRunLoopRef: @retroactive CustomStringConvertible {}
extension RLRunLoopRef: @retroactive CustomDebugStringConvertible {}

/// A source; equal to a source with an equal context.
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

/// A string; equal to a string with the same characters.
extension RLStringRef: RLReference, @retroactive @unchecked Sendable {}
extension RLStringRef: @retroactive Hashable {}
extension RLStringRef: @retroactive CustomStringConvertible {}
extension RLStringRef: @retroactive CustomDebugStringConvertible {}

/// A mutable string.
///
/// Swift uses one type for mutable and immutable strings.
///
/// Thread-safe: several threads may read and change it concurrently.
///
/// CF: CFMutableStringRef.
public typealias RLMutableStringRef = RLStringRef

/// A number; equal to a number with the same value.
extension RLNumberRef: RLReference, @retroactive @unchecked Sendable {}
extension RLNumberRef: @retroactive Hashable {}
extension RLNumberRef: @retroactive CustomStringConvertible {}
extension RLNumberRef: @retroactive CustomDebugStringConvertible {}

/// A date; equal to the same date.
extension RLDateRef: RLReference, @retroactive @unchecked Sendable {}
extension RLDateRef: @retroactive Hashable {}
extension RLDateRef: @retroactive CustomStringConvertible {}
extension RLDateRef: @retroactive CustomDebugStringConvertible {}

/// A time zone; equal to a time zone with the same name.
extension RLTimeZoneRef: RLReference, @retroactive @unchecked Sendable {}
extension RLTimeZoneRef: @retroactive Hashable {}
extension RLTimeZoneRef: @retroactive CustomStringConvertible {}
extension RLTimeZoneRef: @retroactive CustomDebugStringConvertible {}

/// An allocator, compared by identity.
extension RLAllocatorRef: RLReference, @retroactive @unchecked Sendable {}
extension RLAllocatorRef: @retroactive Hashable {}
extension RLAllocatorRef: @retroactive CustomStringConvertible {}
extension RLAllocatorRef: @retroactive CustomDebugStringConvertible {}

/// The URL of a file; equal to a URL with the same text.
extension RLURLRef: RLReference, @retroactive @unchecked Sendable {}
extension RLURLRef: @retroactive Hashable {}
extension RLURLRef: @retroactive CustomStringConvertible {}
extension RLURLRef: @retroactive CustomDebugStringConvertible {}

/// An error; equal to an error with the same domain, code and info. Not `Sendable`, as the info may
/// have any values.
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

/// An array, mutable or not; equal to an array with equal elements.
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

/// Data, mutable or not; equal to data with the same bytes.
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

/// A set, mutable or not; equal to a set with equal elements.
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

/// A dictionary, mutable or not; equal to a dictionary with equal keys and values.
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

/// Whether two references denote the same object, or are both nil.
@inlinable
public func === <Object: RLReference>(first: Object?, second: Object?) -> Bool {
    // Not with a key path, which would be instantiated at each call.
    first?.unsafeTypeReference == second?.unsafeTypeReference
}

/// Whether two references denote different objects.
@inlinable
public func !== <Object: RLReference>(first: Object?, second: Object?) -> Bool {
    !(first === second)
}

/// Whether two objects are equal.
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

/// Returns the number of references to an object, for debugging: another thread may change it at
/// any time.
///
/// CF: CFGetRetainCount.
public func RLGetRetainCount(_ object: some RLReference) -> RLIndex {
    withExtendedLifetime(object) { RLGetRetainCount(object.unsafeTypeReference) }
}

/// Describes an object for debugging, as `po` does in a debugger; the form may change.
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
