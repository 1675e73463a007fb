import CoreRunLoop

/// The handler of an observed watch; the loop retains the handler and the watch.
final class FileObserver: ThreadBelonging {
    private struct Content {
        let handler: (RLFileWatch.Events) -> Void
        let watch: RLFileWatch
    }

    private var content: Content?

    init(_ watch: RLFileWatch, _ handler: @escaping (RLFileWatch.Events) -> Void) {
        content = Content(handler: handler, watch: watch)
    }

    func call(_ events: RLFileWatch.Events) {
        guard let content else { return }
        noteFunction(content)
        content.handler(events)
    }

    func letGo() {
        // The content is released at the end of this function: destructors may use the watch.
        let given = content
        content = nil
        given?.watch.invalidate()
    }
}

/// The state of a watch: its path, and the receiver of its changes.
final class FileWatchCore: Sendable {
    enum Use {
        case none, handler, tasks
    }

    private struct State {
        // Contains two paths while the watch moves to a loop's queue.
        var paths: [WatchedPath] = []
        var pending: ArraySlice<RLFileWatch.Events> = []
        var delivery: RLRunLoopSourceRef?
        var use = Use.none
        var isOver = false
        // Confined to the loop's thread.
        var observer: FileObserver?
        var owner: RLRunLoopRef?
        var belongings: ThreadBelongings?
        var loopEnd: LoopEnd?
    }

    let unread = Mailbox<RLFileWatch.Events>()
    private let state = Locked(State())

    var isValid: Bool {
        state.withLock { !$0.isOver }
    }

    /// Starts to watch a path, and returns the absolute path.
    func begin(_ path: String, _ events: RLFileWatch.Events) throws(RLSystemError) -> String {
        let queue = try FileEventQueue.join(toWatch: path).get()
        let result = state.withLock { state in
            Result { () throws(RLSystemError) in
                let watched = try WatchedPath(path, events, in: queue, for: self)
                state.paths = [watched]
                return watched.path
            }
        }
        if case .failure = result { queue.leave() }
        return try result.get()
    }

    /// Begins a use of the watch; returns false if tasks already receive the changes.
    func beginUse(_ use: Use, _ call: StaticString) -> Bool {
        let former = state.withLock { state in
            defer { state.use = use }
            return state.use
        }
        if former == .none { return true }
        if former == .tasks && use == .tasks { return false }
        stopProcess(
            "\(call)",
            "the watch already has a handler or a sequence: create another watch"
        )
    }

    func observe(by observer: FileObserver, of runLoop: RLRunLoop) {
        // Proof: only the loop's thread uses the observer.
        nonisolated(unsafe) let observer = observer
        let (loop, belongings) = (runLoop.loop, runLoop.belongings)
        state.withLock { state in
            state.observer = observer
            state.owner = loop
            state.belongings = belongings
        }
        if !isValid { end() }
    }

    /// Ends the watch when the thread of a loop ends.
    func end(with loop: RLRunLoopRef) {
        let loopEnd = LoopEnd { [weak self] in self?.end() }
        state.withLock { $0.loopEnd = loopEnd }
        loopEnd.watch(loop)
    }

    /// Moves the watch to the queue of a loop's mode, which then delivers pending changes.
    func move(to loop: RLRunLoopRef, _ mode: RLRunLoopMode) {
        guard let first = state.withLock({ $0.paths.first }) else { return }
        let queue: FileEventQueue?
        var failure: RLSystemError?
        switch FileEventQueue.join(loop, mode, toWatch: first.path) {
        case .success(let joined): queue = joined
        case .failure(let error): (queue, failure) = (nil, error)
        }
        if let queue {
            // Joins the new queue before draining the old queue, so that no event is lost.
            failure = state.withLock { state -> RLSystemError? in
                guard !state.isOver, let path = state.paths.first else {
                    queue.leave()
                    return nil
                }
                let (moved, error) = path.moved(to: queue, for: self)
                state.paths.append(moved)
                return error == 0 ? nil : RLSystemError(code: error, watching: path.path)
            }
        }
        first.queue.deliver()
        let former = state.withLock { state -> WatchedPath? in
            if failure != nil { state.pending.append(.ended) }
            return state.paths.count > 1 ? state.paths.removeFirst() : nil
        }
        former?.end(for: self)
        if let failure {
            warn(
                "RLFileWatch",
                "the watch has ended: \(failure.description): remove the cause, then create a new watch"
            )
        }
        if state.withLock({ $0.pending.isEmpty }) { return }
        if state.withLock({ $0.use == .tasks }) { return deliverPending() }
        // A source delivers the changes, so that a run that returns after a source returns.
        let source = RLRunLoopSourceCreate { [weak self] in self?.deliverPending() }
        state.withLock { $0.delivery = source }
        RLRunLoopAddSource(loop, source, mode)
        RLRunLoopSourceSignal(source)
        RLRunLoopWakeUp(loop)
        if !isValid { RLRunLoopSourceInvalidate(source) }
    }

    /// Takes an event, on the thread of the queue's loop, or on any thread if the queue has no
    /// loop.
    func take(_ event: RLFileEvents, of use: FileUse?, in queue: FileEventQueue.ID) {
        let events = state.withLock { state -> RLFileWatch.Events in
            guard let index = state.paths.firstIndex(where: { $0.queue.id == queue }) else {
                return []
            }
            let events = state.paths[index].take(event, of: use, for: self)
            if events.isEmpty { return [] }
            if !state.paths[index].queue.isDetached && state.pending.isEmpty { return events }
            state.pending.append(events)
            return []
        }
        if !events.isEmpty { deliver(events) }
    }

    private func deliverPending() {
        if let source = state.withLock({ $0.delivery.take() }) { RLRunLoopSourceInvalidate(source) }
        while let events = state.withLock({ $0.pending.popFirst() }) { deliver(events) }
    }

    private func deliver(_ events: RLFileWatch.Events) {
        var observer: FileObserver?
        state.withLock { observer = $0.observer }
        if let observer {
            observer.call(events)
        } else {
            unread.put(events) { $0.union($1) }
        }
        if events.contains(.ended) { end() }
    }

    func end() {
        var ended = State()
        ended.isOver = true
        state.withLock { state in
            ended.use = state.use
            swap(&state, &ended)
        }
        for path in ended.paths { path.end(for: self) }
        if let source = ended.delivery { RLRunLoopSourceInvalidate(source) }
        ended.loopEnd?.forget()
        if let observer = ended.observer, let loop = ended.owner {
            ended.belongings?.letGo(of: observer, on: loop)
        }
        unread.finish()
    }
}
