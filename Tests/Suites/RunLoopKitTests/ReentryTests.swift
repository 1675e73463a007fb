import Glibc
import RunLoopKit
import Testing
import ThreadKit

/// Deinitializers that use the object whose operation releases theirs.
@Suite("A deinitializer") struct ReentryTests {
    @Test("may repeat the operation that releases its object", arguments: Operation.allCases)
    private func isRepeated(_ operation: Operation) async {
        // In its own process: overlapping accesses stop it, and a deadlock would block forever.
        await #expect(processExitsWith: .success) { [operation = operation as Operation] in
            alarm(60)
            let entries = onFreshThread {
                let log = Log<String>()
                operation.perform(log)
                return log.entries
            }
            _exit(entries == operation.entries ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

private enum Operation: CaseIterable, Codable {
    case endTimer, endObserver, endSource, endFileWatch, endListener, removeWork
    case setThreadValue, removeThreadValue, removeThreadValues
    case commit, runAfterCommit

    var entries: [String] {
        switch self {
        case .commit: ["committed", "gone", "committed", "gone", "committed", "gone"]
        case .runAfterCommit: ["committed", "gone"]
        default: ["gone"]
        }
    }

    func perform(_ log: Log<String>) {
        switch self {
        case .setThreadValue, .removeThreadValue, .removeThreadValues: changeDictionary(log)
        case .commit, .runAfterCommit: commit(log)
        default: end(log)
        }
    }

    private func end(_ log: Log<String>) {
        var end: () -> Void = {}
        let make = { Mourner(log) { end() } }
        let loop = RLRunLoop.current
        switch self {
        case .endTimer:
            let timer = RLTimer.scheduledTimer(withTimeInterval: 60, repeats: true) {
                [last = make()] _ in last.hold()
            }
            end = { timer.invalidate() }
        case .endObserver:
            let observer = loop.observe(.exit) { [last = make()] _, _ in last.hold() }
            end = { observer.invalidate() }
        case .endSource:
            let source = loop.addSource { [last = make()] _ in last.hold() }
            end = { source.invalidate() }
        case .endFileWatch:
            guard let watch = try? RLFileWatch(path: "/tmp") else { return }
            watch.observe(in: loop) { [last = make()] _ in last.hold() }
            end = { watch.invalidate() }
        case .endListener:
            guard let listener = try? RLListener(port: 0) else { return }
            listener.accept(in: loop) { [last = make()] _ in last.hold() }
            end = { listener.invalidate() }
        default:
            let queue = RLIdleQueue()
            queue.add { [last = make()] in last.hold() }
            end = { queue.removeAll() }
        }
        end()
    }

    private func changeDictionary(_ log: Log<String>) {
        let dictionary = RLThread.current.threadDictionary
        let change: () -> Void =
            switch self {
            case .setThreadValue: { dictionary["key"] = 1 }
            case .removeThreadValue: { dictionary["key"] = nil }
            default: { dictionary.removeAllObjects() }
            }
        dictionary["key"] = Mourner(log, change)
        change()
    }

    private func commit(_ log: Log<String>) {
        let transaction = RLTransaction.current
        func mark(_ last: Mourner) {
            transaction.setNeedsCommit(last) { log.add("committed") }
        }
        if self == .commit {
            mark(Mourner(log) { mark(Mourner(log) { mark(Mourner(log) {}) }) })
        } else {
            mark(Mourner(log) { RLRunLoop.current.run(mode: .default, before: .distantPast) })
            // An empty mode would not be run.
            RLRunLoop.current.perform(afterDelay: 60) {}
        }
        transaction.flush()
    }
}

extension Mourner {
    fileprivate convenience init(_ log: Log<String>, _ again: @escaping () -> Void) {
        self.init {
            again()
            log.add("gone")
        }
    }
}
