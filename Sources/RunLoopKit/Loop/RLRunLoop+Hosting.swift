// Serving a loop from outside, with a time limit or inside another event loop.

import CRunLoop.Wrapping
import CoreRunLoop

extension RLRunLoop {
    /// Serves ready items of a mode, and never sleeps.
    ///
    /// For games and other programs with a main loop of their own: call it once a frame. When
    /// nothing is left to serve, the loop counts as waiting until it runs again, so that observers
    /// of `beforeWaiting`, ``RLIdleQueue`` and idle notifications are served.
    ///
    /// - Parameters:
    ///   - duration: The time limit while there is more to serve. A running callback is not
    ///     interrupted. Zero means one pass.
    ///   - mode: The mode. Not ``Mode/common``.
    /// - Returns: Whether anything was served.
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
    /// Call it on the main thread. On another thread, and inside work of the queue, it does
    /// nothing.
    ///
    /// - Returns: Whether there was any work.
    @available(*, noasync)
    @discardableResult
    public static func drainMainQueue() -> Bool {
        RLRunLoopDrainMainQueue()
    }

    /// Serves the main loop wherever the main dispatch queue is served, for programs in which other
    /// code runs that queue.
    ///
    /// Foundation's `RunLoop.main` runs the queue on the main thread, and so does an `async` main
    /// that has loaded Foundation. After this call, timers and sources of this loop are served
    /// there too, without polling. The main loop may still be run at any time, and then serves the
    /// queue as always.
    ///
    /// A source in Foundation's loop does this, so that a run of this loop that returns after a
    /// source returns for the program's own sources only. In a process without Foundation's
    /// library, work of the main queue does it, which counts as a source for such a run.
    ///
    /// Call ``run()`` instead of `dispatchMain()`, as it serves the main queue too. On Linux
    /// `dispatchMain()` ends the main thread and runs the queue on others, where the main loop
    /// cannot be served.
    ///
    /// - Parameter mode: The mode in which to serve the loop. Not ``Mode/common``.
    /// - Returns: The hosting, which ``RLHosting/cancel()`` ends. You need not keep it.
    @available(*, noasync)
    @discardableResult
    public func serveInMainQueue(mode: Mode = .default) -> RLHosting {
        checkThread(of: loop, "RLRunLoop.serveInMainQueue(mode:)")
        guard loop === RLRunLoopGetMain() else {
            stopProcess(
                "RLRunLoop.serveInMainQueue(mode:)",
                "only the main run loop can be served in the main queue"
            )
        }
        let descriptor = RLRunLoopBeginHosting(mode.mode.rawValue, .leavesMainQueue, nil)
        if descriptor < 0 {
            stopProcess(
                "RLRunLoop.serveInMainQueue(mode:)",
                "cannot serve the run loop (it is already running or served, or no file descriptor is free): "
                    + describeError(-descriptor)
            )
        }
        return RLHosting(MainHost(descriptor))
    }

    /// The number of callbacks so far except those of observers, which each pass calls.
    private func countServed() -> UInt64 {
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        return numbers.blockCallouts + numbers.source0Callouts + numbers.source1Callouts
            + numbers.timerCallouts + numbers.mainQueueCallouts
    }
}

/// A registration that serves a loop wherever the main dispatch queue is served.
///
/// Ours, no Foundation counterpart.
public struct RLHosting: Sendable {
    private let host: MainHost

    init(_ host: MainHost) {
        self.host = host
    }

    /// Ends the hosting when the main thread next serves it.
    ///
    /// May be called from any thread.
    public func cancel() {
        host.cancel()
    }
}
