import Glibc
import RunLoopConcurrency
import RunLoopKit
import Synchronization

/// The number of repetitions: 1, or `RL_HOSTILE_ROUNDS`, which `run.sh` sets.
let hostileRounds = getenv("RL_HOSTILE_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 1

/// Calls a function in many tasks at once: more than there are processors, so that some wait at any
/// point.
func inManyTasks(
    _ tasks: Int = 8,
    times: Int,
    _ body: @escaping @Sendable (_ number: Int) async -> Void
) async {
    await withTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
            group.addTask { for time in 0..<times { await body(time * tasks + task) } }
        }
    }
}

/// A thread-safe counter.
final class Tally: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    func add() {
        value.add(1, ordering: .relaxed)
    }
}

/// Two ends of a pipe, closed in `deinit`.
final class PipeEnds: Sendable {
    let reading: CInt
    let writing: CInt

    init() {
        var ends: [CInt] = [-1, -1]
        precondition(pipe(&ends) == 0, "no descriptors left")
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }
}
