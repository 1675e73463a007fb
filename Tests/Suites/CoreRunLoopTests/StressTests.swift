import CRunLoop.Testing
import CoreRunLoop
import Testing
import ThreadKit

@Suite("All functions at once")
struct StressTests {
    @Test("may be called from any thread on any loop and item")
    func everything() throws {
        let pipe = try Pipe()
        defer { pipe.close() }
        pipe.write()
        let field = StressField(pipe: pipe)

        let runners = [@Sendable () -> Void](
            repeating: { field.run() },
            count: StressField.runnerCount
        )
        let users = (0..<StressField.userCount).map { user in
            { @Sendable in field.use(seed: UInt64(user) + 2) }
        }
        onFreshThreads(runners + users)

        #expect(field.calls > 0)
        field.removeAll()
    }
}

/// Every function of the run loop, in every form it has; runs are the runners' business.
let stressSteps: [@Sendable (StressHand) -> Void] =
    loopSteps + itemSteps + sourceSteps + timerSteps + observerSteps + objectSteps

private let loopSteps: [@Sendable (StressHand) -> Void] = [
    { RLRunLoopStop($0.loop) },
    { RLRunLoopWakeUp($0.loop) },
    { _ = RLRunLoopIsWaiting($0.loop) },
    { _ = RLRunLoopCopyCurrentMode($0.loop) },
    { _ = [RLRunLoopMode](RLRunLoopCopyAllModes($0.loop)) },
    { RLRunLoopAddCommonMode($0.loop, "common") },
    { _ = RLRunLoopGetNextTimerFireDate($0.loop, $0.mode) },
    { hand in RLRunLoopPerformBlock(hand.loop, hand.mode) { [field = hand.field] in field.call() }
    },
    { hand in
        RLRunLoopPerformBlock(hand.loop, [hand.mode, hand.mode]) { [field = hand.field] in
            field.call()
        }
    },
    { hand in
        RLRunLoopPerformBlock(hand.loop, hand.mode.rawValue) { [field = hand.field] in
            field.call()
        }
    },
    { _ in _ = RLRunLoopGetMain() },
    { _ in _ = RLRunLoopGetCurrent() },
    { _ in _ = [RLRunLoopRef](RLRunLoopCopyAllLoops()) },
    { hand in
        var statistics = RLRunLoopStatistics()
        RLRunLoopGetStatistics(hand.loop, &statistics)
    },
    { RLTestingVerifyLoop($0.loop) },
]

private let itemSteps: [@Sendable (StressHand) -> Void] = [
    { RLRunLoopAddSource($0.loop, $0.source, $0.mode) },
    { RLRunLoopAddSource($0.loop, $0.source, $0.mode) },
    { RLRunLoopRemoveSource($0.loop, $0.source, $0.mode) },
    { _ = RLRunLoopContainsSource($0.loop, $0.source, $0.mode) },
    { RLRunLoopAddTimer($0.loop, $0.timer, $0.mode) },
    { RLRunLoopAddTimer($0.loop, $0.timer, $0.mode) },
    { RLRunLoopRemoveTimer($0.loop, $0.timer, $0.mode) },
    { _ = RLRunLoopContainsTimer($0.loop, $0.timer, $0.mode) },
    { RLRunLoopAddObserver($0.loop, $0.observer, $0.mode) },
    { RLRunLoopAddObserver($0.loop, $0.observer, $0.mode) },
    { RLRunLoopRemoveObserver($0.loop, $0.observer, $0.mode) },
    { _ = RLRunLoopContainsObserver($0.loop, $0.observer, $0.mode) },
]

private let sourceSteps: [@Sendable (StressHand) -> Void] = [
    { RLRunLoopSourceSignal($0.source) },
    { RLRunLoopSourceSignalAndWakeUp($0.source, $0.loop) },
    { _ = RLRunLoopSourceIsSignalled($0.source) },
    { hand in
        hand.field.changeInterest()
        RLRunLoopSourceUpdateEvents(hand.source)
    },
    { _ = RLRunLoopSourceGetOrder($0.source) },
    { _ = RLRunLoopSourceIsValid($0.source) },
    { RLRunLoopSourceInvalidate($0.source) },
    { $0.copyContext(of: $0.items) },
]

private let timerSteps: [@Sendable (StressHand) -> Void] = [
    { RLRunLoopTimerSetNextFireDate($0.timer, $0.soon) },
    { _ = RLRunLoopTimerGetNextFireDate($0.timer) },
    { _ = RLRunLoopTimerGetInterval($0.timer) },
    { _ = RLRunLoopTimerDoesRepeat($0.timer) },
    { _ = RLRunLoopTimerGetOrder($0.timer) },
    { RLRunLoopTimerSetTolerance($0.timer, 0.0002) },
    { _ = RLRunLoopTimerGetTolerance($0.timer) },
    { _ = RLRunLoopTimerIsValid($0.timer) },
    { RLRunLoopTimerInvalidate($0.timer) },
    { hand in
        var context = RLRunLoopTimerContext()
        RLRunLoopTimerGetContext(hand.timer, &context)
    },
]

private let observerSteps: [@Sendable (StressHand) -> Void] = [
    { _ = RLRunLoopObserverGetActivities($0.observer) },
    { _ = RLRunLoopObserverDoesRepeat($0.observer) },
    { _ = RLRunLoopObserverGetOrder($0.observer) },
    { _ = RLRunLoopObserverIsValid($0.observer) },
    { RLRunLoopObserverInvalidate($0.observer) },
    { hand in
        var context = RLRunLoopObserverContext()
        RLRunLoopObserverGetContext(hand.observer, &context)
    },
]

private let objectSteps: [@Sendable (StressHand) -> Void] = [
    { #expect(RLGetTypeID($0.loop) == RLRunLoopGetTypeID()) },
    { #expect(RLGetTypeID($0.source) == RLRunLoopSourceGetTypeID()) },
    { #expect(RLGetTypeID($0.timer) == RLRunLoopTimerGetTypeID()) },
    { #expect(RLGetTypeID($0.observer) == RLRunLoopObserverGetTypeID()) },
    { _ = RLEqual($0.source, $0.source) },
    { _ = RLHash($0.source) },
    { _ = $0.loop.description },
    { _ = $0.source.description },
    { _ = $0.timer.description },
    { _ = $0.observer.description },
]

extension StressHand {
    /// Copies a source's context as what it was made from.
    fileprivate func copyContext(of items: StressItems) {
        switch items.version {
        case 0:
            var context = RLRunLoopSourceContext()
            RLRunLoopSourceGetContext(items.source, &context)
        case 1:
            var context = RLRunLoopSourceContext1()
            context.version = 1
            RLRunLoopSourceGetContext(items.source, &context)
        default:
            var context = RLRunLoopSourceContext2()
            context.version = 2
            RLRunLoopSourceGetContext(items.source, &context)
        }
    }
}
