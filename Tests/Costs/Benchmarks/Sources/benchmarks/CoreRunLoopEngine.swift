// The C-style API in Swift.

import CoreRunLoop
import Engines

private func date(after delay: Int64) -> RLAbsoluteTime {
    RLAbsoluteTimeGetCurrent() + Double(delay) / 1e9
}

/// A timer that is in the loop.
///
/// Asking for the mode comes first: a call in between would have the reference counted that is made
/// of the pointer, which a program's own variable need not be.
@inline(__always)
private func added(
    _ timer: __owned RLRunLoopTimerRef?,
    to loop: UnsafeMutableRawPointer?
) -> RLRunLoopTimerRef? {
    let mode = RLRunLoopMode.defaultMode
    RLRunLoopAddTimer(look(RLRunLoopRef.self, loop), timer, mode)
    return timer
}

/// This package's C-style API with closures.
func coreRunLoopEngine() -> engine {
    var made = engine()
    made.open = {
        var loop = RLRunLoopGetCurrent()
        return give(&loop)
    }
    made.close = { drop($0) }
    made.run = { _ in RLRunLoopRun() }
    made.stop = { RLRunLoopStop(look(RLRunLoopRef.self, $0)) }
    made.poll = { _ in RLRunLoopRunInMode(.defaultMode, 0, false) }
    made.run_for = { _, seconds in RLRunLoopRunInMode(.defaultMode, seconds, true) }
    made.add_bell = { loop, function, info in
        let call = Call(function, info)
        var source: RLRunLoopSourceRef? = RLRunLoopSourceCreate { call() }
        RLRunLoopAddSource(look(RLRunLoopRef.self, loop), source, .defaultMode)
        return give(&source)
    }
    made.ring = { loop, bell in
        RLRunLoopSourceSignalAndWakeUp(
            look(RLRunLoopSourceRef.self, bell),
            look(RLRunLoopRef.self, loop)
        )
    }
    made.ring_in_two = { loop, bell in
        RLRunLoopSourceSignal(look(RLRunLoopSourceRef.self, bell))
        RLRunLoopWakeUp(look(RLRunLoopRef.self, loop))
    }
    made.remove_bell = { _, bell in
        RLRunLoopSourceInvalidate(look(RLRunLoopSourceRef.self, bell))
        drop(bell)
    }
    made.add_source = made.add_bell
    made.signal = { RLRunLoopSourceSignal(look(RLRunLoopSourceRef.self, $1)) }
    made.remove_source = made.remove_bell
    made.add_timer = { loop, delay, interval, thunk in
        let call = Call(thunk)
        let timer = RLRunLoopTimerCreate(
            fireDate: date(after: delay),
            interval: Double(interval) / 1e9
        ) { _ in call() }
        var result = added(timer, to: loop)
        return give(&result)
    }
    made.move_timer = { _, timer, delay in
        // As for adding.
        let date = date(after: delay)
        RLRunLoopTimerSetNextFireDate(look(RLRunLoopTimerRef.self, timer), date)
    }
    made.remove_timer = { _, timer in
        RLRunLoopTimerInvalidate(look(RLRunLoopTimerRef.self, timer))
        drop(timer)
    }
    made.add_mode = { loop, timer, name in
        guard let name else { return }
        let mode = RLRunLoopMode(String(cString: name))
        RLRunLoopAddTimer(
            look(RLRunLoopRef.self, loop),
            look(RLRunLoopTimerRef.self, timer),
            mode
        )
        RLRunLoopRunInMode(mode, 0.0005, false)
    }
    made.add_descriptor = { loop, descriptor, function, info in
        let call = Call(function, info)
        var source: RLRunLoopSourceRef? = RLRunLoopSourceCreate(port: descriptor) { call() }
        RLRunLoopAddSource(look(RLRunLoopRef.self, loop), source, .defaultMode)
        return give(&source)
    }
    made.remove_descriptor = made.remove_bell
    made.empties_descriptors = true
    made.post = { loop, function, info in
        let call = Call(function, info)
        let loop = look(RLRunLoopRef.self, loop)
        RLRunLoopPerformBlock(loop, .defaultMode) { call() }
        RLRunLoopWakeUp(loop)
    }
    made.look_before_sleeping = { loop, seconds in
        RLRunLoopSetBusyPollInterval(look(RLRunLoopRef.self, loop), seconds)
    }
    return made
}

/// The same as C programs use it: with functions and a context, and no closures.
func contextsEngine() -> engine {
    var made = coreRunLoopEngine()
    made.add_bell = { loop, function, info in
        var context = RLRunLoopSourceContext()
        context.info = info
        context.perform = function
        var source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
        RLRunLoopAddSource(look(RLRunLoopRef.self, loop), source, .defaultMode)
        return give(&source)
    }
    made.add_source = made.add_bell
    made.add_timer = { loop, delay, interval, record in
        var context = RLRunLoopTimerContext()
        context.info = UnsafeMutableRawPointer(mutating: record)
        let timer = RLRunLoopTimerCreate(
            kRLAllocatorDefault,
            date(after: delay),
            Double(interval) / 1e9,
            0,
            0,
            { _, info in Call(info?.assumingMemoryBound(to: thunk.self))() },
            &context
        )
        var result = added(timer, to: loop)
        return give(&result)
    }
    made.post = { loop, function, info in
        let loop = look(RLRunLoopRef.self, loop)
        RLRunLoopPerformFunction(loop, .defaultMode, function, info)
        RLRunLoopWakeUp(loop)
    }
    return made
}
