// The C-style API in Swift.

import CoreRunLoop
import Engines

private func date(after delay: Int64) -> RLAbsoluteTime {
    RLAbsoluteTimeGetCurrent() + Double(delay) / 1e9
}

/// This package's C-style API with closures.
func coreRunLoopEngine() -> engine {
    var made = engine()
    made.open = {
        guard let loop = RLRunLoopGetCurrent() else { return nil }
        return Box.give(loop)
    }
    made.close = { _ = Box<RLRunLoopRef>.take($0) }
    made.run = { _ in RLRunLoopRun() }
    made.stop = { RLRunLoopStop(Box<RLRunLoopRef>.look($0)) }
    made.poll = { _ in RLRunLoopRunInMode(.defaultMode, 0, false) }
    made.run_for = { _, seconds in RLRunLoopRunInMode(.defaultMode, seconds, true) }
    made.add_bell = { loop, function, info in
        let call = Call(function, info)
        let source = RLRunLoopSourceCreate { call() }
        RLRunLoopAddSource(Box<RLRunLoopRef>.look(loop), source, .defaultMode)
        return Box.give(source)
    }
    made.ring = { loop, bell in
        RLRunLoopSourceSignal(Box<RLRunLoopSourceRef>.look(bell))
        RLRunLoopWakeUp(Box<RLRunLoopRef>.look(loop))
    }
    made.remove_bell = { RLRunLoopSourceInvalidate(Box<RLRunLoopSourceRef>.take($1)) }
    made.add_source = made.add_bell
    made.signal = { RLRunLoopSourceSignal(Box<RLRunLoopSourceRef>.look($1)) }
    made.remove_source = made.remove_bell
    made.add_timer = { loop, delay, interval, function, info in
        let call = Call(function, info)
        let timer = RLRunLoopTimerCreate(
            fireDate: date(after: delay),
            interval: Double(interval) / 1e9
        ) { _ in call() }
        RLRunLoopAddTimer(Box<RLRunLoopRef>.look(loop), timer, .defaultMode)
        return Box.give(timer)
    }
    made.move_timer = { _, timer, delay in
        RLRunLoopTimerSetNextFireDate(Box<RLRunLoopTimerRef>.look(timer), date(after: delay))
    }
    made.remove_timer = { RLRunLoopTimerInvalidate(Box<RLRunLoopTimerRef>.take($1)) }
    made.add_descriptor = { loop, descriptor, function, info in
        let call = Call(function, info)
        let source = RLRunLoopSourceCreate(port: descriptor) { call() }
        RLRunLoopAddSource(Box<RLRunLoopRef>.look(loop), source, .defaultMode)
        return Box.give(source)
    }
    made.remove_descriptor = made.remove_bell
    made.empties_descriptors = true
    made.post = { loop, function, info in
        let call = Call(function, info)
        let loop = Box<RLRunLoopRef>.look(loop)
        RLRunLoopPerformBlock(loop, .defaultMode) { call() }
        RLRunLoopWakeUp(loop)
    }
    return made
}
