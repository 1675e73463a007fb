// A program with an async main: the main run loop runs its main thread, without Foundation.

import CRunLoopConcurrency
import Glibc
import RunLoopConcurrency
import RunLoopKit

@main struct Probe {
    static func main() async {
        let signals = RLSignals([SIGUSR1])
        kill(getpid(), SIGUSR1)
        for await event in signals {
            print("signal: \(event.number == SIGUSR1)")
            break
        }
        print("hooked: \(RLRunLoopRunsAsyncMain())")
        print("main thread: \(isOnMainThread())")
        let fired = await timer()
        print("timer: \(fired)")
        async let first = Counter.shared.count()
        async let second = Counter.shared.count()
        print("counts: \(await first + second)")
        // Sleeping is the subject.
        try? await RLRunLoopClock(loop: RLRunLoopGetMain()).sleep(for: .milliseconds(1))
        print("slept, main thread: \(isOnMainThread())")
    }
}

func isOnMainThread() -> Bool {
    RLThread.isMainThread
}

/// Waits for a timer of the main loop.
@MainActor func timer() async -> Bool {
    await makeTimer().nextFire()
}

@MainActor func makeTimer() -> RLTimer {
    let timer = RLTimer(timeInterval: 0.001, repeats: false) { _ in }
    RLRunLoop.main.add(timer, forMode: .common)
    return timer
}

@MainActor final class Counter {
    static let shared = Counter()
    private var value = 0

    func count() -> Int {
        value += 1
        return value
    }
}
