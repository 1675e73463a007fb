// The requests that a loop's own thread has made and that can be cancelled.

import CoreRunLoop
import FoundationEssentials

/// Requests of one loop.
///
/// Only its thread uses them.
final class PendingPerforms {
    private final class Ordered {
        let key: PerformKey
        let order: Int
        let modes: [RLRunLoop.Mode]
        let perform: () -> Void

        init(
            key: PerformKey,
            order: Int,
            modes: [RLRunLoop.Mode],
            perform: @escaping () -> Void
        ) {
            self.key = key
            self.order = order
            self.modes = modes
            self.perform = perform
        }
    }

    private struct Delayed {
        let key: PerformKey
        let timer: RLTimer
    }

    // As they are to be performed: by order, then by time.
    private var ordered: [Ordered] = []
    // Those whose pass has come, until they are performed or cancelled.
    private var due: [Ordered] = []
    private var delayed: [Delayed] = []
    private var sources: ModeSources

    init(loop: RLRunLoopRef) {
        sources = ModeSources(loop: loop)
    }

    func addOrdered(
        _ key: PerformKey,
        order: Int,
        modes: [RLRunLoop.Mode],
        _ perform: @escaping () -> Void
    ) {
        let request = Ordered(key: key, order: order, modes: modes, perform: perform)
        let place = ordered.firstIndex { $0.order > order } ?? ordered.endIndex
        ordered.insert(request, at: place)
        sources.signal(modes) { RLRunLoop.current.performs.performOrdered() }
        // Sources have had their turn in the pass if it is about to sleep.
        RLRunLoopWakeUp(sources.loop)
    }

    /// Performs what is due in the mode in which the loop runs; what is added meanwhile waits.
    private func performOrdered() {
        guard let current = RLRunLoopCopyCurrentMode(sources.loop).map(RLRunLoop.Mode.init) else {
            return
        }
        let chosen = ordered.filter { sources.isListed(current, in: $0.modes) }
        ordered.removeAll { sources.isListed(current, in: $0.modes) }
        sources.keepOnly(Set(ordered.flatMap(\.modes)))
        due += chosen
        for request in chosen {
            // An earlier one may have cancelled it.
            guard let index = due.firstIndex(where: { $0 === request }) else { continue }
            due.remove(at: index)
            request.perform()
        }
    }

    func cancelOrdered(where isMeant: (PerformKey) -> Bool) {
        let cancelled = (ordered + due).filter { isMeant($0.key) }
        ordered.removeAll { request in cancelled.contains { $0 === request } }
        due.removeAll { request in cancelled.contains { $0 === request } }
        sources.keepOnly(Set(ordered.flatMap(\.modes)))
        // What they held goes now: its end may cancel others.
        withExtendedLifetime(cancelled) {}
    }

    func addDelayed(
        _ key: PerformKey,
        after delay: TimeInterval,
        modes: [RLRunLoop.Mode],
        to loop: RLRunLoop,
        _ perform: @escaping () -> Void
    ) {
        let date = Date(timeIntervalSinceNow: delay)
        let timer = RLTimer(fire: date, interval: 0, repeats: false) { [unowned self] timer in
            delayed.removeAll { $0.timer === timer }
            noteFunction(PlainCallout(perform))
            perform()
        }
        delayed.append(Delayed(key: key, timer: timer))
        for mode in modes { loop.add(timer, forMode: mode) }
    }

    func cancelDelayed(where isMeant: (PerformKey) -> Bool) {
        let cancelled = delayed.filter { isMeant($0.key) }
        delayed.removeAll { isMeant($0.key) }
        for request in cancelled { request.timer.invalidate() }
    }

    deinit {
        // The loop has been torn down. Whoever made these requests expected them to be served.
        for request in delayed { request.timer.invalidate() }
        #if DEBUG
            let count = ordered.count + due.count + delayed.count
            guard count > 0 else { return }
            let names = Set((ordered + due).map(\.key.name) + delayed.map(\.key.name)).sorted()
            warn(
                "perform",
                "thread \(describeCurrentThread()) ended before its run loop performed "
                    + "\(count) request(s): \(names.joined(separator: ", "))"
            )
        #endif
    }
}
