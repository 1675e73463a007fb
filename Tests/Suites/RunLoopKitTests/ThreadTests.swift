import Glibc
import RunLoopKit
import Synchronization
import Testing
import ThreadKit

@Suite("A thread") struct ThreadTests {
    @Test("goes through its phases") func phases() {
        let mayEnd = Atomic(false)
        let thread = RLThread { while !mayEnd.load(ordering: .acquiring) {} }
        thread.name = "a thread with a long name"
        thread.stackSize = 256 * 1024
        #expect(!thread.isExecuting && !thread.isFinished && thread.runLoop == nil)
        thread.start()
        #expect(thread.runLoop != nil)
        #expect(thread.isExecuting && !thread.isFinished && !thread.isCancelled)
        thread.cancel()
        #expect(thread.isCancelled && thread.isExecuting)
        mayEnd.store(true, ordering: .releasing)
        thread.join()
        thread.join()
        #expect(!thread.isExecuting && thread.isFinished)
    }

    @Test("runs nothing if it is cancelled before it is started, and is finished")
    func cancelledFirst() {
        let log = Log<String>()
        let thread = RLThread { log.add("ran") }
        thread.cancel()
        thread.start()
        thread.join()
        #expect(log.entries.isEmpty && thread.isFinished && !thread.isExecuting)
        #expect(thread.runLoop == nil && !thread.perform {})
    }

    @Test("has a stack of a size that the system takes") func stackSizes() {
        let thread = RLThread()
        let page = Int(getpagesize())
        for (asked, given) in [(0, 0), (page * 100 - 1, page * 100), (page * 100, page * 100)] {
            thread.stackSize = asked
            #expect(thread.stackSize == given)
        }
        for asked in [-1, 1, Int.min] {
            thread.stackSize = asked
            #expect(thread.stackSize >= page && thread.stackSize % page == 0)
        }
        thread.start()
        thread.join()
    }

    @Test("is itself, wherever asked (NSTH-1, NSTH-4)") func identity() {
        onFreshThread {
            #expect(RLThread.current === RLThread.current)
            #expect(RLThread.current !== RLThread.main)
            #expect(!RLThread.isMainThread && !RLThread.current.isMainThread)
            #expect(RLThread.current.runLoop === RLRunLoopGetCurrent())
        }
        #expect(RLThread.main.isMainThread && RLThread.main.runLoop === RLRunLoopGetMain())
        let own = Log<Bool>()
        let thread = RLThread()
        let same = RLThread { own.add(RLThread.current.runLoop === RLRunLoopGetCurrent()) }
        thread.start()
        same.start()
        same.join()
        thread.join()
        #expect(own.entries == [true])
    }

    @Test("is equal to itself, as its loop is, and may be a key") func equality() {
        onFreshThread {
            #expect(RLThread.current == RLThread.current && RLThread.current != RLThread.main)
            #expect(RLRunLoop.current == RLRunLoop.current && RLRunLoop.current != RLRunLoop.main)
            let threads = [RLThread.current: 1, RLThread.main: 2]
            #expect(threads[.current] == 1 && threads[.main] == 2)
            let loops: Set = [RLRunLoop.current, RLRunLoop.current]
            #expect(loops.count == 1 && loops.contains(.current))
        }
    }

    @Test(
        "begins with the niceness of its quality of service",
        arguments: [
            RLQualityOfService.userInteractive, .userInitiated, .default, .utility, .background,
        ]
    )
    func quality(of service: RLQualityOfService) {
        let log = Log<Int32>()
        let thread = RLThread { log.add(ownNiceness()) }
        #expect(thread.qualityOfService == .default)
        thread.qualityOfService = service
        let maker = RLThread {
            log.add(ownNiceness())
            thread.start()
        }
        maker.start()
        maker.join()
        thread.join()
        let least: Int32 = service == .utility ? 5 : service == .background ? 10 : -20
        #expect(thread.qualityOfService == service)
        #expect(log.entries.count == 2 && log.entries[1] == max(log.entries[0], least))
    }

    @Test("has a priority from 0 to 1") func priority() {
        let thread = RLThread()
        #expect(thread.threadPriority == 0.5)
        for (priority, kept) in [(0.25, 0.25), (2, 1), (-1, 0), (.nan, 0)] {
            thread.threadPriority = priority
            #expect(thread.threadPriority == kept)
        }
    }

    @Test("is waited for by all who join it") func joining() {
        let log = Log<String>()
        let mayEnd = Gate()
        let thread = RLThread {
            mayEnd.wait()
            log.add("ends")
        }
        thread.start()
        let numbers = Log<Int32>()
        let joiners = (0..<2).map { _ in
            RLThread {
                var statistics = RLRunLoopStatistics()
                RLRunLoopGetStatistics(RLRunLoopGetCurrent(), &statistics)
                numbers.add(statistics.threadID)
                thread.join()
                log.add("joined \(thread.isFinished)")
            }
        }
        for joiner in joiners { joiner.start() }
        while numbers.entries.count < 2 {}
        // A thread that returns early has logged that.
        while log.entries.isEmpty && !numbers.entries.allSatisfy(isAsleep) {}
        mayEnd.open()
        for joiner in joiners { joiner.join() }
        #expect(log.entries == ["ends", "joined true", "joined true"])
    }

    @Test("is waited for while another thread starts it") func joiningEarly() {
        for _ in 0..<20 {
            let mayEnd = Flag()
            let thread = RLThread { while !mayEnd.isSet {} }
            let starter = RLThread { thread.start() }
            let joiner = RLThread {
                while !thread.isExecuting {}
                mayEnd.set()
                thread.join()
                #expect(thread.isFinished)
            }
            joiner.start()
            starter.start()
            starter.join()
            joiner.join()
        }
    }

    @Test("cannot be waited for if it was not made here") func joiningForeign() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            onFreshThread { RLThread.main.join() }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            output.contains("RunLoopKit: RLThread.join(): this thread was not created by RLThread")
        )
    }

    @Test("runs main() of its subclass") func subclass() {
        let log = Log<String>()
        let thread = Subclass(log)
        thread.start()
        thread.join()
        #expect(log.entries == ["main"])
    }

    @Test("performs a method of an object, which it holds") func selectors() {
        let log = Log<String>()
        do {
            let thread = RLThread(target: Worker(log), selector: .work, object: "all day")
            #expect(log.entries.isEmpty)
            thread.start()
            thread.join()
            #expect(log.entries == ["on a thread of its own, all day"])
        }
        #expect(log.entries.last == "worker gone")
        RLThread.detachNewThreadSelector(.rest, toTarget: Worker(log), with: nil)
        while log.entries.count < 4 { sched_yield() }
        #expect(log.entries.suffix(2) == ["rests", "worker gone"])
    }

    @Test("notifies of its end while its loop can be used (NSTH-2)") func willExit() {
        let log = Log<String>()
        let thread = RLThread {}
        let token = RLNotificationCenter.default.addObserver(
            forName: RLThread.willExitNotification,
            object: thread
        ) { _ in
            log.add("exits \(RLThread.current === thread)")
            RLRunLoop.current.perform { log.add("performed") }
            RLRunLoop.current.run(mode: .default, before: .distantPast)
        }
        thread.start()
        thread.join()
        RLNotificationCenter.default.removeObserver(token)
        #expect(log.entries == ["exits true", "performed"])
    }

    @Test("may exit during the notification of its end (NSTH-2, NSTH-3)") func leavingTwice() async
    {
        // In its own process: the objects of the abandoned stack are never released.
        await #expect(processExitsWith: .success) {
            let log = Log<String>()
            let thread = RLThread { RLThread.exit() }
            RLNotificationCenter.default.addObserver(
                forName: RLThread.willExitNotification,
                object: thread
            ) { _ in
                log.add("exits")
                RLThread.exit()
            }
            thread.start()
            thread.join()
            _exit(log.entries == ["exits"] && thread.isFinished ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("has a dictionary that goes with it") func dictionary() {
        let log = Log<String>()
        let thread = RLThread {
            let token = Token(log)
            RLThread.current.threadDictionary["token"] = token
            log.add("set \(RLThread.current.threadDictionary["token"] as? Token === token)")
        }
        thread.start()
        thread.join()
        #expect(thread.isFinished && log.entries.first == "set true")
    }

    @Test("sleeps without running its loop (NSTH-3)") func sleeping() {
        onFreshThread {
            RLRunLoop.current.perform { Issue.record("performed") }
            let start = ContinuousClock.now
            // Time is the subject here.
            RLThread.sleep(forTimeInterval: 0.005)
            #expect(ContinuousClock.now - start >= .milliseconds(5))
            // In the past, so at once; time is the subject.
            RLThread.sleep(until: .distantPast)
        }
    }

    @Test("that is permanent performs in order, stops, and goes when it is dropped")
    func permanent() {
        let log = Log<String>()
        var worker: RLPermanentThread? = RLPermanentThread(name: "dropped", stackSize: 512 * 1024)
        let loop = worker?.runLoop
        for number in 0..<3 { worker?.execute { log.add("\(number)") } }
        worker?.execute(waitUntilDone: true) {
            RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in log.add("timer")
            }
        }
        while log.entries.count < 4 {}
        worker = nil
        // The list of all loops no longer contains its loop.
        while isListed(loop) {}
        #expect(log.entries == ["0", "1", "2", "timer"])

        let other = RLPermanentThread()
        other.execute { other.stop() }
        other.join()
        #expect(!other.execute(waitUntilDone: true) {})
        other.stop()
        // The loop still accepts wake-ups from threads that have not learned of its end.
        RLRunLoopWakeUp(other.runLoop)
        #expect(!isListed(other.runLoop))
    }

    @Test("that is permanent takes no tasks once it is stopped, though it has some to perform")
    func stoppedEarly() {
        let log = Log<String>()
        let mayEnd = Gate()
        let worker = RLPermanentThread()
        worker.execute {
            mayEnd.wait()
            log.add("first")
        }
        worker.execute { log.add("second") }
        worker.stop()
        #expect(!worker.execute { log.add("third") })
        #expect(!worker.execute(waitUntilDone: true) { log.add("fourth") })
        mayEnd.open()
        worker.join()
        #expect(log.entries == ["first", "second"])
    }

    @Test("that is permanent serves all signalled sources in one pass")
    func manySources() {
        let worker = RLPermanentThread()
        let loop = worker.runLoop
        let passes = Log<UInt64>()
        worker.execute {
            let before = countPasses(of: loop)
            let sources = (0..<1000).map { _ in
                RLRunLoopSourceCreate { passes.add(countPasses(of: loop) - before) }
            }
            for source in sources { RLRunLoopAddSource(loop, source, .defaultMode) }
            for source in sources { RLRunLoopSourceSignal(source) }
        }
        while passes.entries.count < 1000 {}
        #expect(Set(passes.entries) == [1])
        worker.stop()
        worker.join()
    }

    @Test("that is permanent ends after the task that runs the loop when it is stopped")
    func stoppedInNestedRun() {
        let log = Log<String>()
        let worker = RLPermanentThread()
        // Ends the run, but not the thread.
        RLRunLoopStop(worker.runLoop)
        worker.execute(waitUntilDone: true) { RLRunLoopStop(RLRunLoopGetCurrent()) }
        worker.execute {
            worker.stop()
            // Performs the last block.
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
                log.add("timer")
                RLRunLoopStop(RLRunLoopGetCurrent())
            }
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            log.add("task")
        }
        worker.join()
        #expect(log.entries == ["timer", "task"])
    }

    @Test("that is permanent logs nothing when it is stopped again at its end")
    func stoppedAgain() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            stopTwice()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!output.contains("RunLoopKit:"))
    }
}

private func countPasses(of loop: RLRunLoopRef) -> UInt64 {
    var numbers = RLRunLoopStatistics()
    RLRunLoopGetStatistics(loop, &numbers)
    return numbers.passes
}

/// Stops a thread, and again when it has left its loop.
private func stopTwice() {
    let log = Log<String>()
    let worker = RLPermanentThread()
    let token = RLNotificationCenter.default.addObserver(forName: RLThread.willExitNotification) {
        _ in
        log.add("exits")
        worker.stop()
    }
    worker.stop()
    worker.join()
    RLNotificationCenter.default.removeObserver(token)
    #expect(log.entries == ["exits"])
}

private func ownNiceness() -> Int32 {
    var statistics = RLRunLoopStatistics()
    RLRunLoopGetStatistics(RLRunLoopGetCurrent(), &statistics)
    return getpriority(CInt(PRIO_PROCESS.rawValue), id_t(statistics.threadID))
}

/// Whether the kernel reports the thread as sleeping.
private func isAsleep(_ thread: Int32) -> Bool {
    guard let file = fopen("/proc/self/task/\(thread)/stat", "r") else { return false }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return false }
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.contains(") S ")
}

private func isListed(_ loop: RLRunLoopRef?) -> Bool {
    guard let loops = RLRunLoopCopyAllLoops() else { return false }
    return (0..<RLArrayGetCount(loops)).contains { index in
        RLArrayGetValueAtIndex(loops, index) == loop?.unsafeTypeReference
    }
}

private final class Worker: Sendable {
    private let log: Log<String>
    private let maker = RLThread.current

    init(_ log: Log<String>) {
        self.log = log
    }

    deinit {
        log.add("worker gone")
    }

    func work(_ when: String) {
        log.add("on a thread of \(RLThread.current == maker ? "another" : "its own"), \(when)")
    }

    func rest() {
        log.add("rests")
    }
}

extension RLSelector where Target == Worker {
    fileprivate static let work = RLSelector("work:", Worker.work)
    fileprivate static let rest = RLSelector("rest", Worker.rest)
}

private final class Subclass: RLThread, @unchecked Sendable {
    // Proof: the subclass only adds a constant of a Sendable type.
    private let log: Log<String>

    init(_ log: Log<String>) {
        self.log = log
        super.init()
    }

    override func main() {
        log.add("main")
    }
}
