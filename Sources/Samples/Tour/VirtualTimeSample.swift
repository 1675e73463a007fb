import RunLoopTesting

/// A test of code with hourly timers, which takes only milliseconds.
struct VirtualTimeSample: Sample {
    let name = "virtual-time"
    let summary = "a test owns the clock of its loop: a day of hourly timers takes milliseconds"

    func run(_ trace: Trace) throws {
        let began = ContinuousClock.now
        let clock = RLTestClock()
        let start = clock.date
        let leftovers = RLLoopLeftovers(of: RLRunLoopGetCurrent())
        let reminder = Reminder { number in
            let minutes = Int((clock.date.timeIntervalSince(start) / 60).rounded())
            trace.event("reminder \(number), after \(minutes) minutes")
        }

        trace.remark("59 minutes and 59 seconds pass")
        clock.advance(by: .seconds(3599))
        trace.expect([])
        trace.remark("one second more, and a snooze of five minutes")
        clock.advance(by: .seconds(1))
        reminder.snooze(minutes: 5)
        clock.advance(by: .seconds(5 * 60))
        trace.expect(["reminder 1, after 60 minutes", "reminder 1, after 65 minutes"])
        trace.remark("two hours more: due timers fire in order, each at its date")
        clock.advance(by: .seconds(2 * 3600))
        trace.expect(["reminder 2, after 120 minutes", "reminder 3, after 180 minutes"])
        trace.remark("the rest of a day, in silence")
        reminder.isSilent = true
        clock.advance(by: .seconds(24 * 3600 - 185 * 60))
        trace.expect([])
        trace.check(reminder.count == 24, "there are 24 hours in a day; \(reminder.count) came")

        trace.check(leftovers.find().count == 1, "a running reminder is detected")
        reminder.stop()
        trace.check(leftovers.find() == [], "a reminder that has stopped leaves nothing")
        clock.end()
        let milliseconds = Int((ContinuousClock.now - began) / .milliseconds(1))
        trace.remark("a day took \(milliseconds) ms")
        // The limit detects an hour of real time, and tolerates a slow machine.
        trace.check(milliseconds < 600_000, "a test of a day does not wait")
    }
}

/// Production code: it has no code for the test clock.
private final class Reminder {
    private(set) var count = 0
    var isSilent = false
    private let remind: (Int) -> Void
    private var timer: RLTimer?

    init(remind: @escaping (Int) -> Void) {
        self.remind = remind
        timer = .scheduledTimer(withTimeInterval: 3600, repeats: true) { [unowned self] _ in
            count += 1
            if !isSilent { remind(count) }
        }
    }

    func snooze(minutes: Int) {
        RLRunLoop.current.perform(afterDelay: Double(minutes) * 60) { [unowned self] in
            remind(count)
        }
    }

    func stop() {
        timer?.invalidate()
    }
}
