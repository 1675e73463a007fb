import CoreRunLoop
import FoundationEssentials

/// The requests that a loop's own thread makes and can cancel, confined to that thread.
final class PendingPerforms: ThreadBelonging {
    private final class Ordered {
        let key: PerformKey
        let order: Int
        // Nil after the request was cancelled or performed.
        var perform: (() -> Void)?

        init(_ key: PerformKey, _ order: Int, _ perform: @escaping () -> Void) {
            self.key = key
            self.order = order
            self.perform = perform
        }
    }

    private typealias Request = PerformRequests<Ordered>.Request

    private var requests: PerformRequests<Ordered>
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
        // A pass that is about to sleep has already served sources, so it must not sleep.
        RLRunLoopWakeUp(requests.loop)
    }

    /// Performs the due requests; new requests wait for the next pass.
    private func performOrdered() {
        guard let current = RLRunLoopCopyCurrentMode(requests.loop).map(RLRunLoop.Mode.init) else {
            return
        }
        let batch = requests.batch(of: current)
        // Sorted by order, then by creation: sorting is stable.
        let due = requests.rest(of: batch).sorted { $0.action?.order ?? 0 < $1.action?.order ?? 0 }
        for request in due {
            // An earlier request may have cancelled this request, or may have run the loop, which
            // performed it.
            guard let action = requests.end(request), let perform = action.perform else { continue }
            action.perform = nil
            _ = ordered.remove(action.key, request.number)
            requests.offerRest(of: batch)
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
        // Released last, because destructors may cancel other requests.
        withExtendedLifetime(held) {}
    }

    func takeDelayedNumber() -> Int {
        delayedCount += 1
        return delayedCount
    }

    /// `perform` must first call `endDelayed`.
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
                    "thread \(describeCurrentThread()) ended before its run loop "
                        + "performed \(keys.count) request(s), such as \(names[0]): run the "
                        + "loop until the work is done"
                )
            }
        #endif
        // The timers release their blocks themselves.
        delayed = PerformIndex()
        cancel(ordered.all)
    }
}
