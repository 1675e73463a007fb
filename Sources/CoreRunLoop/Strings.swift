// The way between Swift's strings and lists and the engine's.

public import CRunLoop

/// Makes a string of the engine.
///
/// The engine's strings end at their first NUL character, and so does a string made here.
///
/// CF: a bridging cast to CFString.
///
/// - Parameter string: The characters.
/// - Returns: A new string.
/// - Complexity: O(n) in the number of characters.
public func RLStringCreate(_ string: String) -> RLStringRef {
    // What begins a C string as a byte order mark, and is left out, is a character here.
    let mark: Unicode.Scalar = "\u{FEFF}"
    let characters = string.unicodeScalars.first == mark ? String(mark) + string : string
    return RLStringCreateWithCString(
        kRLAllocatorDefault,
        characters,
        RLStringEncoding(kRLStringEncodingUTF8)
    )
}

/// The encodings that every system knows, for functions that take a number.
///
/// CF: CFStringBuiltInEncodings.
public enum RLStringBuiltInEncodings: RLStringEncoding, Sendable {
    /// ASCII, a subset of UTF-8 here.
    case ASCII = 0x0600
    /// UTF-8.
    case UTF8 = 0x0800_0100
}

extension String {
    /// Makes a string with the characters of one of the engine's.
    ///
    /// - Complexity: O(n) in the number of characters.
    public init(_ string: RLStringRef) {
        self = withExtendedLifetime(string) {
            String(cString: RLStringGetCStringPtr(string, RLStringEncoding(kRLStringEncodingUTF8)))
        }
    }
}

extension RLStringRef {
    /// The characters of the string.
    public var description: String {
        String(self)
    }
}

extension Array where Element == RLRunLoopMode {
    /// Makes a list of the modes that an array of the engine names, such as the result of
    /// `RLRunLoopCopyAllModes`.
    ///
    /// - Parameter names: An array whose elements are strings.
    /// - Complexity: O(n) in the number of modes.
    public init(_ names: RLArrayRef) {
        self = names.elements(as: RLStringRef.self).map(RLRunLoopMode.init(rawValue:))
    }
}

extension Array where Element == RLRunLoopRef {
    /// Makes a list of the loops in an array of the engine, such as the result of
    /// `RLRunLoopCopyAllLoops`.
    ///
    /// - Parameter loops: An array whose elements are run loops.
    /// - Complexity: O(n) in the number of loops.
    public init(_ loops: RLArrayRef) {
        self = loops.elements(as: RLRunLoopRef.self)
    }
}

extension Array where Element == RLRunLoopRecordingRef {
    /// Makes a list of the recordings in an array of the engine, the result of
    /// `RLRunLoopTracerCopyRecordings`.
    ///
    /// - Parameter recordings: An array whose elements are recordings.
    /// - Complexity: O(n) in the number of recordings.
    public init(_ recordings: RLArrayRef) {
        self = recordings.elements(as: RLRunLoopRecordingRef.self)
    }
}

extension RLArrayRef {
    func elements<Object: RLReference>(as type: Object.Type) -> [Object] {
        withExtendedLifetime(self) {
            (0..<RLArrayGetCount(self)).map { index in
                // The array holds a reference, so the pointer is valid; the cast adds one.
                unsafeBitCast(RLArrayGetValueAtIndex(self, index), to: type)
            }
        }
    }

    static func make(of modes: [RLRunLoopMode]) -> RLArrayRef {
        var names = modes.map { Optional($0.rawValue.typeReference) }
        // The array takes its own references before `modes` gives its up.
        return withExtendedLifetime(modes) {
            withUnsafePointer(to: kRLTypeArrayCallBacks) { callbacks in
                RLArrayCreate(kRLAllocatorDefault, &names, names.count, callbacks)
            }
        }
    }
}
