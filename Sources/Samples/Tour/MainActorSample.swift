import RunLoopConcurrency
import RunLoopKit

/// Main-actor state, timers and `async let` while the main loop runs.
struct MainActorSample: Sample {
    let name = "main-actor"
    let summary = "main-actor state, timers and async let on the main loop"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let model = MainActor.assumeIsolated { Model(trace) }
        try RLRunLoop.current.runToCompletion {
            async let first = model.load("first", after: .milliseconds(2))
            // The delays differ much, because the tasks may begin late and in any order.
            async let second = model.load("second", after: .milliseconds(500))
            let loaded = await [first, second]
            trace.event("loaded \(loaded.joined(separator: " and "))")
            await model.tickOnce()
        }
        trace.expect([
            "first is there, on the main thread: true", "second is there, on the main thread: true",
            "loaded first and second", "a timer of the main loop",
        ])
    }
}

@MainActor private final class Model {
    private let trace: Trace
    private let clock = RLRunLoopClock(loop: RLRunLoopGetMain())

    init(_ trace: Trace) {
        self.trace = trace
    }

    func load(_ name: String, after time: Duration) async -> String {
        try? await clock.sleep(for: time)
        trace.event("\(name) is there, on the main thread: \(isOnMainThread())")
        return name
    }

    func tickOnce() async {
        let timer = makeTimer()
        _ = await timer.nextFire()
    }

    private func makeTimer() -> RLTimer {
        let trace = trace
        let timer = RLTimer(timeInterval: 0.001, repeats: false) { _ in
            trace.event("a timer of the main loop")
        }
        RLRunLoop.main.add(timer, forMode: .common)
        return timer
    }
}

private func isOnMainThread() -> Bool {
    RLThread.isMainThread
}
