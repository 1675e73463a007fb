import CoreRunLoop

/// Calls a handler whenever a loop is about to sleep or to end a run, and knows whether that moment
/// of a pass is over.
///
/// Work for the handler may come up after that moment, in an observer of a higher order. Then
/// ``keepAwake()`` keeps the loop from sleeping.
final class PassEndObserver {
    private let loop: RLRunLoopRef
    private let handler: (RLRunLoopActivity) -> Void
    private var observer: RLRunLoopObserver?
    // The handler has had its turn in this pass. True at first: the round of observers in which
    // this one was added does not call it.
    private var isPast = true

    /// Observes some modes of the calling thread's loop.
    init(
        _ loop: RLRunLoopRef,
        modes: [RLRunLoop.Mode],
        order: Int,
        handler: @escaping (RLRunLoopActivity) -> Void
    ) {
        self.loop = loop
        self.handler = handler
        let observer = RLRunLoopObserver(
            RLRunLoop.current,
            [.entry, .beforeWaiting, .afterWaiting, .exit],
            true,
            order
        ) { [weak self] _, activity in
            self?.passComes(to: activity)
        }
        self.observer = observer
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

    private func passComes(to activity: RLRunLoopActivity) {
        let isEnd = activity == .beforeWaiting || activity == .exit
        if isEnd {
            noteFunction(PassEndCallout(handler: handler))
            handler(activity)
        }
        isPast = isEnd
    }
}

/// Holds a handler for `noteFunction`.
private struct PassEndCallout {
    let handler: (RLRunLoopActivity) -> Void
}
