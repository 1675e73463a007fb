import FoundationEssentials
import RunLoopConcurrency
import RunLoopKit
import Testing

@Suite("Hostile waits") struct HostileWaitTests {
    /// The waits of async code in the loop of a thread that ends.
    @Test("do not wait for a thread that has ended", arguments: AsyncWait.allCases)
    func waits(_ wait: AsyncWait) async {
        for _ in 0..<hostileRounds * 4 {
            let worker = RLPermanentThread(name: "ending")
            let waiter = Waiter(worker.runLoop)
            let task = Task { await waiter.wait(wait) }
            // A race between the wait and the end.
            if Bool.random() { await Task.yield() }
            worker.stop()
            worker.join()
            await task.value
        }
    }
}

enum AsyncWait: CaseIterable {
    case timer, removedTimer, fires, activities, readiness, messages, sleep, connections
    case changes
}

private actor Waiter {
    private let loop: RLRunLoopRef
    nonisolated let executor: RLRunLoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ loop: RLRunLoopRef) {
        self.loop = loop
        executor = RLRunLoopExecutor(loop: loop, orphans: .runElsewhere)
    }

    func wait(_ wait: AsyncWait) async {
        switch wait {
        case .timer: _ = await makeTimer()?.nextFire()
        case .removedTimer:
            guard let timer = makeTimer() else { return }
            _ = timer.getRLRunLoopTimer()
            remove(timer)
            _ = await timer.nextFire()
        case .fires: for await _ in RLTimer.fires(every: .seconds(1000), on: loop) {}
        case .activities: for await _ in RLRunLoopActivities(loop, .exit) {}
        case .readiness:
            let pipe = PipeEnds()
            for await _ in RLDescriptorReadiness(pipe.reading, .read, on: loop) {}
            withExtendedLifetime(pipe) {}
        case .messages:
            guard let messages = makeMessages() else { return }
            for await _ in messages {}
        case .connections:
            guard let listener = try? RLListener(host: "127.0.0.1", port: 0) else { return }
            for await _ in listener.connections(on: loop) {}
        case .changes:
            guard let watch = try? RLFileWatch(path: "/tmp/file") else { return }
            for await _ in watch.changes(on: loop) {}
        // The endless sleep is the subject.
        case .sleep: try? await RLRunLoopClock(loop: loop).sleep(for: .seconds(1000))
        }
    }

    /// Nil if the loop's thread has ended and the job runs elsewhere.
    private var own: RLRunLoop? {
        RLRunLoopIsCurrent(loop) ? RLRunLoop.current : nil
    }

    private func makeTimer() -> RLTimer? {
        guard let own else { return nil }
        let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in }
        own.add(timer, forMode: .default)
        return timer
    }

    private func remove(_ timer: RLTimer) {
        own?.remove(timer, forMode: .default)
    }

    private func makeMessages() -> RLEventSequence<RLPortLetter>? {
        guard let own else { return nil }
        return RLPort().messages(in: own)
    }
}
