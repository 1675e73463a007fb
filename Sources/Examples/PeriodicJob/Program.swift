// A periodic job: requests a web page each minute, and reports when that fails and works again.
//
//     periodic-job URL [SECONDS]
//
// It ends at SIGTERM and Control-C. The folder Tests has its tests, in virtual time.

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
            say("\(state)")
        }
        let job = Task { try await watcher.run() }
        for await _ in signals { break }
        job.cancel()
        say("ended")
    }

    /// Writes a line at once, also to a pipe.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    struct Failure: Error, CustomStringConvertible {
        let status: Int
        var description: String { "status \(status)" }
    }
}
