// A downloader: downloads several files at a time and shows their progress. Control-C cancels them.
//
//     downloader FOLDER URL...
//
// The exit status is 0 if all downloads succeeded, 1 if one failed, and 130 after Control-C.

import FoundationEssentials
import Glibc
import RunLoopNetworking

@MainActor final class Downloads {
    private let client: RLHTTPLoopClient
    private let folder: String
    private var tasks: [String: RLHTTPTask] = [:]
    private var received: [String: Int] = [:]
    private var count = 0
    private var hasFailed = false
    private var isCancelled = false

    init(into folder: String, atATime requests: Int) {
        var configuration = RLHTTPClientConfiguration()
        configuration.requestsAtATime = requests
        client = RLHTTPLoopClient(configuration: configuration)
        self.folder = folder
    }

    /// Starts a download; returns false if another download has the same file name.
    func add(_ url: URL) -> Bool {
        let name = fileName(of: url)
        if tasks[name] != nil { return false }
        count += 1
        // The body of an error response is also written to a file, and must not replace a good
        // file.
        let part = "\(folder)/\(name).part"
        tasks[name] = client.send(RLHTTPRequest(url: url), toFile: part) { [self] progress in
            received[name] = progress.receivedLength
        } completion: { [self] result in
            finish(name, part, result)
        }
        return true
    }

    private func finish(
        _ name: String,
        _ part: String,
        _ result: Result<RLHTTPResponse, RLHTTPError>
    ) {
        tasks[name] = nil
        switch result {
        case .success(let response) where response.statusCode == 200:
            if rename(part, "\(folder)/\(name)") == 0 {
                report("\(name): \(received[name] ?? 0) bytes")
            } else {
                fail("\(name): \(RLSystemError(code: errno, to: "rename the file"))")
            }
        case .success(let response):
            unlink(part)
            fail("\(name): \(response.statusCode) \(response.reason)")
        case .failure(let error):
            fail("\(name): \(error)")
        }
        if tasks.isEmpty { stop() }
    }

    private func fail(_ line: String) {
        hasFailed = true
        report(line)
    }

    private func report(_ line: String) {
        print(line)
        fflush(nil)
    }

    private func stop() {
        RLRunLoop.main.stop(withCode: isCancelled ? 130 : hasFailed ? EXIT_FAILURE : EXIT_SUCCESS)
    }

    /// Cancels all downloads; a cancelled task still calls its completion handler.
    func cancel() {
        isCancelled = true
        for task in tasks.values { task.cancel() }
    }

    func showProgress() {
        let bytes = received.values.reduce(0, +)
        let text = "\r\(count - tasks.count) of \(count) files, \(bytes / 1024) KiB"
        _ = write(STDERR_FILENO, text, text.utf8.count)
    }
}

/// Returns a file name, "index.html" if the last component of the path is no valid name.
private func fileName(of url: URL) -> String {
    let name = url.lastPathComponent
    return name.contains("/") || ["", ".", ".."].contains(name) ? "index.html" : name
}

private func exit(printing line: String) -> Never {
    print(line)
    exit(EXIT_FAILURE)
}

let arguments = CommandLine.arguments
if arguments.count < 3 { exit(printing: "usage: \(arguments[0]) FOLDER URL...") }
let downloads = Downloads(into: arguments[1], atATime: 4)
for argument in arguments.dropFirst(2) {
    guard let url = URL(string: argument) else { exit(printing: "no URL: \(argument)") }
    if !downloads.add(url) { exit(printing: "another file has the name: \(argument)") }
}
RLRunLoop.main.observe(signals: [SIGINT, SIGTERM]) { _, _ in downloads.cancel() }
let progress = RLTimer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { _ in
    downloads.showProgress()
}
let code = RLRunLoop.main.runUntilStopped()
progress.invalidate()
downloads.showProgress()
_ = write(STDERR_FILENO, "\n", 1)
exit(code)
