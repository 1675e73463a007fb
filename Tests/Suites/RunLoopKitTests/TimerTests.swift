import FoundationEssentials
import RunLoopTesting
import Synchronization
import Testing
import ThreadKit

@Suite("A timer") struct TimerTests {
    @Test("takes a tenth of a millisecond for no interval (NSTM-1)") func smallestInterval() {
        onFreshThread {
            let repeating = RLTimer(timeInterval: 0, repeats: true) { _ in }
            #expect(repeating.timeInterval == 0.0001)
            #expect(RLTimer(timeInterval: -1, repeats: true) { _ in }.timeInterval == 0.0001)
            #expect(RLTimer(timeInterval: 5, repeats: false) { _ in }.timeInterval == 0)
            let log = Log<String>()
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0, repeats: true) { timer in
                log.add("fires")
                if log.entries.count == 3 { timer.invalidate() }
            }
            RLRunLoop.current.run()
            #expect(log.entries.count == 3 && !timer.isValid)
        }
    }

    @Test("is invalid once its thread has ended, unlike one of the engine (LIFE-13)")
    func endOfThread() {
        let timers = Guarded<[RLRunLoopTimerRef]>([])
        onFreshThread {
            let timer = RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: true) { _ in }
            let date = RLAbsoluteTimeGetCurrent() + 1000
            let other = RLRunLoopTimerCreate(fireDate: date) { _ in }
            RLRunLoopAddTimer(RLRunLoopGetCurrent(), other, .defaultMode)
            timers.withLock { $0 = [timer.getRLRunLoopTimer(), other] }
        }
        let areValid = timers.withLock { $0.map { RLRunLoopTimerIsValid($0) } }
        #expect(areValid == [false, true])
    }

    @Test("first fires one interval from now, or at its date (NSTM-2)") func firstDate() {
        onFreshThread {
            let before = Date()
            let timer = RLTimer(timeInterval: 50, repeats: true) { _ in }
            let wait = timer.fireDate.timeIntervalSince(before)
            #expect(wait >= 49.999 && wait < 60)
            let date = Date(timeIntervalSinceReferenceDate: 12345)
            let dated = RLTimer(fire: date, interval: 1, repeats: true) { _ in }
            #expect(dated.fireDate == date)
            let long = RLTimer(timeInterval: .seconds(50), repeats: true) { _ in }
            #expect(long.timeInterval == 50)
        }
    }

    @Test("can be fired by hand (NSTM-3)") func fire() {
        onFreshThread {
            let log = Log<String>()
            let once = RLTimer(timeInterval: 100, repeats: false) { _ in log.add("once") }
            once.fire()
            once.fire()
            #expect(!once.isValid)
            let repeating = RLTimer(timeInterval: 100, repeats: true) { timer in
                log.add("again")
                if log.entries.count < 4 { timer.fire() }
            }
            let date = repeating.fireDate
            repeating.fire()
            #expect(log.entries == ["once", "again", "again", "again"])
            #expect(repeating.isValid && repeating.fireDate == date)
        }
    }

    @Test("hands its properties on to the engine (NSTM-4)") func properties() {
        onFreshThread {
            let timer = RLTimer(timeInterval: 10, repeats: true) { _ in }
            timer.tolerance = 2
            #expect(timer.tolerance == 2)
            timer.tolerance = 100
            #expect(timer.tolerance == 5)
            let date = Date(timeIntervalSinceReferenceDate: 2_000_000_000)
            timer.fireDate = date
            #expect(timer.fireDate == date)
            #expect(RLRunLoopTimerGetNextFireDate(timer.getRLRunLoopTimer()) == 2_000_000_000)
            timer.invalidate()
            timer.invalidate()
            #expect(!timer.isValid)
        }
    }

    @Test("is added to the current loop in default mode only (NSRL-12)") func scheduled() {
        onFreshThread {
            let timer = RLTimer.scheduledTimer(withTimeInterval: 100, repeats: false) { _ in }
            let loop = RLRunLoopGetCurrent()
            let reference = timer.getRLRunLoopTimer()
            #expect(RLRunLoopContainsTimer(loop, reference, .defaultMode))
            #expect(!RLRunLoopContainsTimer(loop, reference, .commonModes))
            RLRunLoop.current.remove(timer, forMode: .default)
            #expect(!RLRunLoopContainsTimer(loop, reference, .defaultMode) && timer.isValid)
            RLRunLoop.current.add(timer, forMode: .common)
            #expect(RLRunLoopContainsTimer(loop, reference, .commonModes))
        }
    }

    @Test("continues in another thread's loop, when it has left one whose thread ends")
    func handover() {
        let desk = Desk()
        let log = Log<String>()
        onFreshThread {
            desk.timer.withLock { timer in
                timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { _ in
                    log.add("fires")
                    RLRunLoopStop(RLRunLoopGetCurrent())
                }
            }
            RLRunLoopRun()
            desk.timer.withLock { timer in
                timer.map { RLRunLoop.current.remove($0, forMode: .default) }
            }
        }
        onFreshThread {
            desk.timer.withLock { timer in
                timer.map { RLRunLoop.current.add($0, forMode: .default) }
            }
            RLRunLoopRun()
            desk.timer.withLock { $0?.invalidate() }
        }
        #expect(log.entries == ["fires", "fires"])
    }

    @Test("is kept by its loop, with its block, until it is invalid (NSTM-6)") func ownership() {
        onFreshThread {
            let log = Log<String>()
            let token = Token(log)
            // Without other references to the wrapper, the block still receives the timer.
            RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { [token] timer in
                token.hold()
                log.add("fires")
                if log.entries.count == 2 { timer.invalidate() }
            }
            RLRunLoop.current.run()
            log.add("end")
            #expect(log.entries == ["fires", "fires", "end"])
        }
        onFreshThread {
            let log = Log<String>()
            let kept = {
                let token = Token(log)
                return RLTimer.scheduledTimer(withTimeInterval: 100, repeats: true) { _ in
                    token.hold()
                }
            }()
            kept.invalidate()
            log.add("still there: \(kept.isValid)")
            #expect(log.entries == ["released", "still there: false"])
        }
    }

    @Test("gives its block the same wrapper that its maker keeps") func identity() {
        onFreshThread {
            let seen = Log<ObjectIdentifier>()
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { timer in
                seen.add(ObjectIdentifier(timer))
            }
            RLRunLoop.current.run()
            #expect(seen.entries == [ObjectIdentifier(timer)])
        }
    }

    @Test("is there for weak references while it is in a loop, and no longer (NSTM-6)")
    func weakReferences() {
        onFreshThread {
            for end in ["invalidated", "removed", "removed by the C-style API", "fired"] {
                weak var timer: RLTimer?
                let isSame = Log<Bool>()
                timer = .scheduledTimer(withTimeInterval: 0.001, repeats: false) { fired in
                    isSame.add(fired === timer)
                }
                guard let reference = timer?.getRLRunLoopTimer() else {
                    Issue.record("gone at once: \(end)")
                    continue
                }
                // The timer remains in one of its modes.
                timer.map { RLRunLoop.current.add($0, forMode: .init("other")) }
                RLRunLoopRemoveTimer(RLRunLoopGetCurrent(), reference, .defaultMode)
                RLRunLoopAddTimer(RLRunLoopGetCurrent(), reference, .commonModes)
                timer.map { RLRunLoop.current.remove($0, forMode: .init("other")) }
                #expect(timer != nil, "\(end)")
                switch end {
                case "invalidated": timer?.invalidate()
                case "removed": timer.map { RLRunLoop.current.remove($0, forMode: .common) }
                case "fired": RLRunLoop.current.run()
                default: RLRunLoopRemoveTimer(RLRunLoopGetCurrent(), reference, .commonModes)
                }
                // The C function notifies nobody, as in Foundation.
                if end == "removed by the C-style API" {
                    #expect(timer != nil)
                    RLRunLoopTimerInvalidate(reference)
                }
                #expect(timer == nil, "\(end)")
                #expect(isSame.entries == (end == "fired" ? [true] : []))
            }
        }
    }

    @Test("goes with its loop, though that kept it") func goesWithLoop() {
        let log = Log<String>()
        let references = Log<WeakTimer>()
        onFreshThread {
            let token = Token(log)
            let timer = RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: true) { _ in
                token.hold()
            }
            references.add(WeakTimer(timer))
        }
        #expect(log.entries == ["released"])
        #expect(references.entries.allSatisfy { $0.isGone })
    }

    @Test("keeps what it calls with until the call ends, whoever invalidates it") func held() {
        onFreshThread {
            let log = Log<String>()
            let timer = RLTimer(
                fireAt: .distantPast,
                interval: 1,
                target: Clerk(log),
                selector: .endElsewhere,
                userInfo: "info",
                repeats: true
            )
            RLRunLoop.current.add(timer, forMode: .default)
            RLRunLoop.current.run()
            #expect(log.entries == ["invalid, info", "clerk gone"])
            #expect(timer.userInfo == nil)
        }
    }

    @Test("whose wrapper was released still calls with a wrapper") func wrappers() {
        onFreshThread {
            let log = Log<String>()
            let token = Token(log)
            for _ in 0..<3 {
                let timer = RLTimer(fire: .distantPast, interval: 0, repeats: false) { timer in
                    token.hold()
                    log.add("\(timer.isValid)")
                }
                // The wrapper is released at once: this adds only the engine's timer.
                RLRunLoopAddTimer(
                    RLRunLoopGetCurrent(),
                    timer.getRLRunLoopTimer(),
                    .defaultMode
                )
            }
            RLRunLoop.current.run()
            #expect(log.entries == ["true", "true", "true"])
        }
    }

    @Test("calls a method of its target and keeps it until it is invalid (NSTM-5)") func targets() {
        onFreshThread {
            let log = Log<String>()
            let timer = {
                let clerk = Clerk(log)
                return RLTimer(
                    timeInterval: 0.001,
                    target: clerk,
                    selector: .tick,
                    userInfo: "info",
                    repeats: true
                )
            }()
            RLRunLoop.current.add(timer, forMode: .default)
            #expect(timer.userInfo as? String == "info")
            RLRunLoop.current.run()
            #expect(log.entries == ["tick info", "tick info", "clerk gone"])
            #expect(timer.userInfo == nil)

            let other = RLTimer.scheduledTimer(
                timeInterval: 0.001,
                target: Clerk(log),
                selector: .note,
                userInfo: nil,
                repeats: false
            )
            RLRunLoop.current.run()
            #expect(log.entries.suffix(2) == ["note", "clerk gone"] && !other.isValid)
            let dated = RLTimer(
                fireAt: .distantPast,
                interval: 0,
                target: Clerk(log),
                selector: .note,
                userInfo: nil,
                repeats: false
            )
            dated.fire()
            #expect(log.entries.suffix(2) == ["note", "clerk gone"])
        }
    }

    @Test("gives its user info to its own object and its method alone") func userInfo() {
        onFreshThread {
            let log = Log<String>()
            var timer: RLTimer? = RLTimer(
                timeInterval: 0.001,
                target: Clerk(log),
                selector: .tick,
                userInfo: "info",
                repeats: true
            )
            let reference = timer?.getRLRunLoopTimer()
            guard let reference else { return }
            let other = RLTimer(reference)
            #expect(other.userInfo == nil && timer?.userInfo as? String == "info")
            other.fire()
            #expect(log.entries == ["tick info"])
            // The reference and its wrapper are the only holders of the engine's timer.
            timer = nil
            RLRunLoop.current.add(other, forMode: .default)
            RLRunLoop.current.run()
            #expect(log.entries == ["tick info", "tick info", "clerk gone"])
            #expect(other.userInfo == nil && !other.isValid)
        }
    }

    @Test("leaves missed firings out and keeps its grid") func missed() {
        onFreshThread {
            let clock = RLTestClock()
            let start = clock.nanoseconds
            var moments: [Int64] = []
            let timer = RLTimer.scheduledTimer(withTimeInterval: 10, repeats: true) { _ in
                moments.append((clock.nanoseconds - start) / 1_000_000_000)
                // The first call outlasts three multiples of the interval.
                if moments.count == 1 { clock.jump(by: .seconds(35)) }
            }
            clock.advance(by: .seconds(60))
            #expect(moments == [10, 50, 60])
            timer.invalidate()
            clock.end()
        }
    }

    @Test("may be invalidated from another thread (NSTM-7)") func invalidateElsewhere() {
        onFreshThread {
            let log = Log<String>()
            let token = Token(log)
            let timer = RLTimer(timeInterval: 100, repeats: true) { [token] _ in token.hold() }
            RLRunLoop.current.add(timer, forMode: .default)
            let reference = timer.getRLRunLoopTimer()
            onFreshThread { RLRunLoopTimerInvalidate(reference) }
            #expect(!timer.isValid)
            timer.fire()
        }
    }
}

private final class Clerk {
    private let log: Log<String>
    private var ticks = 0

    init(_ log: Log<String>) {
        self.log = log
    }

    deinit {
        log.add("clerk gone")
    }

    func tick(_ timer: RLTimer) {
        log.add("tick \(timer.userInfo ?? "")")
        ticks += 1
        if ticks == 2 { timer.invalidate() }
    }

    func endElsewhere(_ timer: RLTimer) {
        let reference = timer.getRLRunLoopTimer()
        onFreshThread { RLRunLoopTimerInvalidate(reference) }
        log.add("\(timer.isValid ? "valid" : "invalid"), \(timer.userInfo ?? "no info")")
    }

    func note() {
        log.add("note")
    }
}

extension RLSelector where Target == Clerk {
    fileprivate static let tick = RLSelector("tick:", Clerk.tick)
    fileprivate static let endElsewhere = RLSelector("endElsewhere:", Clerk.endElsewhere)
    fileprivate static let note = RLSelector("note", Clerk.note)
}

/// A weak reference for other threads, which only compare it with nil.
private final class WeakTimer: @unchecked Sendable {
    // Set once; weak references may be read on any thread.
    private weak var timer: RLTimer?

    init(_ timer: RLTimer) {
        self.timer = timer
    }

    var isGone: Bool {
        timer == nil
    }
}

/// A place where threads pass each other a timer.
private final class Desk: Sendable {
    let timer = Mutex<RLTimer?>(nil)
}
