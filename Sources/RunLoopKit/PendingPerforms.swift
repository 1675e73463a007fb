// The requests that a loop's own thread has made and that can be cancelled.

import CoreRunLoop
import FoundationEssentials

/// Requests of one loop.
///
/// Only its thread uses them.
final class PendingPerforms {
    private struct Ordered {
        let key: PerformKey
        let number: Int
        let source: RLRunLoopSourceRef
    }

    private struct Delayed {
        let key: PerformKey
        let timer: RLTimer
    }

    private var ordered: [Ordered] = []
    private var delayed: [Delayed] = []
    private var nextNumber = 0

    /// Requests for the next pass: a source each, whose order is theirs.
    func addOrdered(
        _ key: PerformKey,
        order: Int,
        modes: [RLRunLoop.Mode],
        to loop: RLRunLoopRef,
        _ perform: @escaping () -> Void
    ) {
        let number = nextNumber
        nextNumber += 1
        // The source holds the action, so the action must not hold the source.
        let action = SourceAction { [unowned self] in
            finishOrdered(number)
            perform()
        }
        let source = action.makeSource(order: order)
        ordered.append(Ordered(key: key, number: number, source: source))
        for mode in modes { RLRunLoopAddSource(loop, source, mode.mode) }
        RLRunLoopSourceSignal(source)
    }

    private func finishOrdered(_ number: Int) {
        guard let index = ordered.firstIndex(where: { $0.number == number }) else { return }
        RLRunLoopSourceInvalidate(ordered.remove(at: index).source)
    }

    func cancelOrdered(where isMeant: (PerformKey) -> Bool) {
        let cancelled = ordered.filter { isMeant($0.key) }
        ordered.removeAll { isMeant($0.key) }
        for request in cancelled { RLRunLoopSourceInvalidate(request.source) }
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
        for request in ordered { RLRunLoopSourceInvalidate(request.source) }
        for request in delayed { request.timer.invalidate() }
        #if DEBUG
            let count = ordered.count + delayed.count
            guard count > 0 else { return }
            let names = Set(ordered.map(\.key.name) + delayed.map(\.key.name)).sorted()
            warn(
                "perform",
                "thread \(describeCurrentThread()) ended before its run loop performed "
                    + "\(count) request(s): \(names.joined(separator: ", "))"
            )
        #endif
    }
}

/// What a version-0 source does whose loop is that of the thread that made it.
private final class SourceAction {
    private let perform: () -> Void

    init(_ perform: @escaping () -> Void) {
        self.perform = perform
    }

    func makeSource(order: Int) -> RLRunLoopSourceRef {
        var context = RLRunLoopSourceContext()
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.retain = { info in
            info.map {
                UnsafeRawPointer(Unmanaged<SourceAction>.fromOpaque($0).retain().toOpaque())
            }
        }
        context.release = { info in
            info.map { Unmanaged<SourceAction>.fromOpaque($0).release() }
        }
        context.perform = { info in
            // The engine holds the source, and so its info, during the call.
            info.map { Unmanaged<SourceAction>.fromOpaque($0).takeUnretainedValue().perform() }
        }
        guard let source = RLRunLoopSourceCreate(kRLAllocatorDefault, order, &context) else {
            stopProcess("perform", "the engine made no source")
        }
        return source
    }
}
