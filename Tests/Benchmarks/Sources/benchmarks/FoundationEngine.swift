// Foundation's RunLoop and Timer.

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
    made.open = { Box.give(Place()) }
    made.close = { _ = Box<Place>.take($0) }
    made.run = { pointer in
        let place = Box<Place>.look(pointer)
        place.isStopped = false
        while !place.isStopped { _ = place.loop.run(mode: .default, before: .distantFuture) }
    }
    made.stop = { pointer in
        let place = Box<Place>.look(pointer)
        place.isStopped = true
        engine_cf.stop(place.core)
    }
    made.poll = { _ = Box<Place>.look($0).loop.run(mode: .default, before: .distantPast) }
    made.run_for = { pointer, seconds in
        let limit = Date(timeIntervalSinceNow: seconds)
        _ = Box<Place>.look(pointer).loop.run(mode: .default, before: limit)
    }
    made.add_timer = { pointer, delay, interval, function, info in
        let call = Call(function, info)
        let timer = Timer(
            fire: Date(timeIntervalSinceNow: Double(delay) / 1e9),
            interval: Double(interval) / 1e9,
            repeats: interval > 0
        ) { _ in call() }
        Box<Place>.look(pointer).loop.add(timer, forMode: .default)
        return Box.give(timer)
    }
    made.move_timer = { _, timer, delay in
        Box<Timer>.look(timer).fireDate = Date(timeIntervalSinceNow: Double(delay) / 1e9)
    }
    made.remove_timer = { Box<Timer>.take($1).invalidate() }
    made.post = { pointer, function, info in
        let call = Call(function, info)
        let place = Box<Place>.look(pointer)
        place.loop.perform { call() }
        cf_wake_up(place.core)
    }
    return made
}
