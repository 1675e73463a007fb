// RunLoopKit and Foundation side by side: what Foundation's own run loop serves, while ours runs.
//
// Most of Foundation needs nothing: DispatchQueue.main, OperationQueue.main, the main actor and the
// callbacks of URLSession come by the main dispatch queue, which RLRunLoop.main serves. What is
// left are timers, ports and streams that were added to Foundation's RunLoop.

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
    /// Foundation's timers fire on time. Its sources, and items that other threads add, are served
    /// in the next pass of this loop, which `RLRunLoopWakeUp` starts, or after `interval` at the
    /// latest, because Foundation's loop does not report them.
    ///
    /// - Parameters:
    ///   - foundationMode: The mode in which Foundation's loop runs.
    ///   - modes: The modes of this loop in which that happens.
    ///   - interval: The longest delay of Foundation's sources, at the cost of one wake-up per
    ///     interval; nil if there are no sources.
    /// - Returns: The service, which `cancel()` ends. You need not keep it.
    @available(*, noasync)
    @discardableResult
    public func serveFoundation(
        foundationMode: RunLoop.Mode = .default,
        in modes: [Mode] = [.common],
        every interval: Duration? = nil
    ) -> FoundationService {
        // Its own date is set before each sleep; as a repeating one it stays valid after firing.
        let alarm = RLTimer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }
        for mode in modes { add(alarm, forMode: mode) }
        let observer = observe(.beforeWaiting, in: modes, order: .max) { _, _ in
            let latest =
                interval.map { Date(timeIntervalSinceNow: $0.seconds) } ?? .distantFuture
            let next = RunLoop.current.limitDate(forMode: foundationMode) ?? .distantFuture
            alarm.fireDate = min(next, latest)
        }
        return FoundationService(observer: observer, alarm: alarm.getRLRunLoopTimer())
    }
}

/// Foundation's run loop being served by another.
public struct FoundationService: Sendable {
    let observer: RLRunLoopObserver
    let alarm: RLRunLoopTimerRef

    /// Ends the service.
    ///
    /// May be called from any thread.
    public func cancel() {
        observer.invalidate()
        RLRunLoopTimerInvalidate(alarm)
    }
}
