// How Swift's references go through the C interface of engines: as the pointers that they are, so that
// no box of the adaptors' own is allocated, held and looked into where a program would use the
// object.

import CoreRunLoop
import Engines

/// A pointer that holds an object until `take` is called with it.
func give<Object: AnyObject>(_ object: Object) -> UnsafeMutableRawPointer {
    // C code keeps the object; `take` balances this.
    Unmanaged.passRetained(object).toOpaque()
}

/// Calls with the object that a pointer of `give` holds.
@inline(__always)
func look<Object: AnyObject, Result>(
    _ type: Object.Type,
    _ pointer: UnsafeMutableRawPointer?,
    _ body: (Object) -> Result
) -> Result {
    guard let pointer else { fatalError("an engine passed a null pointer") }
    // Held since `give`.
    return Unmanaged<Object>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
}

/// The object that a pointer held.
func take<Object: AnyObject>(
    _ type: Object.Type,
    _ pointer: UnsafeMutableRawPointer?
) -> Object {
    guard let pointer else { fatalError("an engine passed a null pointer") }
    // Balances `give`.
    return Unmanaged<Object>.fromOpaque(pointer).takeRetainedValue()
}

/// The same for objects of the engine, whose one reference moves on, as that of a variable does.
@inline(__always)
func give<Object: RLReference>(_ object: __owned Object) -> UnsafeMutableRawPointer {
    withUnsafeTemporaryAllocation(of: Object.self, capacity: 1) { memory in
        memory.initializeElement(at: 0, to: object)
        // Not deinitialized: `drop` gives back the reference, of which this is the pointer.
        return UnsafeRawBufferPointer(memory).load(as: UnsafeMutableRawPointer.self)
    }
}

/// The object that a pointer of `give` holds.
@inline(__always)
func look<Object: RLReference>(
    _ type: Object.Type,
    _ pointer: UnsafeMutableRawPointer?
) -> Object {
    guard let pointer else { fatalError("an engine passed a null pointer") }
    // A reference to an imported object is the pointer to it.
    return unsafeBitCast(pointer, to: Object.self)
}

/// Lets go of the object.
func drop(_ pointer: UnsafeMutableRawPointer?) {
    RLRelease(pointer)
}

/// A C function with its argument, which workloads call on the thread that they mean.
struct Call: @unchecked Sendable {
    // Unchecked: the workloads hand the pointer from thread to thread, as C does.
    let function: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let info: UnsafeMutableRawPointer?

    @inline(__always)
    init(
        _ function: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
        _ info: UnsafeMutableRawPointer?
    ) {
        guard let function else { fatalError("a workload passed no function") }
        self.function = function
        self.info = info
    }

    @inline(__always)
    init(_ thunk: UnsafePointer<thunk>?) {
        self.init(thunk?.pointee.call, thunk?.pointee.info)
    }

    @inline(__always)
    func callAsFunction() {
        function(info)
    }
}
