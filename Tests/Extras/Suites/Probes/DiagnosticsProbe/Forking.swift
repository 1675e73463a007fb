import CRunLoop.Wrapping
import Glibc
import ProcessKit
import RunLoopDiagnostics

/// Children that are forked in a callback while dumps and backtraces are being taken: each takes
/// its own, and the parent goes on.
func forkWhileDumping() {
    let dumps = Condition(0)
    guard
        (try? RLRunLoopDump.take(at: SIGUSR2, handler: { _ in dumps.withLock { $0 += 1 } })) != nil
    else { return print("no dumps") }
    let main = RLThreadGetNumber()
    let takers = Takers(of: main)
    // Swift's runtime has locks for what is used for the first time, which a child would find taken
    // for ever. So everything that follows has been used before, by all threads.
    RLRunLoop.main.perform { _ = failureOfLook(at: main) }
    RLRunLoop.main.run(mode: .default, before: .distantPast)
    takers.waitForThreeRounds()
    // There it takes a lock whenever it looks for a generic type, also for one used before.
    if isThreadSanitized { takers.end() }
    let failures = Counter()
    RLRunLoop.main.perform {
        for _ in 0..<20 where failures.value == 0 {
            let failure = resultOfChild { checkInChild(parent: main) }
            if failure == 0 { continue }
            print("a child failed: \(failure)")
            failures.countUp()
        }
    }
    RLRunLoop.main.run(mode: .default, before: .distantPast)
    if !isThreadSanitized { takers.end() }
    print("dumps for children: \(dumps.withLock { $0 })")
    kill(getpid(), SIGUSR2)
    // Else the test, which waits for this process, ends it.
    dumps.wait { $0 > 0 ? () : nil }
    RLRunLoopDump.end(at: SIGUSR2)
    print("failed children: \(failures.value)")
}

private let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

/// Two threads that take dumps and backtraces, and begin and end dumps at a signal, so that some of
/// the forks find the locks taken.
private struct Takers {
    private let threads = (0..<2).map { RLPermanentThread(name: "taker-\($0)") }
    private let rounds = [Counter(), Counter()]
    private let isOver = Counter()

    init(of main: Int32) {
        repeatOnThread(0) {
            _ = try? RLBacktrace(ofThread: main)
            _ = RLRunLoopDump().description
        }
        repeatOnThread(1) {
            try? RLRunLoopDump.take(at: SIGUSR1) { _ in }
            RLRunLoopDump.end(at: SIGUSR1)
        }
    }

    private func repeatOnThread(_ index: Int, _ round: @escaping @Sendable () -> Void) {
        threads[index].execute { [isOver, rounds] in
            while isOver.value == 0 {
                round()
                rounds[index].countUp()
            }
        }
    }

    func waitForThreeRounds() {
        while rounds.contains(where: { $0.value < 3 }) { sched_yield() }
    }

    func end() {
        isOver.countUp()
        for thread in threads { thread.stop() }
        for thread in threads { thread.join() }
    }
}

/// What a forked child returns: the number of the first thing that is wrong, or 0.
private func checkInChild(parent: Int32) -> Int32 {
    var action = sigaction()
    sigaction(SIGUSR2, nil, &action)
    if action.__sigaction_handler.sa_handler != nil { return 1 }
    // The parent's thread, which is not here, is not waited for.
    RLRunLoopDump.end(at: SIGUSR2)
    let thread = RLThreadGetNumber()
    if thread != getpid() || thread == parent { return 2 }
    let failure = failureOfLook(at: thread)
    if failure != 0 { return failure }
    guard let text = textOfDumpInChild() else { return 5 }
    if !text.contains("--- process \(getpid()): 1 run loop\n") { return 6 }
    if !text.contains("thread \(thread)") || !text.contains("is in a block for ") { return 7 }
    if !text.contains("checkInChild") { return 9 }
    return 0
}

/// What a forked child writes of its loops when it asks itself by a signal.
@inline(never) private func textOfDumpInChild() -> String? {
    // The thread sanitizer puts off signals for ever in the child of a process with threads, and a
    // new thread may find its locks taken.
    if isThreadSanitized { return RLRunLoopDump().description }
    let dumps = Condition<RLRunLoopDump?>(nil)
    let isAsked =
        (try? RLRunLoopDump.take(at: SIGUSR2, handler: { dump in dumps.withLock { $0 = dump } }))
        != nil
    guard isAsked else { return nil }
    kill(getpid(), SIGUSR2)
    let text = dumps.wait { $0 }.description
    RLRunLoopDump.end(at: SIGUSR2)
    return text
}

/// What is wrong with a backtrace of the calling thread, or with a dump; or 0.
@inline(never) private func failureOfLook(at thread: Int32) -> Int32 {
    RLBacktrace.allowOnCurrentThread()
    guard let backtrace = try? RLBacktrace(ofThread: thread, timeout: .seconds(10)) else {
        return 3
    }
    if !"\(backtrace)".contains("failureOfLook") { return 4 }
    return RLRunLoopDump().description.contains("thread \(thread)") ? 0 : 8
}

/// Forks, and waits for what the child returns.
private func resultOfChild(_ body: () -> Int32) -> Int32 {
    let child = forkProcess()
    if child == 0 {
        // A child that hangs fails.
        alarm(20)
        _exit(body())
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status
}
