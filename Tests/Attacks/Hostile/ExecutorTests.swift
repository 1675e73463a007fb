import Glibc
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

/// An actor that counts its calls and its end.
private actor Visitor {
    nonisolated let executor: RLRunLoopExecutor
    private let calls: Tally
    private let ends: Tally
    private var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: RLRunLoopExecutor, calls: Tally, ends: Tally) {
        self.executor = executor
        self.calls = calls
        self.ends = ends
    }

    func call() {
        executor.checkIsolated()
        count += 1
        calls.add()
    }

    func callAgain(_ times: Int) async {
        for _ in 0..<times {
            call()
            await Task.yield()
        }
    }

    isolated deinit {
        executor.checkIsolated()
        ends.add()
    }
}

/// A global actor on the executor of an ended loop, and an object isolated to it.
@globalActor private actor Hall {
    static let shared = Hall()
    private let executor: RLRunLoopExecutor
    static let guests = Tally()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() {
        let worker = RLPermanentThread()
        executor = RLRunLoopExecutor(loop: worker.runLoop)
        worker.stop()
        worker.join()
    }
}

@Hall private var hallCount = 0

@Hall private final class Guest {
    isolated deinit {
        // A data race unless jobs are serialized.
        hallCount += 1
        Hall.guests.add()
    }

    nonisolated init() {}
}

private func isCurrent(_ loop: RLRunLoopRef) -> Bool {
    RLRunLoopGetCurrent() === loop
}

/// The kinds of waits for a loop that may end at any time.
private enum Wait: Int, CaseIterable {
    case sleep, timer, activities, descriptor, port, job

    func begin(on loop: RLRunLoopRef, _ executor: RLRunLoopExecutor, _ ends: PipeEnds) async {
        switch self {
        case .sleep:
            // Sleeping is the subject.
            try? await RLRunLoopClock(loop: loop).sleep(for: .seconds(1000))
        case .timer: for await _ in RLTimer.fires(every: .milliseconds(1), on: loop) {}
        case .activities: for await _ in RLRunLoopActivities(loop, .allActivities) {}
        case .descriptor:
            for await _ in RLDescriptorReadiness(ends.reading, .read, on: loop) {}
        case .port:
            let port = RLPort()
            let stream = AsyncStream.makeStream(of: RLEventSequence<RLPortLetter>.self)
            RLRunLoopPerformBlock(loop, .commonModes) {
                stream.continuation.yield(port.messages(in: .current))
            }
            RLRunLoopWakeUp(loop)
            let loopEnd = RLRunLoopActivities(loop, .exit)
            async let isOver: Void = {
                for await _ in loopEnd {}
                stream.continuation.finish()
            }()
            for await letters in stream.stream { for await _ in letters {} }
            await isOver
        case .job:
            await Task(executorPreference: executor) {
                while isCurrent(loop) { await Task.yield() }
            }.value
        }
    }
}

@Suite("Hostile executors and sequences") struct HostileExecutorTests {
    @Test("make and drop actors on loops that end under them") func dyingLoops() async {
        let calls = Tally()
        let ends = Tally()
        let times = 10 * hostileRounds
        await inManyTasks(times: times) { number in
            let worker = RLPermanentThread()
            let executor = RLRunLoopExecutor(loop: worker.runLoop, orphans: .runElsewhere)
            await withTaskGroup(of: Void.self) { group in
                for guest in 0..<4 {
                    let visitor = Visitor(executor, calls: calls, ends: ends)
                    group.addTask { await visitor.callAgain(5) }
                    if guest == number % 4 { worker.stop() }
                }
            }
        }
        #expect(calls.count == 8 * times * 4 * 5)
        // The last references may be released after the calls.
        while ends.count < 8 * times * 4 { await Task.yield() }
        #expect(ends.count == 8 * times * 4)
    }

    @Test("make executors for loops that are ending") func endingLoops() async {
        let calls = Tally()
        let ends = Tally()
        let times = 10 * hostileRounds
        await inManyTasks(4, times: times) { number in
            let worker = RLPermanentThread()
            let loop = worker.runLoop
            async let stopping: Void = { if number % 2 == 0 { worker.stop() } }()
            for _ in 0..<10 {
                let executor = RLRunLoopExecutor(
                    loop: loop,
                    modes: [.defaultMode, "other", .commonModes],
                    orphans: .runElsewhere
                )
                await Visitor(executor, calls: calls, ends: ends).call()
            }
            await stopping
            worker.stop()
        }
        #expect(calls.count == 4 * times * 10)
        while ends.count < 4 * times * 10 { await Task.yield() }
    }

    @Test("release actors on all threads, with the deinit on the loop's") func deinits() async {
        let calls = Tally()
        let ends = Tally()
        let worker = RLPermanentThread()
        let loop = worker.runLoop
        let times = 200 * hostileRounds
        await inManyTasks(times: times) { number in
            let visitor = Visitor(RLRunLoopExecutor(loop: loop), calls: calls, ends: ends)
            switch number % 4 {
            case 0: await visitor.call()
            case 1:
                RLRunLoopPerformBlock(loop, .commonModes) { visitor.assumeIsolated { $0.call() } }
            case 2: Task.detached { await visitor.call() }
            default: break
            }
            RLRunLoopWakeUp(loop)
        }
        while ends.count < 8 * times { await Task.yield() }
        #expect(calls.count == 8 * times / 4 * 3)
        worker.stop()
        worker.join()
    }

    @Test("release objects of a global actor when its loop has ended") func globalDeinits() async {
        let times = 100 * hostileRounds
        await inManyTasks(times: times) { _ in _ = Guest() }
        while Hall.guests.count < 8 * times { await Task.yield() }
        #expect(Hall.guests.count == 8 * times)
    }

    @Test("drop executors that tasks prefer, and cancel these") func preferences() async {
        let worker = RLPermanentThread()
        let loop = worker.runLoop
        let ends = Tally()
        let times = 100 * hostileRounds
        await inManyTasks(times: times) { number in
            let task = Task.detached(executorPreference: RLRunLoopExecutor(loop: loop)) {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 { group.addTask { await Task.yield() } }
                }
                ends.add()
            }
            if number % 3 == 0 { task.cancel() }
            if number % 3 == 1 { await task.value }
        }
        while ends.count < 8 * times { await Task.yield() }
        #expect(ends.count == 8 * times)
        worker.stop()
        worker.join()
    }

    @Test("cancel tasks that wait for a loop while the loop ends", arguments: [false, true])
    func waits(isCancelled: Bool) async {
        let times = 6 * hostileRounds
        let over = Tally()
        await inManyTasks(4, times: times) { number in
            let worker = RLPermanentThread()
            let loop = worker.runLoop
            let executor = RLRunLoopExecutor(loop: loop, orphans: .runElsewhere)
            let ends = PipeEnds()
            let tasks = Wait.allCases.map { wait in
                Task {
                    await wait.begin(on: loop, executor, ends)
                    over.add()
                }
            }
            for _ in 0..<number % 8 { await Task.yield() }
            if isCancelled { for task in tasks { task.cancel() } }
            worker.stop()
            for task in tasks { await task.value }
            worker.join()
        }
        #expect(over.count == 4 * times * Wait.allCases.count)
    }

    @Test("run loops to completion inside each other") func completions() async {
        let times = 5 * hostileRounds
        let sums = Log<Int>()
        await withCheckedContinuation { continuation in
            RLThread.detachNewThread {
                for _ in 0..<times { sums.add(complete(depth: 4)) }
                continuation.resume()
            }
        }
        #expect(sums.entries == Array(repeating: 10, count: times))
    }
}

/// Runs a function to completion, while a timer of the loop does the same.
private func complete(depth: Int) -> Int {
    if depth == 0 { return 0 }
    let inner = Log<Int>()
    RLTimer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
        inner.add(complete(depth: depth - 1))
    }
    let answer = try? RLRunLoop.current.runToCompletion {
        while inner.entries.isEmpty { await Task.yield() }
        return inner.entries[0] + depth
    }
    return answer ?? -1
}
