import CoreRunLoop
import Dispatch
import Synchronization
import ThreadKit

/// What threads under stress fight for: loops, and items in them.
///
/// The judges of such a test are the sanitizers and the engine's own checks.
final class StressField: Sendable {
    static let runnerCount = 2
    static let userCount = 3
    static let stepCount = 6000

    let modes: [RLRunLoopMode] = [.defaultMode, "other", "common", .commonModes]
    let pipe: Pipe
    private let loops = Guarded<[RLRunLoopRef]>([])
    private let items = Guarded<[StressItems]>([])
    private let loopsAreReady = DispatchGroup()
    private let usersLeft = Atomic(StressField.userCount)
    private let callCount = Atomic(0)
    private let interest = Atomic(false)

    init(pipe: Pipe) {
        self.pipe = pipe
        for _ in 0..<StressField.runnerCount { loopsAreReady.enter() }
        let hand = StressHand(self, seed: 1)
        items.withLock { items in
            for _ in 0..<4 { items.append(StressItems(hand)) }
        }
    }

    var calls: Int { callCount.load(ordering: .sequentiallyConsistent) }

    func call() {
        callCount.add(1, ordering: .relaxed)
    }

    /// What descriptor sources wait for; changes whenever somebody wants it to.
    var events: RLRunLoopDescriptorEvents {
        interest.load(ordering: .relaxed) ? .read : []
    }

    func changeInterest() {
        interest.store(!interest.load(ordering: .relaxed), ordering: .relaxed)
    }

    func loop(_ number: Int) -> RLRunLoopRef {
        loops.withLock { $0[number % $0.count] }
    }

    /// Items of which all were valid a moment ago.
    func items(_ hand: StressHand) -> StressItems {
        let index = hand.number(below: 4)
        return items.withLock { items in
            if !items[index].areValid { items[index] = StressItems(hand) }
            return items[index]
        }
    }

    /// Gives the loops and items up: both hold closures, and those hold the field.
    func removeAll() {
        for items in items.withLock({ $0 }) {
            RLRunLoopSourceInvalidate(items.source)
            RLRunLoopTimerInvalidate(items.timer)
            RLRunLoopObserverInvalidate(items.observer)
        }
        items.withLock { $0.removeAll() }
        loops.withLock { $0.removeAll() }
    }

    /// Runs the calling thread's loop until the last user has finished.
    func run() {
        loops.withLock { $0.append(RLRunLoopGetCurrent()) }
        loopsAreReady.leave()
        var turn = 0
        while usersLeft.load(ordering: .sequentiallyConsistent) > 0 {
            if turn % 64 == 0 { RLRunLoopRun() }
            RLRunLoopRunInMode(modes[turn % 3], 0.001, turn % 2 == 0)
            turn += 1
        }
    }

    /// Takes all steps in random order.
    func use(seed: UInt64) {
        loopsAreReady.wait()
        let hand = StressHand(self, seed: seed)
        for _ in 0..<StressField.stepCount {
            stressSteps[hand.number(below: stressSteps.count)](hand)
        }
        guard usersLeft.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 else { return }
        for loop in loops.withLock({ $0 }) {
            // Ends a run without a limit, should the loop be in one or about to begin one.
            RLRunLoopPerformBlock(loop, .defaultMode) { RLRunLoopStop(RLRunLoopGetCurrent()) }
            RLRunLoopWakeUp(loop)
        }
    }
}

/// A source, a timer and an observer.
struct StressItems: Sendable {
    let source: RLRunLoopSourceRef
    /// The version of the source's context.
    let version: Int
    let timer: RLRunLoopTimerRef
    let observer: RLRunLoopObserverRef

    init(_ hand: StressHand) {
        version = hand.number(below: 3)
        source = hand.makeSource(version: version)
        timer = hand.makeTimer()
        observer = hand.makeObserver()
    }

    var areValid: Bool {
        RLRunLoopSourceIsValid(source) && RLRunLoopTimerIsValid(timer)
            && RLRunLoopObserverIsValid(observer)
    }
}

/// One thread's way of choosing at random.
final class StressHand {
    // The field makes its first items by a hand, and outlives all hands.
    private unowned let owner: StressField
    private var state: UInt64

    init(_ field: StressField, seed: UInt64) {
        owner = field
        state = seed
    }

    var field: StressField { owner }
    var loop: RLRunLoopRef { owner.loop(number(below: 100)) }
    var mode: RLRunLoopMode { owner.modes[number(below: owner.modes.count)] }
    var items: StressItems { owner.items(self) }
    var source: RLRunLoopSourceRef { items.source }
    var timer: RLRunLoopTimerRef { items.timer }
    var observer: RLRunLoopObserverRef { items.observer }
    var soon: RLAbsoluteTime { RLAbsoluteTimeGetCurrent() + Double(number(below: 20)) * 0.0001 }

    func number(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
