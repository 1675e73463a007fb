import CoreRunLoop

/// Calls a handler at the end of each pass, when the loop is about to sleep or its run ends.
///
/// Passes of nested runs that the handler starts count too. Observers with a higher order may add
/// work after the handler's call; ``keepAwake()`` then prevents the sleep.
final class PassEndObserver {
    private let loop: RLRunLoopRef
    private let handler: (RLRunLoopActivity) -> Void
    private(set) var observer: RLRunLoopObserver?
    // Whether the pass is the first of its run, whose `beforeTimers` ends no pass.
    private var isFirstPass = false
    // Whether the handler was already called in this pass. Initially true, because the loop does
    // not call an observer that is added while it calls observers.
    private var isPast = true

    /// With `eachPass`, the handler is also called between two passes without a sleep, at
    /// `beforeTimers` of the second pass.
    init(
        _ loop: RLRunLoopRef,
        modes: [RLRunLoop.Mode],
        order: Int,
        eachPass: Bool = false,
        handler: @escaping (RLRunLoopActivity) -> Void
    ) {
        self.loop = loop
        self.handler = handler
        let activities: RLRunLoopActivity = [.entry, .beforeWaiting, .afterWaiting, .exit]
        let observer = RLRunLoopObserver(
            RLRunLoop.current,
            eachPass ? activities.union(.beforeTimers) : activities,
            true,
            order
        ) { [weak self] _, activity in
            self?.passComes(to: activity)
        }
        self.observer = observer
        // If a handler runs the loop, as for a modal panel, the nested run may call the handler.
        RLRunLoopObserverAllowNesting(observer.reference)
        PermanentObservers.insert(observer.reference)
        for mode in modes { RLRunLoopAddObserver(loop, observer.reference, mode.mode) }
    }

    deinit {
        guard let observer else { return }
        PermanentObservers.remove(observer.reference)
        observer.invalidate()
    }

    /// Wakes the loop if no pass in progress will call the handler; returns whether it woke the
    /// loop.
    ///
    /// If true, the caller needs a ``KeepAliveSource``.
    @discardableResult
    func keepAwake() -> Bool {
        if isPast { RLRunLoopWakeUp(loop) }
        return isPast
    }

    /// At `beforeWaiting` and `exit`, defers work that is added from now on to the next pass.
    func endTurn(at activity: RLRunLoopActivity) {
        isPast = activity == .beforeWaiting || activity == .exit
    }

    private func passComes(to activity: RLRunLoopActivity) {
        let isEnd =
            activity == .beforeWaiting || activity == .exit
            || activity == .beforeTimers && !isFirstPass
        if activity == .entry { isFirstPass = true }
        if activity == .beforeTimers { isFirstPass = false }
        if isEnd {
            noteFunction(PassEndCallout(handler: handler))
            handler(activity)
        }
        endTurn(at: activity)
    }
}

private struct PassEndCallout {
    let handler: (RLRunLoopActivity) -> Void
}
