import CoreRunLoop

/// An autorelease pool as an object, for code that cannot use `rlautoreleasepool(invoking:)`.
///
/// A pool belongs to the thread that made it, and ends when it is drained, or with its last
/// reference. Later pools that still exist end with it, and a line says so.
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

    /// Puts a new pool on top of the calling thread's.
    ///
    /// Foundation: NSAutoreleasePool.init.
    @available(*, noasync)
    public init() {
        pool = RLAutoreleasePoolPush()
    }

    deinit {
        drain()
    }

    /// Releases what is in the pool, and ends it.
    ///
    /// Does nothing the second time.
    ///
    /// On another thread than the pool's it stops the process with a line.
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
    /// The address, and whether the pool takes references.
    public var description: String {
        describe(self, isDrained ? "drained" : "open")
    }
}

/// A pool is for the thread that made it.
@available(*, unavailable)
extension RLAutoreleasePool: Sendable {}

extension RLRunLoop {
    /// Gives each pass of this loop in a common mode an autorelease pool.
    ///
    /// Objects that callbacks autorelease live until the end of the pass, when the loop is about
    /// to sleep or its run ends, and no longer. Nested runs have pools of their own. The pools stay
    /// for as long as the loop; further calls do nothing.
    ///
    /// Foundation: none; UIKit and AppKit do this for the main loop (NSAP-2).
    public nonisolated func installAutoreleasePool() {
        RLRunLoopInstallAutoreleasePool(loop)
    }
}

extension RLMainRunLoop {
    /// Gives each pass of the main loop in a common mode an autorelease pool.
    ///
    /// As ``RLRunLoop/installAutoreleasePool()``.
    ///
    /// Foundation: none; UIKit and AppKit do this for the main loop (NSAP-2).
    public func installAutoreleasePool() {
        RLRunLoopInstallAutoreleasePool(getRLRunLoop())
    }
}
