// Literals of strings and arrays, which take the place of casts: `"name" as CFString`.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

extension RLReference where Self == CFString {
    /// Makes a string from a literal.
    public init(stringLiteral string: String) {
        self = RLStringCreate(string)
    }
}

// `@retroactive`: the module of C cannot conform by itself, and its Swift face has no need to.

/// A string can be written as a literal.
extension CFString: @retroactive ExpressibleByStringLiteral {}
extension CFString: @retroactive ExpressibleByExtendedGraphemeClusterLiteral {}
extension CFString: @retroactive ExpressibleByUnicodeScalarLiteral {}

extension RLReference where Self == CFArray {
    /// Makes an array from a literal; the array retains the elements.
    public init(arrayLiteral elements: CFTypeRef...) {
        func pointer(to element: some RLReference) -> UnsafeRawPointer? {
            element.unsafeTypeReference
        }
        var values = elements.map { pointer(to: $0) }
        // The array takes its own references before `elements` gives its up.
        self = withExtendedLifetime(elements) {
            withUnsafePointer(to: kRLTypeArrayCallBacks) { callBacks in
                RLArrayCreate(kRLAllocatorDefault, &values, values.count, callBacks)
            }
        }
    }
}

/// An array of objects can be written as a literal.
extension CFArray: @retroactive ExpressibleByArrayLiteral {}
