import Glibc
import RunLoopTesting
import Testing
import ThreadKit

@Suite("An idle queue") struct IdleQueueTests {
    /// Logs when the loop is about to sleep, after the queue.
    private func logRests(_ log: Log<String>) {
        RLRunLoop.current.observe(.beforeWaiting, in: [.default], order: .max) { _, _ in
            log.add("rest")
        }
    }

    @Test(
        "does its work in order, when the loop has nothing else to do, and keeps runs going for it"
    )
    func order() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLIdleQueue()
            let source = RLRunLoopSourceCreate { log.add("source") }
            queue.add { log.add("first") }
            queue.add { log.add("second") }
            RLRunLoop.current.perform(afterDelay: 0) {
                log.add("timer")
                RLRunLoopSourceInvalidate(source)
            }
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            RLRunLoopSourceSignal(source)
            RLRunLoop.current.perform { log.add("block") }
            #expect(queue.count == 2)
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            #expect(queue.count == 0)
            #expect(log.entries == ["block", "source", "timer", "first", "second"])
        }
    }

    @Test("works in slices as long as its budget, by the clock") func budget() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLIdleQueue(sliceBudget: .milliseconds(5))
            logRests(log)
            let clock = RLTestClock(isAutomatic: true)
            for number in 1...7 {
                queue.add {
                    log.add("\(number)")
                    clock.jump(by: .milliseconds(number == 4 ? 20 : 2))
                }
            }
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            #expect(
                log.entries == ["1", "2", "3", "rest", "4", "rest", "5", "6", "7", "rest"]
            )
        }
    }

    @Test("takes a budget without end", arguments: [9.3e9, 9.2e18]) func endless(seconds: Double) {
        onFreshThread {
            let log = Log<String>()
            let queue = RLIdleQueue(sliceBudget: .seconds(seconds))
            logRests(log)
            for number in 1...3 { queue.add { log.add("\(number)") } }
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            #expect(log.entries == ["1", "2", "3", "rest"])
        }
    }

    @Test("lets timers, blocks, sources and descriptors in between slices") func yielding() {
        onFreshThread {
            let log = Log<String>()
            let loop = RLRunLoop.current.getRLRunLoop()
            let queue = RLIdleQueue(sliceBudget: .zero)
            let port = RLRunLoopPortCreate()
            let source = RLRunLoopSourceCreate { log.add("source") }
            let portSource = RLRunLoopSourceCreate(port: port) { log.add("port") }
            RLRunLoopAddSource(loop, source, .defaultMode)
            RLRunLoopAddSource(loop, portSource, .defaultMode)
            queue.add {
                log.add("1")
                RLRunLoopSourceSignal(source)
            }
            queue.add {
                log.add("2")
                RLRunLoopPortSignal(port)
            }
            queue.add {
                log.add("3")
                RLRunLoop.current.perform(afterDelay: 0) { log.add("timer") }
            }
            queue.add {
                log.add("4")
                RLRunLoopPerformBlock(loop, .defaultMode) { log.add("block") }
            }
            queue.add {
                log.add("5")
                RLRunLoopSourceInvalidate(source)
                RLRunLoopSourceInvalidate(portSource)
            }
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            close(port)
            // The timer may fall due in either of two passes.
            let served = log.entries.filter { $0 != "timer" }
            #expect(served == ["1", "source", "2", "port", "3", "4", "block", "5"])
            #expect(log.entries.contains("timer"))
        }
    }

    @Test("does nothing in tracking modes") func tracking() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLIdleQueue()
            RLRunLoopAddCommonMode(RLRunLoopGetCurrent(), RLRunLoop.Mode.tracking.mode)
            queue.add { log.add("work") }
            queue.sender.add { log.add("sent") }
            RLRunLoop.current.perform(afterDelay: 0.001, inModes: [.tracking]) { log.add("drag") }
            #expect(RLRunLoopRunInMode(RLRunLoop.Mode.tracking.mode, 1000, false) == .finished)
            log.add("over")
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            #expect(log.entries == ["drag", "over", "work", "sent"])
        }
    }

    @Test("lets the loop sleep when it is empty") func sleeping() {
        onFreshThread {
            let loop = RLRunLoop.current.getRLRunLoop()
            let queue = RLIdleQueue(sliceBudget: .zero)
            let clock = RLTestClock(isAutomatic: true)
            for _ in 1...3 { queue.add {} }
            RLRunLoop.current.perform(afterDelay: 0.005) {}
            var before = RLRunLoopStatistics(), after = RLRunLoopStatistics()
            RLRunLoopGetStatistics(loop, &before)
            RLRunLoop.current.run()
            RLRunLoopGetStatistics(loop, &after)
            // Two polls for events between three slices, and the sleep until the timer.
            #expect(after.wakeUpsByToken - before.wakeUpsByToken == 2)
            #expect(after.wakeUpsByTimer - before.wakeUpsByTimer == 1)
            #expect(after.passes - before.passes == 3)
            withExtendedLifetime(queue) {}
            clock.end()
        }
    }

    @Test("takes work while it works, and from observers that come after it") func adding() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLIdleQueue()
            RLRunLoop.current.observe(.beforeWaiting, repeats: false, order: .max) { _, _ in
                queue.add { log.add("from an observer") }
            }
            queue.add {
                queue.add { log.add("inner") }
                log.add("outer")
            }
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            #expect(log.entries == ["outer", "inner", "from an observer"])
        }
    }

    @Test("takes work from other threads, which wakes its loop") func sending() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLIdleQueue()
            let sender = queue.sender
            let loop = RLRunLoop.current.getRLRunLoop()
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(loop, keeper, .defaultMode)
            let thread = RLThread {
                while !RLRunLoopIsWaiting(loop) {}
                sender.add {
                    log.add("sent")
                    RLRunLoopSourceInvalidate(keeper)
                }
            }
            thread.start()
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            thread.join()
            #expect(log.entries == ["sent"])
            withExtendedLifetime(queue) {}
        }
    }

    @Test("does the work of other threads in its turn") func sentInTurn() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLIdleQueue()
            queue.sender.add { log.add("sent") }
            queue.add { log.add("own") }
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            #expect(log.entries == ["sent", "own"])
        }
    }

    @Test("takes work from many threads at once, each piece once") func storm() {
        onFreshThread {
            let queue = RLIdleQueue(sliceBudget: .zero)
            let sender = queue.sender
            let loop = RLRunLoop.current.getRLRunLoop()
            let done = Guarded(0)
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(loop, keeper, .defaultMode)
            let threads = (0..<4).map { _ in
                RLThread {
                    for _ in 0..<200 {
                        sender.add {
                            let count = done.withLock { count in
                                count += 1
                                return count
                            }
                            if count == 800 { RLRunLoopSourceInvalidate(keeper) }
                        }
                    }
                }
            }
            for thread in threads { thread.start() }
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            for thread in threads { thread.join() }
            #expect(done.withLock { $0 } == 800 && queue.count == 0)
        }
    }

    @Test("removes work on request, also while it works") func removing() {
        let log = Log<String>()
        onFreshThread {
            let queue = RLIdleQueue()
            queue.add { [token = Token(log)] in
                token.hold()
                log.add("work")
                queue.removeAll()
                log.add("removed")
            }
            queue.add { [token = Token(log)] in token.hold() }
            queue.sender.add { log.add("never") }
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            log.add("over")
        }
        #expect(log.entries == ["work", "released", "removed", "released", "over"])
    }

    @Test("may be dropped, by its own work too, and then takes nothing more") func dropping() {
        onFreshThread {
            let log = Log<String>()
            var queue: RLIdleQueue? = RLIdleQueue(sliceBudget: .zero)
            let sender = queue?.sender
            queue?.add {
                queue = nil
                log.add("dropped")
            }
            queue?.add { log.add("never") }
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .finished)
            #expect(sender?.add { log.add("never") } == false)
            #expect(log.entries == ["dropped"])
        }
    }
}
