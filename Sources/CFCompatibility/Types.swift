// The types that are other ones in Swift than in C.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

/// Any object.
public typealias CFTypeRef = any RLReference
/// A string, data, a number, a truth value, a date, or a collection of these.
public typealias CFPropertyList = CFTypeRef
/// A string that can be changed, by one thread at a time.
public typealias CFMutableString = RLMutableStringRef
/// Bytes that can be changed.
public typealias CFMutableData = RLMutableDataRef

/// The name of a mode.
public typealias CFRunLoopMode = RLRunLoopMode

/// The encodings that every system knows.
public typealias CFStringBuiltInEncodings = RLStringBuiltInEncodings

/// An array that can be changed.
public typealias CFMutableArray = RLMutableArrayRef

/// A set that can be changed.
public typealias CFMutableSet = RLMutableSetRef

/// A dictionary that can be changed.
public typealias CFMutableDictionary = RLMutableDictionaryRef

/// The name of a Mach port: on Linux a descriptor.
public typealias mach_port_t = RLMachPortName

/// The name of a notification.
public typealias CFNotificationName = RLNotificationName
