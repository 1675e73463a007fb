// Serves a loop from outside: with a time limit, or inside another event loop.

import CRunLoop.Wrapping
import CoreRunLoop
import Glibc

extension RLRunLoop {
    /// Serves ready items of a mode without sleeping.
    ///
    /// Games and other programs that have their own main loop call this function once per frame.
    /// When nothing is left to serve, the loop enters its waiting state, so that observers of
    /// `beforeWaiting`, ``RLIdleQueue`` and idle notifications are served.
    ///
    /// - Parameters:
    ///   - duration: The time limit for serving. With zero, the loop makes one pass. A callback is
    ///     not interrupted.
    ///   - mode: The mode; not ``Mode/common``.
    /// - Returns: Whether the loop served anything.
    @available(*, noasync)
    @discardableResult
    public func pump(for duration: Duration = .zero, mode: Mode = .default) -> Bool {
        checkThread(of: loop, "RLRunLoop.pump(for:mode:)")
        let start = RLRunLoopGetClockNanoseconds(loop)
        let seconds = duration.seconds
        var before = countServed()
        let first = before
        while true {
            RLRunLoopRunInMode(mode.mode, 0, false)
            let after = countServed()
            if after == before {
                RLRunLoopRest(mode.mode.rawValue)
                return after != first
            }
            if Double(RLRunLoopGetClockNanoseconds(loop) - start) / 1e9 >= seconds { return true }
            before = after
        }
    }

    /// Performs the pending work of the main dispatch queue, without Foundation and without running
    /// the loop.
    ///
    /// Call this function on the main thread. On another thread, and inside work of the queue, the
    /// call is a no-op.
    ///
    /// - Returns: Whether the queue had any work.
    @available(*, noasync)
    @discardableResult
    public static func drainMainQueue() -> Bool {
        RLRunLoopDrainMainQueue()
    }

    /// Serves the main loop while other code serves the main dispatch queue.
    ///
    /// Foundation's `RunLoop.main` serves the queue on the main thread, and so does an `async` main
    /// in a process that has loaded Foundation. After this call, the same code also serves the
    /// timers and sources of this loop, without polling. The program may still run the main loop at
    /// any time; that run serves the queue as usual.
    ///
    /// A source in Foundation's loop serves this loop. In a process without Foundation, a block on
    /// the main queue serves this loop instead. A run of this loop that returns after a source then
    /// also returns after such a block.
    ///
    /// Call ``run()`` instead of `dispatchMain()`: ``run()`` serves the main queue too. On Linux,
    /// `dispatchMain()` ends the main thread and serves the queue on other threads, which cannot
    /// serve the main loop.
    ///
    /// - Parameter mode: The mode in which to serve the loop; not ``Mode/common``.
    /// - Returns: The hosting. It lasts until ``RLHosting/cancel()``, even if you release this
    ///   value.
    @available(*, noasync)
    @discardableResult
    public func serveInMainQueue(mode: Mode = .default) -> RLHosting {
        checkThread(of: loop, "RLRunLoop.serveInMainQueue(mode:)")
        guard loop === RLRunLoopGetMain() else {
            stopProcess(
                "RLRunLoop.serveInMainQueue(mode:)",
                "only the main run loop can be served in the main queue: call this on "
                    + "RLRunLoop.main"
            )
        }
        let descriptor = RLRunLoopBeginHosting(mode.mode.rawValue, .leavesMainQueue, nil)
        if descriptor < 0 {
            stopProcess(
                "RLRunLoop.serveInMainQueue(mode:)",
                descriptor == -EBUSY
                    ? "the run loop already runs or is served: call this once, outside its callbacks"
                    : "cannot create a descriptor: \(describeError(-descriptor)): raise the limit of "
                        + "open files"
            )
        }
        return RLHosting(MainHost(descriptor))
    }

    /// Counts all callbacks except calls of observers, which occur in every pass.
    private func countServed() -> UInt64 {
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        return numbers.blockCallouts + numbers.source0Callouts + numbers.source1Callouts
            + numbers.timerCallouts + numbers.mainQueueCallouts
    }
}

/// Lets the code that serves the main dispatch queue also serve a loop.
///
/// Foundation has no counterpart.
public struct RLHosting: Sendable {
    private let host: MainHost

    init(_ host: MainHost) {
        self.host = host
    }

    /// Ends the hosting the next time that the main thread would serve the loop.
    ///
    /// May be called from any thread.
    public func cancel() {
        host.cancel()
    }
}
