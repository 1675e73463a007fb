// Serves Foundation's own run loop while an RLRunLoop runs.
//
// Most of Foundation needs no service: DispatchQueue.main, OperationQueue.main, the main actor and
// the callbacks of URLSession use the main dispatch queue, which RLRunLoop.main serves. Timers,
// ports and streams that were added to Foundation's RunLoop need the service.

public import Foundation
public import RunLoopKit

extension RLRunLoop {
    /// Serves this thread's Foundation run loop whenever this loop is about to sleep, and when
    /// Foundation's next timer is due.
    ///
    /// ```swift
    /// RLRunLoop.main.serveFoundation()
    /// Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in print("Foundation's") }
    /// RLRunLoop.main.run()
    /// ```
    ///
    /// Foundation's timers fire on time. Foundation's loop does not report sources that are ready,
    /// nor items that other threads add. This loop serves such sources and items in its next pass,
    /// at the latest after `interval`; `RLRunLoopWakeUp` starts a pass.
    ///
    /// - Parameters:
    ///   - foundationMode: The mode in which Foundation's loop runs.
    ///   - modes: The modes of this loop in which Foundation's loop is served.
    ///   - interval: The longest delay of Foundation's sources, at the cost of one wake-up per
    ///     interval; nil for no limit.
    /// - Returns: The service, which `cancel()` ends. You need not retain it.
    @available(*, noasync)
    @discardableResult
    public func serveFoundation(
        foundationMode: RunLoop.Mode = .default,
        in modes: [Mode] = [.common],
        every interval: Duration? = nil
    ) -> FoundationService {
        // The observer sets the fire date. A repeating timer stays valid after it fires.
        let timer = RLTimer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }
        for mode in modes { add(timer, forMode: mode) }
        let observer = observe(.beforeWaiting, in: modes, order: .max) { _, _ in
            let latest =
                interval.map { Date(timeIntervalSinceNow: $0.seconds) } ?? .distantFuture
            let next = RunLoop.current.limitDate(forMode: foundationMode) ?? .distantFuture
            timer.fireDate = min(next, latest)
        }
        return FoundationService(observer: observer, timer: timer.getRLRunLoopTimer())
    }
}

/// Serves Foundation's run loop in an `RLRunLoop`, until ``cancel()`` is called.
public struct FoundationService: Sendable {
    let observer: RLRunLoopObserver
    let timer: RLRunLoopTimerRef

    /// Ends the service; idempotent.
    ///
    /// Thread-safe.
    public func cancel() {
        observer.invalidate()
        RLRunLoopTimerInvalidate(timer)
    }
}
