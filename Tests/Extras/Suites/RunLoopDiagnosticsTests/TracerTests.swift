import CRunLoop.Wrapping
import Glibc
import RunLoopDiagnostics
import Testing
import ThreadKit

/// Serialized: one tracer at a time traces all loops, or one loop.
@Suite("Tracing", .serialized) enum Tracing {}

extension Tracing {
    @Suite("A tracer") struct TracerTests {
        // After a source the pass does not sleep, but receives the pending event: the stop's
        // wake-up.
        @Test("records a pass in the order of the steps that the engine promises") func order()
            throws
        {
            let recording = try traced { loop in
                let source = RLRunLoopSourceCreate { RLRunLoopStop(loop) }
                RLRunLoopAddSource(loop, source, "mode")
                RLRunLoopSourceSignal(source)
                RLRunLoopPerformBlock(loop, "mode") {}
                RLRunLoopRunInMode("mode", 10, false)
            }
            #expect(
                recording.steps == [
                    "run begins in mode", "entry", "beforeTimers", "beforeSources", "block begins",
                    "block ends", "source 0 begins", "source 0 ends", "woken by wake-up", "exit",
                    "run ends",
                ]
            )
        }

        @Test("records the reasons for wake-ups, with the descriptor, and sleeps")
        func reasons() throws {
            let port = RLRunLoopPortCreate()
            let recording = try traced { loop in
                let timer = RLRunLoopTimerCreate(fireDate: 0) { _ in RLRunLoopStop(loop) }
                RLRunLoopAddTimer(loop, timer, "timer")
                RLRunLoopRunInMode("timer", 10, false)

                let source = RLRunLoopSourceCreate(port: port) { RLRunLoopStop(loop) }
                RLRunLoopAddSource(loop, source, "port")
                RLRunLoopPortSignal(port)
                RLRunLoopRunInMode("port", 10, false)
                RLRunLoopRunInMode("port", 0.001, false)
                RLRunLoopRemoveSource(loop, source, "port")
            }
            close(port)
            #expect(
                recording.steps == [
                    "run begins in timer", "entry", "beforeTimers", "beforeSources",
                    "beforeWaiting",
                    "woken by timer", "afterWaiting", "timer begins", "timer ends", "exit",
                    "run ends",
                    "run begins in port", "entry", "beforeTimers", "beforeSources", "beforeWaiting",
                    "falls asleep", "woken by descriptor \(port)", "afterWaiting",
                    "port or descriptor begins",
                    "port or descriptor ends", "exit", "run ends",
                    "run begins in port", "entry", "beforeTimers", "beforeSources", "beforeWaiting",
                    "falls asleep", "woken by time-out", "afterWaiting", "exit", "run ends",
                ]
            )
            let sleeps = recording.spans.filter { if case .sleep = $0.kind { true } else { false } }
            // The first one ends at once, as the port is ready.
            #expect(sleeps.count == 2)
            #expect(sleeps.last?.depth == 1)
            #expect(sleeps.last?.mode == "port")
            #expect(sleeps.last?.duration ?? 0 > 0)
        }

        @Test("records nested runs, each around what it calls") func nested() throws {
            let recording = try traced { loop in
                RLRunLoopPerformBlock(loop, "outer") {
                    RLRunLoopPerformBlock(loop, "inner") {}
                    RLRunLoopRunInMode("inner", 0, false)
                }
                RLRunLoopRunInMode("outer", 0, false)
            }
            #expect(recording.spans.map(\.depth) == [0, 1, 2, 3])
            #expect(
                recording.spans.map { $0.mode?.description } == [
                    "outer", "outer", "inner", "inner",
                ]
            )
            for (outer, inner) in zip(recording.spans, recording.spans.dropFirst()) {
                #expect(outer.began <= inner.began && inner.ended <= outer.ended)
            }
            #expect(recording.spans.allSatisfy { !$0.isCutAtStart && !$0.isCutAtEnd })
        }

        @Test("names the closures, not the functions that call them") func names() throws {
            let recording = try traced { loop in
                RLRunLoopPerformBlock(loop, "mode") { prepareTheSoup() }
                let timer = RLRunLoopTimerCreate(fireDate: 0) { _ in prepareTheSoup() }
                RLRunLoopAddTimer(loop, timer, "mode")
                RLRunLoopRunInMode("mode", 0, false)
            }
            let callouts = recording.callouts
            #expect(callouts.map(\.kindName) == ["block", "timer"])
            for callout in callouts {
                #expect(callout.name.hasPrefix("closure #"), "\(callout.name)")
                #expect(callout.name.hasSuffix("TracerTests.names"), "\(callout.name)")
            }
            #expect(callouts[0].function != callouts[1].function)
            #expect(callouts.allSatisfy { $0.object != 0 })
        }

        @Test("keeps the last events and counts the others") func overflow() throws {
            let tracer = RLRunLoopTracer(capacity: 64)
            onFreshThread {
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                keepAlive(loop)
                #expect(tracer.start(loop))
                for _ in 0..<100 { RLRunLoopRunInMode("idle", 0, false) }
                tracer.stop(loop)
            }
            let recording = try #require(tracer.snapshot().recordings.first)
            // Each run makes six events.
            #expect(recording.events.count == 64)
            #expect(recording.lostEvents == 600 - 64)
            #expect(recording.events.map(\.number) == Array(536..<600))
            // The beginning of the oldest run is lost, but not its end.
            #expect(recording.spans.first?.isCutAtStart == true)
            #expect(recording.spans.dropFirst().allSatisfy { !$0.isCutAtStart })
        }

        @Test("can be read while the loop writes, and never in parts") func concurrentReading() {
            let tracer = RLRunLoopTracer(capacity: 64)
            let isRunning = Gate()
            let isRead = Flag()
            let kinds: [RLRunLoopTrace.Kind] = [
                .runBegan, .activity(.entry), .activity(.beforeTimers), .activity(.beforeSources),
                .activity(.exit), .runEnded,
            ]
            onFreshThreads([
                {
                    let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                    keepAlive(loop)
                    tracer.start(loop)
                    isRunning.open()
                    while !isRead.isSet { RLRunLoopRunInMode("idle", 0, false) }
                },
                {
                    isRunning.wait()
                    var seen = 0
                    while seen < 2000 {
                        let events = tracer.snapshot().recordings[0].events
                        seen += events.count
                        // The kind of an event follows from its number.
                        #expect(events.allSatisfy { $0.kind == kinds[$0.number % 6] })
                        #expect(events.allSatisfy { $0.mode == "idle" || $0.kind == .threadEnded })
                        for (first, second) in zip(events, events.dropFirst()) {
                            #expect(second.number == first.number + 1)
                            #expect(second.time >= first.time)
                        }
                    }
                    isRead.set()
                },
            ])
        }

        @Test("follows all loops, those included that are made later, until it stops") func all()
            throws
        {
            let tracer = RLRunLoopTracer()
            let loops = Log<Int32>()
            #expect(tracer.startAll())
            #expect(tracer.startAll())
            #expect(!RLRunLoopTracer().startAll())
            onFreshThreads([
                { runOnce(in: "first", loops) },
                { runOnce(in: "second", loops) },
            ])
            tracer.stop()
            let late = Log<Int32>()
            onFreshThread { runOnce(in: "third", late) }

            let recordings = tracer.snapshot().recordings
            let seen = recordings.filter { loops.entries.contains($0.thread) }
            let modes = Set(seen.flatMap(\.events).compactMap { $0.mode?.description })
            #expect(modes == ["first", "second"])
            for recording in seen {
                #expect(Set(recording.events.compactMap { $0.mode?.description }).count == 1)
                #expect(recording.events.last?.kind == .threadEnded)
                #expect(recording.isOver)
            }
            #expect(!recordings.contains { late.entries.contains($0.thread) && !$0.isOver })
            #expect(recordings.flatMap(\.events).allSatisfy { $0.mode != "third" })
            let next = RLRunLoopTracer()
            #expect(next.startAll())
            next.stop()
        }

        @Test("may begin and end in a callback") func inCallbacks() throws {
            let tracer = RLRunLoopTracer()
            onFreshThread {
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                RLRunLoopPerformBlock(loop, "mode") { tracer.start(loop) }
                RLRunLoopPerformBlock(loop, "mode") {}
                RLRunLoopPerformBlock(loop, "mode") { tracer.stop(loop) }
                RLRunLoopPerformBlock(loop, "mode") {}
                RLRunLoopPerformBlock(loop, "mode") { tracer.start(loop) }
                RLRunLoopRunInMode("mode", 0, false)
                tracer.stop(loop)
                RLRunLoopPerformBlock(loop, "mode") {}
                RLRunLoopRunInMode("mode", 0, false)
            }
            let recordings = tracer.snapshot().recordings
            #expect(
                recordings.map(\.steps) == [
                    ["callback ends", "block begins", "block ends", "block begins"],
                    ["callback ends", "exit", "run ends"],
                ]
            )
            let first = try #require(recordings.first)
            // The enclosing run, the block that started the recording, a whole block, and the one
            // that stopped it.
            #expect(first.spans.map(\.kind.isRun) == [true, false, false, false])
            #expect(first.spans.map(\.isCutAtStart) == [true, true, false, false])
            #expect(first.spans.map(\.isCutAtEnd) == [true, false, false, true])
            #expect(recordings[1].spans.map(\.isCutAtStart) == [true, true])
        }

        @Test("may begin while the loop sleeps, and end it") func inSleep() throws {
            let tracer = RLRunLoopTracer()
            let loops = Log<RLRunLoopRef>()
            let isThere = Gate()
            onFreshThreads([
                {
                    let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                    keepAlive(loop)
                    loops.add(loop)
                    isThere.open()
                    RLRunLoopRunInMode("idle", 1e10, false)
                },
                {
                    isThere.wait()
                    let loop = loops.entries[0]
                    var statistics = RLRunLoopStatistics()
                    repeat {
                        sched_yield()
                        RLRunLoopGetStatistics(loop, &statistics)
                    } while statistics.phase != kRLRunLoopPhaseWaiting
                    #expect(tracer.start(loop))
                    RLRunLoopStop(loop)
                },
            ])
            let recording = try #require(tracer.snapshot().recordings.first)
            #expect(
                recording.steps == [
                    "woken by wake-up", "afterWaiting", "exit", "run ends", "thread ends",
                ]
            )
            #expect(recording.events[0].duration > 0)
            #expect(recording.spans.map(\.isCutAtStart) == [true, true])
            #expect(recording.spans.first?.kind == .run)
            // The end of the loop's sleep is the subject.
            #expect(recording.spans.last?.kind == .sleep(.wakeUp))
        }

        @Test("records nothing of a loop that is not traced") func off() {
            let tracer = RLRunLoopTracer()
            onFreshThread {
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                keepAlive(loop)
                RLRunLoopRunInMode("idle", 0, false)
                tracer.start(loop)
                tracer.stop(loop)
                RLRunLoopRunInMode("idle", 0, false)
            }
            #expect(tracer.snapshot().recordings.map(\.events.count) == [0])
        }

        @Test("does not trace a loop that another tracer traces, or whose thread has ended")
        func busy() {
            let first = RLRunLoopTracer()
            let second = RLRunLoopTracer()
            let loops = Log<RLRunLoopRef>()
            onFreshThread {
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                loops.add(loop)
                #expect(first.start(loop))
                #expect(first.start(loop))
                #expect(!second.start(loop))
                second.stop(loop)
                first.stop(loop)
                #expect(second.start(loop))
            }
            #expect(!first.start(loops.entries[0]))
            #expect(first.snapshot().recordings.count == 1)
            #expect(second.snapshot().recordings.map(\.steps) == [["thread ends"]])
        }

        @Test("stops when the last reference to it goes") func goes() {
            onFreshThread {
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                do {
                    let tracer = RLRunLoopTracer()
                    #expect(tracer.start(loop))
                }
                let next = RLRunLoopTracer()
                #expect(next.start(loop))
            }
        }

        @Test("does not retain the loop's items after its thread has ended") func lifetime() {
            let tracer = RLRunLoopTracer()
            let log = Log<String>()
            onFreshThread {
                let token = Token(log)
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                tracer.start(loop)
                let observer = RLRunLoopObserverCreate(activities: .exit) { _, _ in token.hold() }
                RLRunLoopAddObserver(loop, observer, "mode")
                RLRunLoopPerformBlock(loop, "mode") {}
                RLRunLoopRunInMode("mode", 0, false)
            }
            #expect(log.entries == ["released"])
            #expect(tracer.snapshot().recordings.count == 1)
        }

        @Test("records the sleep of a loop in its host") func hosted() throws {
            let recording = try traced { loop in
                keepAlive(loop)
                #expect(RLRunLoopBeginHosting(RLStringCreate("idle"), [], nil) >= 0)
                RLRunLoopRunInMode("idle", 0, false)
                RLRunLoopEndHosting()
            }
            #expect(
                recording.steps == [
                    "falls asleep", "woken by host", "run begins in idle", "entry", "beforeTimers",
                    "beforeSources", "exit", "run ends", "falls asleep", "woken by host",
                ]
            )
        }
    }
}

// MARK: Helpers

/// Traces a loop of a fresh thread during a closure; the end of the thread is excluded.
func traced(
    _ body: @escaping @Sendable (RLRunLoopRef) -> Void
) throws -> RLRunLoopTrace.Recording {
    let tracer = RLRunLoopTracer()
    onFreshThread {
        let loop: RLRunLoopRef = RLRunLoopGetCurrent()
        #expect(tracer.start(loop))
        body(loop)
        tracer.stop(loop)
    }
    return try #require(tracer.snapshot().recordings.first)
}

private func keepAlive(_ loop: RLRunLoopRef) {
    RLRunLoopAddSource(loop, RLRunLoopSourceCreate(perform: {}), "idle")
}

private func runOnce(in mode: RLRunLoopMode, _ threads: Log<Int32>) {
    threads.add(RLThreadGetNumber())
    RLRunLoopPerformBlock(RLRunLoopGetCurrent(), mode) {}
    RLRunLoopRunInMode(mode, 0, false)
}

@inline(never) private func prepareTheSoup() {
    withExtendedLifetime(0) {}
}

extension RLRunLoopTrace.Span.Kind {
    fileprivate var isRun: Bool { self == .run }
}

extension RLRunLoopTrace.Recording {
    fileprivate var callouts: [RLRunLoopTrace.Callout] {
        spans.compactMap { if case .callout(let callout) = $0.kind { callout } else { nil } }
    }

    /// The events as words, without those of adaptors.
    fileprivate var steps: [String] {
        events.compactMap { event in
            switch event.kind {
            case .runBegan: "run begins in \(event.mode?.description ?? "none")"
            case .runEnded: "run ends"
            case .activity(let activity): activity.description
            case .calloutBegan(let callout): "\(callout.kindName) begins"
            case .calloutEnded(let callout): "\(callout.kindName) ends"
            case .calloutFunction: nil
            case .fellAsleep: "falls asleep"
            case .wokeUp(let reason): "woken by \(reason)"
            case .threadEnded: "thread ends"
            }
        }
    }
}
