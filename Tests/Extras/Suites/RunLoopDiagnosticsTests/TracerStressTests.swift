import CRunLoop.Wrapping
import RunLoopDiagnostics
import Testing
import ThreadKit

extension Tracing {
    /// Sanitizers find its memory errors.
    @Suite("A tracer under load") struct TracerStressTests {
        @Test("begins, ends and is read while loops come and go") func comeAndGo() {
            let tracers = [RLRunLoopTracer(capacity: 64), RLRunLoopTracer(capacity: 64)]
            let makersAtWork = Guarded(2)
            let isOver: @Sendable () -> Bool = { makersAtWork.withLock { $0 == 0 } }
            let makeLoops: @Sendable () -> Void = {
                for _ in 0..<150 { onFreshThread { runThrice() } }
                makersAtWork.withLock { $0 -= 1 }
            }
            let turnOnAndOff = tracers.map { tracer -> @Sendable () -> Void in
                {
                    while !isOver() {
                        tracer.startAll()
                        tracer.stop()
                    }
                }
            }
            let read = tracers.map { tracer -> @Sendable () -> Void in
                { while !isOver() { expectWholeRecordings(of: tracer) } }
            }
            onFreshThreads([makeLoops, makeLoops] + turnOnAndOff + read)

            for tracer in tracers {
                expectWholeRecordings(of: tracer)
                #expect(tracer.snapshot().recordings.allSatisfy { $0.isOver })
                // No other tracer of all loops remains.
                #expect(tracer.startAll())
                tracer.stop()
            }
        }
    }
}

private func runThrice() {
    for _ in 0..<3 {
        RLRunLoopPerformBlock(RLRunLoopGetCurrent(), "busy") {}
        RLRunLoopRunInMode("busy", 0, false)
    }
}

private func expectWholeRecordings(of tracer: RLRunLoopTracer) {
    for recording in tracer.snapshot().recordings {
        let numbers = recording.events.map(\.number)
        #expect(numbers.isEmpty || numbers == Array(numbers[0]...numbers[numbers.count - 1]))
        let end = recording.events.firstIndex { $0.kind == .threadEnded }
        #expect(end == nil || end == recording.events.count - 1)
    }
}
