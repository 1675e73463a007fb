import Glibc
import RunLoopDiagnostics

/// A tracer that records the activities of the loop, their order and their durations.
struct TraceSample: Sample {
    let name = "trace"
    let summary = "a tracer records the activities, callbacks and sleeps of a loop"

    func run(_ trace: Trace) throws {
        guard let loop = RLRunLoopGetCurrent() else { return trace.fail("there is no loop") }
        let tracer = RLRunLoopTracer()
        guard tracer.start(loop) else {
            trace.remark("another tracer traces this loop: 'runloop trace' does")
            return makeSoup(on: loop)
        }
        makeSoup(on: loop)
        tracer.stop(loop)
        makeSoup(on: loop)

        let events = tracer.snapshot().recordings.first?.events ?? []
        for event in events { describe(event).map(trace.event) }
        trace.expect([
            "run in kRLRunLoopDefaultMode",
            "entry", "beforeTimers", "beforeSources",
            "block",
            "beforeWaiting", "woken by timer", "afterWaiting",
            "timer",
            "exit",
        ])
        guard let longest = tracer.snapshot().totals().first else {
            return trace.fail("nothing was called")
        }
        for line in tracer.snapshot().summary().split(separator: "\n") {
            trace.remark(String(line))
        }
        trace.check(longest.callout.kindName == "block", "the block took longest")
        trace.check(longest.longest >= 5_000_000, "the block took as long as it slept")
        trace.check(
            longest.callout.name == "closure #1 in TraceSample.makeSoup",
            "the block is known by its name"
        )
    }

    private func makeSoup(on loop: RLRunLoopRef) {
        RLRunLoopPerformBlock(loop, .defaultMode) {
            usleep(5000)
            let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent() + 0.02) { _ in
                RLRunLoopStop(loop)
            }
            RLRunLoopAddTimer(loop, timer, .defaultMode)
        }
        RLRunLoopRunInMode(.defaultMode, 10, false)
    }

    private func describe(_ event: RLRunLoopTrace.Event) -> String? {
        switch event.kind {
        case .runBegan: "run in \(event.mode?.description ?? "none")"
        case .activity(let activity): activity.description
        case .calloutBegan(let callout): callout.kindName
        case .wokeUp(let reason): "woken by \(reason)"
        default: nil
        }
    }
}
