// A periodic job: requests a web page every minute, and reports when the requests begin to fail and
// when they succeed again.
//
//     periodic-job URL [SECONDS]
//
// The program ends on SIGTERM or Control-C. Tests/Suites/ProgramTests/WatcherTests.swift tests it
// in virtual time.

import FoundationEssentials
import Glibc
import RunLoopConcurrency
import RunLoopNetworking

@main struct Program {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let url = URL(string: arguments[1]) else {
            print("usage: \(arguments[0]) URL [SECONDS]")
            exit(EXIT_FAILURE)
        }
        let period = arguments.count > 2 ? Double(arguments[2]) ?? 60 : 60
        let signals = RLSignals([SIGINT, SIGTERM])
        let client = RLHTTPClient()
        let watcher = Watcher(every: .seconds(period)) {
            let response = try await client.response(for: RLHTTPRequest(url: url))
            if response.statusCode >= 400 { throw Failure(status: response.statusCode) }
        } report: { state in
            log("\(state)")
        }
        let job = Task { try await watcher.run() }
        for await _ in signals { break }
        job.cancel()
        log("ended")
    }

    /// Prints a line, and flushes the output, because it may be a pipe.
    static func log(_ line: String) {
        print(line)
        fflush(nil)
    }

    struct Failure: Error, CustomStringConvertible {
        let status: Int
        var description: String { "status \(status)" }
    }
}

/// Reports when the check begins to fail and when it succeeds again.
actor Watcher {
    enum State: Equatable {
        case well
        case failing(String)
    }

    struct TimeOut: Error, CustomStringConvertible {
        let limit: Duration
        var description: String { "no answer in \(limit)" }
    }

    private let period: Duration
    private let limit: Duration
    private let look: @Sendable () async throws -> Void
    private let report: @Sendable (State) -> Void

    init(
        every period: Duration,
        limit: Duration = .seconds(10),
        look: @escaping @Sendable () async throws -> Void,
        report: @escaping @Sendable (State) -> Void
    ) {
        self.period = period
        self.limit = limit
        self.look = look
        self.report = report
    }

    // Runs until its task is cancelled. After a failure, repeats the check after one second, then
    // two, four and so on, up to the period.
    func run() async throws {
        // The clock of the main loop, or of the test's loop in a test with `.runLoop`.
        let clock = RLRunLoopClock()
        var last: State?
        var pause = Duration.seconds(1)
        while true {
            let state = await look(by: clock)
            try Task.checkCancellation()
            if state != last { report(state) }
            last = state
            try await clock.sleep(for: state == .well ? period : pause)
            pause = state == .well ? .seconds(1) : min(pause * 2, period)
        }
    }

    private func look(by clock: RLRunLoopClock) async -> State {
        do {
            try await withThrowingTaskGroup { [look, limit] group in
                group.addTask { try await look() }
                group.addTask {
                    try await clock.sleep(for: limit)
                    throw TimeOut(limit: limit)
                }
                // Wait for the task that ends first. The other task is then cancelled.
                defer { group.cancelAll() }
                try await group.next()
            }
            return .well
        } catch {
            return .failing("\(error)")
        }
    }
}
