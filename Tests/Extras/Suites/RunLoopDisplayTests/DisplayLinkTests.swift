import CRunLoop.Wrapping
import FoundationEssentials
import RunLoopTesting
import Testing
import ThreadKit

@testable import RunLoopDisplay

/// A clock reading on a whole second.
private let start: Int64 = 1_000_000_000_000

@Suite("The frames of a display") struct FrameGridTests {
    @Test("are exact multiples of its rate", arguments: [24, 25, 60, 90, 120, 144, 240])
    func grid(rate: Int) {
        let grid = FrameGrid(refreshRate: rate)
        #expect(grid.time(of: Int64(rate) * 1_000_000_007) == 1_000_000_007_000_000_000)
        for frame in [0, 1, 2, Int64(rate) - 1, Int64(rate), 123_456_789_012] {
            let time = grid.time(of: frame)
            #expect(grid.frame(at: time) == frame)
            #expect(grid.frame(at: grid.time(of: frame + 1) - 1) == frame)
        }
        #expect(grid.frame(at: grid.time(of: 100), every: 7) == 98)
    }

    @Test("are divided to come closest to the preferred rate, within the range")
    func divider() {
        let grid = FrameGrid(refreshRate: 120)
        func rate(_ minimum: Float, _ maximum: Float, _ preferred: Float? = nil) -> Double {
            let range = RLFrameRateRange(minimum: minimum, maximum: maximum, preferred: preferred)
            return 120 / Double(grid.divider(for: range))
        }
        #expect(grid.divider(for: .default) == 1)
        #expect(rate(30, 60) == 60)
        #expect(rate(30, 60, 40) == 40)
        #expect(rate(30, 60, 47) == 40)
        #expect(rate(30, 60, 52) == 60)
        #expect(rate(8, 15, 0) == 15)
        #expect(rate(45, 55, 49) == 40)
        #expect(rate(41, 60, 48) == 60)
        #expect(rate(80, 120, 85) == 120)
        #expect(rate(200, 240) == 120)
        #expect(rate(1, 1) == 1)
        #expect(rate(0.25, 0.5) == 0.5)
        #expect(rate(.leastNonzeroMagnitude, .leastNonzeroMagnitude) > 0)
        #expect(rate(.leastNonzeroMagnitude, .greatestFiniteMagnitude, 48) == 40)
    }
}

@Suite("A display link") struct DisplayLinkTests {
    /// The beginning of a frame, for a display with a frame at `start`.
    private func time(_ frame: Int, of rate: Int) -> TimeInterval {
        Double(start + Int64(frame) * 1_000_000_000 / Int64(rate)) / 1e9
    }

    /// Calls a function on its own thread, whose loop uses an automatic clock.
    private func withClock(
        at nanoseconds: Int64,
        _ body: @escaping @Sendable (RLTestClock) -> Void
    ) {
        onFreshThread {
            let clock = RLTestClock(isAutomatic: true)
            clock.nanoseconds = nanoseconds
            body(clock)
            clock.end()
        }
    }

    /// Runs until the link is invalid; virtual time only passes during sleeps.
    private func run() {
        RLRunLoopRunInMode(.defaultMode, .infinity, false)
    }

    @Test("is called once for each frame, with the frame's times", arguments: [24, 60, 240])
    func frames(rate: Int) {
        withClock(at: start + 1) { _ in
            var frames = 0
            let link = RLDisplayLink(refreshRate: rate) { link in
                frames += 1
                #expect(link.timestamp == time(frames, of: rate))
                #expect(link.targetTimestamp == time(frames + 1, of: rate))
                #expect(RLCurrentMediaTime() == link.timestamp)
                if frames == 2 * rate { link.invalidate() }
            }
            #expect(link.timestamp == 0 && link.targetTimestamp == 0)
            #expect(link.duration == 1 / Double(rate))
            link.add(to: .current, forMode: .default)
            run()
            #expect(frames == 2 * rate && link.skippedFrameCount == 0)
            #expect(RLClockGetNanoseconds() == start + 2_000_000_000)
        }
    }

    private func addedLink() -> RLDisplayLink {
        let link = RLDisplayLink { _ in }
        link.add(to: .current, forMode: .default)
        return link
    }

    @Test("is there for weak references while it is in a loop, and no longer") func weakReferences()
    {
        onFreshThread {
            weak var link: RLDisplayLink?
            link = addedLink()
            link?.add(to: .current, forMode: .init("other"))
            link?.remove(from: .current, forMode: .default)
            #expect(link != nil)
            link?.remove(from: .current, forMode: .init("other"))
            #expect(link == nil)
            link = addedLink()
            #expect(link != nil)
            link?.invalidate()
            #expect(link == nil)
        }
    }

    @Test("skips frames after a long callback and continues in phase, never bunched (NSAP-3)")
    func skipping() {
        withClock(at: start) { clock in
            var times: [TimeInterval] = []
            let link = RLDisplayLink(refreshRate: 100) { link in
                times.append(link.timestamp)
                // The second call takes three and a half frames.
                if times.count == 2 { clock.jump(by: .milliseconds(35)) }
                // The fourth one takes exactly two.
                if times.count == 4 { clock.jump(by: .milliseconds(20)) }
                if times.count == 6 { link.invalidate() }
            }
            link.add(to: .current, forMode: .default)
            run()
            #expect(times == [1, 2, 6, 7, 10, 11].map { time($0, of: 100) })
            #expect(link.skippedFrameCount == 3 + 2)
        }
    }

    @Test("is called for the frame that is on if the loop comes late") func late() {
        withClock(at: start) { clock in
            var times: [TimeInterval] = []
            let link = RLDisplayLink(refreshRate: 100) { link in
                times.append(link.timestamp)
                if times.count == 4 { link.invalidate() }
            }
            link.add(to: .current, forMode: .default)
            RLTimer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
                clock.jump(by: .milliseconds(47))
            }
            run()
            #expect(times == [4, 5, 6, 7].map { time($0, of: 100) })
            #expect(link.skippedFrameCount == 0)
        }
    }

    @Test("takes each second or third frame according to its range, in phase with others")
    func rates() {
        withClock(at: start) { _ in
            let log = Log<String>()
            var calls = 0
            let half = RLDisplayLink(refreshRate: 60) { log.add("half \(frame(of: $0))") }
            let third = RLDisplayLink(refreshRate: 60) { log.add("third \(frame(of: $0))") }
            half.preferredFrameRateRange = RLFrameRateRange(minimum: 20, maximum: 40, preferred: 30)
            third.preferredFrameRateRange = RLFrameRateRange(minimum: 10, maximum: 20)
            let full = RLDisplayLink { link in
                calls += 1
                if calls < 7 { return }
                for link in [half, third, link] { link.invalidate() }
            }
            func frame(of link: RLDisplayLink) -> Int {
                Int(((link.timestamp - time(0, of: 60)) * 60).rounded())
            }
            for link in [half, third, full] { link.add(to: .current, forMode: .default) }
            run()
            #expect(log.entries == ["half 2", "third 3", "half 4", "third 6", "half 6"])
            #expect(half.targetTimestamp == time(8, of: 60))
            #expect(half.duration == full.duration)
        }
    }

    @Test("changes its rate while it runs, with the old properties too") func oldRates() {
        withClock(at: start) { _ in
            var times: [TimeInterval] = []
            let link = RLDisplayLink(refreshRate: 60) { link in
                let old: any OldRates = link
                times.append(link.timestamp)
                switch times.count {
                case 2: old.frameInterval = 3
                case 4: old.preferredFramesPerSecond = 31
                case 6: old.preferredFramesPerSecond = 0
                case 8: link.invalidate()
                default: break
                }
            }
            let old: any OldRates = link
            #expect(old.frameInterval == 1 && old.preferredFramesPerSecond == 0)
            link.add(to: .current, forMode: .default)
            run()
            #expect(times == [1, 2, 3, 6, 8, 10, 11, 12].map { time($0, of: 60) })
            old.frameInterval = -5
            #expect(old.frameInterval == 1 && link.preferredFrameRateRange == .default)
            old.preferredFramesPerSecond = 25
            #expect(old.frameInterval == 2 && old.preferredFramesPerSecond == 25)
            #expect(link.skippedFrameCount == 0)
        }
    }

    @Test("rests while it is paused, without waking the loop, and skips nothing then")
    func paused() {
        withClock(at: start) { _ in
            var times: [TimeInterval] = []
            let link = RLDisplayLink(refreshRate: 100) { link in
                times.append(link.timestamp)
                if times.count == 2 { link.isPaused = true }
                if times.count == 4 { link.invalidate() }
            }
            link.isPaused = true
            link.add(to: .current, forMode: .default)
            let loop = RLRunLoop.current.getRLRunLoop()
            var before = RLRunLoopStatistics(), after = RLRunLoopStatistics()
            RLRunLoopGetStatistics(loop, &before)
            #expect(RLRunLoopRunInMode(.defaultMode, 1, false) == .timedOut)
            RLRunLoopGetStatistics(loop, &after)
            #expect(after.wakeUpsByTimer == before.wakeUpsByTimer && times.isEmpty)
            link.isPaused = false
            #expect(RLRunLoopRunInMode(.defaultMode, 0.5, false) == .timedOut)
            #expect(link.isPaused && times.count == 2)
            link.isPaused = false
            run()
            #expect(times == [101, 102, 151, 152].map { time($0, of: 100) })
            #expect(link.skippedFrameCount == 0)
        }
    }

    @Test("is called in its modes only, and counts what it missed in others") func modes() {
        withClock(at: start) { _ in
            let log = Log<String>()
            let loop = RLRunLoop.current
            RLRunLoopAddCommonMode(loop.getRLRunLoop(), RLRunLoop.Mode.tracking.mode)
            let common = RLDisplayLink(refreshRate: 100) { link in
                log.add("common in \(loop.currentMode?.rawValue ?? "none")")
                RLRunLoopStop(RLRunLoopGetCurrent())
            }
            let ordinary = RLDisplayLink(refreshRate: 100) { _ in log.add("ordinary") }
            common.add(to: loop, forMode: .common)
            ordinary.add(to: loop, forMode: .default)
            for mode: RLRunLoop.Mode in [.default, .tracking, .tracking, .default] {
                RLRunLoopRunInMode(mode.mode, .infinity, false)
            }
            let inDefault = "common in kRLRunLoopDefaultMode"
            let inTracking = "common in RLTrackingRunLoopMode"
            #expect(
                log.entries == [
                    inDefault, "ordinary", inTracking, inTracking, "ordinary", inDefault,
                    "ordinary",
                ]
            )
            #expect(common.skippedFrameCount == 0 && ordinary.skippedFrameCount == 1)
            common.remove(from: loop, forMode: .common)
            ordinary.remove(from: loop, forMode: .default)
            #expect(RLRunLoopRunInMode(.defaultMode, 1, false) == .finished)
        }
    }

    @Test("calls a method of its target with itself, and holds the target until invalidated")
    func target() {
        let log = Log<String>()
        withClock(at: start) { _ in
            var clock: Clock? = Clock(Token(log))
            let link = clock.map { RLDisplayLink(target: $0, selector: .tick) }
            link?.add(to: .current, forMode: .default)
            clock = nil
            run()
            log.add("invalidated")
            link?.add(to: .current, forMode: .default)
            #expect(RLRunLoopRunInMode(.defaultMode, 1, false) == .finished)
        }
        #expect(log.entries == ["released", "invalidated"])
    }

    /// The ways in which an unreferenced link may end.
    enum End: CaseIterable {
        case neverAdded, loopGoes, removed
    }

    @Test("is kept by its loop alone, and goes with it", arguments: End.allCases)
    func leaks(end: End) {
        let log = Log<String>()
        withClock(at: start) { _ in
            var calls = 0
            do {
                let token = Token(log)
                let link = RLDisplayLink { link in
                    token.hold()
                    calls += 1
                    if calls < 3 { return }
                    if end == .removed { link.remove(from: .current, forMode: .default) }
                    RLRunLoopStop(RLRunLoopGetCurrent())
                }
                if end != .neverAdded { link.add(to: .current, forMode: .default) }
            }
            run()
            #expect(calls == (end == .neverAdded ? 0 : 3))
            log.add("over")
        }
        #expect(
            log.entries == (end == .loopGoes ? ["over", "released"] : ["released", "over"])
        )
    }

    @Test("keeps time on the real clock: each frame once, none before it begins") func realClock() {
        onFreshThread {
            var last: TimeInterval = 0
            var calls = 0
            let link = RLDisplayLink(refreshRate: 240) { link in
                calls += 1
                #expect(link.timestamp > last && link.timestamp <= RLCurrentMediaTime())
                #expect(abs((link.timestamp * 240).rounded() - link.timestamp * 240) < 0.001)
                last = link.timestamp
                if calls == 12 { link.invalidate() }
            }
            link.add(to: .current, forMode: .default)
            RLRunLoop.current.run()
            #expect(calls == 12)
        }
    }

    @Test("may be invalidated again by the deinit of an object that its handler held") func end() {
        onFreshThread {
            let log = Log<String>()
            weak var known: RLDisplayLink?
            let last = {
                Mourner {
                    known?.invalidate()
                    log.add("gone")
                }
            }
            let link = RLDisplayLink { [last = last()] _ in last.hold() }
            known = link
            link.add(to: .current, forMode: .default)
            link.invalidate()
            #expect(log.entries == ["gone"])
        }
    }
}

/// The deprecated properties, without the compiler's warnings.
private protocol OldRates: AnyObject {
    var preferredFramesPerSecond: Int { get set }
    var frameInterval: Int { get set }
}

extension RLDisplayLink: OldRates {}

private final class Clock {
    let token: Token
    var ticks = 0

    init(_ token: Token) {
        self.token = token
    }

    func tick(_ link: RLDisplayLink) {
        ticks += 1
        if ticks == 3 { link.invalidate() }
    }
}

extension RLSelector where Target == Clock {
    fileprivate static let tick = RLSelector("tick:", Clock.tick)
}

/// The members that other threads may not use, as the diagnostic names them.
private enum ForeignMember: String, CaseIterable, Codable {
    case isPaused = "isPaused.getter"
    case followsDevice, timestamp, targetTimestamp, duration, skippedFrameCount
    case range = "preferredFrameRateRange.getter"

    func ask(_ link: RLDisplayLink) {
        switch self {
        case .isPaused: _ = link.isPaused
        case .followsDevice: _ = link.followsDevice
        case .timestamp: _ = link.timestamp
        case .targetTimestamp: _ = link.targetTimestamp
        case .duration: _ = link.duration
        case .skippedFrameCount: _ = link.skippedFrameCount
        case .range: _ = link.preferredFrameRateRange
        }
    }
}

@Suite("A display link that is misused") struct LinkMisuseTests {
    @Test("stops the process if another thread uses it", arguments: ForeignMember.allCases)
    private func stops(_ member: ForeignMember) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [member = member as ForeignMember] in
            onFreshThread {
                nonisolated(unsafe) let link = RLDisplayLink { _ in }
                // Outside of loops it has no thread.
                onFreshThread { member.ask(link) }
                link.add(to: .current, forMode: .default)
                onFreshThread { member.ask(link) }
            }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = "RunLoopKit: RLDisplayLink.\(member.rawValue): called on thread "
        #expect(output.hasPrefix(line), "\(output)")
    }

    #if DEBUG
        @Test("has a line if it was never used") func unused() async {
            let result = await #expect(
                processExitsWith: .success,
                observing: [\.standardErrorContent]
            ) {
                onFreshThread { _ = RLDisplayLink { _ in } }
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(
                output.contains("RLDisplayLink.init: the display link was released "),
                "\(output)"
            )
        }
    #endif
}

@Suite("A test clock") struct FramesOfTestClockTests {
    @Test("brings frames, each at its time") func displayLinks() {
        onFreshThread {
            let clock = RLTestClock()
            clock.nanoseconds = 1_000_000_000_000
            var times: [Double] = []
            let link = RLDisplayLink(refreshRate: 50) { times.append($0.timestamp) }
            link.add(to: .current, forMode: .default)
            clock.advance(by: .milliseconds(100))
            #expect(times == [1000.02, 1000.04, 1000.06, 1000.08, 1000.1])
            #expect(link.skippedFrameCount == 0)
            link.invalidate()
            clock.end()
        }
    }
}
