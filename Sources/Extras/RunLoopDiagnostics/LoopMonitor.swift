import CRunLoop.Wrapping
import CRunLoopDiagnostics
import Glibc
import RunLoopKit

protocol LoopWatch: AnyObject, Sendable {
    var loop: RLRunLoopRef { get }

    /// Whether the loop makes no progress; its thread may have ended during a callback.
    var seemsStuck: Bool { get }

    /// Called on the monitor's thread. Returns the longest time until the next call, in
    /// nanoseconds.
    func examine() -> Int64

    /// Removes the watch from the loop; thread-safe.
    func stop()
}

/// A thread that examines loops periodically.
final class LoopMonitor<Watch: LoopWatch>: Sendable {
    private struct State {
        // Captures the client's handler; nil after `stop`.
        var makeWatch: (@Sendable (RLRunLoopRef) -> Watch)?
        var watches: [Watch] = []
        // Set to wake up the monitor's thread.
        var hasChanged = false
    }

    /// The longest time between two examinations, in nanoseconds.
    private let longestPause: Int64
    private let state: Condition<State>

    init(longestPause: Duration, _ makeWatch: @escaping @Sendable (RLRunLoopRef) -> Watch) {
        self.longestPause = longestPause.nanoseconds
        state = Condition(State(makeWatch: makeWatch))
    }

    /// Starts the thread, which `stop` ends.
    func start(
        name: String,
        atEnd: @escaping @Sendable () -> Void = {}
    ) {
        startBackgroundThread(name: name) {
            self.monitorLoops()
            atEnd()
        }
    }

    func add(_ loop: RLRunLoopRef) {
        state.withLock { state in
            guard let makeWatch = state.makeWatch else { return }
            if state.watches.contains(where: { $0.loop === loop }) { return }
            state.watches.append(makeWatch(loop))
            state.hasChanged = true
        }
    }

    func remove(where isChosen: (Watch) -> Bool) {
        let gone = state.withLock { state in
            let gone = state.watches.filter(isChosen)
            state.watches.removeAll(where: isChosen)
            return gone
        }
        for watch in gone { watch.stop() }
    }

    func stop() {
        let makeWatch = state.withLock { state in
            defer { state.makeWatch = nil }
            return state.makeWatch
        }
        remove { _ in true }
        // Releases the handler without the lock: its captured objects may call the monitor.
        withExtendedLifetime(makeWatch) {}
    }

    private func monitorLoops() {
        var pause: Int64 = 0
        var nextCheck: Int64 = 0
        while let watches = nextRound(after: pause) {
            pause = longestPause
            for watch in watches { pause = min(pause, watch.examine()) }
            if watches.contains(where: \.seemsStuck) || nanoseconds() > nextCheck {
                dropEndedLoops()
                nextCheck = nanoseconds() + 1_000_000_000
            }
        }
    }

    // Waits until the pause is over or the list changes. Returns nil after `stop`.
    private func nextRound(after pause: Int64) -> [Watch]? {
        let changed = state.wait(seconds: Double(pause) / 1e9) { state -> [Watch]?? in
            if state.makeWatch == nil { return .some(nil) }
            guard state.hasChanged else { return nil }
            state.hasChanged = false
            return .some(state.watches)
        }
        if let changed { return changed }
        return state.wait { state -> [Watch]?? in
            if state.makeWatch == nil { return .some(nil) }
            return state.watches.isEmpty ? nil : .some(state.watches)
        }
    }

    /// Removes the watches of ended loops, which cannot remove the watches themselves.
    private func dropEndedLoops() {
        remove { RLRunLoopHasEnded($0.loop) }
    }
}

func livingLoops() -> [RLRunLoopRef] {
    [RLRunLoopRef](RLRunLoopCopyAllLoops())
}
