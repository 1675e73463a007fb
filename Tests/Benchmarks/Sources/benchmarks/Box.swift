// How Swift objects go through the C interface of engines.

/// Holds what a C interface passes as a pointer.
final class Box<Value> {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// A pointer that holds the box until `take` is called with it.
    static func give(_ value: Value) -> UnsafeMutableRawPointer {
        // C code keeps the box; `take` balances this.
        Unmanaged.passRetained(Box(value)).toOpaque()
    }

    static func look(_ pointer: UnsafeMutableRawPointer?) -> Value {
        guard let pointer else { fatalError("an engine passed a null pointer") }
        // Borrowed: the box is held since `give`.
        return Unmanaged<Box<Value>>.fromOpaque(pointer).takeUnretainedValue().value
    }

    static func take(_ pointer: UnsafeMutableRawPointer?) -> Value {
        guard let pointer else { fatalError("an engine passed a null pointer") }
        // Balances `give`.
        return Unmanaged<Box<Value>>.fromOpaque(pointer).takeRetainedValue().value
    }
}

/// A C function with its argument, which workloads call on the thread that they mean.
struct Call: @unchecked Sendable {
    // Unchecked: the workloads hand the pointer from thread to thread, as C does.
    let function: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let info: UnsafeMutableRawPointer?

    init(
        _ function: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
        _ info: UnsafeMutableRawPointer?
    ) {
        guard let function else { fatalError("a workload passed no function") }
        self.function = function
        self.info = info
    }

    func callAsFunction() {
        function(info)
    }
}
