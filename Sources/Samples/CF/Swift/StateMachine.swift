// A state machine that a loop drives. Events are queued, and a source handles one event per pass. A
// timer adds the last event.

import CFCompatibility

private let gateMode = CFRunLoopMode("com.example.turnstile" as CFString)

private final class Turnstile {
    enum State { case locked, unlocked, closed }
    enum Event { case coin, push, closingTime }

    private var state = State.locked
    private var events: [Event] = []
    private var source: CFRunLoopSource!

    func open() {
        var context = CFRunLoopSourceContext()
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.perform = { info in
            // The state machine outlives the run.
            if let info { Unmanaged<Turnstile>.fromOpaque(info).takeUnretainedValue().handleOne() }
        }
        source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context)
        CFRunLoopAddSource(CFRunLoopGetCurrent(), source, gateMode)
    }

    func send(_ event: Event) {
        events.append(event)
        CFRunLoopSourceSignal(source)
    }

    private func handleOne() {
        let event = events.removeFirst()
        let next = state(after: event)
        print("\(state), \(event) -> \(next)")
        state = next
        // Handle one event per pass, so timers and other sources are served too.
        if !events.isEmpty { CFRunLoopSourceSignal(source) }
        if state == .closed { CFRunLoopSourceInvalidate(source) }
    }

    private func state(after event: Event) -> State {
        switch (state, event) {
        case (_, .closingTime): return .closed
        case (.locked, .coin): return .unlocked
        case (.unlocked, .push): return .locked
        default: return state
        }
    }
}

func sampleStateMachine() {
    let turnstile = Turnstile()
    turnstile.open()
    let events: [Turnstile.Event] = [.push, .coin, .coin, .push, .coin]
    events.forEach(turnstile.send)

    // Before the first sleep, all events have been handled: add the timer now.
    let observer = CFRunLoopObserverCreateWithHandler(
        kCFAllocatorDefault,
        CFRunLoopActivity.beforeWaiting.rawValue,
        false,
        0
    ) { _, _ in
        print("the hall is quiet")
        let timer = CFRunLoopTimerCreateWithHandler(
            kCFAllocatorDefault,
            CFAbsoluteTimeGetCurrent(),
            0,
            0,
            0
        ) { _ in
            turnstile.send(.closingTime)
        }
        CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, gateMode)
    }
    CFRunLoopAddObserver(CFRunLoopGetCurrent(), observer, gateMode)

    let result = CFRunLoopRunInMode(gateMode, 60, false)
    print("finished: \(result == .finished)")
}
