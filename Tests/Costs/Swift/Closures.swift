// The C-style functions with closures.

import CoreRunLoop

enum Closures {
    static func addBell(_ perform: @escaping @Sendable () -> Void) {
        let source = RLRunLoopSourceCreate(perform: perform)
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, mode)
        bell = source
    }

    static func poll(_ times: Int) {
        addBell {}
        for _ in 0..<times { RLRunLoopRunInMode(mode, 0, false) }
    }

    static func once(_ times: Int) {
        addBell {}
        for _ in 0..<times {
            RLRunLoopSourceSignal(bell)
            RLRunLoopRunInMode(mode, 10, true)
        }
    }

    static func hot(_ times: Int) {
        begin(times)
        addBell {
            RLRunLoopSourceSignal(bell)
            countDown()
        }
        RLRunLoopSourceSignal(bell)
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    static func post(_ times: Int) {
        begin(times)
        addBell {}
        RLRunLoopPerformBlock(RLRunLoopGetCurrent(), mode) { postAgain() }
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    private static func postAgain() {
        countDown()
        RLRunLoopPerformBlock(RLRunLoopGetCurrent(), mode) { postAgain() }
        RLRunLoopWakeUp(RLRunLoopGetCurrent())
    }

    /// The same with a captured value.
    static func postValues(_ times: Int) {
        begin(times)
        addBell {}
        let value = 1
        RLRunLoopPerformBlock(RLRunLoopGetCurrent(), mode) { postAgain(value: value) }
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    private static func postAgain(value: Int) {
        countDown(by: value)
        RLRunLoopPerformBlock(RLRunLoopGetCurrent(), mode) { postAgain(value: value) }
        RLRunLoopWakeUp(RLRunLoopGetCurrent())
    }

    private static func makeTimer(_ date: RLAbsoluteTime) -> RLRunLoopTimerRef {
        let timer = RLRunLoopTimerCreate(fireDate: date) { _ in }
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode)
        return timer
    }

    static func churn(_ times: Int) {
        let now = RLAbsoluteTimeGetCurrent()
        var timer = makeTimer(farDate(0, after: now))
        for number in 0..<times {
            RLRunLoopTimerInvalidate(timer)
            timer = makeTimer(farDate(number, after: now))
        }
    }

    static func move(_ times: Int) {
        let now = RLAbsoluteTimeGetCurrent()
        let timer = makeTimer(farDate(0, after: now))
        for number in 0..<times {
            RLRunLoopTimerSetNextFireDate(timer, farDate(number, after: now))
        }
    }

    static func due(_ times: Int) {
        begin(times)
        let now = RLAbsoluteTimeGetCurrent()
        for _ in 0..<times {
            let timer = RLRunLoopTimerCreate(fireDate: now) { _ in countDown() }
            RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode)
        }
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    /// The same with timers that their maker keeps meanwhile.
    static func fireKept(_ times: Int) {
        begin(times)
        let now = RLAbsoluteTimeGetCurrent()
        let timers = (0..<times).map { _ in
            let timer = RLRunLoopTimerCreate(fireDate: now) { _ in countDown() }
            RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode)
            return timer
        }
        _ = withExtendedLifetime(timers) { RLRunLoopRunInMode(mode, 1e10, false) }
    }

    static func ticks(_ times: Int) {
        begin(times)
        let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent(), interval: 1e-4) {
            _ in countDown()
        }
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode)
        while !isOver { RLRunLoopRunInMode(mode, 1e10, false) }
    }
}
