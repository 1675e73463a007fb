import FoundationEssentials
import Glibc
import RunLoopConcurrency
import RunLoopDiagnostics
import RunLoopNetworking

/// The objects that a program makes before it receives SIGTERM.
enum Part: String, CaseIterable {
    case worker, client, foreign, signals

    static var orders: [[Part]] {
        allCases.flatMap { first in
            allCases.filter { $0 != first }.map { second in
                [first, second] + allCases.filter { $0 != first && $0 != second }
            }
        }
    }
}

/// Makes a worker, a client, a thread of its own and a sequence of signals in some order, and
/// receives SIGTERM.
func receiveTermination(_ order: [Part]) {
    let worker = Condition<RLPermanentThread?>(nil)
    let client = Condition<RLHTTPClient?>(nil)
    for part in order {
        switch part {
        case .worker:
            let thread = RLPermanentThread(name: "worker")
            thread.execute(waitUntilDone: true) {}
            worker.withLock { $0 = thread }
        case .client: client.withLock { $0 = RLHTTPClient() }
        case .foreign: startForeignThread()
        case .signals:
            let signals = RLSignals([SIGTERM])
            Task.detached {
                for await signal in signals {
                    print("received signal \(signal.number)")
                    RLRunLoop.main.stop()
                }
            }
        }
    }
    kill(getpid(), SIGTERM)
    RLRunLoop.main.runUntilStopped()
}

/// Starts a thread that blocks no signals, as other libraries do.
private func startForeignThread() {
    var thread = pthread_t()
    pthread_create(&thread, nil, { _ in while true { pause() } }, nil)
}

/// Makes each of the libraries' threads, and prints their signal masks.
func listThreads() {
    let worker = RLPermanentThread(name: "worker")
    let isThere = Condition(false)
    let thread = RLThread {
        isThere.withLock { $0 = true }
        _ = isThere.wait { $0 ? nil : true }
    }
    thread.name = "thread"
    thread.start()
    _ = isThere.wait { $0 ? true : nil }
    let client = RLHTTPClient()
    let monitor = RLStallMonitor { _ in }
    monitor.watch(worker.runLoop)
    RLInspector.start()
    _ = try? RLRunLoopDump.write(at: SIGUSR2)
    worker.execute(waitUntilDone: true) {}
    let isKnown = Condition(false)
    Task.detached {
        if let nobody = URL(string: "http://127.0.0.1:1/") {
            _ = try? await client.response(for: RLHTTPRequest(url: nobody))
        }
        isKnown.withLock { $0 = true }
    }
    _ = isKnown.wait { $0 ? true : nil }
    // The threads set their names, and unblock their signals.
    let isListed: (String, String) -> Bool = { name, end in
        threads().contains { $0.hasPrefix("\(name) ") && "\($0) ".contains(" \(end) ") }
    }
    while !isListed("rl-inspector", "takes") || !isListed("rl-dumps", "\(SIGUSR2)") {
        sched_yield()
    }
    print(threads().sorted().joined(separator: "\n"))
    withExtendedLifetime((worker, client, monitor)) {}
}

/// The names of all threads except the main one, each with its unblocked signals.
private func threads() -> [String] {
    guard let folder = opendir("/proc/self/task") else { return [] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
        let number = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { atoi($0) }
        }
        if number > 0 && number != getpid(), let line = describe(number) { found.append(line) }
    }
    return found
}

/// Nil if the thread has ended.
private func describe(_ thread: pid_t) -> String? {
    let lines = read("/proc/self/task/\(thread)/status").split(separator: "\n")
    if lines.isEmpty { return nil }
    func value(_ name: String) -> Substring {
        let line = lines.first { $0.hasPrefix(name + ":") } ?? ""
        return line.split(separator: "\t").last ?? ""
    }
    let blocked = UInt64(value("SigBlk"), radix: 16) ?? 0
    let taken = (1...64).filter { blocked >> UInt64($0 - 1) & 1 == 0 }
    return "\(value("Name")) takes \(taken.map(String.init).joined(separator: " "))"
}

private func read(_ path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
}
