import FoundationEssentials
import RunLoopTesting
import Testing
import ThreadKit

@Suite("A loop's wrapper") struct RunningTests {
    @Test("is one object per loop (NSRL-1)") func identity() {
        onFreshThread {
            #expect(RLRunLoop.current === RLRunLoop.current)
            #expect(RLRunLoop.current != RLRunLoop.main)
            #expect(RLRunLoop.current.getRLRunLoop() === RLRunLoopGetCurrent())
            #expect(RLRunLoop.main.getRLRunLoop() === RLRunLoopGetMain())
        }
    }

    @Test("is one object for the main actor too (NSRL-1)") @MainActor func mainIdentity() {
        let loop: RLRunLoop = .main
        #expect(loop === RLRunLoop.main && loop === RLRunLoop.current)
        #expect(loop == RLRunLoop.main)
    }

    @Test("goes with its thread, and not before (NSRL-1)") func lifetime() {
        let log = Log<String>()
        onFreshThread {
            let token = Token(log)
            RLRunLoop.current.perform(afterDelay: 100) { token.hold() }
            weak let wrapper = RLRunLoop.current
            #expect(wrapper != nil)
            log.add("thread ends")
        }
        #expect(log.entries == ["thread ends", "released"])
    }

    @Test("has the mode in which it runs (NSRL-2)") func currentMode() {
        onFreshThread {
            let loop = RLRunLoop.current
            #expect(loop.currentMode == nil)
            let modes = Log<RLRunLoop.Mode?>()
            loop.perform(inModes: ["custom"]) { modes.add(RLRunLoop.current.currentMode) }
            #expect(loop.run(mode: "custom", before: .distantPast))
            #expect(modes.entries == ["custom"])
            #expect(loop.currentMode == nil)
        }
    }

    @Test("polls for events before it sleeps, with a busy-poll interval") func busyPoll() {
        onFreshThread {
            let loop = RLRunLoop.current
            #expect(loop.busyPollInterval == 0)
            loop.busyPollInterval = 1e6
            #expect(loop.busyPollInterval == 1e6)
            #expect(RLRunLoopGetBusyPollInterval(loop.getRLRunLoop()) == 1e6)
            let log = Log<String>()
            loop.perform(afterDelay: 0.001) { log.add("timer") }
            loop.run(mode: .default, before: .distantFuture)
            #expect(log.entries == ["timer"])
            var numbers = RLRunLoopStatistics()
            RLRunLoopGetStatistics(loop.getRLRunLoop(), &numbers)
            #expect(numbers.sleeps == 0)
        }
    }

    @Test("does not run an empty mode, nor the common ones (NSRL-3, NSRL-4)") func emptyModes() {
        onFreshThread {
            let loop = RLRunLoop.current
            #expect(!loop.run(mode: .default, before: .distantFuture))
            loop.perform(inModes: [.common]) {}
            #expect(!loop.run(mode: .common, before: .distantFuture))
            #expect(loop.run(mode: .default, before: .distantPast))
        }
    }

    @Test("runs until a source was served or the limit (NSRL-3, NSRL-5)") func limits() {
        onFreshThread {
            let loop = RLRunLoop.current
            let log = Log<String>()
            let clock = RLTestClock(isAutomatic: true)
            let source = RLRunLoopSourceCreate { log.add("source") }
            RLRunLoopAddSource(loop.getRLRunLoop(), source, .defaultMode)
            let timer = RLTimer(timeInterval: 1, repeats: true) { timer in
                log.add("timer")
                if log.entries.count == 3 {
                    timer.invalidate()
                    RLRunLoopSourceSignal(source)
                }
            }
            loop.add(timer, forMode: .default)
            #expect(loop.run(mode: .default, before: .distantFuture))
            #expect(log.entries == ["timer", "timer", "timer", "source"])

            let start = clock.nanoseconds
            #expect(loop.run(mode: .default, for: .seconds(5)))
            #expect(clock.nanoseconds - start == 5_000_000_000)
            #expect(loop.run(mode: .default, before: .distantPast))
            #expect(clock.nanoseconds - start == 5_000_000_000)
            clock.end()
        }
    }

    @Test("runs until a date, whatever is served and whoever stops (NSRL-6)") func runUntil() {
        onFreshThread {
            let loop = RLRunLoop.current
            let clock = RLTestClock(isAutomatic: true)
            let start = clock.date, began = clock.nanoseconds
            loop.run(until: start + 100)
            #expect(clock.nanoseconds == began)
            let log = Log<String>()
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0.002, repeats: true) { _ in
                log.add("timer")
                RLRunLoopStop(RLRunLoopGetCurrent())
            }
            loop.run(until: start + 0.3)
            #expect(clock.nanoseconds - began == 300_000_000)
            #expect(log.entries.count == 150)
            timer.invalidate()
            clock.end()
        }
    }

    @Test("runs until nothing is left (NSRL-7)") func runForEver() {
        onFreshThread {
            let log = Log<String>()
            RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { timer in
                log.add("timer")
                RLRunLoopStop(RLRunLoopGetCurrent())
                if log.entries.count == 3 { timer.invalidate() }
            }
            RLRunLoop.current.run()
            #expect(log.entries.count == 3)
        }
    }

    @Test("runs until it is stopped, with nothing in it (NSRL-16, NSRL-17)")
    func runUntilStopped() {
        onFreshThread {
            let loop = RLRunLoop.current
            let reference = loop.getRLRunLoop()
            loop.stop(withCode: 3)
            loop.stop(withCode: 4)
            #expect(loop.runUntilStopped() == 3)
            let other = RLThread {
                while !RLRunLoopIsWaiting(reference) {}
                RLRunLoopStop(reference)
            }
            other.start()
            #expect(loop.runUntilStopped() == 0)
            other.join()
            let log = Log<String>()
            loop.perform {
                let loop = RLRunLoop.current
                loop.perform(inModes: ["inner"]) { RLRunLoop.current.stop(withCode: -1) }
                log.add("nested: \(loop.run(mode: "inner", before: .distantFuture))")
            }
            #expect(loop.runUntilStopped() == -1)
            #expect(log.entries == ["nested: true"])
        }
    }

    @Test("returns its next date after serving ready sources (NSRL-9)") func limitDate() {
        onFreshThread {
            let loop = RLRunLoop.current
            #expect(loop.limitDate(forMode: .default) == nil)
            let source = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(loop.getRLRunLoop(), source, .defaultMode)
            #expect(loop.limitDate(forMode: .default) == .distantFuture)
            let log = Log<String>()
            loop.add(
                RLTimer(fire: .distantPast, interval: 0, repeats: false) { _ in log.add("due") },
                forMode: .default
            )
            let later = Date(timeIntervalSinceNow: 500)
            loop.add(RLTimer(fire: later, interval: 0, repeats: false) { _ in }, forMode: .default)
            let date = loop.limitDate(forMode: .default)
            #expect(log.entries == ["due"])
            #expect(abs((date ?? .distantPast).timeIntervalSince(later)) < 0.001)
        }
    }

    @Test("accepts input of one source (NSRL-10)") func acceptInput() {
        onFreshThread {
            let loop = RLRunLoop.current
            let log = Log<String>()
            let source = RLRunLoopSourceCreate { log.add("source") }
            RLRunLoopAddSource(loop.getRLRunLoop(), source, .defaultMode)
            RLRunLoopSourceSignal(source)
            loop.acceptInput(forMode: .default, before: .distantFuture)
            #expect(log.entries == ["source"])
        }
    }

    @Test("performs blocks in their modes, and wakes for other threads (NSRL-11)")
    func performBlocks() {
        onFreshThread {
            let loop = RLRunLoop.current
            let reference = loop.getRLRunLoop()
            let log = Log<String>()
            loop.perform { log.add("default") }
            loop.perform(inModes: [.tracking, "other"]) { log.add("listed") }
            loop.perform(inModes: []) { log.add("never") }
            #expect(loop.run(mode: .tracking, before: .distantPast))
            #expect(loop.run(mode: .default, before: .distantPast))
            #expect(log.entries == ["listed", "default"])

            // Keeps the loop nonempty: only the wake-up ends its sleep.
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(reference, keeper, .defaultMode)
            let other = RLThread {
                while !RLRunLoopIsWaiting(reference) {}
                RLRunLoopPerformBlock(reference, .defaultMode) {
                    log.add("woken")
                    RLRunLoopStop(reference)
                }
                RLRunLoopWakeUp(reference)
            }
            other.start()
            #expect(loop.run(mode: .default, before: .distantFuture))
            #expect(log.entries.last == "woken")
            other.join()
        }
    }

    @Test("has observers as values") func observers() {
        onFreshThread {
            let loop = RLRunLoop.current
            let log = Log<String>()
            let observer = loop.observe([.entry, .exit], in: [.default, "other"]) { me, activity in
                log.add("\(activity)")
                if activity == .exit { me.invalidate() }
            }
            let once = loop.observe(.entry, in: [.default], repeats: false, order: -1) { _, _ in
                log.add("first")
            }
            #expect(observer.isValid && once.order == -1 && observer.activities == [.entry, .exit])
            loop.perform {}
            loop.run(mode: .default, before: .distantPast)
            loop.perform {}
            loop.run(mode: .default, before: .distantPast)
            #expect(log.entries == ["first", "entry", "exit"])
            #expect(!observer.isValid && !once.isValid)
        }
    }

    @Test("has modes as values") func modes() {
        #expect(RLRunLoop.Mode.default.rawValue == "kRLRunLoopDefaultMode")
        #expect(RLRunLoop.Mode.common.rawValue == "kRLRunLoopCommonModes")
        #expect(RLRunLoop.Mode("x") == "x" && RLRunLoop.Mode(rawValue: "x").rawValue == "x")
        #expect(RLRunLoop.Mode.default.mode == .defaultMode)
        #expect(Set([RLRunLoop.Mode.tracking, .eventTracking, .modalPanel]).count == 3)
    }
}
