// Serving a loop from outside: a little at a time, or inside another event loop.

import CRunLoop.Wrapping
import CoreRunLoop
import Dispatch

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

    /// Performs what is on the main dispatch queue, without Foundation and without running the
    /// loop.
    ///
    /// To be called on the main thread; elsewhere, and in work of the queue, it does nothing.
    ///
    /// - Returns: Whether there was any.
    @available(*, noasync)
    @discardableResult
    public static func drainMainQueue() -> Bool {
        RLRunLoopDrainMainQueue()
    }

    /// Serves this loop, the main one, from the main dispatch queue, for programs in which other
    /// code runs that queue.
    ///
    /// Foundation's `RunLoop.main`, and so a Swift program's `async` main that has loaded
    /// Foundation, runs the queue on the main thread: one call, and timers and sources of this loop
    /// are served there too, with no thread and no polling. The main loop may still be run at any
    /// time, and then serves the queue as always.
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
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { [source] in
            // Kept by its own handler, which dispatch lets go of when it is cancelled.
            withExtendedLifetime(source) {}
            let end = ContinuousClock.now + .milliseconds(10)
            while RLRunLoopRunHosted(1) && ContinuousClock.now < end {}
        }
        source.setCancelHandler { RLRunLoopEndHosting() }
        source.activate()
        return RLHosting(source)
    }

    /// How many callbacks there have been, those of observers aside: they come with any pass.
    private func countServed() -> UInt64 {
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        return numbers.blockCallouts + numbers.source0Callouts + numbers.source1Callouts
            + numbers.timerCallouts + numbers.mainQueueCallouts
    }
}

/// A loop that the main dispatch queue serves.
public struct RLHosting: Sendable {
    // Dispatch sources may be cancelled from any thread, and are not declared so.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    init(_ source: any DispatchSourceRead) {
        self.source = source
    }

    /// Ends it, as soon as the main queue comes to it.
    ///
    /// May be called from any thread.
    public func cancel() {
        source.cancel()
    }
}
