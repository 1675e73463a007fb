import FoundationEssentials
import RunLoopKit

/// A class like those of apps, which passes closures that use it to the main loop.
@MainActor final class Clock {
    private var count = 0
    private var timer: RLTimer?

    func tick(_ what: String) {
        count += 1
        print(what)
        // Blocks and timers do not end a run.
        RLRunLoopStop(RLRunLoopGetMain())
    }

    func start() {
        RLRunLoop.main.perform { self.tick("performed") }
        RLRunLoop.main.perform(inModes: [.common]) { self.tick("performed in a mode") }
    }

    func schedule() {
        timer = .scheduledTimer(withTimeInterval: 0.001, repeats: true) { timer in
            self.tick("timer")
            timer.invalidate()
        }
        RLRunLoop.main.observe(.exit, repeats: false) { _, _ in self.tick("observer") }
    }

    nonisolated func startElsewhere() {
        RLThread.detachNewThread {
            RLRunLoop.main.perform { self.tick("of another thread") }
        }
    }

    func wait(for number: Int) {
        while count < number { RLRunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}

@MainActor func useMainActor() {
    let clock = Clock()
    // Keeps runs waiting for later items.
    let guardian = RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: false) { _ in }
    clock.start()
    clock.wait(for: 2)
    clock.startElsewhere()
    clock.wait(for: 3)
    clock.schedule()
    clock.wait(for: 5)
    RLRunLoop.main.perform {
        RLRunLoop.main.perform { clock.tick("in a nested run") }
        RLRunLoop.main.run(mode: .default, before: .distantPast)
        RLRunLoopStop(RLRunLoopGetMain())
    }
    clock.wait(for: 6)
    guardian.invalidate()
    RLThread.detachNewThread { RLRunLoop.main.stop(withCode: 7) }
    print("stopped: \(RLRunLoop.main.runUntilStopped())")
}
