// Closures in traces: the engine sees the function that calls a closure, and is told the closure's
// own. A closure has the address of its code as its first word, as long as it is stored with its
// own type: generic code would put another function in front of it.

package import CRunLoop

/// Tells the tracer which closure a callback calls.
///
/// - Parameter holder: A structure whose first stored property is the closure, with its own type.
@inlinable
@inline(__always)
package func noteFunction<Holder: ~Copyable>(_ holder: borrowing Holder) {
    withUnsafeBytes(of: holder) {
        RLRunLoopNoteCalloutFunction($0.loadUnaligned(as: UnsafeRawPointer?.self))
    }
}

/// Holds a closure for `noteFunction`.
package struct PlainCallout {
    private let body: () -> Void

    package init(_ body: @escaping () -> Void) {
        self.body = body
    }
}

/// Holds an observer's closure for `noteFunction`.
struct ObserverCallout {
    let body: @Sendable (RLRunLoopObserverRef, RLRunLoopActivity) -> Void
}
