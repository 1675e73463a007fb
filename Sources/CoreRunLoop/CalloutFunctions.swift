// Reports the code of closures to traces and descriptions. Without these functions, the engine has
// only the address of the C function that calls a closure. If a closure is stored with its concrete
// type, its first word is the address of its code; in generic code, the first word is the address
// of a thunk.

package import CRunLoop

/// Reports to the tracer the closure that a callback calls.
///
/// The first stored property of `holder` is the closure, with its concrete type.
@inlinable
@inline(__always)
package func noteFunction<Holder: ~Copyable>(_ holder: borrowing Holder) {
    RLRunLoopNoteCalloutFunction(functionAddress(in: holder))
}

/// Returns the address of a closure's code; see ``noteFunction(_:)`` for `holder`.
@inlinable
@inline(__always)
package func functionAddress<Holder: ~Copyable>(in holder: borrowing Holder) -> UnsafeRawPointer? {
    withUnsafeBytes(of: holder) { $0.loadUnaligned(as: UnsafeRawPointer?.self) }
}

/// Reports to the tracer the class of the object whose method a callback calls.
package func noteType(of object: AnyObject) {
    // The metadata of a class has a symbol with the name of the class.
    RLRunLoopNoteCalloutFunction(unsafeBitCast(type(of: object), to: UnsafeRawPointer.self))
}

package struct PlainCallout {
    private let body: () -> Void

    package init(_ body: @escaping () -> Void) {
        self.body = body
    }
}
