import RunLoopKit

/// The stalls that one viewer looks for.
final class StallWatcher: Sendable {
    private struct Notes {
        /// The number of the first of `reports`.
        var first = 0
        var reports: [RLStallReport] = []
    }

    /// The most viewers that may look for stalls at once: each has a monitor of its own.
    static let most = 8

    /// The most reports that wait for a viewer.
    private static let mostReports = 200

    private let monitor: RLStallMonitor
    private let notes: Locked<Notes>

    /// Looks for callbacks that take so long, or a fifth of it five times in a row.
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

    /// The reports from a number on, and the number of the next one.
    func reports(from number: Int) -> (reports: [RLStallReport], next: Int) {
        notes.withLock { notes in
            let skipped = min(max(0, number - notes.first), notes.reports.count)
            let reports = Array(notes.reports[skipped...])
            return (reports, notes.first + notes.reports.count)
        }
    }
}
