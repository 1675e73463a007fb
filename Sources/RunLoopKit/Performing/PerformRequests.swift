import CoreRunLoop

/// The requests in the modes of a loop, in the order of creation.
///
/// A request is in the list of each of its modes, so requests in other modes cost nothing. A list's
/// source is signalled when a request is added. The source is in the loop only while the list has
/// requests, so an empty list does not keep the loop running.
struct PerformRequests<Action> {
    /// The lists of all modes of a request contain the same object.
    final class Request {
        let number: Int
        // The list of the request's first mode, and the lists of its other modes.
        fileprivate let list: Int
        fileprivate let otherLists: [Int]
        // Nil after the request has ended.
        fileprivate(set) var action: Action?

        fileprivate init(_ number: Int, _ list: Int, _ otherLists: [Int], _ action: Action) {
            self.number = number
            self.list = list
            self.otherLists = otherLists
            self.action = action
        }
    }

    /// The requests in a mode's lists whose number is below a limit.
    struct Batch {
        fileprivate let list: Int?
        // The list of the common modes, if the mode is common.
        fileprivate let commonList: Int?
        fileprivate let limit: Int
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

    let loop: RLRunLoopRef
    private let perform: @Sendable () -> Void
    private var lists: [List] = []
    private var places: [RLRunLoop.Mode: Int] = [:]
    // Lists that have become empty, whose sources may still be in the loop.
    private var emptied: [Int] = []
    private var nextNumber = 0

    /// The loop calls `perform` when it runs in a mode that has requests.
    init(loop: RLRunLoopRef, perform: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.perform = perform
    }

    /// Returns nil if `modes` is empty; otherwise the caller must wake the loop.
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

    /// Returns the action, or nil if the request has already ended.
    mutating func end(_ request: Request) -> Action? {
        guard let action = request.action else { return nil }
        request.action = nil
        forget(request.list)
        for list in request.otherLists { forget(list) }
        return action
    }

    private mutating func forget(_ list: Int) {
        lists[list].forgetOne()
        if lists[list].count == 0 { emptied.append(list) }
    }

    func batch(of mode: RLRunLoop.Mode) -> Batch {
        let common = places[.common].flatMap { isIn(mode, lists[$0]) ? $0 : nil }
        return Batch(list: places[mode], commonList: common, limit: nextNumber)
    }

    /// Works only while the list has requests, because then its source is in all common modes.
    private func isIn(_ mode: RLRunLoop.Mode, _ common: List) -> Bool {
        common.isInLoop && RLRunLoopContainsSource(loop, common.source, mode.mode)
    }

    func first(of batch: Batch) -> Request? {
        let first = batch.list.flatMap { lists[$0].first }
        let common = batch.commonList.flatMap { lists[$0].first }
        let earlier = (common?.number ?? .max) < (first?.number ?? .max) ? common : first
        guard let earlier, earlier.number < batch.limit else { return nil }
        return earlier
    }

    /// Returns the remaining requests by ascending number, possibly with duplicates.
    func rest(of batch: Batch) -> [Request] {
        [batch.list, batch.commonList].compactMap { $0 }.flatMap { list in
            lists[list].requests.filter { $0.action != nil && $0.number < batch.limit }
        }.sorted { $0.number < $1.number }
    }

    /// Signals sources, so that a run inside the next action performs the rest of a batch.
    ///
    /// `mutating` avoids a copy of the lists.
    mutating func offerRest(of batch: Batch) {
        if let list = batch.list { lists[list].offer() }
        if let list = batch.commonList { lists[list].offer() }
    }

    /// Contains a request once for each of its modes.
    var all: [Request] {
        // Swift 6.3 crashes on a key path of a generic type like this, so this code uses a closure.
        lists.flatMap { $0.requests }
    }

    mutating func leaveEmptied() {
        for list in emptied where lists[list].count == 0 { lists[list].leave(loop) }
        emptied.removeAll(keepingCapacity: true)
    }
}
