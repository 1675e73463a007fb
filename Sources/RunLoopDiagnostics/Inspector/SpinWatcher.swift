import RunLoopKit

/// What spins while somebody watches.
final class SpinWatcher: Sendable {
    /// A report, and what the loop had done at the last look.
    private struct Spin {
        let cause: Cause
        var last: RLRunLoopStatistics
        var time: Int64
    }

    /// Why a loop spins.
    struct Cause {
        /// In a line, without the callback's name.
        let text: String
        /// The item that is called again and again.
        let item: LoopItem?
        /// An address in the callback, if that was caught at work.
        let callback: UInt?
    }

    private let detector: RLSpinDetector
    private let spins: Locked<[Int32: Spin]>

    init() {
        let spins = Locked<[Int32: Spin]>([:])
        self.spins = spins
        detector = RLSpinDetector(.init(), findsPlaces: false) { report in
            guard !report.isGrowth else { return }
            let spin = Spin(
                cause: Cause(
                    text: report.shortText,
                    item: report.busyItem,
                    callback: report.isOfCallback ? report.callback?.address : nil
                ),
                last: report.loop.statistics,
                time: nanoseconds()
            )
            spins.withLock { $0[report.thread] = spin }
        }
    }

    func watch(_ loop: RLRunLoopRef) {
        detector.watch(loop)
    }

    func stop() {
        detector.stop()
    }

    /// Why a loop spins; nil if it does not, or has come to sleep since the report.
    func cause(of loop: RLRunLoopRef) -> Cause? {
        let now = loop.statistics
        let time = nanoseconds()
        return spins.withLock { spins in
            guard var spin = spins[now.threadID] else { return nil }
            let hasSlept = !now.hasHardlySlept(since: spin.last, for: time - spin.time)
            // Too little time to tell.
            if time - spin.time < 50_000_000 { return spin.cause }
            spin.last = now
            spin.time = time
            spins[now.threadID] = hasSlept ? nil : spin
            return hasSlept ? nil : spin.cause
        }
    }
}

extension RLSpinReport {
    fileprivate var isGrowth: Bool {
        if case .growingTimers = cause { true } else { false }
    }

    /// Whether it spins because of what it calls.
    fileprivate var isOfCallback: Bool {
        switch cause {
        case .descriptor, .source, .timer, .blocks, .mainQueue: true
        case .wakeUps, .runs, .growingTimers, .unknown: false
        }
    }

    /// What spins, in a line.
    fileprivate var shortText: String {
        switch cause {
        case .descriptor(let number): return "descriptor \(number) is always ready"
        case .source: return "a source is signalled again and again"
        case .timer: return "a timer is always due"
        case .blocks: return "blocks are added again and again"
        case .mainQueue: return "the main queue always has work"
        case .wakeUps: return "woken again and again for nothing"
        case .runs: return "run again and again without a sleep"
        case .growingTimers, .unknown: return "does not come to sleep"
        }
    }
}
