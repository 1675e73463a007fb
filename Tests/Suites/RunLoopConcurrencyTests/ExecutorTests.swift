import Glibc
import RunLoopConcurrency
import RunLoopKit
import Synchronization
import Testing
import ThreadKit

private actor Pinned {
    nonisolated let executor: RLRunLoopExecutor
    private var numbers: [Int] = []
    private var wrongThreads = 0

    init(_ executor: RLRunLoopExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var count: Int { numbers.count }
    var all: [Int] { numbers }
    var misses: Int { wrongThreads }

    func add(_ number: Int) {
        if !(executor.isIsolatingCurrentContext() ?? false) { wrongThreads += 1 }
        numbers.append(number)
    }

    func threadNumber() -> Int32 {
        threadNumberNow()
    }

    func runLoopInside(_ log: Log<String>) {
        log.add("begins")
        runOnce()
        log.add("ends")
    }

    /// Passes state of the actor to the loop.
    func schedule(_ number: Int) {
        RLRunLoop.current.perform(afterDelay: 0) { self.numbers.append(number) }
        RLTimer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
            self.numbers.append(number + 1)
            RLRunLoop.current.observe(.beforeSources, repeats: false) { _, _ in
                self.numbers.append(number + 2)
            }
        }
    }

    func note(_ log: Log<String>, _ word: String) {
        log.add(word)
    }
}

private func threadNumberNow() -> Int32 {
    var numbers = RLRunLoopStatistics()
    RLRunLoopGetStatistics(RLRunLoopGetCurrent(), &numbers)
    return numbers.threadID
}

private func runOnce() {
    RLRunLoopRunInMode(.defaultMode, 0, false)
}

private func assumeOnWrongThread() {
    let worker = RLPermanentThread()
    let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop))
    actor.assumeIsolated { $0.add(7) }
}

@Suite("A loop's executor") struct ExecutorTests {
    @Test("has its actors give the loop timers, requests and observers of their own")
    func giving() async {
        let worker = RLPermanentThread()
        let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop))
        await actor.schedule(1)
        while await actor.count < 3 { await Task.yield() }
        #expect(await Set(actor.all) == [1, 2, 3])
        worker.stop()
        worker.join()
    }

    @Test("stops what they add to another thread's loop, after the end of theirs")
    func givingElsewhere() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let worker = RLPermanentThread()
            let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop, orphans: .runElsewhere))
            worker.stop()
            worker.join()
            await actor.schedule(1)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("called by code of RLRunLoopExecutor"), "\(output)")
    }

    @Test("runs an actor's jobs on the loop's thread, in order") func pinned() async {
        let worker = RLPermanentThread()
        let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop))
        for number in 0..<100 { await actor.add(number) }
        #expect(await actor.all == Array(0..<100))
        #expect(await actor.misses == 0)
        let own = await actor.threadNumber()
        let thread = Log<Int32>()
        worker.execute(waitUntilDone: true) { thread.add(threadNumberNow()) }
        #expect(thread.entries == [own])
        worker.stop()
    }

    @Test("keeps the order of jobs that are enqueued together") func order() async {
        let worker = RLPermanentThread()
        let executor = RLRunLoopExecutor(loop: worker.runLoop)
        let log = Log<Int>()
        // Keeps the thread busy until all are enqueued.
        let isReady = Atomic(false)
        worker.execute { while !isReady.load(ordering: .acquiring) {} }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask(executorPreference: executor) { log.add(number) }
            }
            isReady.store(true, ordering: .releasing)
        }
        #expect(log.entries == Array(0..<200))
        worker.stop()
    }

    @Test("prefers jobs of a higher priority") func priorities() async {
        let worker = RLPermanentThread()
        let executor = RLRunLoopExecutor(loop: worker.runLoop)
        let log = Log<String>()
        let isBusy = Atomic(false)
        let isReady = Atomic(false)
        worker.execute {
            isBusy.store(true, ordering: .releasing)
            while !isReady.load(ordering: .acquiring) {}
        }
        while !isBusy.load(ordering: .acquiring) {}
        let tasks = [TaskPriority.background, .low, .high, .background, .high].enumerated().map {
            number,
            priority in
            Task.detached(executorPreference: executor, priority: priority) {
                log.add(
                    "\(priority == .high ? "high" : priority == .low ? "low" : "background") \(number)"
                )
            }
        }
        isReady.store(true, ordering: .releasing)
        for task in tasks { await task.value }
        #expect(log.entries == ["high 2", "high 4", "low 1", "background 0", "background 3"])
        worker.stop()
    }

    @Test("runs jobs in its modes only") func modes() async {
        let log = Log<String>()
        let loops = Log<RLRunLoopRef>()
        let isEnqueued = Atomic(false)
        let thread = RLThread {
            loops.add(RLRunLoopGetCurrent())
            while !isEnqueued.load(ordering: .acquiring) {}
            RLRunLoopPerformBlock(RLRunLoopGetCurrent(), .defaultMode) {}
            RLRunLoopRunInMode(.defaultMode, 0, false)
            log.add("default mode has run")
            RLRunLoopRunInMode("custom", 0, false)
        }
        thread.start()
        while loops.entries.isEmpty {}
        let executor = RLRunLoopExecutor(loop: loops.entries[0], modes: ["custom"])
        let task = Task.detached(executorPreference: executor) { log.add("job") }
        // The job is enqueued now: the task was created with the preference.
        isEnqueued.store(true, ordering: .releasing)
        await task.value
        thread.join()
        #expect(log.entries == ["default mode has run", "job"])
    }

    @Test("needs a mode") func noMode() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = RLRunLoopExecutor(loop: RLRunLoopGetMain(), modes: [])
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("argument `modes` is empty: pass at least one mode"))
    }

    @Test("lets callbacks of the loop assume isolation") func assumption() async {
        let worker = RLPermanentThread()
        let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop))
        worker.execute(waitUntilDone: true) {
            actor.assumeIsolated { $0.add(7) }
            actor.preconditionIsolated()
        }
        #expect(await actor.all == [7])
        worker.stop()
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            assumeOnWrongThread()
        }
    }

    @Test("does not enter an actor twice when a job runs the loop") func nesting() async {
        let worker = RLPermanentThread()
        let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop))
        let log = Log<String>()
        async let outer: Void = actor.runLoopInside(log)
        async let inner: Void = actor.note(log, "other")
        _ = await (outer, inner)
        #expect(
            log.entries == ["begins", "ends", "other"]
                || log.entries == ["other", "begins", "ends"]
        )
        worker.stop()
    }

    @Test("runs jobs elsewhere, or stops, when its thread has ended") func orphans() async {
        let worker = RLPermanentThread()
        let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop, orphans: .runElsewhere))
        await actor.add(1)
        worker.stop()
        worker.join()
        await actor.add(2)
        await actor.add(3)
        #expect(await actor.all == [1, 2, 3])
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let worker = RLPermanentThread()
            let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop))
            worker.stop()
            worker.join()
            await actor.add(1)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("a job cannot run because the thread of its run loop has ended"))
    }

    @Test("logs once that jobs run elsewhere") func orphansLine() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            let worker = RLPermanentThread()
            let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop, orphans: .runElsewhere))
            worker.stop()
            worker.join()
            for number in 0..<3 { await actor.add(number) }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let lines = output.split(separator: "\n").filter { $0.contains("RLRunLoopExecutor") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("has ended, so jobs run on a dispatch queue: ") == true)
    }

    @Test("loses no job that is under way when its thread ends") func racingEnd() async {
        for _ in 0..<20 {
            let worker = RLPermanentThread()
            let actor = Pinned(RLRunLoopExecutor(loop: worker.runLoop, orphans: .runElsewhere))
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<50 { group.addTask { await actor.add(number) } }
                worker.stop()
            }
            #expect(await actor.count == 50)
        }
    }

    @Test("runs each of many jobs of many tasks once, on its thread") func storm() async {
        let total = getenv("RL_STORM_JOBS").flatMap { Int(String(cString: $0)) } ?? 40_000
        let workers = (0..<8).map { _ in RLPermanentThread() }
        let actors = workers.map { Pinned(RLRunLoopExecutor(loop: $0.runLoop)) }
        let share = total / 64
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                let actor = actors[task % 8]
                group.addTask { for number in 0..<share { await actor.add(task * share + number) } }
            }
        }
        for (index, actor) in actors.enumerated() {
            let numbers = await actor.all
            #expect(await actor.misses == 0)
            #expect(Set(numbers).count == share * 8 && numbers.count == share * 8)
            for task in stride(from: index, to: 64, by: 8) {
                // The jobs of each task ran in order.
                let own = numbers.filter { $0 / share == task }
                #expect(own == Array(task * share..<(task + 1) * share))
            }
        }
        for worker in workers { worker.stop() }
    }
}
