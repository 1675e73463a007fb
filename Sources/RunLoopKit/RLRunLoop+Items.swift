// What is in a loop: timers and observers.

public import CoreRunLoop

extension RLRunLoop {
    /// Adds a timer to a mode, or to all common modes.
    ///
    /// Ignored if the timer is invalid or in another loop.
    ///
    /// Foundation: RunLoop.add(_:forMode:).
    public func add(_ timer: RLTimer, forMode mode: Mode) {
        guard isOwnThread(of: loop, "RLRunLoop.add(_:forMode:)") else { return }
        RLRunLoopAddTimer(loop, timer.timer, mode.mode)
    }

    /// Removes a timer from a mode, or from all common modes.
    ///
    /// It stays valid.
    ///
    /// Foundation has no such function; CF: CFRunLoopRemoveTimer.
    public func remove(_ timer: RLTimer, forMode mode: Mode) {
        guard isOwnThread(of: loop, "RLRunLoop.remove(_:forMode:)") else { return }
        RLRunLoopRemoveTimer(loop, timer.timer, mode.mode)
    }

    /// Has a closure called whenever the loop comes to certain activities.
    ///
    /// ```swift
    /// let observer = RLRunLoop.current.observe(.beforeWaiting) { _, _ in commit() }
    /// ```
    ///
    /// - Parameters:
    ///   - activities: The activities.
    ///   - modes: In which modes; by default all common modes.
    ///   - repeats: Whether it goes on after its first call.
    ///   - order: The place among observers; lower ones are called first.
    ///   - handler: Called on the loop's thread with the observer and the activity.
    /// - Returns: The observer. It stays in the loop until it is invalidated.
    @discardableResult
    public func observe(
        _ activities: RLRunLoopActivity,
        in modes: [Mode] = [.common],
        repeats: Bool = true,
        order: Int = 0,
        handler: @escaping (RLRunLoopObserver, RLRunLoopActivity) -> Void
    ) -> RLRunLoopObserver {
        let observer = RLRunLoopObserver(activities, repeats, order, handler)
        if isOwnThread(of: loop, "RLRunLoop.observe(_:in:repeats:order:handler:)") {
            for mode in modes { RLRunLoopAddObserver(loop, observer.reference, mode.mode) }
        }
        return observer
    }
}
