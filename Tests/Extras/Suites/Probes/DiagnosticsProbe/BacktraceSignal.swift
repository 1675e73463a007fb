import CLinux
import CRunLoop.Wrapping
import Glibc
import RunLoopDiagnostics

/// The signal that would be chosen if it were unused.
private let first = __libc_current_sigrtmax() - 1

private func setOf(_ signals: CInt...) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
}

private func handler(of signal: CInt) -> UInt? {
    var action = sigaction()
    sigaction(signal, nil, &action)
    let address = unsafeBitCast(action.__sigaction_handler.sa_sigaction, to: UInt.self)
    return address == 0 ? nil : address
}

private func setHandler(of signal: CInt, _ handler: @escaping @convention(c) (CInt) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    sigaction(signal, &action, nil)
}

/// The report of a stall of the main loop, whose callback lasts until the report.
private func reportOfStall(_ monitor: Monitor) -> RLStallReport {
    monitor.monitor.watch(RLRunLoopGetMain())
    RLRunLoop.main.perform { _ = monitor.report.wait { $0 } }
    RLRunLoop.main.run(mode: .default, before: .distantPast)
    defer { monitor.report.withLock { $0 = nil } }
    return monitor.report.wait { $0 }
}

/// A monitor that keeps the first report of each stall.
private final class Monitor: Sendable {
    let report: Condition<RLStallReport?>
    let monitor: RLStallMonitor

    init() {
        let report = Condition<RLStallReport?>(nil)
        self.report = report
        monitor = RLStallMonitor(
            .init(threshold: .milliseconds(10), longThreshold: .milliseconds(50), interval: .zero)
        ) { made in
            if made.stage == .ongoing && made.kind == .long { report.withLock { $0 = made } }
        }
    }
}

extension RLStallReport {
    /// Whether there is a backtrace, or the reason for its absence.
    fileprivate var outcome: String {
        switch backtrace {
        case .success: "stack"
        case .failure(let failure): "\(failure)"
        }
    }
}

/// Sends twenty signals to a signalfd, with a stall in between.
func leaveSignalToDescriptor() {
    var mine = setOf(first)
    pthread_sigmask(SIG_BLOCK, &mine, nil)
    let descriptor = signalfd(-1, &mine, CInt(SFD_NONBLOCK))
    let monitor = Monitor()
    for number in 0..<20 {
        if number == 10 { print(reportOfStall(monitor).outcome) }
        kill(getpid(), first)
    }
    var arrived = 0
    var bytes = [UInt8](repeating: 0, count: 128)
    while read(descriptor, &bytes, bytes.count) == bytes.count { arrived += 1 }
    print("arrived: \(arrived), taken: \(RLBacktrace.signal == first)")
}

/// Signals that are ignored, have a handler, are awaited by one thread, are received by a signalfd
/// only, or are blocked by one thread.
func leaveSignalsToOthers() {
    signal(first, SIG_IGN)
    setHandler(of: first - 1) { _ in }
    let waiter = RLPermanentThread(name: "waiter")
    let thread = Condition<pid_t?>(nil)
    waiter.execute {
        var awaited = setOf(first - 2)
        pthread_sigmask(SIG_BLOCK, &awaited, nil)
        thread.withLock { $0 = RLThreadGetNumber() }
        var number: CInt = 0
        sigwait(&awaited, &number)
    }
    // A thread that waits for a signal does not block it meanwhile.
    while isBlocked(first - 2, by: thread.wait { $0 }) { sched_yield() }
    var taken = setOf(first - 3)
    let descriptor = signalfd(-1, &taken, 0)
    let blocker = RLPermanentThread(name: "blocker")
    blocker.execute(waitUntilDone: true) {
        var blocked = setOf(first - 4)
        // Only this signal: a thread that blocks most signals does not count.
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
    }
    let monitor = Monitor()
    print("chosen: \(first - (RLBacktrace.signal ?? 0)) below")
    print(reportOfStall(monitor).outcome)
    close(descriptor)
}

private func isBlocked(_ signal: CInt, by thread: pid_t) -> Bool {
    guard let file = fopen("/proc/self/task/\(thread)/status", "r") else { return false }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while let text = fgets(&line, CInt(line.count), file) {
        let words = String(cString: text).split(whereSeparator: \.isWhitespace)
        guard words.first == "SigBlk:", let mask = words.last else { continue }
        return (UInt64(mask, radix: 16) ?? 0) >> UInt64(signal - 1) & 1 == 1
    }
    return false
}

/// The signal is released by one monitor, by two, and by a single backtrace.
func giveSignalBack() {
    let (one, other) = (Monitor(), Monitor())
    print(reportOfStall(one).outcome)
    print("taken: \(RLBacktrace.signal == first && handler(of: first) != nil)")
    one.monitor.stop()
    one.monitor.stop()
    print("still taken: \(handler(of: first) != nil)")
    other.monitor.stop()
    print("given back: \(RLBacktrace.signal == nil && handler(of: first) == nil)")
    print("frames: \((try? RLBacktrace(ofThread: RLThreadGetNumber())) != nil)")
    print("given back: \(RLBacktrace.signal == nil && handler(of: first) == nil)")
    do {
        let last = Monitor()
        withExtendedLifetime(last) { print("taken: \(handler(of: first) != nil)") }
    }
    // Its thread may be examining loops.
    while handler(of: first) != nil { sched_yield() }
    print("given back")
}

/// A thread that blocks all signals unblocks this one while two monitors watch its loop.
func shareSignal() {
    var all = sigset_t()
    sigfillset(&all)
    let worker = RLPermanentThread(name: "worker")
    worker.execute(waitUntilDone: true) { [all] in
        var all = all
        pthread_sigmask(SIG_SETMASK, &all, nil)
    }
    let monitors = [Monitor(), Monitor()]
    let signal = RLBacktrace.signal ?? 0
    for monitor in monitors { monitor.monitor.watch(worker.runLoop) }
    let isBlocked: @Sendable () -> Bool = {
        var now = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &now)
        return sigismember(&now, signal) == 1
    }
    for number in 0...2 {
        let answer = Condition<Bool?>(nil)
        // In the second pass: the stopped heartbeat's request comes first.
        worker.execute(waitUntilDone: true) {}
        worker.execute { answer.withLock { $0 = isBlocked() } }
        print("blocked: \(answer.wait { $0 })")
        if number < 2 { monitors[number].monitor.stop() }
    }
    worker.stop()
    worker.join()
}

/// A signal that the client selects, and invalid selections.
func nameSignal() {
    setHandler(of: SIGUSR2) { _ in }
    for number in [SIGKILL, 0, -1, SIGUSR2] {
        do {
            try RLBacktrace.use(.signal(number))
        } catch {
            print("\(number): \(error.number == EBUSY ? "busy" : "invalid")")
        }
    }
    let monitor = Monitor()
    do { try RLBacktrace.use(.signal(SIGUSR1)) } catch { print("\(error)") }
    print("\(reportOfStall(monitor).outcome) by \(RLBacktrace.signal == SIGUSR1)")
    print("first one is free: \(handler(of: first) == nil)")
    do { try RLBacktrace.use(.automatic) } catch { print("\(error)") }
    print("\(reportOfStall(monitor).outcome) by \(RLBacktrace.signal == first)")
    print("SIGUSR1 is free: \(handler(of: SIGUSR1) == nil)")
}

/// A callback that must not be interrupted.
func takeNoSignal() {
    let monitor = Monitor()
    do { try RLBacktrace.use(.none) } catch { print("\(error)") }
    monitor.monitor.watch(RLRunLoopGetMain())
    RLRunLoop.main.perform {
        // Loops until the report, and counts interruptions.
        var interruptions = 0
        while monitor.report.withLock({ $0 == nil }) {
            if poll(nil, 0, 10) != 0 { interruptions += 1 }
        }
        print("interruptions: \(interruptions)")
    }
    RLRunLoop.main.run(mode: .default, before: .distantPast)
    print(monitor.report.wait { $0 }.outcome)
    print("nothing taken: \(RLBacktrace.signal == nil && handler(of: first) == nil)")
    print("dump: \(RLRunLoopDump().description.contains("--- end of run loops"))")
}

private let calls = Counter()

/// A client that installs a handler for the monitor's signal, and one that sends the signal.
func letSignalBeTakenOver() {
    let monitor = Monitor()
    print(reportOfStall(monitor).outcome)
    setHandler(of: first) { _ in calls.countUp() }
    print(reportOfStall(monitor).outcome)
    print(reportOfStall(monitor).outcome)
    monitor.monitor.stop()
    raise(first)
    print("calls: \(calls.value), handler stays: \(handler(of: first) != nil)")

    let next = Monitor()
    let signal = RLBacktrace.signal ?? 0
    print(reportOfStall(next).outcome)
    kill(getpid(), signal)
    print(reportOfStall(next).outcome)
    do { try RLBacktrace.use(.automatic) } catch { print("\(error)") }
    print(reportOfStall(next).outcome)
}
