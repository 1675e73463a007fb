// Literals of strings and arrays instead of casts: `"name" as CFString`.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

extension RLReference where Self == CFString {
    /// Creates a string from a literal.
    public init(stringLiteral string: String) {
        self = RLStringCreate(string)
    }
}

// `@retroactive`: a C module cannot declare conformances, and its Swift overlay does not need this
// one.

/// Strings can be written as literals.
extension CFString: @retroactive ExpressibleByStringLiteral {}
extension CFString: @retroactive ExpressibleByExtendedGraphemeClusterLiteral {}
extension CFString: @retroactive ExpressibleByUnicodeScalarLiteral {}

extension RLReference where Self == CFArray {
    /// Creates an array from a literal; the array retains the elements.
    public init(arrayLiteral elements: CFTypeRef...) {
        func pointer(to element: some RLReference) -> UnsafeRawPointer? {
            element.unsafeTypeReference
        }
        var values = elements.map { pointer(to: $0) }
        // Lives until the array has retained the elements.
        self = withExtendedLifetime(elements) {
            withUnsafePointer(to: kRLTypeArrayCallBacks) { callBacks in
                RLArrayCreate(kRLAllocatorDefault, &values, values.count, callBacks)
            }
        }
    }
}

/// Arrays of objects can be written as literals.
extension CFArray: @retroactive ExpressibleByArrayLiteral {}
