// Counts the words of files. Like new apps, this program is isolated to the main actor by default
// (`.defaultIsolation(MainActor.self)` in the manifest).
//
// usage: main-actor-app FILE...

import Glibc
import RunLoopKit

let counter = WordCounter(paths: Array(CommandLine.arguments.dropFirst()))
counter.start()
exit(RLRunLoop.main.runUntilStopped())

/// Reads files on the main thread, and counts their words on a worker thread.
final class WordCounter: RLObject, RLPortDelegate {
    private let readers: [FileReader]
    private let worker = RLPermanentThread(name: "counter")
    private let results = RLPort()
    private let table = Table()
    private let idleWork = RLIdleQueue()
    private var ticker: RLTimer?
    private var uncounted: Int
    private var longestWord = ""
    private var exitCode: Int32 = 0

    init(paths: [String]) {
        readers = paths.map(FileReader.init(path:))
        uncounted = paths.count
    }

    func start() {
        results.setDelegate(self)
        RLRunLoop.main.add(results, forMode: .common)
        RLNotificationCenter.default.addObserver(forName: .fileWasRead, queue: .main) { note in
            if let reader = note.object as? FileReader { self.count(reader) }
        }
        RLNotificationCenter.default.addObserver(forName: .fileIsUnreadable, queue: .main) { note in
            if let reader = note.object as? FileReader { self.fail(reader.path) }
        }

        ticker = .scheduledTimer(
            timeInterval: 1,
            target: self,
            selector: .tick,
            userInfo: nil,
            repeats: true
        )
        perform(.giveUp, with: "a minute is over", afterDelay: 60)
        RLRunLoop.main.observe(signals: [SIGINT, SIGTERM]) { _, _ in
            self.giveUp(because: "interrupted")
        }
        RLRunLoop.main.observe(.exit, repeats: false) { _, _ in self.table.printTotal() }
        RLRunLoop.main.perform(afterDelay: 0) {
            for reader in self.readers { reader.start() }
            self.finishIfAllAreCounted()
        }
    }

    func tick() {
        print("\(uncounted) file(s) to go")
    }

    func giveUp(because reason: String) {
        print("given up: \(reason)")
        exitCode = 2
        finish()
    }

    func fail(_ path: String) {
        table.add(Row(path: path, words: nil))
        exitCode = 1
        uncounted -= 1
        finishIfAllAreCounted()
    }

    func handle(_ message: RLPortMessage) {
        guard let components = message.components, components.count == 3,
            let path = components[0] as? String,
            let count = components[1] as? Int,
            let longest = components[2] as? String
        else { return }
        table.add(Row(path: path, words: count))
        compare(longest)
        uncounted -= 1
        finishIfAllAreCounted()
    }

    private func count(_ reader: FileReader) {
        let path = reader.path
        let bytes = reader.bytes
        let results = results
        worker.execute {
            guard let words = words(in: bytes) else {
                RLRunLoop.main.perform { self.fail(path) }
                return
            }
            let longest = words.max { $0.count < $1.count } ?? ""
            results.send(before: .distantFuture, components: [path, words.count, longest])
        }
    }

    /// Updates the longest word when the loop is idle.
    private func compare(_ word: String) {
        idleWork.add {
            if word.count > self.longestWord.count { self.longestWord = word }
        }
    }

    private func finishIfAllAreCounted() {
        if uncounted == 0 { finish() }
    }

    private func finish() {
        idleWork.add {
            self.worker.join()
            print("longest word: \(self.longestWord)")
            RLRunLoop.main.stop(withCode: self.exitCode)
        }
        WordCounter.cancelPreviousPerformRequests(withTarget: self)
        ticker?.invalidate()
        results.invalidate()
        worker.stop()
    }
}

extension RLSelector where Target == WordCounter {
    static let tick = RLSelector("tick", WordCounter.tick)
    static let giveUp = RLSelector("giveUp:", WordCounter.giveUp)
}

nonisolated private func words(in bytes: [UInt8]) -> [String]? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.split(whereSeparator: \.isWhitespace).map(String.init)
}

/// Reads a file while the main loop serves other events.
final class FileReader: RLStreamDelegate {
    let path: String
    private(set) var bytes: [UInt8] = []
    private let input: RLInputStream?

    init(path: String) {
        self.path = path
        input = RLInputStream(fileAtPath: path)
    }

    func start() {
        guard let input else { return post(.fileIsUnreadable) }
        input.delegate = self
        input.schedule(in: .main, forMode: .common)
        input.open()
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        switch event {
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = input?.read(&buffer, maxLength: buffer.count) ?? 0
            bytes += buffer.prefix(max(count, 0))
        case .endEncountered:
            stream.close()
            post(.fileWasRead)
        case .errorOccurred:
            stream.close()
            post(.fileIsUnreadable)
        default: break
        }
    }

    private func post(_ name: RLNotification.Name) {
        RLNotificationCenter.default.post(name: name, object: self)
    }
}

extension RLNotification.Name {
    static let fileWasRead = RLNotification.Name("FileReader.fileWasRead")
    static let fileIsUnreadable = RLNotification.Name("FileReader.fileIsUnreadable")
}

struct Row {
    let path: String
    // Nil if the file could not be read or is not UTF-8.
    let words: Int?
}

/// Rows that are added in one pass of the loop are printed together.
final class Table: RLCommitting {
    private var newRows: [Row] = []
    private var total = 0

    func add(_ row: Row) {
        newRows.append(row)
        total += row.words ?? 0
        RLTransaction.current.setNeedsCommit(self)
    }

    func commitChanges() {
        for row in newRows {
            print("\(row.path): \(row.words.map(String.init) ?? "unreadable")")
        }
        newRows = []
    }

    func printTotal() {
        print("total: \(total)")
    }
}
