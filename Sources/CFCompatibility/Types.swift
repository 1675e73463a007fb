// Types that differ between Swift and C.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

/// Any object.
public typealias CFTypeRef = any RLReference
/// A string, data, a number, a Boolean, a date, or a collection of these.
public typealias CFPropertyList = CFTypeRef
/// A mutable string; thread-safe.
public typealias CFMutableString = RLMutableStringRef
/// Mutable data, which one thread at a time may use.
public typealias CFMutableData = RLMutableDataRef

/// The name of a mode.
public typealias CFRunLoopMode = RLRunLoopMode

/// The string encodings that are always available.
public typealias CFStringBuiltInEncodings = RLStringBuiltInEncodings

/// A mutable array, which one thread at a time may use.
public typealias CFMutableArray = RLMutableArrayRef

/// A mutable set, which one thread at a time may use.
public typealias CFMutableSet = RLMutableSetRef

/// A mutable dictionary, which one thread at a time may use.
public typealias CFMutableDictionary = RLMutableDictionaryRef

/// The name of a Mach port, which is a descriptor on Linux.
public typealias mach_port_t = RLMachPortName

/// The name of a notification.
public typealias CFNotificationName = RLNotificationName
