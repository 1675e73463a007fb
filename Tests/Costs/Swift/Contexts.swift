// The C-style functions with context structures, and functions that capture nothing.

import CoreRunLoop

private func postAgain() {
    countDown()
    RLRunLoopPerformFunction(RLRunLoopGetCurrent(), mode, { _ in postAgain() }, nil)
    RLRunLoopWakeUp(RLRunLoopGetCurrent())
}

private func postAgain(value: UnsafeMutableRawPointer?) {
    countDown(by: Int(bitPattern: value))
    RLRunLoopPerformFunction(RLRunLoopGetCurrent(), mode, { postAgain(value: $0) }, value)
    RLRunLoopWakeUp(RLRunLoopGetCurrent())
}

enum Contexts {
    private static func addBell(_ perform: @convention(c) (UnsafeMutableRawPointer?) -> Void) {
        var context = RLRunLoopSourceContext()
        context.perform = perform
        bell = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
        RLRunLoopAddSource(RLRunLoopGetCurrent(), bell, mode)
    }

    static func once(_ times: Int) {
        addBell { _ in }
        for _ in 0..<times {
            RLRunLoopSourceSignal(bell)
            RLRunLoopRunInMode(mode, 10, true)
        }
    }

    static func hot(_ times: Int) {
        begin(times)
        addBell { _ in
            RLRunLoopSourceSignal(bell)
            countDown()
        }
        RLRunLoopSourceSignal(bell)
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    static func post(_ times: Int) {
        begin(times)
        addBell { _ in }
        RLRunLoopPerformFunction(RLRunLoopGetCurrent(), mode, { _ in postAgain() }, nil)
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    /// The same with a value.
    static func postValues(_ times: Int) {
        begin(times)
        addBell { _ in }
        let value = UnsafeMutableRawPointer(bitPattern: 1)
        RLRunLoopPerformFunction(RLRunLoopGetCurrent(), mode, { postAgain(value: $0) }, value)
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    private static func makeTimer(
        _ date: RLAbsoluteTime,
        _ callout: RLRunLoopTimerCallBack = { _, _ in }
    ) -> RLRunLoopTimerRef? {
        let timer = RLRunLoopTimerCreate(kRLAllocatorDefault, date, 0, 0, 0, callout, nil)
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

    static func due(_ times: Int) {
        begin(times)
        let now = RLAbsoluteTimeGetCurrent()
        for _ in 0..<times {
            let timer = RLRunLoopTimerCreate(
                kRLAllocatorDefault,
                now,
                0,
                0,
                0,
                { _, _ in countDown() },
                nil
            )
            RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode)
        }
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    /// The same with timers that their maker keeps meanwhile.
    static func fireKept(_ times: Int) {
        begin(times)
        let now = RLAbsoluteTimeGetCurrent()
        let timers = (0..<times).map { _ in makeTimer(now) { _, _ in countDown() } }
        _ = withExtendedLifetime(timers) { RLRunLoopRunInMode(mode, 1e10, false) }
    }

    static func ticks(_ times: Int) {
        begin(times)
        let now = RLAbsoluteTimeGetCurrent()
        let timer = RLRunLoopTimerCreate(
            kRLAllocatorDefault,
            now,
            1e-4,
            0,
            0,
            { _, _ in countDown() },
            nil
        )
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode)
        while !isOver { RLRunLoopRunInMode(mode, 1e10, false) }
    }
}
