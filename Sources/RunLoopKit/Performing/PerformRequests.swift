import CoreRunLoop

/// Requests to perform something in one of some modes of a loop, in the order in which they were
/// made.
///
/// Each waits in a list for each of its modes, so that those of other modes cost nothing. A list
/// has a source that is signalled for its requests, and that is in the loop only as long as there
/// are any: a request keeps a loop from running out of work, the possibility of one does not.
struct PerformRequests<Action> {
    /// A request, of which there is one object however many modes it has.
    final class Request {
        let number: Int
        // The list of its first mode, and those of others.
        fileprivate let list: Int
        fileprivate let otherLists: [Int]
        // The action; nil when the request is over.
        fileprivate(set) var action: Action?

        fileprivate init(_ number: Int, _ list: Int, _ otherLists: [Int], _ action: Action) {
            self.number = number
            self.list = list
            self.otherLists = otherLists
            self.action = action
        }
    }

    /// The lists in which requests of a mode wait, for as long as the loop runs in it.
    struct Turn {
        fileprivate let list: Int?
        // That of the common modes, if the mode is one of them.
        fileprivate let commonList: Int?
        fileprivate let limit: Int
    }

    /// The requests of a mode.
    private struct List {
        let mode: RLRunLoop.Mode
        let source: RLRunLoopSourceRef
        private(set) var isInLoop = false
        // Some may be over, as they were performed in another mode. All before `first` are.
        private(set) var requests: [Request] = []
        private var firstIndex = 0
        // Those that are not over.
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

        /// Counts one request less, and removes those that are over when they are more than the
        /// others.
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
    // The places of the lists, by mode.
    private var places: [RLRunLoop.Mode: Int] = [:]
    // Lists that have become empty, and whose sources may still be in the loop.
    private var emptied: [Int] = []
    private var nextNumber = 0

    /// Makes an empty set of requests.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - perform: Called by the loop when it runs in a mode that has requests.
    init(loop: RLRunLoopRef, perform: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.perform = perform
    }

    /// Adds a request, for which the loop, if it sleeps, has to be woken.
    ///
    /// - Returns: The request, or nil if it has no mode, and is never performed.
    @discardableResult
    mutating func add(_ modes: [RLRunLoop.Mode], _ action: Action) -> Request? {
        guard let mode = modes.first else { return nil }
        let request: Request
        if modes.count == 1 {
            request = Request(nextNumber, list(of: mode), [], action)
        } else {
            // A mode that is named twice counts once.
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

    /// Ends a request and returns what it was to do; nil if it was over.
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

    /// The requests that there are for a mode, without those that are still to come.
    func turn(of mode: RLRunLoop.Mode) -> Turn {
        let common = places[.common].flatMap { isIn(mode, lists[$0]) ? $0 : nil }
        return Turn(list: places[mode], commonList: common, limit: nextNumber)
    }

    /// Whether a mode is a common one, if the list of the common modes has requests: its source is
    /// in exactly these.
    private func isIn(_ mode: RLRunLoop.Mode, _ common: List) -> Bool {
        common.isInLoop && RLRunLoopContainsSource(loop, common.source, mode.mode)
    }

    /// The first request that is left of a turn.
    func first(of turn: Turn) -> Request? {
        let first = turn.list.flatMap { lists[$0].first }
        let common = turn.commonList.flatMap { lists[$0].first }
        let earlier = (common?.number ?? .max) < (first?.number ?? .max) ? common : first
        guard let earlier, earlier.number < turn.limit else { return nil }
        return earlier
    }

    /// The requests that are left of a turn, by their numbers; some may be there twice.
    func rest(of turn: Turn) -> [Request] {
        [turn.list, turn.commonList].compactMap { $0 }.flatMap { list in
            lists[list].requests.filter { $0.action != nil && $0.number < turn.limit }
        }.sorted { $0.number < $1.number }
    }

    /// Has a run that the next action makes perform what is left of a turn.
    ///
    /// Mutating, as a copy of the lists would be made otherwise.
    mutating func offerRest(of turn: Turn) {
        if let list = turn.list { lists[list].offer() }
        if let list = turn.commonList { lists[list].offer() }
    }

    /// All requests of all modes, those with several modes more than once.
    var all: [Request] {
        // No key path: Swift 6.3 crashes where it makes one of a generic type like this.
        lists.flatMap { $0.requests }
    }

    /// Takes the sources of modes that have no requests any more out of the loop.
    mutating func leaveEmptied() {
        for list in emptied where lists[list].count == 0 { lists[list].leave(loop) }
        emptied.removeAll(keepingCapacity: true)
    }
}
