import RunLoopKit

/// Samples the stacks of threads whose loops are in callbacks, a hundred times a second.
final class StackSampler: Sendable {
    private struct Stack: Hashable {
        let thread: Int32
        /// The addresses, innermost first.
        let addresses: [UInt]
    }

    private struct State {
        var loops: [RLRunLoopRef] = []
        var counts: [Stack: Int] = [:]
        /// Samples without a stack, or with a new stack beyond `mostStacks`.
        var lost = 0
        var isStopped = false
    }

    private static let mostStacks = 4096

    private let state = Condition(State())

    init() {
        startBackgroundThread(name: "rl-samples") { self.sample() }
    }

    func watch(_ loops: [RLRunLoopRef]) {
        state.withLock { $0.loops = loops }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    var json: [(String, JSONValue)] {
        let (counts, lost) = state.withLock { ($0.counts, $0.lost) }
        let backtraces = counts.map { stack, count in
            let frames = stack.addresses.map(TraceNames.shared.frame(at:))
            return (stack, count, RLBacktrace(frames: frames))
        }
        // Without symbols, as in a stripped program, the callback's frame cannot be found.
        let isStripped = !backtraces.contains { $0.2.isInCallback }
        var functions: [UInt: RLBacktrace.Frame] = [:]
        let stacks = backtraces.map { stack, count, backtrace -> JSONValue in
            let frames = isStripped ? backtrace.frames : backtrace.calledFrames
            for frame in frames { functions[frame.address] = frame }
            return .object([
                ("thread", .number(Int(stack.thread))),
                ("name", .clipped(nameOfThread(stack.thread))),
                ("count", .number(count)),
                ("frames", .list(frames.map { .address($0.address) })),
            ])
        }
        let names = functions.values.map { frame -> JSONValue in
            .object([
                ("address", .address(frame.address)),
                ("name", .clipped(TraceNames.shared.shortName(at: frame.address))),
                ("image", .clipped(frame.image)),
            ])
        }
        return [("lost", .number(lost)), ("stacks", .list(stacks)), ("functions", .list(names))]
    }

    private func sample() {
        // Reserves the signal for all samples, so that the loops' threads can unblock the signal.
        let hold = BacktraceSignalHold()
        defer { withExtendedLifetime(hold) {} }
        while true {
            let isStopped = state.wait(seconds: 0.01) { $0.isStopped ? true : nil } ?? false
            if isStopped { return }
            for loop in state.withLock({ $0.loops }) { sample(loop) }
        }
    }

    private func sample(_ loop: RLRunLoopRef) {
        let now = loop.statistics
        guard now.phase.isCallback, !RLRunLoopHasEnded(loop) else { return }
        let timeout = Duration.milliseconds(50)
        let addresses = try? RLBacktrace.addresses(ofThread: now.threadID, timeout)
        let stack = addresses.map { Stack(thread: now.threadID, addresses: $0) }
        state.withLock { state in
            guard let stack,
                state.counts[stack] != nil || state.counts.count < Self.mostStacks
            else { return state.lost += 1 }
            state.counts[stack, default: 0] += 1
        }
    }
}
