import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopNetworking
import Testing
import ThreadKit

private typealias Outcome = Result<RLHTTPResponse, RLHTTPError>

private func text(_ outcome: Outcome?) -> String? {
    (try? outcome?.get()).map { String(decoding: $0.body, as: UTF8.self) }
}

private func error(_ outcome: Outcome?) -> RLHTTPError? {
    if case .failure(let error) = outcome { error } else { nil }
}

/// Runs the thread's loop until a condition holds.
private func waitUntil(_ isSo: () -> Bool) {
    while !isSo(), RLRunLoop.current.run(mode: .default, before: .distantFuture) {}
}

/// Runs the thread's loop until the completion.
private func runLoop(for send: (@escaping (Outcome) -> Void) -> Void) -> Outcome? {
    var outcome: Outcome?
    send { outcome = $0 }
    waitUntil { outcome != nil }
    return outcome
}

/// Runs the thread's loop until a request has finished.
private func response(_ client: RLHTTPLoopClient, _ request: RLHTTPRequest) -> Outcome? {
    runLoop { client.send(request, completion: $0) }
}

private final class LoopRunner {
    deinit {
        RLRunLoopRunInMode(.defaultMode, 0, false)
    }
}

@Suite("A client on a loop", .timeLimit(.minutes(15))) struct LoopClientTests {
    @Test("calls its thread, which keeps the connection for the next request") func whole() throws {
        let server = try PythonServer()
        let large = try server.request("large?409600"), count = try server.request("count")
        onFreshThread {
            let client = RLHTTPLoopClient()
            let thread = pthread_self()
            var lengths: [Int] = []
            let outcome = runLoop { completion in
                client.send(large, progress: { lengths.append($0.receivedLength) }) { outcome in
                    #expect(pthread_self() == thread)
                    completion(outcome)
                }
                // No call before the loop runs.
                #expect(lengths.isEmpty)
            }
            #expect((try? outcome?.get().body) == content(409_600))
            #expect(lengths.last == 409_600 && lengths == lengths.sorted())
            #expect(text(response(client, count)) == "1")
        }
    }

    @Test("writes a body into a file") func file() throws {
        let server = try PythonServer()
        let request = try server.request("large?409600")
        let path = "/tmp/RunLoopNetworking.\(getpid()).loop"
        defer { unlink(path) }
        onFreshThread {
            let client = RLHTTPLoopClient()
            let outcome = runLoop { client.send(request, toFile: path, completion: $0) }
            #expect((try? outcome?.get().body) == Data())
            #expect((try? Data(contentsOf: URL(filePath: path))) == content(409_600))
            let nowhere = runLoop { client.send(request, toFile: "", completion: $0) }
            #expect(error(nowhere) == .fileFailed(POSIXError(.EINVAL)))
        }
    }

    @Test("fails after the call that sends") func refused() {
        onFreshThread {
            let client = RLHTTPLoopClient()
            for name in ["ftp://host/", "http://127.0.0.1:1/"] {
                guard let url = URL(string: name) else { continue }
                var isReturned = false
                let outcome = runLoop { completion in
                    client.send(RLHTTPRequest(url: url)) { outcome in
                        #expect(isReturned)
                        completion(outcome)
                    }
                    isReturned = true
                }
                #expect(error(outcome) != nil)
            }
        }
    }

    @Test(
        "serves requests that completions send while they run the loop, and may go with its last one"
    )
    func nested() throws {
        let server = try PythonServer()
        let request = try server.request("kept")
        onFreshThread {
            var client: RLHTTPLoopClient? = RLHTTPLoopClient()
            var texts: [String?] = []
            let last = runLoop { completion in
                client?.send(request) { first in
                    texts.append(text(first))
                    guard let inner = client else { return }
                    texts.append(text(response(inner, request)))
                    client = nil
                    completion(first)
                }
            }
            #expect(texts == ["hello", "hello"] && text(last) == "hello")
            // The loop closes the connection.
            RLRunLoopRunInMode(.defaultMode, 0, false)
        }
        #expect(server.nextWord() == "gone kept")
    }

    @Test("serves the others while a completion runs the loop") func othersInNested() throws {
        let server = try PythonServer()
        let half = try server.request("half")
        onFreshThread {
            let client = RLHTTPLoopClient()
            var second: Outcome?
            let first = runLoop { completion in
                let tasks = [
                    client.send(half) { outcome in
                        waitUntil { second != nil }
                        completion(outcome)
                    },
                    client.send(half) { second = $0 },
                ]
                for task in tasks { task.cancel() }
            }
            #expect(error(first) == .cancelled && error(second) == .cancelled)
        }
    }

    @Test("ends while its last progress runs the loop") func endInNested() throws {
        let server = try PythonServer()
        let request = try server.request("kept")
        onFreshThread {
            let client = RLHTTPLoopClient()
            var count = 0
            let outcome = runLoop { completion in
                let progress: (RLHTTPProgress) -> Void = { _ in waitUntil { count > 0 } }
                client.send(request, progress: progress) { outcome in
                    count += 1
                    completion(outcome)
                }
            }
            #expect(text(outcome) == "hello" && count == 1)
        }
    }

    @Test("goes while a completion runs the loop") func goneInNested() throws {
        let server = try PythonServer()
        let request = try server.request("kept")
        onFreshThread {
            var client: RLHTTPLoopClient? = RLHTTPLoopClient()
            let outcome = runLoop { completion in
                client?.send(request) { outcome in
                    client = nil
                    RLRunLoopRunInMode(.defaultMode, 0, false)
                    completion(outcome)
                }
            }
            #expect(text(outcome) == "hello")
        }
        #expect(server.nextWord() == "gone kept")
    }

    @Test("is cancelled, in its own progress too, and once") func cancel() throws {
        let server = try PythonServer()
        let half = try server.request("half"), kept = try server.request("kept")
        onFreshThread {
            let client = RLHTTPLoopClient()
            var task: RLHTTPTask?
            var count = 0
            let outcome = runLoop { completion in
                task = client.send(half, progress: { _ in task?.cancel() }) { outcome in
                    count += 1
                    task?.cancel()
                    completion(outcome)
                }
            }
            #expect(error(outcome) == .cancelled)
            #expect(server.nextWord() == "gone half")
            let unbegun = runLoop { client.send(kept, completion: $0).cancel() }
            #expect(error(unbegun) == .cancelled && count == 1)
        }
    }

    @Test("waits while it is paused") func pause() throws {
        let server = try PythonServer()
        // More than the buffers of two sockets, which grow while they are read.
        let length = 67_108_864
        let request = try server.request("much?\(length)")
        onFreshThread {
            let client = RLHTTPLoopClient()
            var task: RLHTTPTask?
            var pauses = 0
            let outcome = runLoop { completion in
                let pause: (RLHTTPProgress) -> Void = { _ in
                    if pauses == 0 { task?.pause() }
                    pauses += 1
                }
                task = client.send(request, progress: pause, completion: completion)
                // Until the server's buffers are full.
                let isFull = RLRunLoopSourceCreate(perform: {})
                RLRunLoopAddSource(RLRunLoopGetCurrent(), isFull, .defaultMode)
                let loop = RLRunLoopGetCurrent()
                RLThread.detachNewThread {
                    #expect(server.nextWord() == "full")
                    RLRunLoopPerformBlock(loop, .defaultMode) { RLRunLoopStop(loop) }
                    RLRunLoopWakeUp(loop)
                }
                RLRunLoopRun()
                // They may be full before this thread reads, too.
                waitUntil { task?.isPaused == true }
                task?.resume()
                RLRunLoopSourceInvalidate(isFull)
            }
            #expect((try? outcome?.get().body.count) == length)
        }
    }

    @Test(
        "does not count the wait for a connection after a redirect as idle time",
        .enabled(if: hasConnectionCallback)
    )
    func silenceAfterRedirect() throws {
        let server = try PythonServer()
        let half = try server.request("half")
        func elsewhere(_ page: String) throws -> RLHTTPRequest {
            let url = try #require(URL(string: "http://localhost:\(server.port)/\(page)"))
            return RLHTTPRequest(url: url, timeoutIntervalForRequest: .seconds(5))
        }
        let moved = try elsewhere("to?\(server.url("kept"))"), silent = try elsewhere("silent")
        onFreshThread {
            var configuration = RLHTTPClientConfiguration()
            configuration.connectionsPerHost = 1
            let client = RLHTTPLoopClient(configuration: configuration)
            var first: RLHTTPTask?
            var second: Outcome?
            let progress = runLoop { completion in
                let progress: (RLHTTPProgress) -> Void = { _ in completion(.failure(.closedEarly)) }
                first = client.send(half, progress: progress) { _ in }
            }
            #expect(error(progress) == .closedEarly)
            client.send(moved) { second = $0 }
            // On the connection that the redirect left: its silence begins later.
            #expect(error(runLoop { client.send(silent, completion: $0) }) == .timedOut)
            #expect(second == nil)
            first?.cancel()
            waitUntil { second != nil }
            #expect(text(second) == "hello")
        }
    }

    @Test("sends a request that is sent while libcurl has a body opened") func inCall()
        throws
    {
        let server = try PythonServer()
        let kept = try server.request("kept")
        var request = try server.request("again?post")
        request.method = "POST"
        let sent = request
        onFreshThread {
            nonisolated(unsafe) let client = RLHTTPLoopClient()
            nonisolated(unsafe) var texts: [String?] = []
            var request = sent
            request.body = .stream(
                RLHTTPBodyStream {
                    client.send(kept) { texts.append(text($0)) }
                    return RLInputStream(data: Data("body".utf8))
                }
            )
            #expect(text(response(client, request)) == "POST None body")
            // Opened for the first request, and again for the redirected one.
            waitUntil { texts.count == 2 }
            #expect(texts == ["hello", "hello"])
        }
    }

    @Test("that ends with its thread fails its requests") func threadEnds() throws {
        let server = try PythonServer()
        let request = try server.request("half")
        let errors = Log<RLHTTPError?>()
        onFreshThread {
            // Some of these run the loop in `deinit`, after the end of the thread's clients.
            for key in 0..<20 { RLThread.current.threadDictionary[key] = LoopRunner() }
            let client = RLHTTPLoopClient()
            var tasks: [RLHTTPTask] = []
            let progress = runLoop { completion in
                let progress: (RLHTTPProgress) -> Void = { _ in completion(.failure(.closedEarly)) }
                let complete: (Outcome) -> Void = { outcome in
                    errors.add(error(outcome))
                    for task in tasks { task.cancel() }
                    // Too late for another request.
                    client.send(request) { errors.add(error($0)) }
                }
                for _ in 1...2 {
                    tasks.append(client.send(request, progress: progress, completion: complete))
                }
            }
            #expect(error(progress) == .closedEarly)
        }
        #expect(errors.entries == Array(repeating: .threadEnded, count: 4))
        #expect(server.nextWord() == "gone half")
    }

    @Test("does not perform the parent's work in the child of a fork") func forked() async {
        await #expect(processExitsWith: .success) {
            onFreshThread {
                guard let url = URL(string: "http://127.0.0.1:1/") else { exit(1) }
                let client = RLHTTPLoopClient()
                let unconnected = RLHTTPLoopClient()
                var errors: [RLHTTPError?] = []
                let task = client.send(RLHTTPRequest(url: url)) { errors.append(error($0)) }
                task.cancel()
                let invalid = RLHTTPRequest(method: "\n", url: url)
                unconnected.send(invalid) { errors.append(error($0)) }
                let child = forkProcess()
                RLRunLoopRunInMode(.defaultMode, 0, false)
                if child == 0 {
                    task.cancel()
                    for client in [client, unconnected] {
                        client.send(RLHTTPRequest(url: url)) { errors.append(error($0)) }
                        if !errors.isEmpty { _exit(1) }
                    }
                    waitUntil { errors.count == 2 }
                    let refused = RLHTTPError.connectionFailed(POSIXError(.ECONNREFUSED))
                    _exit(errors == [refused, refused] ? 0 : 1)
                }
                var status: CInt = 0
                let isOver = waitpid(child, &status, 0) == child && status == 0
                // The parent's request may have finished before it was cancelled.
                exit(isOver && errors.count == 2 ? 0 : 1)
            }
        }
    }

    @Test("leaves a file to the parent of a fork") func forkedFile() async {
        await #expect(processExitsWith: .success) {
            onFreshThread {
                guard let server = try? PythonServer(), let half = try? server.request("half"),
                    let url = URL(string: "http://127.0.0.1:1/")
                else { exit(1) }
                let path = "/tmp/RunLoopNetworking.\(getpid()).\(UInt64.random(in: 0 ... .max))"
                let client = RLHTTPLoopClient()
                var received = 0
                var isOver = false
                let task = client.send(
                    half,
                    toFile: path,
                    progress: { received = $0.receivedLength },
                    completion: { _ in isOver = true }
                )
                waitUntil { received > 0 }
                let child = forkProcess()
                if child == 0 {
                    var isRefused = false
                    client.send(RLHTTPRequest(url: url)) { _ in isRefused = true }
                    waitUntil { isRefused }
                    _exit(0)
                }
                var status: CInt = 0
                guard waitpid(child, &status, 0) == child, status == 0,
                    (try? hasPart(path)) == true
                else { exit(1) }
                task.cancel()
                waitUntil { isOver }
                exit((try? hasPart(path)) == false ? 0 : 1)
            }
        }
    }

    @Test(
        "stops the process on another thread, and so do its tasks",
        arguments: [
            "RLHTTPLoopClient.send", "RLHTTPTask.cancel()", "RLHTTPTask.isPaused",
            "RLHTTPTask.pause()", "RLHTTPTask.resume()",
        ]
    )
    func foreignThread(call: String) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [call] in
            onFreshThread { useOnAnotherThread(call) }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("\(call): called on thread "))
        #expect(output.contains(", but the loop belongs to thread "))
    }
}

private func useOnAnotherThread(_ call: String) {
    guard let url = URL(string: "http://127.0.0.1:9/") else { return }
    let request = RLHTTPRequest(url: url)
    nonisolated(unsafe) let client = RLHTTPLoopClient()
    nonisolated(unsafe) let task = client.send(request) { _ in }
    onFreshThread {
        switch call {
        case "RLHTTPTask.cancel()": task.cancel()
        case "RLHTTPTask.isPaused": _ = task.isPaused
        case "RLHTTPTask.pause()": task.pause()
        case "RLHTTPTask.resume()": task.resume()
        default: client.send(request) { _ in }
        }
    }
}
