import Glibc
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

/// Reports a hanging run, and ends it.
///
/// The limit is long: other tests may occupy all threads of Swift's pool for minutes.
private struct Guardian {
    let hasIntervened = Flag()
    private let timer: RLTimer

    init() {
        timer = RLTimer.scheduledTimer(withTimeInterval: 600, repeats: true) { [hasIntervened] _ in
            hasIntervened.set()
            RLRunLoopStop(RLRunLoopGetCurrent())
        }
    }

    func leave() {
        timer.invalidate()
    }
}

private func wakeUps(_ loop: RLRunLoopRef) -> UInt64 {
    var numbers = RLRunLoopStatistics()
    RLRunLoopGetStatistics(loop, &numbers)
    return numbers.wakeUpsByToken
}

private func awaitSleep(of loop: RLRunLoopRef, after flag: Flag) async {
    while !flag.isSet || !RLRunLoopIsWaiting(loop) { await Task.yield() }
}

/// Calls a function on its own thread: Swift's threads remain free for the awaited work.
func onOtherThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        RLThread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}

@Suite("Running a loop until an async function has ended") struct CompletionTests {
    @Test("returns when the end comes during a nested run in the same mode") func nestedRun() async
    {
        await onOtherThread {
            let guardian = Guardian()
            let loop = RLRunLoop.current.getRLRunLoop()
            let isNested = Flag()
            let results = Log<RLRunLoopRunResult>()
            RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
                // The nested run, asleep by then, consumes the wake-up for the end.
                let source = RLRunLoopSourceCreate { results.add(.handledSource) }
                RLRunLoopAddSource(loop, source, .defaultMode)
                let observer = RLRunLoopObserverCreate(activities: .afterWaiting) { _, _ in
                    RLRunLoopSourceSignal(source)
                }
                RLRunLoopAddObserver(loop, observer, .defaultMode)
                isNested.set()
                results.add(RLRunLoopRunInMode(.defaultMode, .infinity, true))
                RLRunLoopObserverInvalidate(observer)
                RLRunLoopSourceInvalidate(source)
            }
            let answer = try? RLRunLoop.current.runToCompletion {
                await awaitSleep(of: loop, after: isNested)
                return 42
            }
            #expect(answer == 42 && !guardian.hasIntervened.isSet)
            // The inner run was not stopped instead of the outer one.
            #expect(results.entries == [.handledSource, .handledSource])
            guardian.leave()
        }
    }

    @Test("returns when a callback does the same with a function that takes longer")
    func nestedCompletion() async {
        await onOtherThread {
            let guardian = Guardian()
            let loop = RLRunLoop.current.getRLRunLoop()
            let isNested = Flag()
            let answers = Log<Int?>()
            RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
                let before = wakeUps(loop)
                let answer = try? RLRunLoop.current.runToCompletion {
                    isNested.set()
                    while wakeUps(loop) == before { await Task.yield() }
                    await awaitSleep(of: loop, after: isNested)
                    return 1
                }
                answers.add(answer)
            }
            let answer = try? RLRunLoop.current.runToCompletion {
                await awaitSleep(of: loop, after: isNested)
                return 2
            }
            answers.add(answer)
            #expect(answers.entries == [1, 2] && !guardian.hasIntervened.isSet)
            guardian.leave()
        }
    }

    @Test("stops no later run") func laterRun() async {
        await onOtherThread {
            for number in 0..<200 {
                let answer = try? RLRunLoop.current.runToCompletion { number }
                #expect(answer == number)
                let log = Log<String>()
                // Leaves time for unexpected calls.
                RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
                    log.add("timer")
                }
                #expect(RLRunLoopRunInMode(.defaultMode, .infinity, false) == .finished)
                #expect(log.entries == ["timer"])
            }
        }
    }

    @Test("needs a mode in which the loop can run") func commonModes() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            onFreshThread { _ = try? RLRunLoop.current.runToCompletion(mode: .common) { 1 } }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("argument `mode` is `.common`, in which no loop can run"))
    }

    @Test("reports that it waits for its own actor") func deadlock() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            await waitForOwnActor()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("called in a job of this loop's executor"))
    }

    @Test("runs in a job whose actor it does not need") func inJob() async {
        let worker = RLPermanentThread()
        let loop = worker.runLoop
        let actor = Waiter(loop)
        let clock = RLRunLoopClock(loop: loop)
        let answer = await actor.wait {
            // Sleeping is the subject.
            try? await clock.sleep(for: .milliseconds(1))
            return 42
        }
        #expect(answer == 42)
        worker.stop()
    }
}

/// An actor that runs its own loop in its jobs.
private actor Waiter {
    nonisolated let executor: RLRunLoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ loop: RLRunLoopRef) {
        executor = RLRunLoopExecutor(loop: loop)
    }

    func wait(for answer: @escaping @Sendable () async -> Int) -> Int? {
        runLoop(until: answer)
    }

    private nonisolated func runLoop(until answer: @escaping @Sendable () async -> Int) -> Int? {
        try? RLRunLoop.current.runToCompletion(answer)
    }

    func zero() -> Int { 0 }
}

/// Exits after the first diagnostic.
private func waitForOwnActor() async {
    var ends: [CInt] = [0, 0]
    pipe(&ends)
    let standardError = dup(STDERR_FILENO)
    dup2(ends[1], STDERR_FILENO)
    let thread = RLPermanentThread()
    let actor = Waiter(thread.runLoop)
    Task { await actor.wait { await actor.zero() } }
    let end = ends[0]
    await onOtherThread {
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = read(end, &bytes, bytes.count)
        write(standardError, bytes, count)
        withExtendedLifetime(thread) {}
        exit(0)
    }
}
