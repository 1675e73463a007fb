// The requests that a loop's own thread has made and that can be cancelled.

import CoreRunLoop
import FoundationEssentials

/// Requests of one loop.
///
/// Only its thread uses them.
final class PendingPerforms: ThreadBelonging {
    private final class Ordered {
        let key: PerformKey
        let order: Int
        // Nil when it is cancelled, or performed.
        var perform: (() -> Void)?

        init(_ key: PerformKey, _ order: Int, _ perform: @escaping () -> Void) {
            self.key = key
            self.order = order
            self.perform = perform
        }
    }

    private typealias Request = PerformRequests<Ordered>.Request

    // The requests whose turn has not come.
    private var requests: PerformRequests<Ordered>
    // The same, to be found when they are cancelled.
    private var ordered = PerformIndex<(Request, Ordered)>()
    private var delayed = PerformIndex<RLRunLoopTimerRef>()
    private var delayedCount = 0

    init(loop: RLRunLoopRef) {
        requests = PerformRequests(loop: loop) { RLRunLoop.current.performs.performOrdered() }
    }

    func addOrdered(
        _ key: PerformKey,
        order: Int,
        modes: [RLRunLoop.Mode],
        _ perform: @escaping () -> Void
    ) {
        let action = Ordered(key, order, perform)
        guard let request = requests.add(modes, action) else { return }
        ordered.insert((request, action), key, request.number)
        // If the pass is about to sleep, sources have had their turn in it.
        RLRunLoopWakeUp(requests.loop)
    }

    /// Performs the requests that are due in the loop's present mode; those added meanwhile wait.
    private func performOrdered() {
        guard let current = RLRunLoopCopyCurrentMode(requests.loop).map(RLRunLoop.Mode.init) else {
            return
        }
        let turn = requests.turn(of: current)
        // By order, and equal ones as they were made: sorting is stable.
        let due = requests.rest(of: turn).sorted { $0.action?.order ?? 0 < $1.action?.order ?? 0 }
        for request in due {
            // An earlier one may have cancelled it, or run the loop, which has performed it.
            guard let action = requests.end(request), let perform = action.perform else { continue }
            action.perform = nil
            _ = ordered.remove(action.key, request.number)
            requests.offerRest(of: turn)
            perform()
        }
        requests.leaveEmptied()
    }

    func cancelOrdered(_ target: AnyObject) {
        cancel(ordered.removeAll(of: target))
    }

    func cancelOrdered(_ key: PerformKey) {
        cancel(ordered.removeAll(key))
    }

    private func cancel(_ cancelled: [(Request, Ordered)]) {
        var held: [(() -> Void)?] = []
        for (request, action) in cancelled {
            held.append(action.perform)
            action.perform = nil
            _ = requests.end(request)
        }
        requests.leaveEmptied()
        // Releases what they held only now, as that may cancel other requests.
        withExtendedLifetime(held) {}
    }

    /// The number of a delayed request that is to be added.
    func takeDelayedNumber() -> Int {
        delayedCount += 1
        return delayedCount
    }

    /// Adds a delayed request, whose block begins by `endDelayed`.
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
        _ = delayed.remove(key, number)
    }

    func cancelDelayed(_ target: AnyObject) {
        for timer in delayed.removeAll(of: target) { RLRunLoopTimerInvalidate(timer) }
    }

    func cancelDelayed(_ key: PerformKey) {
        for timer in delayed.removeAll(key) { RLRunLoopTimerInvalidate(timer) }
    }

    func letGo() {
        #if DEBUG
            let keys = ordered.keys + delayed.keys
            if !keys.isEmpty {
                let names = Set(keys.map(\.name)).sorted()
                hint(
                    "RLRunLoop.perform",
                    "thread \(describeCurrentThread()) ended before its run loop performed "
                        + "\(keys.count) request(s): \(names.joined(separator: ", "))"
                )
            }
        #endif
        // The timers let go of what they hold themselves.
        delayed = PerformIndex()
        cancel(ordered.all)
    }
}
