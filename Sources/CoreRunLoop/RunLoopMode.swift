// A mode's name as a value. C functions and the callbacks in context structures use an RLStringRef
// instead.

public import CRunLoop
import CRunLoop.Wrapping

/// The name of a mode: any string, compared by its characters.
///
/// CF: CFRunLoopMode.
public struct RLRunLoopMode: Hashable, Sendable, RawRepresentable {
    /// The name as a string of the engine.
    public let rawValue: RLStringRef

    // The hashes decide most comparisons. Besides, Swift 6.3's compiler crashes on an optional of a
    // structure whose only property is a reference.
    private let hash: RLHashCode

    /// Creates a mode from a string of the engine.
    ///
    /// An object of another type, such as a cast `NSString`, stops the process.
    ///
    /// - Complexity: O(n) in the number of characters.
    public init(rawValue: RLStringRef) {
        self.hash = RLRunLoopModeGetHash(rawValue)
        // Copying an immutable string returns the string itself.
        self.rawValue = RLStringCreateCopy(nil, rawValue)
    }

    /// Creates a mode from a string of the engine.
    ///
    /// - Complexity: O(n) in the number of characters.
    public init(_ name: RLStringRef) {
        self.init(rawValue: name)
    }

    /// Creates a mode from a string.
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

    /// A placeholder for all common modes, for functions that add and remove items or perform
    /// blocks.
    ///
    /// A loop cannot run in this mode. Implicitly unwrapped as on Apple's systems, but never nil.
    /// CF: kCFRunLoopCommonModes.
    public static let commonModes: RLRunLoopMode! = RLRunLoopMode(rawValue: kRLRunLoopCommonModes)

    /// Returns whether two names have the same characters.
    public static func == (first: RLRunLoopMode, second: RLRunLoopMode) -> Bool {
        first.hash == second.hash && first.rawValue == second.rawValue
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

// Fix-its for programs that use the names of `RunLoopKit`.
extension RLRunLoopMode {
    /// Foundation's name for ``defaultMode``.
    @available(*, unavailable, renamed: "defaultMode")
    public static var `default`: RLRunLoopMode! { .defaultMode }

    /// Foundation's name for ``commonModes``.
    @available(*, unavailable, renamed: "commonModes")
    public static var common: RLRunLoopMode! { .commonModes }
}

/// Functions that take any object receive the name of the mode.
extension RLRunLoopMode: RLReference {
    /// The name as an unretained pointer, for functions that take any object.
    public var unsafeTypeReference: RLTypeRef {
        rawValue.unsafeTypeReference
    }
}

extension RLRunLoopMode: ExpressibleByStringLiteral {
    /// Creates a mode from a string literal.
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
