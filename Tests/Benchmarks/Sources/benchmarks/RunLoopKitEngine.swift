// The object wrapper. It has no sources of its own; threads reach its loop by closures.

import Engines
import Foundation
import RunLoopKit

/// A loop of the wrapper with a flag that ends `run`.
///
/// Only its own thread looks at the flag.
private final class Place {
    let loop = RLRunLoop.current
    let core = RLRunLoopGetCurrent()
    var isStopped = false
}

/// This package's object wrapper.
func runLoopKitEngine() -> engine {
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
        // A wake-up alone would not end a run that serves timers and closures.
        RLRunLoopStop(RLRunLoopGetCurrent())
    }
    made.poll = { _ = Box<Place>.look($0).loop.run(mode: .default, before: .distantPast) }
    made.run_for = { pointer, seconds in
        let limit = Date(timeIntervalSinceNow: seconds)
        _ = Box<Place>.look(pointer).loop.run(mode: .default, before: limit)
    }
    made.add_timer = { pointer, delay, interval, function, info in
        let call = Call(function, info)
        let timer = RLTimer(
            fire: Date(timeIntervalSinceNow: Double(delay) / 1e9),
            interval: Double(interval) / 1e9,
            repeats: interval > 0
        ) { _ in call() }
        Box<Place>.look(pointer).loop.add(timer, forMode: .default)
        return Box.give(timer)
    }
    made.move_timer = { _, timer, delay in
        Box<RLTimer>.look(timer).fireDate = Date(timeIntervalSinceNow: Double(delay) / 1e9)
    }
    made.remove_timer = { Box<RLTimer>.take($1).invalidate() }
    made.post = { pointer, function, info in
        let call = Call(function, info)
        let place = Box<Place>.look(pointer)
        place.loop.perform { call() }
        // From its own thread it wakes nobody, as in Foundation.
        if RLRunLoopGetCurrent() === place.core { RLRunLoopWakeUp(place.core) }
    }
    return made
}
