import CRunLoop.Wrapping
import Glibc
import ProcessKit
import RunLoopDiagnostics

/// Forks children in a callback while dumps and backtraces are being taken: each child takes its
/// own, and the parent continues.
func forkWhileDumping() {
    let dumps = Condition(0)
    guard
        (try? RLRunLoopDump.take(at: SIGUSR2, handler: { _ in dumps.withLock { $0 += 1 } })) != nil
    else { return print("no dumps") }
    let main = RLThreadGetNumber()
    let takers = Takers(of: main)
    // Everything has been used before by all threads: Swift's runtime has locks for first uses,
    // which a child might inherit locked.
    RLRunLoop.main.perform { _ = failureOfLook(at: main) }
    RLRunLoop.main.run(mode: .default, before: .distantPast)
    takers.waitForThreeRounds()
    // The thread sanitizer takes a lock for each lookup of a generic type, also for used ones.
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
    // If no dump comes, the test ends this process.
    dumps.wait { $0 > 0 ? () : nil }
    RLRunLoopDump.end(at: SIGUSR2)
    print("failed children: \(failures.value)")
}

private let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

/// Two threads that take dumps and backtraces, and start and end dumps at a signal, so that some
/// forks find the locks held.
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

/// Returns the number of the first failed check in a forked child, or 0.
private func checkInChild(parent: Int32) -> Int32 {
    var action = sigaction()
    sigaction(SIGUSR2, nil, &action)
    if action.__sigaction_handler.sa_handler != nil { return 1 }
    // The parent's thread does not exist in the child; `end` must not wait for it.
    RLRunLoopDump.end(at: SIGUSR2)
    let thread = RLThreadGetNumber()
    if thread != getpid() || thread == parent { return 2 }
    let failure = failureOfLook(at: thread)
    if failure != 0 { return failure }
    var dump = textOfDumpInChild()
    // On a busy machine, a thread may handle the signal of backtraces late.
    for _ in 0..<9 where dump?.contains("checkInChild") == false { dump = textOfDumpInChild() }
    guard let text = dump else { return 5 }
    if !text.contains("--- process \(getpid()): 1 run loop\n") { return 6 }
    if !text.contains("thread \(thread)") || !text.contains("is in a block for ") { return 7 }
    if !text.contains("checkInChild") { return 9 }
    return 0
}

/// The dump that a forked child takes at its own signal.
@inline(never) private func textOfDumpInChild() -> String? {
    // In the child of a threaded process, the thread sanitizer defers signals forever, and a new
    // thread may find its locks held.
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

/// The number of the first failed check of a backtrace and a dump of the calling thread, or 0.
@inline(never) private func failureOfLook(at thread: Int32) -> Int32 {
    RLBacktrace.allowOnCurrentThread()
    guard let backtrace = try? RLBacktrace(ofThread: thread, timeout: .seconds(10)) else {
        return 3
    }
    if !"\(backtrace)".contains("failureOfLook") { return 4 }
    return RLRunLoopDump().description.contains("thread \(thread)") ? 0 : 8
}

private func resultOfChild(_ body: () -> Int32) -> Int32 {
    let child = forkProcess()
    if child == 0 { _exit(body()) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status
}
