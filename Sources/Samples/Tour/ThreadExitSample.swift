import RunLoopKit

/// A loop and its items end together with the loop's thread.
struct ThreadExitSample: Sample {
    let name = "thread-exit"
    let summary = "sources, observers and timers of a loop whose thread ends"

    func run(_ trace: Trace) throws {
        let source = RLRunLoopSourceCreate(
            schedule: { _, mode in trace.event("the source enters \(mode)") },
            cancel: { _, mode in trace.event("the source leaves \(mode)") },
            perform: {}
        )

        let thread = RLThread {
            let loop = RLRunLoopGetCurrent()
            let timerEnd = Farewell("the timer is released", trace)
            let observerEnd = Farewell("the observer is released", trace)
            let timer = RLRunLoopTimerCreate(fireDate: .infinity) { _ in timerEnd.keep() }
            let observer = RLRunLoopObserverCreate(activities: .exit) { _, _ in observerEnd.keep() }
            RLRunLoopAddSource(loop, source, .defaultMode)
            RLRunLoopAddTimer(loop, timer, .defaultMode)
            RLRunLoopAddObserver(loop, observer, .defaultMode)
            RLRunLoopRunInMode(.defaultMode, 0, false)
            trace.event("the thread ends")
        }
        thread.start()
        thread.join()
        trace.event("the source is valid still: \(RLRunLoopSourceIsValid(source))")

        trace.expect([
            "the source enters kRLRunLoopDefaultMode",
            "the thread ends",
            "the source leaves kRLRunLoopDefaultMode",
            "the observer is released",
            "the timer is released",
            "the source is valid still: true",
        ])
    }
}

private final class Farewell: Sendable {
    private let words: String
    private let trace: Trace

    init(_ words: String, _ trace: Trace) {
        self.words = words
        self.trace = trace
    }

    /// A closure that calls this function retains the object.
    func keep() {}

    deinit {
        trace.event(words)
    }
}
