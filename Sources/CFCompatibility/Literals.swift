// String and array literals as CF objects, which replace casts such as `"name" as CFString`.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

extension RLReference where Self == CFString {
    /// Creates a string from a literal.
    public init(stringLiteral string: String) {
        self = RLStringCreate(string)
    }
}

// `@retroactive`: a C module declares these types, and C cannot declare conformances. The Swift
// overlay of the C module does not need the conformances.

extension CFString: @retroactive ExpressibleByStringLiteral {}
extension CFString: @retroactive ExpressibleByExtendedGraphemeClusterLiteral {}
extension CFString: @retroactive ExpressibleByUnicodeScalarLiteral {}

extension RLReference where Self == CFArray {
    /// Creates an array, which retains its elements, from a literal.
    public init(arrayLiteral elements: CFTypeRef...) {
        func pointer(to element: some RLReference) -> UnsafeRawPointer? {
            element.unsafeTypeReference
        }
        var values = elements.map { pointer(to: $0) }
        // The elements must live until the array has retained them.
        self = withExtendedLifetime(elements) {
            withUnsafePointer(to: kRLTypeArrayCallBacks) { callBacks in
                RLArrayCreate(kRLAllocatorDefault, &values, values.count, callBacks)
            }
        }
    }
}

extension CFArray: @retroactive ExpressibleByArrayLiteral {}
