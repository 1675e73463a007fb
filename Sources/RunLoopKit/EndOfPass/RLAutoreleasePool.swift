import CoreRunLoop

/// An autorelease pool as an object, for code that cannot use `rlautoreleasepool(invoking:)`.
///
/// A pool is confined to the thread that created it. The pool ends when it is drained or
/// deallocated. Newer pools of the thread that still exist end too, with a warning.
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

    /// Releases the pool's objects and ends the pool.
    ///
    /// Idempotent. On any thread other than the pool's, the call stops the process with a message.
    ///
    /// Foundation: NSAutoreleasePool.drain.
    public func drain() {
        if isDrained { return }
        isDrained = true
        RLAutoreleasePoolPop(pool)
    }

    /// The number of objects in the calling thread's pools; an object counts each time that it was
    /// added.
    public static var count: Int {
        RLAutoreleasePoolGetCount()
    }
}

extension RLAutoreleasePool: CustomStringConvertible {
    /// The address, and whether the pool accepts objects.
    public var description: String {
        describe(self, isDrained ? "drained" : "open")
    }
}

@available(*, unavailable)
extension RLAutoreleasePool: Sendable {}

extension RLRunLoop {
    /// Gives each run in a common mode of this loop an autorelease pool.
    ///
    /// Objects that callbacks autorelease live until the loop is about to sleep or its run ends.
    /// Nested runs have their own pools. The effect lasts for the lifetime of the loop. The call is
    /// idempotent.
    ///
    /// Foundation has no counterpart: UIKit and AppKit do this for the main loop (NSAP-2).
    public nonisolated func installAutoreleasePool() {
        RLRunLoopInstallAutoreleasePool(loop)
    }
}

extension RLMainRunLoop {
    /// Gives each run in a common mode of the main loop an autorelease pool, like
    /// ``RLRunLoop/installAutoreleasePool()``.
    ///
    /// Foundation has no counterpart: UIKit and AppKit do this for the main loop (NSAP-2).
    public func installAutoreleasePool() {
        RLRunLoopInstallAutoreleasePool(getRLRunLoop())
    }
}
