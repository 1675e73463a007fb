import CoreRunLoop
import FoundationEssentials

/// The requests that a thread's loop performs in order, each in its modes.
///
/// A thread has a queue for the requests of other threads, and a queue for the requests that the
/// thread itself makes and can cancel.
///
/// A request is in the list of each of its modes, so requests in other modes cost nothing. A list's
/// source is signalled when a request is added. The source is in the loop only while the list has
/// requests, so an empty list does not keep the loop running.
final class PerformQueue: ThreadBelonging, @unchecked Sendable {
    // Proof: the requests are in a `Locked`. Only the loop's thread uses the indexes, and adds and
    // takes the blocks that are not `Sendable`.

    private struct Action {
        let block: () -> Void
        var completion: Condition<Bool?>?
        var wait: MutualWait?
        var own: Own?
    }

    /// The part of an action that only a request of the loop's own thread has.
    private final class Own {
        let key: PerformKey
        let number: Int
        let order: Int

        init(_ key: PerformKey, _ number: Int, _ order: Int) {
            self.key = key
            self.number = number
            self.order = order
        }
    }

    /// The lists of all modes of a request contain the same object.
    private final class Request {
        let number: Int
        // The list of the request's first mode, and the lists of its other modes.
        let list: Int
        let otherLists: [Int]
        // Nil after the request has ended.
        var action: Action?

        init(_ number: Int, _ list: Int, _ otherLists: [Int], _ action: Action) {
            self.number = number
            self.list = list
            self.otherLists = otherLists
            self.action = action
        }

        var order: Int { action?.own?.order ?? 0 }
    }

    /// The requests in a mode's lists whose numbers are below a limit.
    private struct Batch {
        var list: Int?
        // The list of the common modes, if the mode is common.
        var commonList: Int?
        var limit = 0
        // The requests, the next last; nil if the requests are performed in the order of the lists.
        var sorted: [Request]?
    }

    private struct List {
        let mode: RLRunLoop.Mode
        let source: RLRunLoopSourceRef
        private(set) var isInLoop = false
        // May contain requests that have ended, because they were performed in another mode. All
        // requests before `firstIndex` have ended.
        private(set) var requests: [Request] = []
        private var firstIndex = 0
        // The number of requests that have not ended.
        private(set) var count = 0

        init(_ mode: RLRunLoop.Mode, perform: @escaping @Sendable () -> Void) {
            self.mode = mode
            source = RLRunLoopSourceCreate(perform: perform)
        }

        var first: Request? { count == 0 ? nil : requests[firstIndex] }

        mutating func add(_ request: Request, _ loop: RLRunLoopRef) {
            requests.append(request)
            count += 1
            if !isInLoop { RLRunLoopAddSource(loop, source, mode.mode) }
            isInLoop = true
            RLRunLoopSourceSignal(source)
        }

        mutating func forgetOne() {
            count -= 1
            if count == 0 || requests.count > 2 * count + 16 {
                requests.removeAll { $0.action == nil }
                firstIndex = 0
            } else {
                while requests[firstIndex].action == nil { firstIndex += 1 }
            }
        }

        func offer() {
            if count > 0 { RLRunLoopSourceSignal(source) }
        }

        mutating func leave(_ loop: RLRunLoopRef) {
            if isInLoop { RLRunLoopRemoveSource(loop, source, mode.mode) }
            isInLoop = false
        }
    }

    private struct State {
        let loop: RLRunLoopRef
        private let perform: @Sendable () -> Void
        private var lists: [List] = []
        private var places: [RLRunLoop.Mode: Int] = [:]
        // Lists that have become empty, whose sources may still be in the loop.
        private var emptied: [Int] = []
        private var nextNumber = 0
        private var hasOrders = false
        // False after the final request was added: later requests would never be performed.
        var takesBlocks = true
        // The waits for running blocks, which must end if such a block ends the thread.
        var running: [Condition<Bool?>] = []

        init(_ loop: RLRunLoopRef, perform: @escaping @Sendable () -> Void) {
            self.loop = loop
            self.perform = perform
        }

        /// Adds a request, after which the caller must wake the loop; returns nil if `modes` is
        /// empty.
        @discardableResult
        mutating func add(_ modes: [RLRunLoop.Mode], _ action: Action) -> Request? {
            guard let mode = modes.first else { return nil }
            let request: Request
            if modes.count == 1 {
                request = Request(nextNumber, list(of: mode), [], action)
            } else {
                // A mode that is listed twice counts once.
                let all = Set(modes).map { list(of: $0) }
                request = Request(nextNumber, all[0], Array(all.dropFirst()), action)
            }
            if let own = action.own, own.order != 0 { hasOrders = true }
            nextNumber += 1
            lists[request.list].add(request, loop)
            for list in request.otherLists { lists[list].add(request, loop) }
            return request
        }

        private mutating func list(of mode: RLRunLoop.Mode) -> Int {
            if let place = places[mode] { return place }
            lists.append(List(mode, perform: perform))
            places[mode] = lists.count - 1
            return lists.count - 1
        }

        /// Ends a request; returns its action, or nil if the request has already ended.
        mutating func end(_ request: Request) -> Action? {
            guard let action = request.action else { return nil }
            request.action = nil
            forget(request.list)
            for list in request.otherLists { forget(list) }
            return action
        }

        mutating func endAll() -> [Action] {
            let actions = lists.flatMap(\.requests).compactMap { end($0) }
            leaveEmptied()
            return actions
        }

        private mutating func forget(_ list: Int) {
            lists[list].forgetOne()
            if lists[list].count == 0 { emptied.append(list) }
        }

        func batch(of mode: RLRunLoop.Mode) -> Batch {
            let common = places[.common].flatMap { isIn(mode, lists[$0]) ? $0 : nil }
            var batch = Batch(list: places[mode], commonList: common, limit: nextNumber)
            if hasOrders { batch.sorted = sorted(batch) }
            return batch
        }

        /// Returns whether the mode is common.
        ///
        /// Works only while the list has requests, because then its source is in all common modes.
        private func isIn(_ mode: RLRunLoop.Mode, _ common: List) -> Bool {
            common.isInLoop && RLRunLoopContainsSource(loop, common.source, mode.mode)
        }

        /// Returns the requests, possibly with duplicates, the next last.
        private func sorted(_ batch: Batch) -> [Request] {
            [batch.list, batch.commonList].compactMap { $0 }.flatMap { list in
                lists[list].requests.filter { $0.action != nil }
            }.sorted { ($0.order, $0.number) > ($1.order, $1.number) }
        }

        func next(of batch: inout Batch) -> Request? {
            guard batch.sorted != nil else { return first(of: batch) }
            while let request = batch.sorted?.popLast() {
                // An earlier request may have cancelled this request, or may have run the loop,
                // which performed it.
                if request.action != nil { return request }
            }
            return nil
        }

        private func first(of batch: Batch) -> Request? {
            let first = batch.list.flatMap { lists[$0].first }
            let common = batch.commonList.flatMap { lists[$0].first }
            let earlier = (common?.number ?? .max) < (first?.number ?? .max) ? common : first
            guard let earlier, earlier.number < batch.limit else { return nil }
            return earlier
        }

        /// Signals sources, so that a run inside the next action performs the rest of a batch.
        ///
        /// `mutating` avoids a copy of the lists.
        mutating func offerRest(of batch: Batch) {
            if let list = batch.list { lists[list].offer() }
            if let list = batch.commonList { lists[list].offer() }
        }

        mutating func leaveEmptied() {
            for list in emptied where lists[list].count == 0 { lists[list].leave(loop) }
            emptied.removeAll(keepingCapacity: true)
        }
    }

    /// Values of own requests, indexed by key, and by number within a key.
    ///
    /// A removal returns the keys too: their release executes the client's code, which may use the
    /// index.
    private struct Index<Value> {
        typealias Entry = (key: PerformKey, value: [Int: Value])

        private var entries: [ObjectIdentifier: [PerformKey: [Int: Value]]] = [:]

        mutating func insert(_ value: Value, _ key: PerformKey, _ number: Int) {
            entries[key.target, default: [:]][key, default: [:]][number] = value
        }

        /// Removes a value; returns its key after the last removal.
        mutating func remove(_ key: PerformKey, _ number: Int) -> PerformKey? {
            // Uses indices, so that each key is hashed once.
            guard let target = entries.index(forKey: key.target),
                let place = entries.values[target].index(forKey: key)
            else { return nil }
            _ = entries.values[target].values[place].removeValue(forKey: number)
            guard entries.values[target].values[place].isEmpty else { return nil }
            return remove(at: place, of: target).key
        }

        /// Removes the values of a target with a key, or all values of the target.
        mutating func removeAll(of target: AnyObject, _ key: PerformKey?) -> [Entry] {
            guard let target = entries.index(forKey: ObjectIdentifier(target)) else { return [] }
            guard let key else { return Array(entries.remove(at: target).value) }
            guard let place = entries.values[target].index(forKey: key) else { return [] }
            return [remove(at: place, of: target)]
        }

        private mutating func remove(
            at place: [PerformKey: [Int: Value]].Index,
            of target: [ObjectIdentifier: [PerformKey: [Int: Value]]].Index
        ) -> Entry {
            let removed = entries.values[target].remove(at: place)
            if entries.values[target].isEmpty { entries.remove(at: target) }
            return removed
        }

        static func inOrder(_ removed: [Entry]) -> [Value] {
            removed.flatMap(\.value).sorted { $0.key < $1.key }.map(\.value)
        }

        var names: [String] {
            entries.values.flatMap { $0.flatMap { key, values in values.map { _ in key.name } } }
        }
    }

    // Nil after the end of the loop, because the loop must be released on its own thread, and not by
    // the last release of the thread's object.
    private let state = Locked<State?>(nil)
    // Not in `state`, because comparing and releasing keys executes the client's code.
    private var ordered = Index<Request>()
    private var delayed = Index<RLRunLoopTimerRef>()
    private var ownCount = 0

    /// Creates a queue for a wrapper of the loop, which calls ``letGo()`` when the thread ends.
    init(_ loop: RLRunLoopRef) {
        // A weak reference would slow down each use of the queue.
        state.withLock { $0 = State(loop) { RLRunLoop.current.performs.perform() } }
    }

    /// Creates a queue for the requests of other threads.
    init(forOtherThreads loop: RLRunLoopRef) {
        state.withLock { $0 = State(loop) { [weak self] in self?.perform() } }
        // The loop retains the `LoopEnd`.
        LoopEnd { [weak self] in self?.letGo() }.watch(loop)
    }

    /// Nil if the thread has ended.
    var loop: RLRunLoopRef? {
        state.withLock { $0?.loop }
    }

    // --- Requests of any thread ---

    var takesBlocks: Bool {
        state.withLock { $0?.takesBlocks ?? false }
    }

    /// Adds a request; returns false if the thread has ended, or if the final block (`isLast`) was
    /// already queued.
    func add(
        modes: [RLRunLoop.Mode],
        completion: Condition<Bool?>? = nil,
        wait: MutualWait? = nil,
        isLast: Bool = false,
        block: @escaping @Sendable () -> Void
    ) -> Bool {
        let loop: RLRunLoopRef? = state.withLock { state in
            guard state?.takesBlocks == true else { return nil }
            state?.add(modes, Action(block: block, completion: completion, wait: wait))
            state?.takesBlocks = !isLast
            return state?.loop
        }
        guard let loop else { return false }
        RLRunLoopWakeUp(loop)
        return true
    }

    // --- Requests of the loop's own thread ---

    func addOrdered(
        _ key: PerformKey,
        order: Int,
        modes: [RLRunLoop.Mode],
        _ perform: @escaping () -> Void
    ) {
        let number = takeNumber()
        let action = Action(block: perform, own: Own(key, number, order))
        var request: Request?
        state.withLock { request = $0?.add(modes, action) }
        guard let request else { return }
        ordered.insert(request, key, number)
        // A pass that is about to sleep has already served sources, so it must not sleep.
        RLRunLoopWakeUp(loop)
    }

    /// Cancels the ordered requests of a target with a key, or all of them.
    func cancelOrdered(of target: AnyObject, _ key: PerformKey? = nil) {
        let removed = ordered.removeAll(of: target, key)
        // The blocks are released last and without the lock, because destructors may cancel other
        // requests.
        var held: [Action] = []
        state.withLock { state in
            for request in Index.inOrder(removed) {
                if let action = state?.end(request) { held.append(action) }
            }
            state?.leaveEmptied()
        }
        withExtendedLifetime((held, removed)) {}
    }

    func takeNumber() -> Int {
        ownCount += 1
        return ownCount
    }

    /// Adds a delayed request; `perform` must first call `endDelayed`.
    func addDelayed(
        _ key: PerformKey,
        _ number: Int,
        after delay: TimeInterval,
        modes: [RLRunLoop.Mode],
        to loop: RLRunLoop,
        _ perform: @escaping () -> Void
    ) {
        let timer = DelayedBlock.schedule(in: loop, modes, after: delay, perform)
        delayed.insert(timer, key, number)
    }

    func endDelayed(_ key: PerformKey, _ number: Int) {
        let former = delayed.remove(key, number)
        withExtendedLifetime(former) {}
    }

    /// Cancels the delayed requests of a target with a key, or all of them.
    func cancelDelayed(of target: AnyObject, _ key: PerformKey? = nil) {
        let removed = delayed.removeAll(of: target, key)
        for timer in Index.inOrder(removed) { RLRunLoopTimerInvalidate(timer) }
    }

    // --- Calls ---

    /// Performs the requests of the current mode, on the loop's thread.
    private func perform() {
        guard let loop, let mode = RLRunLoopCopyCurrentMode(loop) else { return }
        // Requests that are added during this call wait for the next pass.
        var batch = Batch()
        state.withLock { batch = $0?.batch(of: RLRunLoop.Mode(mode)) ?? batch }
        while let action = take(&batch) {
            let former = action.own.flatMap { ordered.remove($0.key, $0.number) }
            noteFunction(action)
            action.wait?.serve()
            action.block()
            if let completion = action.completion { complete(completion) }
            withExtendedLifetime(former) {}
        }
    }

    private func take(_ batch: inout Batch) -> Action? {
        var taken: Action?
        state.withLock { state in
            guard let request = state?.next(of: &batch) else {
                state?.leaveEmptied()
                return
            }
            taken = state?.end(request)
            state?.offerRest(of: batch)
            if let completion = taken?.completion { state?.running.append(completion) }
        }
        return taken
    }

    private func complete(_ completion: Condition<Bool?>) {
        // Blocks that started later were nested in this block, and have ended.
        state.withLock { _ = $0?.running.popLast() }
        completion.withLock { $0 = true }
    }

    /// Drops the remaining requests when the thread ends.
    func letGo() {
        var former: State?
        state.withLock { swap(&former, &$0) }
        let left = former?.endAll() ?? []
        for completion in (former?.running ?? []) + left.compactMap(\.completion) {
            completion.withLock { $0 = false }
        }
        hintAtLeft(left)
        // The timers release their blocks themselves.
        var (formerOrdered, formerDelayed) = (Index<Request>(), Index<RLRunLoopTimerRef>())
        swap(&formerOrdered, &ordered)
        swap(&formerDelayed, &delayed)
    }

    private func hintAtLeft(_ left: [Action]) {
        #if DEBUG
            let count = left.filter { $0.completion == nil && $0.own == nil }.count
            if count > 0 {
                hint(
                    "RLThread.perform",
                    "thread \(describeCurrentThread()) ended before its run loop performed "
                        + "\(count) request(s) of other threads: run the loop until the work is done"
                )
            }
            let names = left.compactMap(\.own?.key.name) + delayed.names
            if let first = names.min() {
                hint(
                    "RLRunLoop.perform",
                    "thread \(describeCurrentThread()) ended before its run loop "
                        + "performed \(names.count) request(s), such as \(first): run the "
                        + "loop until the work is done"
                )
            }
        #endif
    }
}
