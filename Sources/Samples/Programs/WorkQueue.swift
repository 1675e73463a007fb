// A work queue: threads add up the bytes of files, and a bar shows the progress. On Control-C, the
// program prints the results so far, then exits.
//
//     work-queue FILE...

import Glibc
import RunLoopKit

/// The files, which the main actor assigns to workers, and the results.
@MainActor final class Queue {
    private var waiting: [String]
    private let count: Int
    private var sums: [(path: String, sum: UInt64?)] = []
    private var workers: [RLPermanentThread] = []
    private var busy = 0
    private var isCancelled = false

    init(_ paths: [String]) {
        waiting = paths.reversed()
        count = paths.count
    }

    func start(threads: Int) {
        workers = (1...threads).map { RLPermanentThread(name: "worker \($0)") }
        workers.forEach(handOut)
    }

    private func handOut(to worker: RLPermanentThread) {
        guard !isCancelled, let path = waiting.popLast() else {
            if busy == 0 { RLRunLoop.main.stop(withCode: isCancelled ? 130 : EXIT_SUCCESS) }
            return
        }
        busy += 1
        worker.execute {
            let sum = addUp(path)
            RLRunLoop.main.perform { [self] in
                busy -= 1
                sums.append((path, sum))
                handOut(to: worker)
            }
        }
    }

    /// Cancels the remaining files; workers read their current files to the end.
    func cancel() {
        isCancelled = true
        // `fflush(nil)` would wait for the streams that the workers read.
        show("stopping: \(busy) to finish\n", on: STDOUT_FILENO)
        if busy == 0 { RLRunLoop.main.stop(withCode: 130) }
    }

    func showProgress() {
        let done = 40 * sums.count / max(1, count)
        let bar = String(repeating: "#", count: done) + String(repeating: ".", count: 40 - done)
        show("\r[\(bar)] \(sums.count) of \(count)", on: STDERR_FILENO)
    }

    private func show(_ text: String, on descriptor: CInt) {
        _ = write(descriptor, text, text.utf8.count)
    }

    func finish() {
        showProgress()
        show("\n", on: STDERR_FILENO)
        for worker in workers { worker.stop() }
        for worker in workers { worker.join() }
        for (path, sum) in sums.sorted(by: { $0.path < $1.path }) {
            print(sum.map { "\($0)" } ?? "unreadable", path)
        }
    }
}

/// Adds up the bytes of a file on a worker thread.
private func addUp(_ path: String) -> UInt64? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var sum: UInt64 = 0
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
        for byte in buffer.prefix(count) { sum &+= UInt64(byte) }
    }
    return ferror(file) == 0 ? sum : nil
}

let paths = Array(CommandLine.arguments.dropFirst())
if paths.isEmpty {
    print("usage: \(CommandLine.arguments[0]) FILE...")
    exit(EXIT_FAILURE)
}
let queue = Queue(paths)
let bar = RLTimer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { _ in queue.showProgress() }
RLRunLoop.main.observe(signals: [SIGINT, SIGTERM]) { _, _ in queue.cancel() }
queue.start(threads: max(2, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN)))))
let code = RLRunLoop.main.runUntilStopped()
bar.invalidate()
queue.finish()
exit(code)
