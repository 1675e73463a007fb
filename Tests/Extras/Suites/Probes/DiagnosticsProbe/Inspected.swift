import Glibc
import ProcessKit
import RunLoopDiagnostics

// Programs that are looked into. They say a line when they are as the test wants them, and end
// when their standard input does.

/// A main loop that sleeps; inspected only by the environment.
func beInspectedOrNot() {
    announce()
    runUntilInputEnds()
}

/// A main loop that sleeps, opened by a call, closed and opened again at lines of input; before
/// that, closed again and again before the inspector's thread has begun.
func openAndClose() {
    for _ in 0..<100 {
        RLInspector.start()
        RLInspector.stop()
    }
    print(RLInspector.isRunning, RLInspector.start(), RLInspector.isRunning)
    announce()
    while let line = readLine() {
        if line == "stop" { RLInspector.stop() }
        if line == "start" { RLInspector.start() }
        print(line, RLInspector.isRunning)
        announce()
    }
}

/// Opened by one thread while another one waits for the end of the inspector's thread.
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
    // That it does not come too early is the subject: if it did not wait, it would soon be there.
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

/// A main loop with a timer of a millisecond and a source in a mode of its own, and the loop of a
/// thread that sleeps.
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

/// A main loop that never sleeps: a pipe has a byte that nobody reads.
func spinOnPipe() {
    RLInspector.start()
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0, write(ends[1], "x", 1) == 1 else { return }
    let source = RLRunLoopSourceCreate(descriptor: ends[0]) { _ in ringBell() }
    RLRunLoopAddSource(RLRunLoopGetMain(), source, .defaultMode)
    announce()
    runUntilInputEnds()
}

/// A main loop with a timer whose callback takes too long, again and again.
func stallAgainAndAgain() {
    RLInspector.start()
    let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent(), interval: 0.001) { _ in
        takeLong()
    }
    RLRunLoopAddTimer(RLRunLoopGetMain(), timer, .defaultMode)
    announce()
    runUntilInputEnds()
}

/// A main loop that stalls in a mode, and the loop of a thread: both names would clear the screen,
/// begin new lines and turn text around.
func nameEverything() {
    RLInspector.start()
    let hostile = "\u{1B}[2J\r\n\u{9B}3J\u{202E}"
    let worker = RLPermanentThread(name: hostile)
    worker.execute(waitUntilDone: true) {}
    let mode = RLRunLoopMode("mode\(hostile)--- end of run loops")
    let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent(), interval: 0.001) { _ in
        takeLong()
    }
    // Stalls are looked for in common modes.
    RLRunLoopAddCommonMode(RLRunLoopGetMain(), mode)
    RLRunLoopAddTimer(RLRunLoopGetMain(), timer, mode)
    let input = RLRunLoopSourceCreate(descriptor: STDIN_FILENO) { _ in exit(0) }
    RLRunLoopAddSource(RLRunLoopGetMain(), input, mode)
    announce()
    while true { RLRunLoopRunInMode(mode, .infinity, false) }
}

@inline(never) private func takeLong() {
    // How long the callback takes is the subject; the signal of backtraces ends a pause.
    for _ in 0..<20 { usleep(5_000) }
}

private let rings = Counter()

@inline(never) private func ringBell() {
    rings.countUp()
}

@inline(never) private func waitForEver() {
    announce()
    // The signal of backtraces ends pauses.
    while true { pause() }
}

/// Two processes: the child of a fork has no inspector until it asks for one.
func forkWhileInspected() {
    RLInspector.start()
    // Swift's runtime has locks for what is used for the first time, which the child would find
    // taken for ever.
    while !isOtherLoopAsleep() { sched_yield() }
    let child = forkProcess()
    guard child == 0 else {
        waitpid(child, nil, 0)
        return
    }
    // A child that hangs fails.
    alarm(20)
    print("child", RLInspector.isRunning, RLInspector.start())
    announce()
    alarm(0)
    while readLine() != nil {}
    _exit(0)
}

/// Whether the inspector's loop has come to rest.
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
