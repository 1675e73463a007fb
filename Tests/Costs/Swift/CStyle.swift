// The C functions with closures, and with context structures and functions without captures. The
// compiler specializes this code for each.

import CoreRunLoop

protocol CStyle {
    /// Adds the source `bell`, which signals itself if it is hot.
    static func addBell(isHot: Bool)
    static func post()
    /// Posts a block with a captured value.
    static func postValue()
    /// Makes and adds a timer, which counts down or does nothing.
    @discardableResult
    static func makeTimer(_ date: RLAbsoluteTime, _ interval: Double, counts: Bool)
        -> RLRunLoopTimerRef?
}

extension CStyle {
    static func poll(_ times: Int) {
        addBell(isHot: false)
        for _ in 0..<times { RLRunLoopRunInMode(mode, 0, false) }
    }

    static func once(_ times: Int) {
        addBell(isHot: false)
        for _ in 0..<times {
            RLRunLoopSourceSignal(bell)
            RLRunLoopRunInMode(mode, 10, true)
        }
    }

    static func hot(_ times: Int) {
        begin(times)
        addBell(isHot: true)
        RLRunLoopSourceSignal(bell)
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    static func post(_ times: Int) {
        begin(times)
        addBell(isHot: false)
        post()
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    static func postValues(_ times: Int) {
        begin(times)
        addBell(isHot: false)
        postValue()
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    static func churn(_ times: Int) {
        let now = RLAbsoluteTimeGetCurrent()
        var timer = makeTimer(farDate(0, after: now), 0, counts: false)
        for number in 0..<times {
            RLRunLoopTimerInvalidate(timer)
            timer = makeTimer(farDate(number, after: now), 0, counts: false)
        }
    }

    static func move(_ times: Int) {
        let now = RLAbsoluteTimeGetCurrent()
        let timer = makeTimer(farDate(0, after: now), 0, counts: false)
        for number in 0..<times {
            RLRunLoopTimerSetNextFireDate(timer, farDate(number, after: now))
        }
    }

    static func due(_ times: Int) {
        begin(times)
        let now = RLAbsoluteTimeGetCurrent()
        for _ in 0..<times { makeTimer(now, 0, counts: true) }
        RLRunLoopRunInMode(mode, 1e10, false)
    }

    /// Fires timers that their creator retains.
    static func fireKept(_ times: Int) {
        begin(times)
        let now = RLAbsoluteTimeGetCurrent()
        let timers = (0..<times).map { _ in makeTimer(now, 0, counts: true) }
        _ = withExtendedLifetime(timers) { RLRunLoopRunInMode(mode, 1e10, false) }
    }

    static func ticks(_ times: Int) {
        begin(times)
        makeTimer(RLAbsoluteTimeGetCurrent(), 1e-4, counts: true)
        while !isOver { RLRunLoopRunInMode(mode, 1e10, false) }
    }
}

enum Closures: CStyle {
    static func addBell(isHot: Bool = false) {
        bell = isHot ? RLRunLoopSourceCreate { ringAgain() } : RLRunLoopSourceCreate {}
        RLRunLoopAddSource(RLRunLoopGetCurrent(), bell, mode)
    }

    static func post() {
        RLRunLoopPerformBlock(RLRunLoopGetCurrent(), mode) { again(post) }
    }

    static func postValue() {
        let value = 1
        RLRunLoopPerformBlock(RLRunLoopGetCurrent(), mode) { again(by: value, postValue) }
    }

    static func makeTimer(_ date: RLAbsoluteTime, _ interval: Double, counts: Bool)
        -> RLRunLoopTimerRef?
    {
        let timer =
            counts
            ? RLRunLoopTimerCreate(fireDate: date, interval: interval) { _ in countDown() }
            : RLRunLoopTimerCreate(fireDate: date, interval: interval) { _ in }
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode)
        return timer
    }
}

enum Contexts: CStyle {
    static func addBell(isHot: Bool) {
        var context = RLRunLoopSourceContext()
        if isHot {
            context.perform = { _ in ringAgain() }
        } else {
            context.perform = { _ in }
        }
        bell = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
        RLRunLoopAddSource(RLRunLoopGetCurrent(), bell, mode)
    }

    static func post() {
        RLRunLoopPerformFunction(RLRunLoopGetCurrent(), mode, { _ in again(Contexts.post) }, nil)
    }

    static func postValue() {
        let value = UnsafeMutableRawPointer(bitPattern: 1)
        RLRunLoopPerformFunction(
            RLRunLoopGetCurrent(),
            mode,
            { again(by: Int(bitPattern: $0), Contexts.postValue) },
            value
        )
    }

    static func makeTimer(_ date: RLAbsoluteTime, _ interval: Double, counts: Bool)
        -> RLRunLoopTimerRef?
    {
        var call: RLRunLoopTimerCallBack = { _, _ in }
        if counts { call = { _, _ in countDown() } }
        let timer = RLRunLoopTimerCreate(kRLAllocatorDefault, date, interval, 0, 0, call, nil)
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode)
        return timer
    }
}

private func ringAgain() {
    RLRunLoopSourceSignal(bell)
    countDown()
}

@inline(__always)
private func again(by value: Int = 1, _ post: () -> Void) {
    countDown(by: value)
    post()
    RLRunLoopWakeUp(RLRunLoopGetCurrent())
}
