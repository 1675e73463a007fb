// A state machine that a loop drives: events are queued, a source hands them over one by one, and
// a timer is an event like any other.

import CoreRunLoop

private let gateMode = RLRunLoopMode(RLStringCreate("com.example.turnstile"))

private final class Turnstile {
    enum State { case locked, unlocked, closed }
    enum Event { case coin, push, closingTime }

    private var state = State.locked
    private var events: [Event] = []
    private var source: RLRunLoopSourceRef!

    func open() {
        var context = RLRunLoopSourceContext()
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.perform = { info in
            // The machine outlives its source, which it invalidates itself.
            if let info { Unmanaged<Turnstile>.fromOpaque(info).takeUnretainedValue().handleOne() }
        }
        source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, gateMode)
    }

    func send(_ event: Event) {
        events.append(event)
        RLRunLoopSourceSignal(source)
    }

    private func handleOne() {
        let event = events.removeFirst()
        let next = state(after: event)
        print("\(state), \(event) -> \(next)")
        state = next
        // One event a pass, so that timers and other sources have their turn.
        if !events.isEmpty { RLRunLoopSourceSignal(source) }
        if state == .closed { RLRunLoopSourceInvalidate(source) }
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

    // No event is left when the loop first goes to sleep; only then does the clock matter.
    let observer = RLRunLoopObserverCreateWithHandler(
        kRLAllocatorDefault,
        RLRunLoopActivity.beforeWaiting.rawValue,
        false,
        0
    ) { _, _ in
        print("the hall is quiet")
        let timer = RLRunLoopTimerCreateWithHandler(
            kRLAllocatorDefault,
            RLAbsoluteTimeGetCurrent(),
            0,
            0,
            0
        ) { _ in
            turnstile.send(.closingTime)
        }
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, gateMode)
    }
    RLRunLoopAddObserver(RLRunLoopGetCurrent(), observer, gateMode)

    let result = RLRunLoopRunInMode(gateMode, 60, false)
    print("finished: \(result == .finished)")
}
