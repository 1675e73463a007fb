// A mode's name as a value. The C functions take the name itself, an RLStringRef; what callbacks
// in context structures receive is that too.

public import CRunLoop
import CRunLoop.Wrapping

/// The name of a mode: any string, compared by its characters.
///
/// CF: CFRunLoopMode.
public struct RLRunLoopMode: Hashable, Sendable, RawRepresentable {
    /// The name as the engine has it.
    public let rawValue: RLStringRef

    // The hash decides most comparisons without a look at the characters. A structure of nothing
    // but a reference would also be beyond Swift 6.3, whose compiler crashes on an optional of it.
    private let hash: RLHashCode

    /// Makes a mode from a string of the engine.
    ///
    /// Anything else in place of a string, such as a cast `NSString`, stops the process.
    ///
    /// - Complexity: O(n) in the number of characters.
    public init(rawValue: RLStringRef) {
        self.hash = RLRunLoopModeGetHash(rawValue)
        // The copy of one that cannot change is itself.
        self.rawValue = RLStringCreateCopy(nil, rawValue)
    }

    /// Makes a mode from a string of the engine.
    ///
    /// - Complexity: O(n) in the number of characters.
    public init(_ name: RLStringRef) {
        self.init(rawValue: name)
    }

    /// Makes a mode from a string.
    ///
    /// - Complexity: O(n) in the number of characters.
    public init(_ name: String) {
        self.init(rawValue: RLStringCreate(name))
    }

    /// The mode in which a loop usually runs.
    ///
    /// Implicitly unwrapped as on Apple's systems, but never nil.
    ///
    /// CF: kCFRunLoopDefaultMode.
    public static let defaultMode: RLRunLoopMode! = RLRunLoopMode(rawValue: kRLRunLoopDefaultMode)

    /// The name that stands for all common modes.
    ///
    /// It does so when items are added and removed and when blocks are performed. A loop cannot run
    /// in it. Implicitly unwrapped as on Apple's systems, but never nil.
    ///
    /// CF: kCFRunLoopCommonModes.
    public static let commonModes: RLRunLoopMode! = RLRunLoopMode(rawValue: kRLRunLoopCommonModes)

    /// Whether two names have the same characters.
    public static func == (first: RLRunLoopMode, second: RLRunLoopMode) -> Bool {
        first.hash == second.hash && first.rawValue == second.rawValue
    }

    /// Feeds a hasher with the hash of the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

// The names that the modes of `RunLoopKit` have.
extension RLRunLoopMode {
    /// The name that the default mode has in Foundation.
    @available(*, unavailable, renamed: "defaultMode")
    public static var `default`: RLRunLoopMode! { .defaultMode }

    /// The name that the common modes have in Foundation.
    @available(*, unavailable, renamed: "commonModes")
    public static var common: RLRunLoopMode! { .commonModes }
}

/// A mode is its name where a function takes any object.
extension RLRunLoopMode: RLReference {
    /// The name, for functions that take any object; not retained.
    public var unsafeTypeReference: RLTypeRef {
        rawValue.unsafeTypeReference
    }
}

extension RLRunLoopMode: ExpressibleByStringLiteral {
    /// Makes a mode from a string literal.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}

extension RLRunLoopMode {
    /// The characters of the name.
    public var description: String {
        String(rawValue)
    }

    /// The characters of the name, quoted.
    public var debugDescription: String {
        String(rawValue).debugDescription
    }
}
