import ArgumentParser
import Glibc
import RunLoopDiagnostics

/// A detector names a pipe that nobody reads, a source that signals itself, and timers that pile
/// up.
struct SpinSample: Sample {
    let name = "spin"
    let summary = "a detector names what keeps a loop busy for nothing, and timers that pile up"

    func run(_ trace: Trace) throws {
        let loop = try unwrap(RLRunLoopGetCurrent(), "This thread has no loop.")
        let configuration = RLSpinDetector.Configuration(
            interval: .milliseconds(20),
            timerGrowth: 50,
            growingLooks: 3
        )
        let detector = RLSpinDetector(configuration) { report in
            trace.event(describe(report))
            if let descriptor = report.descriptor { trace.say(descriptor) }
            if let callback = report.callback { trace.say("calls \(callback)") }
            RLRunLoopStop(loop)
        }
        detector.watch(loop)

        trace.say("a pipe with a byte that no callback reads")
        let port = try Pipe()
        let source = RLRunLoopSourceCreate(descriptor: port.readEnd) { _ in }
        RLRunLoopAddSource(loop, source, .defaultMode)
        port.write()
        RLRunLoopRun()
        RLRunLoopSourceInvalidate(source)
        port.close()

        trace.say("a source that signals itself")
        let box = Locked<RLRunLoopSourceRef?>(nil)
        let bell = RLRunLoopSourceCreate { RLRunLoopSourceSignal(box.withLock { $0 }) }
        box.withLock { $0 = bell }
        RLRunLoopAddSource(loop, bell, .defaultMode)
        RLRunLoopSourceSignal(bell)
        RLRunLoopRun()
        RLRunLoopSourceInvalidate(bell)
        box.withLock { $0 = nil }

        trace.say("a timer that adds another timer each time")
        let leak = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { _ in
            RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: false) { _ in }
        }
        RLRunLoopRun()
        leak.invalidate()

        trace.expect([
            "a descriptor is always ready",
            "a source is signalled again and again",
            "more and more timers",
        ])
    }

    private func describe(_ report: RLSpinReport) -> String {
        switch report.cause {
        case .descriptor: "a descriptor is always ready"
        case .source: "a source is signalled again and again"
        case .growingTimers(let first, let last) where last >= first + 50: "more and more timers"
        default: "\(report)"
        }
    }
}

/// A pipe for one character.
private struct Pipe {
    let readEnd: CInt
    private let writeEnd: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ValidationError("A pipe cannot be made.") }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func write() {
        _ = Glibc.write(writeEnd, "x", 1)
    }

    func close() {
        _ = Glibc.close(readEnd)
        _ = Glibc.close(writeEnd)
    }
}
