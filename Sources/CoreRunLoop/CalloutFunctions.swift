// Closures in traces and descriptions: the engine sees the function that calls a closure, and is
// told the closure's own. A closure has the address of its code as its first word, as long as it is
// stored with its own type: generic code would put another function in front of it.

package import CRunLoop

/// Tells the tracer which closure a callback calls.
///
/// - Parameter holder: A structure whose first stored property is the closure, with its own type.
@inlinable
@inline(__always)
package func noteFunction<Holder: ~Copyable>(_ holder: borrowing Holder) {
    RLRunLoopNoteCalloutFunction(functionAddress(in: holder))
}

/// The address of a closure's code.
///
/// - Parameter holder: A structure whose first stored property is the closure, with its own type.
/// - Returns: The address.
@inlinable
@inline(__always)
package func functionAddress<Holder: ~Copyable>(in holder: borrowing Holder) -> UnsafeRawPointer? {
    withUnsafeBytes(of: holder) { $0.loadUnaligned(as: UnsafeRawPointer?.self) }
}

/// Tells the tracer the class of the object whose method a callback calls.
///
/// - Parameter object: The object.
package func noteType(of object: AnyObject) {
    // The metadata of a class has its name as a symbol.
    RLRunLoopNoteCalloutFunction(unsafeBitCast(type(of: object), to: UnsafeRawPointer.self))
}

/// Holds a closure for `noteFunction`.
package struct PlainCallout {
    private let body: () -> Void

    package init(_ body: @escaping () -> Void) {
        self.body = body
    }
}
