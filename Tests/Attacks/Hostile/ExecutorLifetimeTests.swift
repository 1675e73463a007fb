import Glibc
import RunLoopConcurrency
import RunLoopKit
import Synchronization
import Testing
import ThreadKit

/// An actor that is the only owner of its executor.
private actor Owner {
    nonisolated let executor: RLRunLoopExecutor
    private let log: Log<String>?
    private var timer: RLTimer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(
        _ loop: RLRunLoopRef,
        orphans: RLRunLoopExecutor.OrphanPolicy = .trap,
        log: Log<String>? = nil
    ) {
        executor = RLRunLoopExecutor(loop: loop, orphans: orphans)
        self.log = log
    }

    func work() {}

    func startTimer() {
        timer = RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: true) { _ in }
    }

    func visit(_ room: Room) { room.visit() }

    isolated deinit {
        timer?.invalidate()
        log?.add("isolated: \(executor.isIsolatingCurrentContext() ?? false)")
    }
}

/// An actor without a nontrivial deinitializer.
private actor Meter {
    nonisolated let executor: RLRunLoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ loop: RLRunLoopRef, orphans: RLRunLoopExecutor.OrphanPolicy = .trap) {
        executor = RLRunLoopExecutor(loop: loop, orphans: orphans)
    }

    func work() {}
}

/// Counts concurrent visitors.
private final class Room: Sendable {
    private let guests = Atomic(0)
    private let meetings = Atomic(0)
    private let visits = Atomic(0)

    var metCount: Int { meetings.load(ordering: .relaxed) }
    var visitCount: Int { visits.load(ordering: .relaxed) }

    func visit() {
        visits.add(1, ordering: .relaxed)
        if guests.add(1, ordering: .relaxed).oldValue > 0 { meetings.add(1, ordering: .relaxed) }
        for _ in 0..<50 where guests.load(ordering: .relaxed) > 1 {
            meetings.add(1, ordering: .relaxed)
        }
        guests.subtract(1, ordering: .relaxed)
    }
}

/// Adds a block that runs at the end of the loop's thread.
private func atEndOfThread(_ body: @escaping @Sendable () -> Void) {
    let source = RLRunLoopSourceCreate(cancel: { _, _ in body() }, perform: {})
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
}

/// Keeps the loop awake, so that it takes each job before the enqueuing thread continues.
@Sendable private func stayAwake(until flag: Flag) {
    if flag.isSet { return }
    RLRunLoopPerformBlock(RLRunLoopGetCurrent(), .defaultMode) { stayAwake(until: flag) }
    RLRunLoopWakeUp(RLRunLoopGetCurrent())
}

@Suite("The lifetime of a loop's executor") struct ExecutorLifetimeTests {
    @Test("may end in its last job, before the call has returned that enqueued it")
    func lastJob() async {
        // In its own process, as the awake loop occupies a processor.
        await #expect(processExitsWith: .success) {
            let worker = RLPermanentThread()
            let loop = worker.runLoop
            let isOver = Flag()
            worker.execute { stayAwake(until: isOver) }
            await inManyTasks(times: 200 * hostileRounds) { _ in
                await Task.detached { await Meter(loop).work() }.value
                await Task.detached { await Owner(loop).work() }.value
                await Task.detached(executorPreference: RLRunLoopExecutor(loop: loop)) {}.value
            }
            isOver.set()
            worker.stop()
        }
    }

    @Test("may end elsewhere in the same way") func lastJobElsewhere() async {
        // In its own process, as each executor logs that its jobs run elsewhere.
        await #expect(processExitsWith: .success) {
            let worker = RLPermanentThread()
            let loop = worker.runLoop
            worker.stop()
            worker.join()
            await inManyTasks(times: 1000 * hostileRounds) { _ in
                await Task.detached { await Meter(loop, orphans: .runElsewhere).work() }.value
            }
        }
    }

    @Test("has one thread at a time that is isolated, also while its thread ends")
    func oneThread() async {
        for _ in 0..<20 * hostileRounds {
            let worker = RLPermanentThread()
            let owner = Owner(worker.runLoop, orphans: .runElsewhere)
            let room = Room()
            let isEnding = Flag()
            worker.execute(waitUntilDone: true) {
                // Sources are cancelled in an undefined order: one of them after the executor's.
                for _ in 0..<2 {
                    atEndOfThread {
                        isEnding.set()
                        for _ in 0..<3000 {
                            owner.assumeIsolated { $0.executor.checkIsolated() }
                            owner.assumeIsolated { _ in room.visit() }
                        }
                    }
                }
            }
            async let jobs: Void = withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        while !isEnding.isSet { await owner.visit(room) }
                        for _ in 0..<50 { await owner.visit(room) }
                    }
                }
            }
            worker.stop()
            await jobs
            worker.join()
            #expect(room.metCount == 0)
            #expect(room.visitCount >= 6200)
            #expect(owner.executor.isIsolatingCurrentContext() == false)
        }
    }

    @Test(
        "lets an isolated deinit run when the thread has ended",
        arguments: [RLRunLoopExecutor.OrphanPolicy.trap, .runElsewhere]
    )
    func isolatedDeinit(orphans: RLRunLoopExecutor.OrphanPolicy) async {
        let log = Log<String>()
        let worker = RLPermanentThread()
        var owner: Owner? = Owner(worker.runLoop, orphans: orphans, log: log)
        await owner?.startTimer()
        worker.stop()
        worker.join()
        owner = nil
        while log.entries.isEmpty { await Task.yield() }
        #expect(log.entries == ["isolated: true"])
    }

    @Test("lets an isolated deinit run while the thread ends") func endingDeinit() async {
        let log = Log<String>()
        let count = 200 * hostileRounds
        for number in 0..<count {
            let worker = RLPermanentThread()
            let owner = Owner(worker.runLoop, log: log)
            if number % 2 == 0 {
                worker.execute { atEndOfThread { withExtendedLifetime(owner) {} } }
            }
            let task = Task.detached { withExtendedLifetime(owner) {} }
            worker.stop()
            await task.value
        }
        while log.entries.count < count { await Task.yield() }
        #expect(Set(log.entries) == ["isolated: true"])
    }
}
