import CoreRunLoop

/// An autorelease pool as an object, for code that cannot use `rlautoreleasepool(invoking:)`.
///
/// A pool is confined to the thread that made it. It ends when it is drained or with its last
/// reference. Later pools that still exist end with it, which is logged.
///
/// ```swift
/// let pool = RLAutoreleasePool()
/// RLAutorelease(buffer)
/// pool.drain()
/// ```
///
/// Foundation: NSAutoreleasePool of Objective-C.
public final class RLAutoreleasePool {
    private let pool: UnsafeMutableRawPointer?
    private var isDrained = false

    /// Pushes a new pool on the calling thread's stack of pools.
    ///
    /// Foundation: NSAutoreleasePool.init.
    @available(*, noasync)
    public init() {
        pool = RLAutoreleasePoolPush()
    }

    deinit {
        drain()
    }

    /// Releases the pool's references and ends it.
    ///
    /// Idempotent. On another thread than the pool's it stops the process with a message.
    ///
    /// Foundation: NSAutoreleasePool.drain.
    public func drain() {
        if isDrained { return }
        isDrained = true
        RLAutoreleasePoolPop(pool)
    }

    /// The number of references in the calling thread's pools.
    public static var count: Int {
        RLAutoreleasePoolGetCount()
    }
}

extension RLAutoreleasePool: CustomStringConvertible {
    /// The address, and whether the pool accepts references.
    public var description: String {
        describe(self, isDrained ? "drained" : "open")
    }
}

/// A pool is confined to the thread that made it.
@available(*, unavailable)
extension RLAutoreleasePool: Sendable {}

extension RLRunLoop {
    /// Wraps each pass of this loop in a common mode in an autorelease pool.
    ///
    /// Objects that callbacks autorelease live until the loop is about to sleep or its run ends.
    /// Nested runs have pools of their own. The pools are installed for the lifetime of the loop.
    /// The call is idempotent.
    ///
    /// Foundation: none; UIKit and AppKit do this for the main loop (NSAP-2).
    public nonisolated func installAutoreleasePool() {
        RLRunLoopInstallAutoreleasePool(loop)
    }
}

extension RLMainRunLoop {
    /// Wraps each pass of the main loop in a common mode in an autorelease pool, as
    /// ``RLRunLoop/installAutoreleasePool()``.
    ///
    /// Foundation: none; UIKit and AppKit do this for the main loop (NSAP-2).
    public func installAutoreleasePool() {
        RLRunLoopInstallAutoreleasePool(getRLRunLoop())
    }
}
