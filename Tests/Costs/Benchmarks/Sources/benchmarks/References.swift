// How Swift's references go through the C interface of engines: as the pointers that they are, so
// that no box of the adaptors' own is allocated, held and looked into where a program would use the
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

/// The same for a variable with an object of the engine, whose reference moves on.
@inline(__always)
func give<Object: RLReference>(_ variable: inout Object?) -> UnsafeMutableRawPointer? {
    withUnsafeMutablePointer(to: &variable) {
        // Emptied by hand, so that nothing is retained or released here: `drop` gives the reference
        // back, which is the pointer.
        let memory = UnsafeMutableRawPointer($0)
        defer { memory.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self) }
        return memory.load(as: UnsafeMutableRawPointer?.self)
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
