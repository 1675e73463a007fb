// The object wrapper. It has no sources of its own: threads reach its loop by closures.

import Engines
import Foundation
import RunLoopKit

/// A loop of the wrapper with a flag that ends `run`.
///
/// Only its own thread looks at the flag.
private final class Place {
    let loop = RLRunLoop.current
    var isStopped = false
}

/// This package's object wrapper.
func runLoopKitEngine() -> engine {
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
        look(Place.self, pointer) { $0.isStopped = true }
        // A wake-up alone would not end a run that serves timers and closures.
        RLRunLoopStop(RLRunLoopGetCurrent())
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
        let timer = RLTimer(
            fire: Date(timeIntervalSinceNow: Double(delay) / 1e9),
            interval: Double(interval) / 1e9,
            repeats: interval > 0
        ) { _ in call() }
        look(Place.self, pointer) { $0.loop.add(timer, forMode: .default) }
        return give(timer)
    }
    made.move_timer = { _, timer, delay in
        look(RLTimer.self, timer) {
            $0.fireDate = Date(timeIntervalSinceNow: Double(delay) / 1e9)
        }
    }
    made.remove_timer = { take(RLTimer.self, $1).invalidate() }
    made.add_mode = { pointer, timer, name in
        guard let name else { return }
        let mode = RLRunLoop.Mode(rawValue: String(cString: name))
        look(Place.self, pointer) { place in
            look(RLTimer.self, timer) { place.loop.add($0, forMode: mode) }
            _ = place.loop.run(mode: mode, before: Date(timeIntervalSinceNow: 0.0005))
        }
    }
    made.post = { pointer, function, info in
        let call = Call(function, info)
        look(Place.self, pointer) { $0.loop.perform { call() } }
    }
    made.post_here = { pointer, function, info in
        let call = Call(function, info)
        look(Place.self, pointer) { $0.loop.perform { call() } }
        // From its own thread it wakes nobody, as in Foundation.
        RLRunLoopWakeUp(RLRunLoopGetCurrent())
    }
    made.look_before_sleeping = { pointer, seconds in
        look(Place.self, pointer) { $0.loop.busyPollInterval = seconds }
    }
    made.live = { function, info in
        let call = Call(function, info)
        let thread = RLThread { call() }
        thread.start()
        thread.join()
    }
    return made
}
