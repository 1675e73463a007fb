// The names of integers and the like in C's headers for Apple's systems. `Float32` is Swift's own.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

/// A UTF-16 code unit.
public typealias UniChar = CoreRunLoop.UniChar
/// A number of UTF-16 code units.
public typealias UniCharCount = UInt
/// A UTF-8 code unit.
public typealias UTF8Char = UInt8
/// A UTF-16 code unit.
public typealias UTF16Char = UInt16
/// A UTF-32 code unit.
public typealias UTF32Char = UInt32
/// A byte with a sign.
public typealias SignedByte = Int8
/// The result of a function of the system: 0 if all went well.
public typealias OSStatus = Int32
/// An `OSStatus` of success.
public let noErr: OSStatus = 0
/// As `OSStatus`, in 16 bits.
public typealias OSErr = Int16
/// Four characters as a number.
public typealias FourCharCode = UInt32
/// Four characters as a number.
public typealias OSType = FourCharCode
/// The number of a region.
public typealias RegionCode = Int16
/// The number of a language.
public typealias LangCode = Int16
/// The number of a script.
public typealias ScriptCode = Int16

/// Conversions from and to `Bool`.
extension DarwinBoolean {
    /// Makes a value from Swift's.
    public init(_ value: Bool) {
        self.init(_value: value ? 1 : 0)
    }

    /// The value as Swift's.
    public var boolValue: Bool { _value != 0 }
}

// `@retroactive`: the module of C cannot conform by itself.

/// Comparison.
extension DarwinBoolean: @retroactive Equatable {
    /// Whether two values are the same truth.
    public static func == (first: DarwinBoolean, second: DarwinBoolean) -> Bool {
        first.boolValue == second.boolValue
    }
}

/// Literals.
extension DarwinBoolean: @retroactive ExpressibleByBooleanLiteral {
    /// Makes a value from a literal.
    public init(booleanLiteral value: Bool) {
        self.init(value)
    }
}

/// Printing.
extension DarwinBoolean: @retroactive CustomStringConvertible {
    /// `true` or `false`.
    public var description: String { "\(boolValue)" }
}
