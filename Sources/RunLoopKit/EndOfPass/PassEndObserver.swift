import CoreRunLoop

/// Calls a handler when a pass of a loop ends, and knows whether that moment of the pass is over.
///
/// It is called for the passes of a run that the handler itself makes, too.
///
/// A pass ends when the loop is about to sleep or its run ends. Work for the handler may come up
/// after that moment, in an observer of a higher order. Then ``keepAwake()`` keeps the loop from
/// sleeping.
final class PassEndObserver {
    private let loop: RLRunLoopRef
    private let handler: (RLRunLoopActivity) -> Void
    private(set) var observer: RLRunLoopObserver?
    // The pass that begins is the first of its run: no pass ends there.
    private var isFirstPass = false
    // The handler has had its turn in this pass. True at first: the round of observers in which
    // this one was added does not call it.
    private var isPast = true

    /// Observes some modes of the calling thread's loop.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - modes: The modes.
    ///   - order: The place among the observers of a mode.
    ///   - eachPass: Whether to call the handler also between two passes without a sleep: at
    ///     `beforeTimers` of the second.
    ///   - handler: Called with the activity at which the pass ends.
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
        // Work that comes up while the handler runs the loop, as a modal panel does, must not wait.
        RLRunLoopObserverAllowNesting(observer.reference)
        PermanentObservers.insert(observer.reference)
        for mode in modes { RLRunLoopAddObserver(loop, observer.reference, mode.mode) }
    }

    deinit {
        guard let observer else { return }
        PermanentObservers.remove(observer.reference)
        observer.invalidate()
    }

    /// Makes sure that the handler is called before the loop sleeps.
    ///
    /// - Returns: Whether no pass under way will call the handler: see ``KeepAliveSource``.
    @discardableResult
    func keepAwake() -> Bool {
        if isPast { RLRunLoopWakeUp(loop) }
        return isPast
    }

    /// Has what the handler brings up from now on wait for the next pass.
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

/// Holds a handler for `noteFunction`.
private struct PassEndCallout {
    let handler: (RLRunLoopActivity) -> Void
}
