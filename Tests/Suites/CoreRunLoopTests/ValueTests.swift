import CoreRunLoop
import Testing
import ThreadKit

@Suite("A mode")
struct ModeTests {
    @Test("is equal to one with the same characters")
    func equal() {
        let literal: RLRunLoopMode = "tracking"

        #expect(literal == RLRunLoopMode("tracking"))
        #expect(literal == RLRunLoopMode(RLStringCreate("tracking")))
        #expect(literal == RLRunLoopMode(rawValue: RLStringCreate("tracking")))
        #expect(literal != .defaultMode)
        #expect(Set<RLRunLoopMode>([literal, "tracking", .defaultMode, .commonModes]).count == 3)
    }

    @Test("has the name that CF gives it, with the prefix of this package")
    func names() {
        #expect(RLRunLoopMode.defaultMode.description == "kRLRunLoopDefaultMode")
        #expect(RLRunLoopMode.commonModes.description == "kRLRunLoopCommonModes")
        #expect(RLRunLoopMode.defaultMode.rawValue == kRLRunLoopDefaultMode)
        #expect(RLRunLoopMode("a").debugDescription == "\"a\"")
        let string = RLStringCreateMutable(nil, 0)
        RLStringAppend(string, RLStringCreate("before"))
        if let name = string {
            let mode = RLRunLoopMode(name)
            RLStringAppend(string, RLStringCreate(" and after"))
            #expect(mode == "before" && mode.description == "before")
        }
    }

    @Test("may be absent")
    func absent() {
        var mode: RLRunLoopMode? = "a"
        let same = mode
        #expect([mode, same, nil].compactMap { $0 }.count == 2)

        mode = nil

        #expect(mode != same)
        #expect(RLRunLoopRunInMode(mode, 0, false) == .finished)
    }

    @Test("in which a loop runs can be queried")
    func current() {
        let seen = Log<RLRunLoopMode?>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            seen.add(RLRunLoopCopyCurrentMode(loop))
            RLRunLoopPerformBlock(loop, "inner") { seen.add(RLRunLoopCopyCurrentMode(loop)) }
            RLRunLoopRunInMode("inner", 0, false)
        }

        #expect(seen.entries == [nil, "inner"])
    }

    @Test("of a loop is listed once something was put into it")
    func listed() {
        let modes = onFreshThread {
            let loop = RLRunLoopGetCurrent()
            RLRunLoopAddSource(loop, RLRunLoopSourceCreate {}, "a")
            RLRunLoopPerformBlock(loop, "b") {}
            return [RLRunLoopMode](RLRunLoopCopyAllModes(loop))
        }

        #expect(Set(modes ?? []) == [.defaultMode, "a", "b"])
    }
}

@Suite("An activity")
struct ActivityTests {
    @Test("has the value that CF gives it")
    func values() {
        let all: [RLRunLoopActivity] = [
            .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit,
        ]

        #expect(all.map(\.rawValue) == [1, 2, 4, 32, 64, 128])
        #expect(RLRunLoopActivity.allActivities.rawValue == 0x0FFF_FFFF)
        #expect(RLRunLoopActivity.allActivities.isSuperset(of: RLRunLoopActivity(all)))
    }

    @Test("is described by its name, and a set of them by all of theirs")
    func descriptions() {
        #expect("\(RLRunLoopActivity.beforeTimers)" == "beforeTimers")
        #expect("\(RLRunLoopActivity([.exit, .entry]))" == "entry, exit")
        #expect("\(RLRunLoopActivity([]))" == "")
    }
}

@Suite("A run")
struct RunResultTests {
    @Test("is described by a name")
    func descriptions() {
        let all: [RLRunLoopRunResult] = [.finished, .stopped, .timedOut, .handledSource]

        #expect(all.map(\.rawValue) == [1, 2, 3, 4])
        #expect(all.map(\.description) == ["finished", "stopped", "timedOut", "handledSource"])
    }
}

@Suite("A mutable string")
struct MutableStringTests {
    @Test("can be changed by threads at once")
    func shared() {
        let string = RLStringCreateMutable(nil, 0)
        let append: @Sendable () -> Void = {
            for _ in 0..<20_000 { RLStringAppend(string, RLStringCreate("ab")) }
        }
        onFreshThreads([append, append])
        #expect(RLStringGetLength(string) == 80_000)
    }

    @Test("can be read by a thread while another one changes it")
    func sharedReading() {
        let string = RLStringCreateMutableCopy(nil, 0, RLStringCreate("ab"))!
        let change: @Sendable () -> Void = {
            for _ in 0..<2_000 {
                RLStringAppend(string, RLStringCreate("\u{e9}b"))
                RLStringDelete(string, RLRangeMake(2, 2))
            }
        }
        let read: @Sendable () -> Void = {
            for _ in 0..<2_000 {
                let text = String(string)
                #expect(text == "ab" || text == "ab\u{e9}b")
                #expect(string.hashValue != 0 && string != RLStringCreate("a"))
                #expect(RLStringCreateCopy(nil, string).description.hasPrefix("ab"))
            }
        }
        onFreshThreads([change, read])
        #expect(String(string) == "ab")
    }
}
