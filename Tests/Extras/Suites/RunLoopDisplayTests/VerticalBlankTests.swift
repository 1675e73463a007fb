import Glibc
import RunLoopTesting
import Testing
import ThreadKit

@testable import RunLoopDisplay

@Suite("A display link with a device") struct VerticalBlankTests {
    /// Runs until the link is invalid.
    private func run() {
        RLRunLoopRunInMode(.defaultMode, .infinity, false)
    }

    /// Calls a function with a display on its own thread.
    private func withDisplay(
        interval: Int64 = 10_000_000,
        _ body: @escaping @Sendable (FakeDisplay) throws -> Void
    ) {
        onFreshThread {
            let display = FakeDisplay(interval: interval)
            defer { display.remove() }
            #expect(throws: Never.self) { try body(display) }
        }
    }

    @Test("is called at each vertical blank, with its times, and requests one at a time")
    func frames() {
        withDisplay(interval: 16_683_000) { display in
            var frames = 0
            let link = try RLDisplayLink(device: display.path, pipe: 3) { link in
                frames += 1
                #expect(display.requests == Array(1...frames))
                #expect(abs(link.timestamp - display.time(frames)) < 1e-6)
                #expect(link.followsDevice)
                if frames > 1 {
                    #expect(abs(link.duration - 0.016683) < 1e-6)
                    #expect(abs(link.targetTimestamp - display.time(frames + 1)) < 2e-6)
                }
                if frames == 150 { link.invalidate() }
            }
            #expect(display.dropsMaster && display.requests == [])
            #expect(link.duration == 1.0 / 60 && link.timestamp == 0)
            link.add(to: .current, forMode: .default)
            run()
            #expect(frames == 150 && link.skippedFrameCount == 0)
            #expect(display.requests == Array(1...150) && display.pipes == [3])
            #expect(!link.followsDevice && display.isClosed)
        }
    }

    @Test("counts frames on when the driver's count wraps") func wrapping() {
        withDisplay { display in
            display.firstSequence = .max - 2
            var times: [Double] = []
            let link = try RLDisplayLink(device: display.path) { link in
                times.append(link.timestamp)
                if times.count == 3 { display.clock.jump(by: .milliseconds(25)) }
                if times.count == 6 { link.invalidate() }
            }
            link.add(to: .current, forMode: .default)
            run()
            #expect(times == [1, 2, 3, 6, 7, 8].map(display.time))
            #expect(link.skippedFrameCount == 2)
        }
    }

    @Test("skips the frames of a long callback and continues with the next blank")
    func skipping() {
        withDisplay { display in
            var times: [Double] = []
            let link = try RLDisplayLink(device: display.path) { link in
                times.append(link.timestamp)
                if times.count == 2 { display.clock.jump(by: .milliseconds(35)) }
                if times.count == 5 { link.invalidate() }
            }
            link.add(to: .current, forMode: .default)
            run()
            #expect(times == [1, 2, 6, 7, 8].map(display.time))
            #expect(link.skippedFrameCount == 3)
        }
    }

    @Test("is called once, for the frame that is on, if the loop was in other modes")
    func modes() {
        withDisplay { display in
            let loop = RLRunLoop.current
            RLRunLoopAddCommonMode(loop.getRLRunLoop(), RLRunLoop.Mode.tracking.mode)
            var times: [Double] = []
            let link = try RLDisplayLink(device: display.path) { link in
                times.append(link.timestamp)
                RLRunLoopStop(RLRunLoopGetCurrent())
                if times.count == 4 { link.invalidate() }
            }
            link.add(to: loop, forMode: .default)
            run()
            // The second blank has come, and is pending.
            let timer = RLTimer(timeInterval: 0.035, repeats: false) { _ in }
            loop.add(timer, forMode: .tracking)
            #expect(RLRunLoopRunInMode(RLRunLoop.Mode.tracking.mode, 1, false) == .finished)
            run()
            #expect(times == [1, 5].map(display.time) && link.skippedFrameCount == 3)
            link.remove(from: loop, forMode: .default)
            link.add(to: loop, forMode: .common)
            #expect(RLRunLoopRunInMode(RLRunLoop.Mode.tracking.mode, 1, false) == .stopped)
            run()
            #expect(times.count == 4 && times == times.sorted())
        }
    }

    @Test("takes each n-th blank according to its range, once the display's rate is measured")
    func rates() {
        withDisplay { display in
            var times: [Double] = []
            let link = try RLDisplayLink(device: display.path) { link in
                times.append(link.timestamp)
                // Lasts until after the blank of the next call.
                if times.count == 5 { display.clock.jump(by: .milliseconds(52)) }
                if times.count == 7 { link.invalidate() }
            }
            link.preferredFrameRateRange = RLFrameRateRange(minimum: 10, maximum: 30, preferred: 20)
            link.add(to: .current, forMode: .default)
            run()
            // Every third frame at 60 Hz first, then every fifth at 100 Hz.
            #expect(times == [3, 10, 15, 20, 25, 35, 40].map(display.time))
            #expect(display.requests == [3, 6, 10, 15, 20, 25, 30, 35, 40])
            #expect(link.skippedFrameCount == 1)
            #expect(abs(link.targetTimestamp - display.time(45)) < 1e-6)
        }
    }

    @Test("requests nothing while it is paused, and skips nothing then") func paused() {
        withDisplay { display in
            var times: [Double] = []
            let link = try RLDisplayLink(device: display.path) { link in
                times.append(link.timestamp)
                if times.count == 2 { link.isPaused = true }
                if times.count == 4 { link.invalidate() }
            }
            link.isPaused = true
            link.add(to: .current, forMode: .default)
            let loop = RLRunLoop.current.getRLRunLoop()
            var before = RLRunLoopStatistics(), after = RLRunLoopStatistics()
            RLRunLoopGetStatistics(loop, &before)
            #expect(RLRunLoopRunInMode(.defaultMode, 0.1, false) == .timedOut)
            RLRunLoopGetStatistics(loop, &after)
            #expect(after.wakeUpsByDescriptor == before.wakeUpsByDescriptor)
            #expect(display.requests == [])
            link.isPaused = false
            #expect(RLRunLoopRunInMode(.defaultMode, 0.1, false) == .timedOut)
            #expect(display.requests == [11, 12])
            // Toggling the pause many times before the blank makes one request and one call.
            display.isAutomatic = false
            for _ in 0...200 { link.isPaused.toggle() }
            #expect(display.requests.count == 3)
            display.isAutomatic = true
            display.clock.nanoseconds += display.interval
            display.send(display.record(display.requests.last ?? 0))
            run()
            #expect(times.count == 4 && times == times.sorted())
            #expect(link.skippedFrameCount == 0)
        }
    }

    @Test("skips other events and old requests, and joins parts of records") func records() {
        withDisplay { display in
            display.isAutomatic = false
            var times: [Double] = []
            let link = try RLDisplayLink(device: display.path) { link in
                times.append(link.timestamp)
                RLRunLoopStop(RLRunLoopGetCurrent())
            }
            link.add(to: .current, forMode: .default)
            let turn = { RLRunLoopRunInMode(.defaultMode, 0, true) }
            display.clock.jump(by: .milliseconds(10))
            display.send(display.record(1, type: 2) + display.record(1, ticket: 77))
            display.send([9, 0, 0, 0x80, 12, 0, 0, 0, 1, 2, 3, 4])
            _ = turn()
            #expect(times == [])
            for byte in display.record(1) {
                #expect(times == [])
                display.send([byte])
                _ = turn()
            }
            #expect(times == [1].map(display.time))
            // Two records at once, as if the kernel had answered a request twice.
            display.clock.jump(by: .milliseconds(10))
            let old = display.record(1)
            display.send(old + display.record(2))
            _ = turn()
            #expect(times == [1, 2].map(display.time) && link.skippedFrameCount == 0)
            link.invalidate()
        }
    }

    /// The ways to lose a device.
    enum Loss: CaseIterable {
        case refusal, hangUp, nonsense
    }

    @Test(
        "continues with the clock at its former rate if the device is lost",
        arguments: Loss.allCases
    )
    func losing(loss: Loss) {
        withDisplay { display in
            var times: [Double] = []
            let link = try RLDisplayLink(device: display.path) { link in
                times.append(link.timestamp)
                #expect(link.followsDevice == (times.count <= 3))
                if times.count == 3 {
                    display.isAutomatic = false
                    switch loss {
                    case .refusal: display.failure = EINVAL
                    case .hangUp: display.hangUp()
                    case .nonsense: display.send([1, 0, 0, 0, 3, 0, 0, 0])
                    }
                }
                if times.count == 6 { link.invalidate() }
            }
            link.add(to: .current, forMode: .default)
            run()
            #expect(times == [1, 2, 3, 4, 5, 6].map(display.time))
            #expect(display.isClosed && link.duration == 0.01)
        }
    }

    @Test("cannot be made without a device, a display or its clock, and throws the reason")
    func refusals() {
        withDisplay { display in
            func code(_ path: String) -> Int32? {
                do throws(RLDisplayDeviceError) {
                    _ = try RLDisplayLink(device: path) { _ in }
                    return nil
                } catch {
                    #expect(error.path == path && "\(error)".contains(path))
                    return error.code
                }
            }
            #expect(code("/dev/dri/none") == ENOENT)
            #expect(code("/dev/null") == ENOTTY)
            display.failure = EINVAL
            #expect(code(display.path) == EINVAL && display.isClosed)
        }
        withDisplay { display in
            display.hasMonotonicTimes = false
            #expect(throws: RLDisplayDeviceError.self) {
                _ = try RLDisplayLink(device: display.path) { _ in }
            }
            #expect(display.isClosed && !display.dropsMaster)
        }
    }

    /// The ways in which an unreferenced link may end.
    enum End: CaseIterable {
        case neverAdded, loopGoes, removed
    }

    @Test("is kept by its loop alone, and goes with it and its device", arguments: End.allCases)
    func leaks(end: End) {
        let log = Log<String>()
        let kept = Guarded<FakeDisplay?>(nil)
        onFreshThread {
            let display = FakeDisplay()
            kept.withLock { $0 = display }
            var calls = 0
            do {
                let token = Token(log)
                let link = try? RLDisplayLink(device: display.path) { link in
                    token.hold()
                    calls += 1
                    if calls < 3 { return }
                    if end == .removed { link.remove(from: .current, forMode: .default) }
                    RLRunLoopStop(RLRunLoopGetCurrent())
                }
                if end != .neverAdded { link?.add(to: .current, forMode: .default) }
            }
            run()
            #expect(calls == (end == .neverAdded ? 0 : 3))
            log.add("over")
        }
        #expect(log.entries == (end == .loopGoes ? ["over", "released"] : ["released", "over"]))
        let display = kept.withLock { $0 }
        #expect(display?.isClosed == true)
        display?.remove()
    }
}
