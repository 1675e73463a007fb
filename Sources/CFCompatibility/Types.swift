// The types and constants, in the spellings in which Apple's systems import them.

public import CoreRunLoop

/// A signed count or index.
public typealias CFIndex = RLIndex
/// A set of flags.
public typealias CFOptionFlags = RLOptionFlags
/// A hash value.
public typealias CFHashCode = RLHashCode
/// The number of an object's type.
public typealias CFTypeID = RLTypeID
/// A time interval in seconds.
public typealias CFTimeInterval = RLTimeInterval
/// A date in seconds since 2001-01-01 00:00:00 UTC.
public typealias CFAbsoluteTime = RLAbsoluteTime

/// Any object.
public typealias CFTypeRef = any RLReference
/// A string, data, a number, a truth value, a date, or a collection of these.
public typealias CFPropertyList = CFTypeRef
/// How to allocate.
public typealias CFAllocator = RLAllocatorRef
/// A part of something that is counted from 0.
public typealias CFRange = RLRange
/// How the first of two values compares with the second.
public typealias CFComparisonResult = RLComparisonResult
/// Compares two values.
public typealias CFComparatorFunction = RLComparatorFunction
/// An immutable string.
public typealias CFString = RLStringRef
/// A string that can be changed, by one thread at a time.
public typealias CFMutableString = RLMutableStringRef
/// A buffer for reading a range of a string in order.
public typealias CFStringInlineBuffer = RLStringInlineBuffer
/// A locale; there are none here, so that it is always nil.
public typealias CFLocale = RLLocaleRef
/// The encoding of bytes.
public typealias CFStringEncoding = RLStringEncoding
/// How to compare strings.
public typealias CFStringCompareFlags = RLStringCompareFlags
/// A number.
public typealias CFNumber = RLNumberRef
/// What a number is made from and read as.
public typealias CFNumberType = RLNumberType
/// A truth value as an object.
public typealias CFBoolean = RLBooleanRef
/// The object that stands for nothing in collections.
public typealias CFNull = RLNullRef
/// Immutable bytes.
public typealias CFData = RLDataRef
/// Bytes that can be changed.
public typealias CFMutableData = RLMutableDataRef

/// A thread's run loop.
public typealias CFRunLoop = RLRunLoopRef
/// A source of events.
public typealias CFRunLoopSource = RLRunLoopSourceRef
/// A callback for what the loop is about to do.
public typealias CFRunLoopObserver = RLRunLoopObserverRef
/// A callback at a date, once or repeatedly.
public typealias CFRunLoopTimer = RLRunLoopTimerRef
/// The name of a mode.
public typealias CFRunLoopMode = RLRunLoopMode
/// Why a run ended.
public typealias CFRunLoopRunResult = RLRunLoopRunResult
/// What a loop is about to do.
public typealias CFRunLoopActivity = RLRunLoopActivity

/// The client data of a version-0 source.
public typealias CFRunLoopSourceContext = RLRunLoopSourceContext
/// The client data of a version-1 source, whose port is a descriptor on Linux.
public typealias CFRunLoopSourceContext1 = RLRunLoopSourceContext1
/// The client data of an observer.
public typealias CFRunLoopObserverContext = RLRunLoopObserverContext
/// The client data of a timer.
public typealias CFRunLoopTimerContext = RLRunLoopTimerContext
/// The callback of an observer.
public typealias CFRunLoopObserverCallBack = RLRunLoopObserverCallBack
/// The callback of a timer.
public typealias CFRunLoopTimerCallBack = RLRunLoopTimerCallBack

/// The default allocator.
@inlinable public var kCFAllocatorDefault: CFAllocator! { kRLAllocatorDefault }
/// The allocator behind the default one.
@inlinable public var kCFAllocatorSystemDefault: CFAllocator! { kRLAllocatorSystemDefault }
/// The same in effect as the system's default.
@inlinable public var kCFAllocatorMalloc: CFAllocator! { kRLAllocatorMalloc }
/// Stands for memory that is not to be freed.
@inlinable public var kCFAllocatorNull: CFAllocator! { kRLAllocatorNull }
/// The true value.
@inlinable public var kCFBooleanTrue: CFBoolean! { kRLBooleanTrue }
/// The false value.
@inlinable public var kCFBooleanFalse: CFBoolean! { kRLBooleanFalse }
/// The one object of its type.
@inlinable public var kCFNull: CFNull! { kRLNull }
/// The number that is greater than all others.
@inlinable public var kCFNumberPositiveInfinity: CFNumber! { kRLNumberPositiveInfinity }
/// The number that is smaller than all others.
@inlinable public var kCFNumberNegativeInfinity: CFNumber! { kRLNumberNegativeInfinity }
/// Not a number.
@inlinable public var kCFNumberNaN: CFNumber! { kRLNumberNaN }
/// Returned instead of an index when nothing was found.
@inlinable public var kCFNotFound: CFIndex { -1 }
/// The seconds from 1970-01-01 to 2001-01-01, both UTC.
@inlinable public var kCFAbsoluteTimeIntervalSince1970: CFTimeInterval {
    kRLAbsoluteTimeIntervalSince1970
}

/// The encodings that every system knows.
public typealias CFStringBuiltInEncodings = RLStringBuiltInEncodings
/// No encoding.
@inlinable public var kCFStringEncodingInvalidId: CFStringEncoding { kRLStringEncodingInvalidId }

extension CFNumberType {
    /// An index, whose type has another name here.
    @inlinable public static var cfIndexType: CFNumberType { .rlIndexType }
}
