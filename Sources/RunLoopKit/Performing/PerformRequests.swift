import CoreRunLoop

/// Requests to perform something in one of some modes of a loop, in the order in which they were
/// made.
///
/// Each waits in a list for each of its modes, so that those of other modes cost nothing. One that
/// is over stays in the lists until they come to it.
struct PerformRequests<Action> {
    final class Request {
        let number: Int
        fileprivate let modes: [RLRunLoop.Mode]
        // Nil when it is over.
        fileprivate(set) var action: Action?

        fileprivate init(_ number: Int, _ modes: [RLRunLoop.Mode], _ action: Action) {
            self.number = number
            self.modes = modes
            self.action = action
        }
    }

    private struct List {
        var requests: [Request] = []
        // Where the first one is that is not over, if there is one.
        var first = 0

        /// Forgets those that are over, up to the first one that is not.
        mutating func settle() {
            while first < requests.count, requests[first].action == nil { first += 1 }
            if first == requests.count {
                requests.removeAll(keepingCapacity: true)
                first = 0
            } else if first > 16 && first > requests.count / 2 {
                requests.removeFirst(first)
                first = 0
            }
        }
    }

    private var lists: [RLRunLoop.Mode: List] = [:]
    private(set) var nextNumber = 0

    /// Adds a request.
    @discardableResult
    mutating func add(_ modes: [RLRunLoop.Mode], _ action: Action) -> Request {
        let request = Request(nextNumber, modes, action)
        nextNumber += 1
        for mode in modes { lists[mode, default: List()].requests.append(request) }
        return request
    }

    /// Ends a request; what it was to do, if it was not over.
    mutating func end(_ request: Request) -> Action? {
        defer {
            request.action = nil
            for mode in request.modes { lists[mode]?.settle() }
        }
        return request.action
    }

    /// The first request of a mode, or of all, or of another one besides.
    func first(in mode: RLRunLoop.Mode, or other: RLRunLoop.Mode?) -> Request? {
        let first = first(in: mode)
        guard let other, let second = self.first(in: other) else { return first }
        return second.number < first?.number ?? .max ? second : first
    }

    private func first(in mode: RLRunLoop.Mode) -> Request? {
        guard let list = lists[mode], list.first < list.requests.count else { return nil }
        return list.requests[list.first]
    }

    /// Whether a mode has none.
    func isEmpty(_ mode: RLRunLoop.Mode) -> Bool {
        first(in: mode) == nil
    }

    /// Those of a mode, or of another one besides, in order.
    func all(in mode: RLRunLoop.Mode, or other: RLRunLoop.Mode?) -> [Request] {
        let modes = other.map { [mode, $0] } ?? [mode]
        return inOrder(modes.lazy.compactMap { lists[$0] })
    }

    /// All, in order.
    var all: [Request] {
        inOrder(lists.values)
    }

    private func inOrder(_ lists: some Sequence<List>) -> [Request] {
        var numbers: Set<Int> = []
        return lists.flatMap(\.requests)
            .filter { $0.action != nil && numbers.insert($0.number).inserted }
            .sorted { $0.number < $1.number }
    }
}
