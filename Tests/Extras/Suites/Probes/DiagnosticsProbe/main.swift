// Programs that are stopped or receive signals. The first argument selects one; the tests compare
// their output.

import CRunLoop.Wrapping
import Glibc
import RunLoopDiagnostics

let probes: [String: () -> Void] = [
    "dump": dumpAtSignal,
    "fork": forkWhileDumping,
    "inspected": beInspectedOrNot,
    "inspected-briefly": openBriefly,
    "inspected-busy": beBusy,
    "inspected-fork": forkWhileInspected,
    "inspected-hung": hangInTimer,
    "inspected-hung-socket": hangInSocket,
    "inspected-named": nameEverything,
    "inspected-spinning": spinOnPipe,
    "inspected-stalling": stallAgainAndAgain,
    "inspected-switched": openAndClose,
    "inspected-reopened": openWhileClosing,
    "signal-for-descriptor": leaveSignalToDescriptor,
    "signal-for-others": leaveSignalsToOthers,
    "signal-given-back": giveSignalBack,
    "signal-named": nameSignal,
    "signal-none": takeNoSignal,
    "signal-shared": shareSignal,
    "signal-taken-over": letSignalBeTakenOver,
    "stall-lines": stallUntilReported,
    "stopped": beStopped,
    "storm": dumpInStorm,
    "threads": listThreads,
]
.merging(
    Part.orders.map { order in
        ("order " + order.map(\.rawValue).joined(separator: " "), { receiveTermination(order) })
    },
    uniquingKeysWith: { $1 }
)

guard CommandLine.arguments.count == 2, let probe = probes[CommandLine.arguments[1]] else {
    print(probes.keys.sorted().joined(separator: "\n"))
    exit(EXIT_FAILURE)
}
probe()

/// A callback during which the process is stopped for longer than a stall.
func beStopped() {
    let reports = Counter()
    let began = RLClockGetNanoseconds()
    let isContinued = Condition(false)
    let monitor = RLStallMonitor(.init(threshold: .milliseconds(20))) { report in
        guard isContinued.withLock({ $0 }) else { return }
        // On a busy machine the callback may be slow by itself; the stop's duration must be
        // excluded.
        let leftOut = .nanoseconds(RLClockGetNanoseconds() - began) - report.duration
        if leftOut < .milliseconds(500) { reports.countUp() }
    }
    monitor.watch(RLRunLoopGetMain())
    RLRunLoop.main.perform {
        stopAndBeContinued()
        let took = RLClockGetNanoseconds() - began
        isContinued.withLock { $0 = true }
        // The callback's duration is the subject: the monitor examines it while it lasts.
        usleep(50_000)
        print("stopped for \(took > 500_000_000 ? "more" : "less") than half a second")
    }
    RLRunLoop.main.run(mode: .default, before: .distantPast)
    // Leaves the monitor time.
    RLRunLoopRunInMode(.defaultMode, 0.2, false)
    print("reports: \(reports.value)")
}

/// A callback that lasts until it has been reported with files and lines.
func stallUntilReported() {
    let reports = Condition("")
    let monitor = RLStallMonitor(.init(findsLines: true)) { report in
        reports.withLock { if $0.isEmpty { $0 = report.description } }
    }
    monitor.watch(RLRunLoopGetMain())
    RLRunLoop.main.perform { holdUp(reports) }
    RLRunLoop.main.run(mode: .default, before: .distantPast)
    monitor.stop()
}

@inline(never) private func holdUp(_ reports: Condition<String>) {
    // In pieces: the signal of backtraces ends one of the waits.
    var report: String?
    while report == nil { report = reports.wait(seconds: 0.1) { $0.isEmpty ? nil : $0 } }
    print(report ?? "")
}

/// Dumps the main loop and a worker's, both in callbacks, into a pipe.
func dumpAtSignal() {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0, (try? RLRunLoopDump.write(at: SIGUSR2, to: ends[1])) != nil else {
        return print("no dump")
    }
    do {
        try RLRunLoopDump.write(at: SIGUSR2)
    } catch {
        print("again: \(error.number == EBUSY ? "busy" : "\(error)")")
    }
    let isHeld = Condition(true)
    let isThere = Condition(false)
    let worker = RLPermanentThread(name: "worker")
    worker.execute { holdOn(isHeld, signalling: isThere) }
    _ = isThere.wait { $0 ? true : nil }
    let source = RLRunLoopSourceCreate {}
    RLRunLoopAddSource(RLRunLoopGetMain(), source, "drawer")
    let readEnd = ends[0]
    RLRunLoop.main.perform {
        print(askForDump(from: readEnd))
    }
    RLRunLoop.main.run(mode: .default, before: .distantPast)
    RLRunLoopDump.end(at: SIGUSR2)
    isHeld.withLock { $0 = false }
    worker.stop()
    worker.join()
    print("ended")
}

@inline(never) @Sendable func askForDump(from descriptor: CInt) -> String {
    kill(getpid(), SIGUSR2)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: bytes, as: UTF8.self).contains("--- end") {
        let count = read(descriptor, &buffer, buffer.count)
        // The signal of backtraces may interrupt.
        if count < 0 && errno != EINTR { break }
        bytes += buffer.prefix(max(0, count))
    }
    return String(decoding: bytes, as: UTF8.self)
}

@inline(never) @Sendable func holdOn(_ isHeld: Condition<Bool>, signalling isThere: Condition<Bool>)
{
    isThere.withLock { $0 = true }
    _ = isHeld.wait { $0 ? nil : true }
}

/// Many signals while threads allocate, print and run loops: handlers must not disturb them.
func dumpInStorm() {
    let dumps = Counter()
    guard (try? RLRunLoopDump.take(at: SIGUSR2, handler: { _ in dumps.countUp() })) != nil else {
        return print("no dumps")
    }
    let workers = (0..<3).map { RLPermanentThread(name: "worker-\($0)") }
    let isOver = Counter()
    for worker in workers { worker.execute { allocate(isOver) } }
    for _ in 0..<2000 { kill(getpid(), SIGUSR2) }
    while dumps.value < 3 { kill(getpid(), SIGUSR2) }
    isOver.countUp()
    for worker in workers { worker.stop() }
    for worker in workers { worker.join() }
    RLRunLoopDump.end(at: SIGUSR2)
    print("dumps: \(dumps.value >= 3)")
}

@Sendable func allocate(_ isOver: Counter) {
    var words: [String] = []
    while isOver.value == 0 {
        words = (0..<50).map { "word \($0) \(words.count)" }
        RLRunLoopRunInMode("nothing", 0, false)
    }
}
