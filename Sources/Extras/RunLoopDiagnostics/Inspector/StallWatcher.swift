import RunLoopKit

final class StallWatcher: Sendable {
    private struct Notes {
        /// The number of the first element of `reports`.
        var first = 0
        var reports: [RLStallReport] = []
    }

    /// The maximum number of watchers, because each watcher has a monitor.
    static let most = 8

    /// The maximum number of undelivered reports; further reports are dropped.
    private static let mostReports = 200

    private let monitor: RLStallMonitor
    private let notes: Locked<Notes>

    /// Also watches for five callbacks in a row that each take a fifth of the threshold.
    init(threshold: Duration) {
        let notes = Locked(Notes())
        self.notes = notes
        let short = max(.milliseconds(1), threshold / 5)
        monitor = RLStallMonitor(
            .init(threshold: short, longThreshold: max(short, threshold), interval: .zero)
        ) { report in
            notes.withLock { notes in
                notes.reports.append(report)
                guard notes.reports.count > Self.mostReports else { return }
                notes.reports.removeFirst()
                notes.first += 1
            }
        }
    }

    func watch(_ loop: RLRunLoopRef) {
        monitor.watch(loop)
    }

    func stop() {
        monitor.stop()
    }

    func reports(from number: Int) -> (reports: [RLStallReport], next: Int) {
        notes.withLock { notes in
            let skipped = min(max(0, number - notes.first), notes.reports.count)
            let reports = Array(notes.reports[skipped...])
            return (reports, notes.first + notes.reports.count)
        }
    }
}
