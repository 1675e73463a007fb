import CRunLoop.Wrapping
import Glibc
import RunLoopDiagnostics
import Testing
import ThreadKit

/// Each test runs in its own process, and checks that process's signals and threads at the end.
@Suite("Hostile use of monitors and dumps") struct HostileDiagnosticsTests {
    @Test("may begin and end on many threads while loops begin and end") func watchers() async {
        await #expect(processExitsWith: .success) {
            let isOver = Flag()
            let loops = Guarded<[RLRunLoopRef]>([])
            let monitor = makeMonitor()
            let lives = (0..<3).map { _ -> @Sendable () -> Void in
                {
                    for _ in 0..<30 * hostileRounds {
                        onFreshThread { live(loops, monitor) }
                    }
                }
            }
            let lookers: [@Sendable () -> Void] = [
                { while !isOver.isSet { watchForAMoment(loops) } },
                { while !isOver.isSet { _ = RLRunLoopDump().description } },
                { while !isOver.isSet { lookAtThreads(of: loops) } },
                { while !isOver.isSet { changeSignal() } },
                { while !isOver.isSet { forgetEndedLoops(loops, monitor) } },
            ]
            let watching = RLThread { onFreshThreads(lookers) }
            watching.start()
            onFreshThreads(lives)
            isOver.set()
            watching.join()
            monitor.stop()
            waitForThreads(named: "rl-")
            #expect(RLBacktrace.signal == nil)
            #expect(handledSignals() == [])
        }
    }

    @Test("may have the signal changed while it is about to be sent") func changes() async {
        await #expect(processExitsWith: .success) {
            let isOver = Flag()
            let number = Log<Int32>()
            let isThere = Gate()
            // While it blocks the signal, a request for a backtrace waits before it sends.
            let blinking = RLThread {
                number.add(RLThreadGetNumber())
                isThere.open()
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGUSR1)
                while !isOver.isSet {
                    pthread_sigmask(SIG_BLOCK, &signals, nil)
                    sched_yield()
                    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                    sched_yield()
                }
            }
            blinking.start()
            isThere.wait()
            let asking = RLThread {
                while !isOver.isSet { _ = try? RLBacktrace(ofThread: number.entries[0]) }
            }
            asking.start()
            // Without a handler the signal would end the process.
            for _ in 0..<5000 * hostileRounds {
                try? RLBacktrace.use(.signal(SIGUSR1))
                try RLBacktrace.use(.none)
            }
            isOver.set()
            asking.join()
            blinking.join()
            #expect(handledSignals() == [])
        }
    }

    @Test("may trigger dumps by signals that are registered and unregistered meanwhile")
    func dumps() async {
        await #expect(processExitsWith: .success) {
            let first = __libc_current_sigrtmin() + 5
            let dumps = Log<Int>()
            let isOver = Flag()
            let beginners = (0..<3).map { number -> @Sendable () -> Void in
                {
                    for round in 0..<100 * hostileRounds {
                        let signal = first + CInt((round + number) % 2)
                        try? RLRunLoopDump.take(at: signal) { dump in
                            dumps.add(dump.description.utf8.count)
                            // Some end their own dumps, and others end them again.
                            if round % 3 == 0 { RLRunLoopDump.end(at: first) }
                        }
                        sched_yield()
                        RLRunLoopDump.end(at: signal)
                    }
                }
            }
            // The last signals may arrive after the end of the dumps.
            signal(first + 2, SIG_IGN)
            try RLRunLoopDump.take(at: first + 2) { dumps.add($0.description.utf8.count) }
            let asking = RLThread {
                while !isOver.isSet { kill(getpid(), first + 2) }
            }
            asking.start()
            onFreshThreads(beginners)
            isOver.set()
            asking.join()
            for number in first...first + 2 { RLRunLoopDump.end(at: number) }
            signal(first + 2, SIG_DFL)
            #expect(dumps.entries.allSatisfy { $0 > 0 })
            waitForThreads(named: "rl-")
            #expect(handledSignals() == [])
        }
    }
}

private func makeMonitor() -> RLStallMonitor {
    RLStallMonitor(
        .init(
            threshold: .milliseconds(1),
            count: 1,
            longThreshold: .milliseconds(1),
            interval: .zero
        )
    ) { _ in }
}

/// A loop that is watched, works, sleeps, and ends without notice.
@Sendable private func live(
    _ loops: Guarded<[RLRunLoopRef]>,
    _ monitor: RLStallMonitor
) {
    let loop = RLRunLoop.current.getRLRunLoop()
    loops.withLock { $0.append(loop) }
    monitor.watch(loop)
    let timer = RLTimer.scheduledTimer(withTimeInterval: 0.0005, repeats: true) { _ in
        compute(200_000)
    }
    RLRunLoop.current.perform { compute(2_000_000) }
    RLRunLoopRunInMode(.defaultMode, 0.004, false)
    timer.invalidate()
}

private func compute(_ nanoseconds: Int64) {
    let began = RLClockGetNanoseconds()
    while RLClockGetNanoseconds() - began < nanoseconds {}
}

/// Creates a monitor and a tracer for all living loops.
@Sendable private func watchForAMoment(_ loops: Guarded<[RLRunLoopRef]>) {
    let monitor = makeMonitor()
    let tracer = RLRunLoopTracer(capacity: 64)
    for loop in loops.withLock({ $0 }) {
        monitor.watch(loop)
        tracer.start(loop)
    }
    _ = tracer.snapshot().svg()
    for loop in loops.withLock({ $0 }) {
        monitor.unwatch(loop)
        tracer.stop(loop)
    }
}

/// Takes backtraces, also of threads that have ended or are just ending.
@Sendable private func lookAtThreads(of loops: Guarded<[RLRunLoopRef]>) {
    for loop in loops.withLock({ $0 }) {
        var statistics = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &statistics)
        _ = try? RLBacktrace(ofThread: statistics.threadID, timeout: .milliseconds(5))
    }
}

@Sendable private func changeSignal() {
    let choices: [RLBacktrace.SignalChoice] = [
        .automatic, .none, .signal(SIGUSR1), .signal(__libc_current_sigrtmin() + 2),
        .signal(SIGKILL),
    ]
    for choice in choices {
        try? RLBacktrace.use(choice)
        sched_yield()
    }
}

/// Removes ended loops from the list.
@Sendable private func forgetEndedLoops(
    _ loops: Guarded<[RLRunLoopRef]>,
    _ monitor: RLStallMonitor
) {
    let old = loops.withLock { loops in
        let old = Array(loops.dropLast(8))
        loops.removeFirst(old.count)
        return old
    }
    for loop in old {
        monitor.unwatch(loop)
    }
    sched_yield()
}

/// Waits until no thread of the libraries remains.
private func waitForThreads(named beginning: String) {
    while threadNames().contains(where: { $0.hasPrefix(beginning) }) { sched_yield() }
}

private func threadNames() -> [String] {
    guard let folder = opendir("/proc/self/task") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let number = withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let file = fopen("/proc/self/task/\(number)/comm", "r") else { continue }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        if let text = fgets(&line, CInt(line.count), file) { names.append(String(cString: text)) }
    }
    return names
}

/// The tests' signals that have a handler.
private func handledSignals() -> [CInt] {
    ([SIGUSR1] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())).filter { signal in
        var action = sigaction()
        sigaction(signal, nil, &action)
        return action.__sigaction_handler.sa_handler != nil
    }
}
