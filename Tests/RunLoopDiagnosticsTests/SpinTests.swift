import CRunLoop.Wrapping
import Glibc
import RunLoopDiagnostics
import Testing
import ThreadKit

/// The loops of these tests spin until they are reported: nothing depends on how fast the machine
/// is.
@Suite("The spin detector") struct SpinTests {
    @Test("names a descriptor that nobody reads, and who is called for it") func pipe() throws {
        var ends: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        try #require(write(ends[1], "xyz", 3) == 3)
        let readEnd = ends[0]
        let report = try #require(
            reportOfLoop {
                let source = RLRunLoopSourceCreate(descriptor: readEnd) { _ in ignoreInput() }
                RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            }
        )
        #expect(report.cause == .descriptor(readEnd))
        #expect(report.descriptor?.contains("\(readEnd): pipe:[") == true, "\(report)")
        #expect(report.descriptor?.hasSuffix("3 bytes waiting") == true, "\(report)")
        #expect(report.item?.contains("RLRunLoopSource") == true, "\(report)")
        #expect(report.mode == .defaultMode)
        #expect(report.callsPerSecond > 0)
        // Unless all the backtraces were taken between the calls.
        if let callback = report.callback?.symbol {
            #expect(callback.contains("ignoreInput") || callback.contains("SpinTests.pipe()"))
        }
    }

    @Test("names a source that signals itself") func source() throws {
        let report = try #require(reportOfLoop { addEndlessSource() })
        #expect(report.cause == .source)
        #expect(report.item?.contains("RLRunLoopSource") == true, "\(report)")
    }

    @Test("names a timer that is always due, with its C function") func timer() throws {
        let report = try #require(
            reportOfLoop {
                let timer = RLRunLoopTimerCreate(
                    kRLAllocatorDefault,
                    0,
                    1000,
                    0,
                    0,
                    { timer, _ in tick(timer) },
                    nil
                )
                RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, .defaultMode)
            }
        )
        #expect(report.cause == .timer)
        #expect(report.callback?.symbol?.contains("SpinTests.timer()") == true, "\(report)")
    }

    @Test("tells blocks that add themselves") func blocks() throws {
        let report = try #require(reportOfLoop { performAgain() })
        #expect(report.cause == .blocks)
    }

    @Test("tells a loop that is polled") func polled() throws {
        let isReported = Flag()
        let reports = Log<RLSpinReport>()
        let detector = RLSpinDetector(.init(interval: .milliseconds(20))) { report in
            reports.add(report)
            isReported.set()
        }
        onFreshThread {
            detector.watch(RLRunLoopGetCurrent())
            let idle = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), idle, .defaultMode)
            while !isReported.isSet { RLRunLoopRunInMode(.defaultMode, 0, false) }
        }
        #expect(reports.entries.first?.cause == .runs)
    }

    @Test("does not take a descriptor that is read for one that is not") func busy() throws {
        var ends: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        let (readEnd, writeEnd) = (ends[0], ends[1])
        let isOver = Flag()
        let reports = Log<RLSpinReport>()
        let detector = RLSpinDetector(.init(interval: .milliseconds(10))) { reports.add($0) }
        onFreshThreads([
            {
                while !isOver.isSet { _ = write(writeEnd, "x", 1) }
                close(writeEnd)
            },
            {
                let source = RLRunLoopSourceCreate(descriptor: readEnd) { _ in
                    var bytes = [UInt8](repeating: 0, count: 512)
                    _ = read(readEnd, &bytes, bytes.count)
                }
                RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
                detector.watch(RLRunLoopGetCurrent())
                // How long it is busy is the subject: for many looks.
                RLRunLoopRunInMode(.defaultMode, 0.5, false)
                isOver.set()
                RLRunLoopSourceInvalidate(source)
                // The other thread may be in the midst of a write.
                var bytes = [UInt8](repeating: 0, count: 512)
                while read(readEnd, &bytes, bytes.count) > 0 {}
                close(readEnd)
            },
        ])
        #expect(reports.entries.map(\.description) == [])
    }

    @Test("does not take descriptors that are read in turn for one that is not") func turns() {
        let reports = Log<RLSpinReport>()
        let detector = RLSpinDetector(.init(interval: .milliseconds(10))) { reports.add($0) }
        onFreshThread {
            let ring = (0..<8).map { _ in RLRunLoopPortCreate() }
            let sources = ring.indices.map { place in
                let next = ring[(place + 1) % ring.count]
                // The loop reads an eventfd itself.
                return RLRunLoopSourceCreate(port: ring[place]) { RLRunLoopPortSignal(next) }
            }
            for source in sources {
                RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            }
            RLRunLoopPortSignal(ring[0])
            detector.watch(RLRunLoopGetCurrent())
            // How long it is busy is the subject: for many looks.
            RLRunLoopRunInMode(.defaultMode, 0.5, false)
            for source in sources { RLRunLoopSourceInvalidate(source) }
            for port in ring { close(port) }
        }
        #expect(reports.entries.map(\.description) == [])
    }

    @Test("does not take work that comes in bursts for a spin, if the loop sleeps in between")
    func bursts() {
        let reports = Log<RLSpinReport>()
        let detector = RLSpinDetector(.init(interval: .milliseconds(100))) { reports.add($0) }
        onFreshThread {
            detector.watch(RLRunLoopGetCurrent())
            let left = Guarded(0)
            let own = Guarded<RLRunLoopSourceRef?>(nil)
            // A pass for each call, and a sleep after thirty of them.
            let source = RLRunLoopSourceCreate {
                let isOver = left.withLock { left in
                    left -= 1
                    return left <= 0
                }
                if !isOver { RLRunLoopSourceSignal(own.withLock { $0 }) }
            }
            own.withLock { $0 = source }
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { _ in
                left.withLock { $0 = 30 }
                RLRunLoopSourceSignal(source)
            }
            // How long it goes on is the subject: for many looks.
            RLRunLoopRunInMode(.defaultMode, 0.5, false)
            timer.invalidate()
            own.withLock { $0 = nil }
        }
        #expect(reports.entries.map(\.description) == [])
    }

    @Test("does not take a source that works for one that spins") func working() {
        #expect(reportsOfWork(.microseconds(200)).map(\.description) == [])
    }

    @Test("takes it for one that spins if its work is too short to count") func shortWork() {
        #expect(reportsOfWork(.seconds(1)).first?.cause == .source)
    }

    @Test("does not take an idle queue that gets done for one that never does") func idleQueue()
        throws
    {
        let reports = Log<RLSpinReport>()
        let detector = RLSpinDetector(.init(interval: .milliseconds(10), passesPerSecond: 1)) {
            reports.add($0)
        }
        onFreshThread {
            let queue = RLIdleQueue(sliceBudget: .zero)
            // How long it is busy is the subject: for many looks.
            for _ in 0..<100_000 { queue.add {} }
            detector.watch(RLRunLoopGetCurrent())
            RLRunLoop.current.run()
            detector.unwatch(RLRunLoopGetCurrent())
        }
        #expect(reports.entries.map(\.description) == [])
    }

    @Test("tells work of an idle queue that adds itself") func idleSpin() throws {
        let queue = Guarded<RLIdleQueue.Sender?>(nil)
        let report = try #require(
            reportOfLoop {
                let made = RLIdleQueue(sliceBudget: .zero)
                queue.withLock { $0 = made.sender }
                // A look finds the piece as often at work as waiting in the queue.
                addIdleWork(to: queue)
                let other = RLRunLoopObserverCreate(activities: .beforeSources) { _, _ in
                    compute(nanoseconds: 20_000)
                }
                RLRunLoopAddObserver(RLRunLoopGetCurrent(), other, .defaultMode)
                // The queue lives as long as its loop.
                RLThread.current.threadDictionary["queue"] = made
            }
        )
        #expect(report.cause == .wakeUps || report.cause == .unknown, "\(report)")
    }

    @Test("lets its handler go when it is stopped") func stopping() {
        let log = Log<String>()
        let detector = RLSpinDetector { [token = Token(log)] _ in token.hold() }
        detector.stop()
        #expect(log.entries == ["released"])
        withExtendedLifetime(detector) {}
    }

    @Test("reports timers that only grow in number, once for each growth") func growing() throws {
        let reports = Log<RLSpinReport>()
        let loop = Guarded<RLRunLoopRef?>(nil)
        let detector = RLSpinDetector(
            .init(interval: .milliseconds(10), timerGrowth: 20, growingLooks: 3)
        ) { report in
            reports.add(report)
            if reports.entries.count == 2 { RLRunLoopStop(loop.withLock { $0 }) }
        }
        onFreshThread {
            loop.withLock { $0 = RLRunLoopGetCurrent() }
            detector.watch(RLRunLoopGetCurrent())
            let leak = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { _ in
                RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: false) { _ in }
            }
            RLRunLoopRun()
            leak.invalidate()
        }
        let causes = reports.entries.map(\.cause)
        guard case .growingTimers(let first, let last)? = causes.first,
            case .growingTimers(let second, let end)? = causes.last
        else {
            Issue.record("\(reports.entries)")
            return
        }
        #expect(last - first >= 20)
        #expect(second == last && end - second >= 20)
        #expect(reports.entries.first?.item?.contains("RLRunLoopTimer") == true)
    }
}

/// The first report about a loop that spins until then.
private func reportOfLoop(_ setUp: @escaping @Sendable () -> Void) -> RLSpinReport? {
    let reports = Log<RLSpinReport>()
    let loop = Guarded<RLRunLoopRef?>(nil)
    let detector = RLSpinDetector(.init(interval: .milliseconds(20))) { report in
        reports.add(report)
        RLRunLoopStop(loop.withLock { $0 })
    }
    onFreshThread {
        loop.withLock { $0 = RLRunLoopGetCurrent() }
        setUp()
        detector.watch(RLRunLoopGetCurrent())
        RLRunLoopRun()
    }
    return reports.entries.first
}

/// What is reported of a loop with a source that signals itself and works for a millisecond each
/// time, up to the first report.
private func reportsOfWork(_ workDuration: Duration) -> [RLSpinReport] {
    let isReported = Flag()
    let reports = Log<RLSpinReport>()
    let detector = RLSpinDetector(
        .init(interval: .milliseconds(10), passesPerSecond: 1, workDuration: workDuration)
    ) { report in
        reports.add(report)
        isReported.set()
    }
    onFreshThread {
        let calls = Guarded(0)
        addEndlessSource {
            compute(nanoseconds: 1_000_000)
            calls.withLock { $0 += 1 }
        }
        detector.watch(RLRunLoopGetCurrent())
        // Without a report the test lasts for this many calls, which is for many looks.
        let isToBeReported = workDuration >= .seconds(1)
        while !isReported.isSet && (isToBeReported || calls.withLock { $0 < 500 }) {
            RLRunLoopRunInMode(.defaultMode, 0.05, false)
        }
    }
    return reports.entries
}

private func compute(nanoseconds: UInt64) {
    let began = RLClockGetNanoseconds()
    while RLClockGetNanoseconds() - began < nanoseconds {}
}

@inline(never) private func ignoreInput() {
    withExtendedLifetime(0) {}
}

@inline(never) private func tick(_ timer: RLRunLoopTimerRef?) {
    RLRunLoopTimerSetNextFireDate(timer, 0)
    withExtendedLifetime(timer) {}
}

/// Adds a source that is never done, whatever it does.
private func addEndlessSource(_ work: @escaping @Sendable () -> Void = {}) {
    let box = Guarded<RLRunLoopSourceRef?>(nil)
    // The source holds its closures, and they hold it until its loop goes.
    let source = RLRunLoopSourceCreate(
        cancel: { _, _ in box.withLock { $0 = nil } },
        perform: {
            work()
            RLRunLoopSourceSignal(box.withLock { $0 })
        }
    )
    box.withLock { $0 = source }
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
    RLRunLoopSourceSignal(source)
}

/// Adds a block that adds itself; and a source, so that the loop can run.
@Sendable private func performAgain() {
    let idle = RLRunLoopSourceCreate {}
    RLRunLoopAddSource(RLRunLoopGetCurrent(), idle, .defaultMode)
    repeatForever()
}

@Sendable private func repeatForever() {
    RLRunLoopPerformBlock(RLRunLoopGetCurrent(), .defaultMode) { repeatForever() }
    RLRunLoopWakeUp(RLRunLoopGetCurrent())
}

/// Adds a piece of work that adds itself.
@Sendable private func addIdleWork(to queue: Guarded<RLIdleQueue.Sender?>) {
    compute(nanoseconds: 20_000)
    queue.withLock { $0 }?.add { addIdleWork(to: queue) }
}
