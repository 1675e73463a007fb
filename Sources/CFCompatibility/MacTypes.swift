// Integer type names from the C headers of Apple's systems. Swift itself defines `Float32`.

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
/// A signed byte.
public typealias SignedByte = Int8
/// The result of a system function: 0 for success.
public typealias OSStatus = Int32
/// The `OSStatus` of success.
public let noErr: OSStatus = 0
/// The 16-bit result of a system function: 0 for success.
public typealias OSErr = Int16
/// Four characters encoded as a number.
public typealias FourCharCode = UInt32
/// Four characters encoded as a number.
public typealias OSType = FourCharCode
/// The code of a region.
public typealias RegionCode = Int16
/// The code of a language.
public typealias LangCode = Int16
/// The code of a script.
public typealias ScriptCode = Int16

extension DarwinBoolean {
    /// Creates a value from a `Bool`.
    public init(_ value: Bool) {
        self.init(_value: value ? 1 : 0)
    }

    /// The value as a `Bool`.
    public var boolValue: Bool { _value != 0 }
}

// `@retroactive`: a C module declares the type, and C cannot declare conformances.

extension DarwinBoolean: @retroactive Equatable {
    /// Whether both values are true or both are false.
    public static func == (first: DarwinBoolean, second: DarwinBoolean) -> Bool {
        first.boolValue == second.boolValue
    }
}

extension DarwinBoolean: @retroactive ExpressibleByBooleanLiteral {
    /// Creates a value from a literal.
    public init(booleanLiteral value: Bool) {
        self.init(value)
    }
}

extension DarwinBoolean: @retroactive CustomStringConvertible {
    /// `true` or `false`.
    public var description: String { "\(boolValue)" }
}
