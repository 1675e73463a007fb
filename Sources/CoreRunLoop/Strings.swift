public import CRunLoop

/// Creates a string of the engine.
///
/// CF: a bridging cast to CFString.
///
/// - Complexity: O(n) in the number of characters.
public func RLStringCreate(_ string: String) -> RLStringRef {
    // The decoder drops a byte order mark at the beginning, so the mark is doubled.
    let mark: Unicode.Scalar = "\u{FEFF}"
    var characters = string.unicodeScalars.first == mark ? String(mark) + string : string
    return characters.withUTF8 {
        RLStringCreateWithBytes(
            nil,
            $0.baseAddress,
            $0.count,
            RLStringEncoding(kRLStringEncodingUTF8),
            false
        )
    }
}

/// Encodings that are always available.
///
/// Functions that take an encoding use its raw value.
///
/// CF: CFStringBuiltInEncodings.
public enum RLStringBuiltInEncodings: RLStringEncoding, Sendable {
    /// 7-bit ASCII, a subset of UTF-8.
    case ASCII = 0x0600
    /// UTF-8.
    case UTF8 = 0x0800_0100
    /// Mac OS Roman, the encoding of systems before Mac OS X.
    case macRoman = 0
    /// Windows-1252; five of its bytes are undefined.
    case windowsLatin1 = 0x0500
    /// ISO 8859-1, the first 256 characters of Unicode.
    case isoLatin1 = 0x0201
    /// UTF-16 in the byte order of its byte order mark, or else of this machine.
    case UTF16 = 0x0100
    /// UTF-16, big-endian.
    case UTF16BE = 0x1000_0100
    /// UTF-16, little-endian.
    case UTF16LE = 0x1400_0100
    /// UTF-32 in the byte order of its byte order mark, or else of this machine.
    case UTF32 = 0x0C00_0100
    /// UTF-32, big-endian.
    case UTF32BE = 0x1800_0100
    /// UTF-32, little-endian.
    case UTF32LE = 0x1C00_0100

    /// An alias of ``UTF16``.
    public static var unicode: RLStringBuiltInEncodings { .UTF16 }
}

extension RLReference where Self == RLStringRef {
    /// Creates an `RLStringRef` from a Swift string.
    ///
    /// CF: a bridging cast to CFString.
    public init(_ string: String) {
        self = RLStringCreate(string)
    }
}

extension String {
    /// Creates a Swift string from a string of the engine.
    ///
    /// Unpaired surrogates, which Swift strings cannot contain, become replacement characters.
    ///
    /// - Complexity: O(n) in the number of characters.
    public init(_ string: RLStringRef) {
        self = withExtendedLifetime(string) {
            let encoding = RLStringEncoding(kRLStringEncodingUTF8)
            guard let characters = RLStringGetCStringPtr(string, encoding) else {
                return String(codeUnitsOf: RLStringCreateCopy(nil, string))
            }
            return String(cString: characters)
        }
    }

    /// Creates a Swift string from a string that no thread changes during the call.
    private init(codeUnitsOf string: RLStringRef) {
        let count = RLStringGetLength(string)
        let units = [UniChar](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            RLStringGetCharacters(string, RLRangeMake(0, count), buffer.baseAddress)
            initializedCount = count
        }
        self.init(decoding: units, as: UTF16.self)
    }
}

extension RLStringRef {
    /// The characters of the string.
    public var description: String {
        String(self)
    }
}

extension Array where Element == RLRunLoopMode {
    /// Creates an array of modes from an array of their names, such as the result of
    /// `RLRunLoopCopyAllModes`.
    ///
    /// - Parameter names: An array whose elements are strings.
    /// - Complexity: O(n) in the number of modes.
    public init(_ names: RLArrayRef) {
        self = names.elements(as: RLStringRef.self).map(RLRunLoopMode.init(rawValue:))
    }
}

extension Array where Element == RLRunLoopRef {
    /// Creates an array of loops from an array of the engine, such as the result of
    /// `RLRunLoopCopyAllLoops`.
    ///
    /// - Parameter loops: An array whose elements are run loops.
    /// - Complexity: O(n) in the number of loops.
    public init(_ loops: RLArrayRef) {
        self = loops.elements(as: RLRunLoopRef.self)
    }
}

extension Array where Element == RLRunLoopRecordingRef {
    /// Creates an array of recordings from an array of the engine, such as the result of
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
                // The array retains the element, so the pointer is valid; the cast retains the
                // element again.
                unsafeBitCast(RLArrayGetValueAtIndex(self, index), to: type)
            }
        }
    }

    static func make(of modes: [RLRunLoopMode]) -> RLArrayRef {
        var names = modes.map { Optional($0.rawValue.unsafeTypeReference) }
        // Keeps the names alive until the array has retained them.
        return withExtendedLifetime(modes) {
            withUnsafePointer(to: kRLTypeArrayCallBacks) { callbacks in
                RLArrayCreate(nil, &names, names.count, callbacks)
            }
        }
    }
}
