// Serving a loop from outside: a little at a time, or inside another event loop.

import CRunLoop.Wrapping
import CoreRunLoop

extension RLRunLoop {
    /// Serves what is ready in a mode, and never sleeps.
    ///
    /// For games and other programs with a main loop of their own: call it once a frame. When
    /// nothing is left to serve, the loop counts as waiting until it runs again: observers of
    /// `beforeWaiting`, ``RLIdleQueue`` and idle notifications are served.
    ///
    /// - Parameters:
    ///   - duration: How long to go on at most while there is more to serve. A callback that is
    ///     under way is not interrupted. Zero: one pass.
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

    /// Performs the work on the main dispatch queue, without Foundation and without running the
    /// loop.
    ///
    /// To be called on the main thread; elsewhere, and in work of the queue, it does nothing.
    ///
    /// - Returns: Whether there was any work.
    @available(*, noasync)
    @discardableResult
    public static func drainMainQueue() -> Bool {
        RLRunLoopDrainMainQueue()
    }

    /// Serves this loop, the main one, where the main dispatch queue is served: for programs in
    /// which other code runs that queue.
    ///
    /// Foundation's `RunLoop.main`, and so a Swift program's `async` main that has loaded
    /// Foundation, runs the queue on the main thread: one call, and timers and sources of this loop
    /// are served there too, without polling. The main loop may still be run at any time, and then
    /// serves the queue as always.
    ///
    /// A source in Foundation's loop does this, so that a run of this loop that returns after a
    /// source does so for the program's own work only. In a process that has not loaded
    /// Foundation's library, work of the main queue does it, which such a run takes for a source.
    ///
    /// `dispatchMain()` on Linux gives the main thread up and runs the queue on others, where no
    /// loop of the main thread can be served: call ``run()`` instead, which serves the main queue
    /// as well.
    ///
    /// - Parameter mode: The mode in which to serve it. Not ``Mode/common``.
    /// - Returns: The hosting, by which to end this: ``RLHosting/cancel()``. It need not be kept.
    @available(*, noasync)
    @discardableResult
    public func serveInMainQueue(mode: Mode = .default) -> RLHosting {
        checkThread(of: loop, "RLRunLoop.serveInMainQueue(mode:)")
        guard loop === RLRunLoopGetMain() else {
            stopProcess(
                "RLRunLoop.serveInMainQueue(mode:)",
                "only the main run loop can be served there"
            )
        }
        let descriptor = RLRunLoopBeginHosting(mode.mode.rawValue, .leavesMainQueue, nil)
        if descriptor < 0 {
            stopProcess(
                "RLRunLoop.serveInMainQueue(mode:)",
                "the run loop runs or is served already, or there are no descriptors: error \(-descriptor)"
            )
        }
        return RLHosting(MainHost(descriptor))
    }

    /// Number of callbacks so far, but for those of observers, which come with any pass.
    private func countServed() -> UInt64 {
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        return numbers.blockCallouts + numbers.source0Callouts + numbers.source1Callouts
            + numbers.timerCallouts + numbers.mainQueueCallouts
    }
}

/// A loop that is served where the main dispatch queue is.
public struct RLHosting: Sendable {
    private let host: MainHost

    init(_ host: MainHost) {
        self.host = host
    }

    /// Ends the hosting, as soon as the main thread comes to that.
    ///
    /// May be called from any thread.
    public func cancel() {
        host.cancel()
    }
}
