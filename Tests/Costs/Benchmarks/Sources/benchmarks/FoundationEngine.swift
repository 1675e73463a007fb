// Foundation's RunLoop, Timer and Thread. They have no sources: threads reach a loop by closures.

import Engines
import Foundation

/// A loop of Foundation's with a flag that ends `run`.
///
/// Unchecked: workloads look at the flag on the loop's own thread, and `perform` may be called from
/// any thread on Linux.
private final class Place: @unchecked Sendable {
    let loop = RunLoop.current
    // What the wrapper does not tell, for waking it.
    let core = engine_cf.open()
    var isStopped = false
}

/// Foundation's run loop, as the toolchain has it.
func foundationEngine() -> engine {
    var made = engine()
    made.open = { give(Place()) }
    made.close = { _ = take(Place.self, $0) }
    made.run = { pointer in
        look(Place.self, pointer) { place in
            place.isStopped = false
            while !place.isStopped { _ = place.loop.run(mode: .default, before: .distantFuture) }
        }
    }
    made.stop = { pointer in
        look(Place.self, pointer) { place in
            place.isStopped = true
            engine_cf.stop(place.core)
        }
    }
    made.poll = {
        look(Place.self, $0) { _ = $0.loop.run(mode: .default, before: .distantPast) }
    }
    made.run_for = { pointer, seconds in
        let limit = Date(timeIntervalSinceNow: seconds)
        look(Place.self, pointer) { _ = $0.loop.run(mode: .default, before: limit) }
    }
    made.add_timer = { pointer, delay, interval, thunk in
        let call = Call(thunk)
        let timer = Timer(
            fire: Date(timeIntervalSinceNow: Double(delay) / 1e9),
            interval: Double(interval) / 1e9,
            repeats: interval > 0
        ) { _ in call() }
        look(Place.self, pointer) { $0.loop.add(timer, forMode: .default) }
        return give(timer)
    }
    made.move_timer = { _, timer, delay in
        look(Timer.self, timer) {
            $0.fireDate = Date(timeIntervalSinceNow: Double(delay) / 1e9)
        }
    }
    made.remove_timer = { take(Timer.self, $1).invalidate() }
    made.add_mode = { pointer, timer, name in
        guard let name else { return }
        let mode = RunLoop.Mode(rawValue: String(cString: name))
        look(Place.self, pointer) { place in
            look(Timer.self, timer) { place.loop.add($0, forMode: mode) }
            _ = place.loop.run(mode: mode, before: Date(timeIntervalSinceNow: 0.0005))
        }
    }
    made.post = { pointer, function, info in
        let call = Call(function, info)
        look(Place.self, pointer) { place in
            place.loop.perform { call() }
            // `perform` wakes nobody.
            cf_wake_up(place.core)
        }
    }
    made.live = { function, info in
        let call = Call(function, info)
        // There is nothing to join a thread with.
        let isOver = DispatchSemaphore(value: 0)
        Thread {
            call()
            isOver.signal()
        }.start()
        isOver.wait()
    }
    return made
}
