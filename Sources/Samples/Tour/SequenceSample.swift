import CoreRunLoop
import Dispatch
import Glibc

/// All kinds of items that a loop serves, in the order of a pass.
///
/// Each item causes the next one.
struct SequenceSample: Sample {
    let name = "sequence"
    let summary = "the order of a pass: block, source 0, source 1, timer, main queue"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        guard let loop = RLRunLoopGetMain() else { return trace.fail("there is no main loop") }
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return trace.fail("there is no pipe") }
        let (port, otherEnd) = (ends[0], ends[1])
        defer { ends.forEach { close($0) } }
        let observer = makeObserver(trace)
        let signal = RLRunLoopSourceCreate {
            trace.event("5  source 0 is performed, and makes a port ready")
            write(otherEnd, "!", 1)
        }
        let reader = RLRunLoopSourceCreate(port: port) {
            var byte: UInt8 = 0
            read(port, &byte, 1)
            trace.event("6  source 1 is performed without a sleep, and sets a timer")
            RLRunLoopAddTimer(loop, makeTimer(trace, loop), .defaultMode)
            performLater(trace, loop)
        }

        trace.remark("the numbers count the steps of a run: 2 to 10 are those of each pass")
        RLRunLoopAddObserver(loop, observer, .defaultMode)
        RLRunLoopAddSource(loop, signal, .defaultMode)
        RLRunLoopAddSource(loop, reader, .defaultMode)
        RLRunLoopPerformBlock(loop, .defaultMode) { trace.event("4  a block runs") }
        RLRunLoopSourceSignal(signal)
        let result = RLRunLoopRunInMode(.defaultMode, 10, false)
        RLRunLoopObserverInvalidate(observer)
        RLRunLoopSourceInvalidate(signal)
        RLRunLoopSourceInvalidate(reader)

        trace.check(result == .stopped, "the run was stopped; it \(result)")
        expectOrder(trace)
    }

    private func makeObserver(_ trace: Trace) -> RLRunLoopObserverRef {
        RLRunLoopObserverCreate(activities: .allActivities) { _, activity in
            switch activity {
            case .entry: trace.event("1  the loop is entered")
            case .beforeTimers: trace.event("2  a pass begins; timers come next")
            case .beforeSources: trace.event("3  sources come next")
            case .beforeWaiting: trace.event("7  the loop goes to sleep")
            case .afterWaiting: trace.event("8  the loop woke up")
            default: trace.event("11 the loop is left")
            }
        }
    }

    private func makeTimer(_ trace: Trace, _ loop: RLRunLoopRef) -> RLRunLoopTimerRef {
        RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent() + 0.02) { _ in
            trace.event("9  the timer that woke it fires, and queues work on the main queue")
            DispatchQueue.main.async {
                trace.event("9  the main queue is served without a sleep, and stops the loop")
                RLRunLoopStop(loop)
            }
            performLater(trace, loop)
        }
    }

    private func performLater(_ trace: Trace, _ loop: RLRunLoopRef) {
        RLRunLoopPerformBlock(loop, .defaultMode) {
            trace.event("10 a block that was queued meanwhile runs")
        }
    }

    private func expectOrder(_ trace: Trace) {
        let begin = ["2  a pass begins; timers come next", "3  sources come next"]
        let later = ["10 a block that was queued meanwhile runs"]
        trace.expect(
            ["1  the loop is entered"]
                + begin + ["4  a block runs", "5  source 0 is performed, and makes a port ready"]
                + ["6  source 1 is performed without a sleep, and sets a timer"] + later
                + begin + ["7  the loop goes to sleep", "8  the loop woke up"]
                + ["9  the timer that woke it fires, and queues work on the main queue"] + later
                + begin + ["9  the main queue is served without a sleep, and stops the loop"]
                + ["11 the loop is left"]
        )
    }
}
