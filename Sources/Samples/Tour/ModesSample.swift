import CoreRunLoop
import Synchronization

/// A timer that stops while a list is scrolled, and a timer that continues.
struct ModesSample: Sample {
    let name = "modes"
    let summary = "a timer that stops in tracking mode, and one in common modes that does not"

    func run(_ trace: Trace) throws {
        let loop = RLRunLoopGetCurrent()
        let ordinary = Ticker("the default-mode timer", trace)
        let common = Ticker("the common-modes timer", trace)
        let timers = (ordinary: ordinary.makeTimer(), common: common.makeTimer())
        let tracking: RLRunLoopMode = "tracking"
        RLRunLoopAddCommonMode(loop, tracking)
        RLRunLoopAddTimer(loop, timers.ordinary, .defaultMode)
        RLRunLoopAddTimer(loop, timers.common, .commonModes)

        trace.remark("in default mode:")
        run(.defaultMode, until: [ordinary, common])
        trace.check(ordinary.count > 0 && common.count > 0, "both timers fire in default mode")

        trace.remark("in tracking mode:")
        let before = ordinary.count
        run(tracking, until: [common])
        trace.check(ordinary.count == before, "the default-mode timer rests in tracking mode")
        trace.check(common.count > 0, "the common-modes timer fires in tracking mode")

        trace.remark("in default mode again:")
        run(.defaultMode, until: [ordinary])
        trace.check(ordinary.count > 0, "the default-mode timer fires afterwards")
        RLRunLoopTimerInvalidate(timers.ordinary)
        RLRunLoopTimerInvalidate(timers.common)
    }

    private func run(_ mode: RLRunLoopMode, until tickers: [Ticker]) {
        for ticker in tickers { ticker.reset() }
        while tickers.contains(where: { $0.count < 2 }) {
            guard RLRunLoopRunInMode(mode, 0.005, false) == .timedOut else { return }
        }
    }
}

private final class Ticker: Sendable {
    private let name: String
    private let trace: Trace
    private let firings = Atomic(0)

    init(_ name: String, _ trace: Trace) {
        self.name = name
        self.trace = trace
    }

    func makeTimer() -> RLRunLoopTimerRef {
        RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent() + 0.01, interval: 0.01) { _ in
            self.firings.add(1, ordering: .relaxed)
            self.trace.event("\(self.name) fires")
        }
    }

    var count: Int { firings.load(ordering: .relaxed) }

    func reset() {
        firings.store(0, ordering: .relaxed)
    }
}
