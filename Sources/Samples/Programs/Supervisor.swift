// A supervisor: runs a command, limits its time, and restarts it until it exits with 0.
//
//     supervisor SECONDS COMMAND [ARGUMENT...]
//
// On SIGTERM or Control-C, the supervisor ends the command, then exits.
// Tests/Suites/ProgramTests/SupervisorTests.swift tests it in virtual time.

import Glibc
import RunLoopConcurrency
import RunLoopKit

@main struct Program {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let seconds = Double(arguments[1]), (0...1e9).contains(seconds)
        else {
            print("usage: \(arguments[0]) SECONDS COMMAND [ARGUMENT...]")
            exit(EXIT_FAILURE)
        }
        // Receive signals as events from now on, before the first child is started.
        let signals = RLSignals([SIGINT, SIGTERM])
        let supervisor = Supervisor(words: Array(arguments[2...]), limit: .seconds(seconds)) {
            print($0)
            fflush(nil)
        }
        let job = Task { try await supervisor.run() }
        Task {
            for await _ in signals { job.cancel() }
        }
        do {
            try await job.value
        } catch {
            print("stopped: \(error)")
            exit(EXIT_FAILURE)
        }
    }
}

struct Supervisor: Sendable {
    enum Event: Equatable, Sendable {
        case started(pid_t)
        case output([UInt8])
        case signaled(CInt)
        case ended(RLProcessEnd)
        case restarts(after: Duration)
    }

    let words: [String]
    /// The time after which the command receives SIGTERM.
    let limit: Duration
    /// The time between SIGTERM and SIGKILL.
    var grace = Duration.seconds(5)
    // The delay before the first restart. Each failure doubles it, up to a minute.
    var delay = Duration.seconds(1)
    let report: @Sendable (Event) -> Void

    // Returns after a run that exits with 0. Throws if a run cannot start or the task is
    // cancelled.
    func run() async throws {
        // The clock of the main loop, or of the test's loop in a test with `.runLoop`.
        let clock = RLRunLoopClock()
        var delay = delay
        while true {
            let end = try await runOnce(by: clock)
            report(.ended(end))
            if end == .exited(0) { return }
            try Task.checkCancellation()
            report(.restarts(after: delay))
            try await clock.sleep(for: delay)
            delay = min(delay * 2, .seconds(60))
        }
    }

    private func runOnce(by clock: RLRunLoopClock) async throws -> RLProcessEnd {
        try await withThrowingTaskGroup { group in
            let (child, output) = try startChild(words)
            report(.started(child))
            group.addTask { await collect(output) }
            let end = await waitForEnd(of: child, for: limit, by: clock)
            // An unstructured task is not cancelled with this task, so the child is always reaped.
            let last: RLProcessEnd
            if let end {
                last = end
            } else {
                last = await Task { await terminate(child, by: clock) }.value
            }
            // Limit the wait for EOF: a grandchild may keep the other end open.
            group.addTask { try await clock.sleep(for: grace) }
            _ = await group.nextResult()
            group.cancelAll()
            return last
        }
    }

    private func collect(_ output: RLInputStream) async {
        do {
            for try await bytes in output.chunks() { report(.output(bytes)) }
        } catch {
            // The read failed, or was cancelled because a grandchild keeps the other end open.
        }
    }

    /// Waits for the end of the child; returns nil if the time has elapsed, the task is cancelled,
    /// or no descriptor is left.
    private func waitForEnd(
        of child: pid_t,
        for time: Duration,
        by clock: RLRunLoopClock
    ) async -> RLProcessEnd? {
        await withTaskGroup(of: RLProcessEnd?.self) { group in
            group.addTask { try? await RLWaitForProcess(child) }
            group.addTask {
                try? await clock.sleep(for: time)
                return nil
            }
            // Read both results: the child may have been reaped at the moment when the time ended.
            var end: RLProcessEnd?
            for await result in group {
                group.cancelAll()
                end = end ?? result
            }
            return end
        }
    }

    private func terminate(_ child: pid_t, by clock: RLRunLoopClock) async -> RLProcessEnd {
        signal(child, SIGTERM)
        if let end = await waitForEnd(of: child, for: grace, by: clock) { return end }
        signal(child, SIGKILL)
        // The kernel ends the child at once, so this call hardly blocks.
        var status: CInt = 0
        waitpid(child, &status, 0)
        return RLProcessEnd(waitStatus: status)
    }

    // Signals the process group. The child is not reaped yet, so its id is not reused.
    private func signal(_ child: pid_t, _ number: CInt) {
        report(.signaled(number))
        kill(-child, number)
    }
}

extension Supervisor.Event: CustomStringConvertible {
    var description: String {
        switch self {
        case .started(let child): "started \(child)"
        case .output(let bytes): "output: \(String(decoding: bytes, as: UTF8.self))"
        case .signaled(let number): "sent signal \(number)"
        case .ended(let end): "\(end)"
        case .restarts(let delay): "restarts in \(delay)"
        }
    }
}

// Starts a command in a new process group. Streams cannot read pipes, so the output is sent over a
// socket pair, which other children do not inherit.
private func startChild(_ words: [String]) throws -> (pid_t, RLInputStream) {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
        throw RLSystemError(code: errno, to: "make sockets")
    }
    defer { close(ends[1]) }
    let child: pid_t
    do {
        child = try spawn(words, output: ends[1])
    } catch {
        close(ends[0])
        throw error
    }
    guard let (reader, _) = RLStreamCreatePair(withSocket: ends[0]) else {
        fatalError("The engine makes streams of every descriptor.")
    }
    RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue)
    return (child, RLInputStream(reader))
}

private func spawn(_ words: [String], output: CInt) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for standard in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_adddup2(&actions, output, standard)
    }
    // Otherwise the command would inherit the mask of blocked signals and not receive SIGTERM.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let failure = posix_spawnp(&child, words[0], &actions, &attributes, arguments, environ)
    guard failure == 0 else { throw RLSystemError(code: failure, to: "start \(words[0])") }
    return child
}
