import CoreRunLoop

/// Why a timer stops while a list is scrolled, and what to do about it.
struct ModesSample: Sample {
    let name = "modes"
    let summary = "a timer that stops in tracking mode, and one in common modes that does not"

    func run(_ trace: Trace) throws {
        let loop = try unwrap(RLRunLoopGetCurrent(), "There is no loop.")
        let ordinary = Ticker("the default-mode timer", trace)
        let common = Ticker("the common-modes timer", trace)
        RLRunLoopAddCommonMode(loop, .tracking)
        RLRunLoopAddTimer(loop, ordinary.timer, .defaultMode)
        RLRunLoopAddTimer(loop, common.timer, .commonModes)

        trace.remark("in default mode:")
        run(.defaultMode, until: [ordinary, common])
        trace.check(ordinary.count > 0 && common.count > 0, "both timers fire in default mode")

        trace.remark("in tracking mode:")
        let before = ordinary.count
        run(.tracking, until: [common])
        trace.check(ordinary.count == before, "the default-mode timer rests in tracking mode")
        trace.check(common.count > 0, "the common-modes timer fires in tracking mode")

        trace.remark("in default mode again:")
        run(.defaultMode, until: [ordinary])
        trace.check(ordinary.count > 0, "the default-mode timer fires afterwards")
        ordinary.stop()
        common.stop()
    }

    /// Runs the loop in a mode until each ticker fired twice more.
    private func run(_ mode: RLRunLoopMode, until tickers: [Ticker]) {
        for ticker in tickers { ticker.reset() }
        while tickers.contains(where: { $0.count < 2 }) {
            guard RLRunLoopRunInMode(mode, 0.005, false) == .timedOut else { return }
        }
    }
}

/// A timer that counts how often it fired.
private final class Ticker: Sendable {
    let timer: RLRunLoopTimerRef
    private let firings = Counter()

    init(_ name: String, _ trace: Trace) {
        let fireDate = RLAbsoluteTimeGetCurrent() + 0.01
        timer = RLRunLoopTimerCreate(fireDate: fireDate, interval: 0.01) { [firings] _ in
            firings.countUp()
            trace.event("\(name) fires")
        }
    }

    var count: Int { firings.value }

    func reset() {
        firings.reset()
    }

    func stop() {
        RLRunLoopTimerInvalidate(timer)
    }
}
