import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopKit
import Testing
import ThreadKit

@Suite("A full disk") struct FullDiskTests {
    @Test(
        "fails the awaited writes of all tasks, and the end of writing",
        .timeLimit(.minutes(15)),
        arguments: [1, 1_000_000]
    )
    @MainActor func writes(count: Int) async throws {
        let output = try #require(RLOutputStream(toFileAtPath: "/dev/full", append: false))
        let writings = (0..<3).map { _ in
            Task { try await output.write(contentsOf: [UInt8](repeating: 1, count: count)) }
        }
        for writing in writings { #expect(await failure(of: writing) == .ENOSPC) }
        let finishing = Task { try await output.finishWriting() }
        #expect(await failure(of: finishing) == .ENOSPC)
        #expect(output.streamStatus == .error)
    }

    @Test("fails no end of writing without bytes", .timeLimit(.minutes(15))) @MainActor
    func emptyFile() async throws {
        let output = try #require(RLOutputStream(toFileAtPath: "/dev/full", append: false))
        try await output.finishWriting()
        #expect(output.streamStatus == .atEnd && output.streamError == nil)
        let missing = try #require(RLOutputStream(toFileAtPath: "/nonexistent/file", append: false))
        let finishing = Task { try await missing.finishWriting() }
        #expect(await failure(of: finishing) == .ENOENT)
    }

    @Test("keeps the bytes before the limit of a file's size, and raises no SIGXFSZ") func limit()
        async
    {
        // The limit affects all threads.
        await #expect(processExitsWith: .success) { @MainActor in
            let path = "/tmp/CoreRunLoop-limit-\(getpid())"
            defer { unlink(path) }
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let output = try #require(RLOutputStream(toFileAtPath: path, append: false))
            let writing = Task {
                for _ in 0..<3 {
                    try await output.write(contentsOf: [UInt8](repeating: 1, count: 40_000))
                }
            }
            guard await failure(of: writing) == .EFBIG else { _exit(1) }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            if bytes.count != 100_000 { _exit(2) }
        }
    }
}

@Suite("Without descriptors") struct NoDescriptorTests {
    @Test("a call that opens a stream fails, and leaks no descriptor") func opening() async {
        await #expect(processExitsWith: .success) { @MainActor in
            let shortage = DescriptorShortage()
            for _ in 0..<100 {
                let input = try #require(RLInputStream(fileAtPath: "/dev/null"))
                guard await failure({ _ = try await input.read(upToCount: 1) }) == .EMFILE else {
                    _exit(1)
                }
                let output = try #require(RLOutputStream(toFileAtPath: "/dev/null", append: false))
                guard await failure({ try await output.finishWriting() }) == .EMFILE else {
                    _exit(2)
                }
                if RLStreamCreatePair(toHost: "127.0.0.1", port: 1) != nil { _exit(3) }
            }
            shortage.end()
            let count = countDescriptors()
            let input = try #require(RLInputStream(fileAtPath: "/dev/null"))
            guard try await input.read(upToCount: 1) == nil else { _exit(4) }
            input.close()
            if countDescriptors() != count { _exit(5) }
        }
    }

    @Test("streams in a new loop wait, and continue with the next free descriptors")
    func openStreams() async {
        await #expect(processExitsWith: .success) { @MainActor in
            var ends: [CInt] = [-1, -1]
            socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
            let near = try #require(RLStreamCreatePair(withSocket: ends[0]))
            let far = try #require(RLStreamCreatePair(withSocket: ends[1]))
            let (input, output) = (RLInputStream(near.reader), RLOutputStream(far.writer))
            let shortage = DescriptorShortage()
            let worker = RLPermanentThread()
            let loop = worker.runLoop
            let writing = Task {
                // More bytes than a socket holds.
                try await output.write(
                    contentsOf: [UInt8](repeating: 1, count: 1_000_000),
                    on: loop
                )
                try await output.finishWriting(on: loop)
            }
            // These need no descriptor.
            let (bound, source) = try #require(makeBoundStreams(16))
            let sending = Task {
                try await source.write(contentsOf: [UInt8](repeating: 1, count: 1000), on: loop)
                try await source.finishWriting(on: loop)
            }
            let reading = Task {
                var count = 0
                for try await bytes in input.chunks(on: loop) { count += bytes.count }
                return count
            }
            var count = 0
            for try await bytes in bound.chunks(on: loop) { count += bytes.count }
            if count != 1000 { _exit(1) }
            shortage.end()
            try await sending.value
            try await writing.value
            if try await reading.value != 1_000_000 { _exit(2) }
            worker.stop()
            worker.join()
        }
    }

    @Test("a source of a process is invalid, and a later source reports the end")
    func processes() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            let child = try spawnProgram("sh", ["-c", "exit 3"]) { _ in }
            onFreshThread { observeWithoutDescriptors(child) }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            output.contains(
                "RLRunLoop.observe(process:reaps:in:handler:): the returned source is invalid: "
                    + "Too many open files"
            ),
            "\(output)"
        )
    }
}

// MARK: - Helpers

/// Runs in its own process; the exit code identifies the failure.
private func observeWithoutDescriptors(_ child: pid_t) {
    let shortage = DescriptorShortage()
    let log = Log<String>()
    for _ in 0..<100 {
        let source = RLRunLoop.current.observe(process: child) { [token = Token(log)] _, _ in
            token.hold()
        }
        if source.isValid { _exit(1) }
    }
    if log.entries != [String](repeating: "released", count: 100) { _exit(2) }
    if RLRunLoop.current.run(mode: .default, before: .distantPast) { _exit(3) }
    shortage.end()
    let count = countDescriptors()
    var seen: [RLProcessEnd] = []
    RLRunLoop.current.observe(process: child) { _, end in seen.append(end) }
    while seen.isEmpty { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
    if seen != [.exited(3)] { _exit(4) }
    // The loop may have made its own descriptors.
    if countDescriptors() > count + 2 { _exit(5) }
}

@MainActor private func failure(of task: Task<some Sendable, any Error>) async -> POSIXErrorCode? {
    await failure { _ = try await task.value }
}

@MainActor private func failure(_ body: @MainActor () async throws -> Void) async -> POSIXErrorCode?
{
    do { try await body() } catch { return (error as? POSIXError)?.code }
    return nil
}
