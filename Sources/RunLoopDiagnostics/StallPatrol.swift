import Glibc
import RunLoopKit

/// The threads of a monitor, and what they look after.
final class StallPatrol: Sendable {
    private struct State {
        var watches: [StallWatch] = []
        var isStopped = false
        // Tells the thread that the list has changed.
        var hasChanged = false
    }

    private let configuration: RLStallMonitor.Configuration
    private let handler: @Sendable (RLStallReport) -> Void
    private let state = Condition(State())
    private let metronome: Metronome

    init(
        _ configuration: RLStallMonitor.Configuration,
        _ handler: @escaping @Sendable (RLStallReport) -> Void
    ) {
        self.configuration = configuration
        self.handler = handler
        metronome = Metronome(period: configuration.threshold.nanoseconds / 2)
    }

    /// Starts the threads; they end when the monitor is stopped.
    func start() {
        startBackgroundThread(name: "rl-metronome") { [metronome] in metronome.beat() }
        startBackgroundThread(name: "rl-stalls") { self.walk() }
    }

    func add(_ loop: RLRunLoopRef) {
        state.withLock { state in
            if state.isStopped || state.watches.contains(where: { $0.loop === loop }) { return }
            state.watches.append(StallWatch(loop, configuration, metronome))
            state.hasChanged = true
        }
    }

    func remove(where isChosen: (StallWatch) -> Bool) {
        let gone = state.withLock { state in
            let gone = state.watches.filter(isChosen)
            state.watches.removeAll(where: isChosen)
            return gone
        }
        for watch in gone { watch.stop() }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        remove { _ in true }
    }

    /// Looks after the loops until the monitor is stopped.
    private func walk() {
        defer { metronome.stop() }
        var rest: Int64 = 0
        var nextCensus: Int64 = 0
        while let watches = nextRound(after: rest) {
            // A stretch that begins right after this look is seen before it is slow.
            rest = configuration.threshold.nanoseconds
            for watch in watches { rest = min(rest, watch.examine(report: handler)) }
            if watches.contains(where: \.seemsStuck) || nanoseconds() > nextCensus {
                dropEndedLoops()
                nextCensus = nanoseconds() + 1_000_000_000
            }
        }
    }

    /// Rests, unless the list changes.
    ///
    /// - Returns: The loops to look at, or nil if the monitor was stopped. Waits for the first one.
    private func nextRound(after rest: Int64) -> [StallWatch]? {
        let changed = state.wait(seconds: Double(rest) / 1e9) { state -> [StallWatch]?? in
            if state.isStopped { return .some(nil) }
            guard state.hasChanged else { return nil }
            state.hasChanged = false
            return .some(state.watches)
        }
        if let changed { return changed }
        return state.wait { state -> [StallWatch]?? in
            if state.isStopped { return .some(nil) }
            return state.watches.isEmpty ? nil : .some(state.watches)
        }
    }

    /// A loop whose thread has ended comes to no activity any more.
    private func dropEndedLoops() {
        let living = livingLoops()
        remove { watch in !living.contains { $0 === watch.loop } }
    }
}

/// The loops of all threads that live.
func livingLoops() -> [RLRunLoopRef] {
    [RLRunLoopRef](RLRunLoopCopyAllLoops())
}
