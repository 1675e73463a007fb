import CRunLoop.Wrapping
import Glibc
import RunLoopKit
import Testing
import ThreadKit

@testable import RunLoopDiagnostics

extension Tracing {
    @Suite("The inspector") struct InspectorTests {
        @Test("traces loops while viewers are registered, and stops when the last viewer leaves")
        func leaving() throws {
            try withLoop { loop in
                let desk = InspectorService()
                #expect(canBeTraced(loop))

                for viewer in ["one", "other"] { #expect(watch(desk, viewer)) }
                #expect(!canBeTraced(loop))
                _ = ask(desk, "leave viewer=one")
                #expect(!canBeTraced(loop))
                _ = ask(desk, "leave viewer=other")
                #expect(canBeTraced(loop))
                #expect(isAtRest(desk))
            }
        }

        @Test("unregisters a viewer that is silent for some seconds")
        func silence() throws {
            try withLoop { loop in
                let desk = InspectorService()
                #expect(watch(desk, "killed"))

                // Each tick counts a tenth of a second, however long the thread was busy.
                for _ in 1..<InspectorViewers.patience { desk.tick() }
                #expect(!canBeTraced(loop))
                desk.tick()
                #expect(canBeTraced(loop))
                #expect(isAtRest(desk))
            }
        }

        @Test("keeps a viewer that sends requests now and then") func patience() throws {
            try withLoop { loop in
                let desk = InspectorService()
                for _ in 0..<3 {
                    #expect(watch(desk, "slow"))
                    for _ in 1..<InspectorViewers.patience { desk.tick() }
                }
                #expect(!canBeTraced(loop))
                desk.close()
            }
        }

        @Test("leaves a loop that the program traces to the program, and reports that")
        func tracedByProgram() throws {
            try withLoop { loop in
                let desk = InspectorService()
                let tracer = RLRunLoopTracer()
                #expect(tracer.start(loop))

                let reply = ask(desk, "sample viewer=a")
                let thread = loop.statistics.threadID
                #expect(reply.contains("\"thread\":\(thread)"))
                #expect(field("isTraced", ofLoop: thread, reply) == "false")
                // When the program stops its tracer, the next sample traces the loop.
                tracer.stop()
                let next = ask(desk, "sample viewer=a")
                #expect(field("isTraced", ofLoop: thread, next) == "true")
                desk.close()
                #expect(canBeTraced(loop))
            }
        }

        @Test("counts callbacks and their durations")
        func counting() throws {
            try withLoop { loop, thread in
                let collector = LoopCollector(loop, depth: .callouts)
                for _ in 0..<5 { thread.execute(waitUntilDone: true) { tick() } }
                // The callback ends after its closure; it has ended when the next one runs.
                thread.execute(waitUntilDone: true) { tick() }
                collector.collect()
                collector.stop()

                #expect(collector.calls.reduce(0) { $0 + $1.count } >= 5)
                #expect(collector.calls.allSatisfy { $0.longest <= $0.nanoseconds })
                #expect(collector.longest != nil)
                #expect(collector.lostEvents == 0)
            }
        }

        @Test("records callbacks and runs of loops, and all events once a trace is requested")
        func depth() throws {
            try withLoop { loop, thread in
                let collector = LoopCollector(loop, depth: .callouts)
                thread.execute(waitUntilDone: true) { tick() }
                let shallow = try #require(collector.recording(from: 0, until: .max)).events
                collector.deepen(to: .everything(1024))
                thread.execute(waitUntilDone: true) { tick() }
                let deep = try #require(collector.recording(from: 0, until: .max)).events
                collector.stop()

                #expect(shallow.contains { $0.isBeginOfCallback })
                #expect(!shallow.contains { $0.isAroundCallbacks })
                #expect(deep.contains { $0.isBeginOfCallback })
                #expect(deep.contains { $0.isAroundCallbacks })
            }
        }

        @Test("compares calls of timers with the dates of earlier samples")
        func lateness() throws {
            try withLoop { loop in
                let date = RLAbsoluteTimeGetCurrent() + 1000
                let timer = RLRunLoopTimerCreate(fireDate: date, interval: 1) { _ in }
                RLRunLoopAddTimer(loop, timer, .defaultMode)
                let timers = TimerPunctuality()
                timers.sample(loop)
                let seen = try #require(timers.all.first)
                let due = try #require(seen.due)

                // An early call is not due to this date.
                timers.noteCall(of: seen.address, at: due - 10_000_000)
                #expect(timers.all.first?.firings == 0)
                timers.noteCall(of: seen.address, at: due + 5_000_000)
                #expect(timers.all.first?.latenessWorst == 5_000_000)
                // One date is missed, the next one is due.
                timers.noteCall(of: seen.address, at: due + 2_003_000_000)
                #expect(timers.all.first?.firings == 2)
                #expect(timers.all.first?.latenessTotal == 1_008_000_000)
                #expect(timers.all.first?.due == due + 3_000_000_000)
                RLRunLoopTimerInvalidate(timer)
                timers.sample(loop)
                #expect(timers.all.isEmpty)
            }
        }

        @Test("counts the lateness of a past date from its first sample, however often it is set")
        func longAgo() throws {
            try withLoop { loop in
                let timer = RLRunLoopTimerCreate(fireDate: 1e12, interval: 3600) { _ in }
                RLRunLoopAddTimer(loop, timer, "mode that never runs")
                let timers = TimerPunctuality()
                timers.sample(loop)
                for year in 0..<8 {
                    // Dates before 1970 make the timer due at once.
                    RLRunLoopTimerSetNextFireDate(timer, -2e9 - Double(year))
                    timers.sample(loop)
                    let seen = try #require(timers.all.first)
                    timers.noteCall(of: seen.address, at: nanoseconds())
                    // The timer has that date until its callback ends.
                    timers.sample(loop)
                    #expect(timers.all.first?.due ?? 0 > nanoseconds())
                }
                let seen = try #require(timers.all.first)
                #expect(seen.firings == 8)
                #expect(seen.latenessWorst < 60_000_000_000)
                #expect(seen.latenessTotal < 60_000_000_000)
                RLRunLoopTimerInvalidate(timer)
            }
        }

        @Test("names a timer by its function, not by an earlier timer at its address")
        func successor() throws {
            try withLoop { loop, thread in
                let desk = InspectorService()
                #expect(watch(desk, "a"))
                thread.execute(waitUntilDone: true) {
                    callTimerOnce()
                    // Without a sanitizer, the new timer reuses the memory of the first one.
                    let date = RLAbsoluteTimeGetCurrent() + 1000
                    let timer = RLRunLoopTimerCreate(nil, date, 0, 0, 0, successorTick, nil)
                    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, .defaultMode)
                }
                desk.tick()

                let id = loop.statistics.threadID
                let items = ask(desk, "items thread=\(id)")
                #expect(items.contains(#""kind":"timer","name":"successorTick","#), "\(items)")
                let sample = ask(desk, "sample viewer=a")
                let timers = try #require(field("timers", ofLoop: id, sample))
                let address = sample[timers.endIndex...].prefix { $0 != "}" }
                #expect(address.contains(#""name":"successorTick""#), "\(sample)")
                desk.close()
            }
        }

        @Test("names the closures of timers and observers that were never called")
        func uncalled() throws {
            try withLoop { loop, thread in
                let desk = InspectorService()
                #expect(watch(desk, "a"))
                thread.execute(waitUntilDone: true) {
                    addUncalledItems()
                    let date = RLAbsoluteTimeGetCurrent() + 1000
                    let timer = RLRunLoopTimerCreate(fireDate: date) { _ in }
                    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, .defaultMode)
                }
                desk.tick()

                let id = loop.statistics.threadID
                let items = ask(desk, "items thread=\(id)")
                for place in ["closure #1 in addUncalledItems", "closure #2 in addUncalledItems"] {
                    #expect(items.contains(#""name":"\#(place)""#), "\(items)")
                }
                let sample = ask(desk, "sample viewer=a")
                let timers = sample[try #require(field("timers", ofLoop: id, sample)).endIndex...]
                #expect(timers.contains(#""name":"closure #1 in addUncalledItems""#), "\(sample)")
                #expect(timers.contains(".uncalled\""), "\(sample)")
                desk.close()
            }
        }

        @Test("reports when events were overwritten before they were read")
        func lost() throws {
            try withLoop { loop, thread in
                let collector = LoopCollector(loop, depth: .everything(64))
                for _ in 0..<100 { thread.execute(waitUntilDone: true) {} }
                collector.collect()
                collector.stop()

                #expect(collector.lostEvents > 0)
                #expect(collector.calls.reduce(0) { $0 + $1.count } < 100)
            }
        }

        @Test("writes JSON that preserves all strings")
        func json() {
            let value = JSONValue.object([
                ("a\"b", .text("line\nend\u{1}\\")), ("list", .list([.number(-1), .null])),
                ("none", .list([])), ("nothing", .object([])), ("yes", .flag(true)),
                ("time", .microseconds(1005)),
            ])
            #expect(
                value.written
                    == #"{"a\"b":"line\nend\u0001\\","list":[-1,null],"none":[],"nothing":{},"#
                    + #""yes":true,"time":1.005}"#
            )
        }

        private func ask(_ desk: InspectorService, _ request: String) -> String {
            let reply = desk.answer(InspectorRequest.version, Array(request.utf8))
            return String(decoding: reply, as: UTF8.self)
        }

        private func watch(_ desk: InspectorService, _ viewer: String) -> Bool {
            ask(desk, "sample viewer=\(viewer)").contains("\"loops\":[")
        }

        private func isAtRest(_ desk: InspectorService) -> Bool {
            ask(desk, "hello").contains("\"viewers\":0}")
                && RLRunLoopCountItems(
                    RLRunLoopGetCurrent(),
                    RLRunLoopMode.defaultMode.rawValue,
                    kRLRunLoopItemTimer
                ) == 0
        }

        /// Whether no other tracer traces the loop.
        private func canBeTraced(_ loop: RLRunLoopRef) -> Bool {
            let tracer = RLRunLoopTracer()
            defer { tracer.stop() }
            return tracer.start(loop)
        }

        private func field(_ name: String, ofLoop thread: Int32, _ reply: String) -> Substring? {
            guard let loop = reply.firstRange(of: "\"thread\":\(thread),") else { return nil }
            let rest = reply[loop.upperBound...]
            guard let start = rest.firstRange(of: "\"\(name)\":") else { return nil }
            return rest[start.upperBound...].prefix { $0 != "," && $0 != "}" }
        }

        private func withLoop(_ body: (RLRunLoopRef) throws -> Void) throws {
            try withLoop { loop, _ in try body(loop) }
        }

        /// Calls a function on its own thread with another loop, as the inspector's thread does.
        private func withLoop(_ body: (RLRunLoopRef, RLPermanentThread) throws -> Void) throws {
            let thread = RLPermanentThread(name: "looked-into")
            thread.execute(waitUntilDone: true) {}
            try body(thread.runLoop, thread)
            thread.stop()
            thread.join()
        }
    }
}

private func tick() {}

private func successorTick(_ timer: RLRunLoopTimerRef?, _ info: UnsafeMutableRawPointer?) {}

/// Calls a closure with a timer that is released afterwards.
@inline(never) private func callTimerOnce() {
    let timer = RLRunLoopTimerCreate(fireDate: 0, interval: 1000) { _ in tick() }
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, "once")
    RLRunLoopRunInMode("once", 0, false)
    RLRunLoopTimerInvalidate(timer)
}

extension RLRunLoopTrace.Event {
    fileprivate var isBeginOfCallback: Bool {
        if case .calloutBegan = kind { true } else { false }
    }

    fileprivate var isAroundCallbacks: Bool {
        switch kind {
        case .activity, .fellAsleep, .wokeUp: true
        default: false
        }
    }
}

private func addUncalledItems() {
    RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: true) { _ in }
    _ = RLRunLoop.current.observe(.exit) { _, _ in }
}
