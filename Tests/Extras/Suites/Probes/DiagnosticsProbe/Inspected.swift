import Glibc
import ProcessKit
import RunLoopDiagnostics

// Programs for the inspector. They print a line when they are ready, and exit at EOF of their
// standard input.

/// A main loop that sleeps; only the environment opens the inspector.
func beInspectedOrNot() {
    announce()
    runUntilInputEnds()
}

/// A main loop that sleeps.
///
/// A call opens the inspector, lines of input close and reopen it, and before that it is closed
/// repeatedly before its thread has started.
func openAndClose() {
    openBriefly()
    print(RLInspector.isRunning, RLInspector.start(), RLInspector.isRunning)
    announce()
    while let line = readLine() {
        if line == "stop" { RLInspector.stop() }
        if line == "start" { RLInspector.start() }
        print(line, RLInspector.isRunning)
        announce()
    }
}

func openBriefly() {
    for _ in 0..<1000 {
        RLInspector.start()
        RLInspector.stop()
    }
}

/// One thread opens the inspector while another one waits for the end of the inspector's thread.
func openWhileClosing() {
    RLInspector.start()
    while !isOtherLoopAsleep() { sched_yield() }
    let isBusy = Condition(false)
    let mayEnd = Condition(false)
    for loop in [RLRunLoopRef](RLRunLoopCopyAllLoops()) where loop !== RLRunLoopGetMain() {
        RLRunLoopPerformBlock(loop, .defaultMode) {
            isBusy.withLock { $0 = true }
            _ = mayEnd.wait { $0 ? true : nil }
        }
        RLRunLoopWakeUp(loop)
    }
    _ = isBusy.wait { $0 ? true : nil }
    let closer = RLThread { RLInspector.stop() }
    closer.start()
    while RLInspector.isRunning { sched_yield() }
    let opener = RLThread { RLInspector.start() }
    opener.start()
    // That it does not open early is the subject: without waiting it would open soon.
    for _ in 0..<100 where !RLInspector.isRunning { usleep(1000) }
    mayEnd.withLock { $0 = true }
    closer.join()
    opener.join()
    announce()
    while readLine() != nil {}
}

/// A main loop that hangs in a timer's callback.
func hangInTimer() {
    RLInspector.start()
    let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent()) { _ in waitForEver() }
    RLRunLoopAddTimer(RLRunLoopGetMain(), timer, .defaultMode)
    RLRunLoopRun()
}

/// A main loop that hangs in the callback of a socket.
func hangInSocket() {
    RLInspector.start()
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0,
        write(ends[1], "x", 1) == 1
    else { return }
    let socket = RLSocketCreateWithNative(ends[0], callBackTypes: .readCallBack) { _, _ in
        waitForEver()
    }
    let source = RLSocketCreateRunLoopSource(nil, socket, 0)
    RLRunLoopAddSource(RLRunLoopGetMain(), source, .defaultMode)
    RLRunLoopRun()
}

/// A main loop with a timer of a millisecond and a source in a mode of its own, and a thread's loop
/// that sleeps.
func beBusy() {
    RLInspector.start()
    let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent(), interval: 0.001) { _ in
        ringBell()
    }
    RLRunLoopAddTimer(RLRunLoopGetMain(), timer, .defaultMode)
    RLRunLoopAddSource(RLRunLoopGetMain(), RLRunLoopSourceCreate { ringBell() }, "drawer")
    let worker = RLPermanentThread(name: "worker")
    worker.execute(waitUntilDone: true) {}
    announce()
    runUntilInputEnds()
    withExtendedLifetime(worker) {}
}

/// A main loop that never sleeps, as nobody reads a pipe's byte.
func spinOnPipe() {
    RLInspector.start()
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0, write(ends[1], "x", 1) == 1 else { return }
    let source = RLRunLoopSourceCreate(descriptor: ends[0]) { _ in ringBell() }
    RLRunLoopAddSource(RLRunLoopGetMain(), source, .defaultMode)
    announce()
    runUntilInputEnds()
}

/// A main loop with a timer whose callback repeatedly takes too long.
func stallAgainAndAgain() {
    RLInspector.start()
    let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent(), interval: 0.001) { _ in
        takeLong()
    }
    RLRunLoopAddTimer(RLRunLoopGetMain(), timer, .defaultMode)
    announce()
    runUntilInputEnds()
}

/// A main loop that stalls in a mode, and a thread's loop, with hostile names: they would clear the
/// screen, break lines and reverse text.
func nameEverything() {
    RLInspector.start()
    let hostile = "\u{1B}[2J\r\n\u{9B}3J\u{202E}"
    let worker = RLPermanentThread(name: hostile)
    worker.execute(waitUntilDone: true) {}
    let mode = RLRunLoopMode("mode\(hostile)--- end of run loops")
    let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent(), interval: 0.001) { _ in
        takeLong()
    }
    // Stalls are watched in common modes.
    RLRunLoopAddCommonMode(RLRunLoopGetMain(), mode)
    RLRunLoopAddTimer(RLRunLoopGetMain(), timer, mode)
    let input = RLRunLoopSourceCreate(descriptor: STDIN_FILENO) { _ in exit(0) }
    RLRunLoopAddSource(RLRunLoopGetMain(), input, mode)
    announce()
    while true { RLRunLoopRunInMode(mode, .infinity, false) }
}

@inline(never) private func takeLong() {
    // The callback's duration is the subject; the signal of backtraces ends a sleep.
    for _ in 0..<20 { usleep(5_000) }
}

private let rings = Counter()

@inline(never) private func ringBell() {
    rings.countUp()
}

@inline(never) private func waitForEver() {
    announce()
    // The signal of backtraces ends `pause`.
    while true { pause() }
}

/// Two processes: the child of fork has no inspector until it starts one.
func forkWhileInspected() {
    RLInspector.start()
    // Swift's runtime has locks for first uses, which the child might inherit locked.
    while !isOtherLoopAsleep() { sched_yield() }
    let child = forkProcess()
    guard child == 0 else {
        waitpid(child, nil, 0)
        return
    }
    print("child", RLInspector.isRunning, RLInspector.start())
    announce()
    while readLine() != nil {}
    _exit(0)
}

/// Whether the inspector's loop sleeps.
private func isOtherLoopAsleep() -> Bool {
    [RLRunLoopRef](RLRunLoopCopyAllLoops()).contains {
        $0 !== RLRunLoopGetMain() && RLRunLoopIsWaiting($0)
    }
}

func announce() {
    print("ready \(getpid())")
    fflush(nil)
}

func runUntilInputEnds() {
    let source = RLRunLoopSourceCreate(descriptor: STDIN_FILENO) { _ in exit(0) }
    RLRunLoopAddSource(RLRunLoopGetMain(), source, .defaultMode)
    RLRunLoopRun()
}
