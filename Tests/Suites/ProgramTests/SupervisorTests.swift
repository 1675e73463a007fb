import Glibc
import RunLoopConcurrency
import RunLoopKit
import RunLoopTestTraits
import Synchronization
import Testing

@testable import supervisor

/// The events of a supervisor: as a sequence, and their number.
private final class Log: Sendable {
    private let stream = AsyncStream.makeStream(of: Supervisor.Event.self)
    private let number = Mutex((added: 0, read: 0))

    var count: Int { number.withLock { $0.added } }

    func add(_ event: Supervisor.Event) {
        number.withLock { $0.added += 1 }
        stream.continuation.yield(event)
    }

    var hasMore: Bool { number.withLock { $0.added > $0.read } }

    func next() async -> Supervisor.Event? {
        number.withLock { $0.read += 1 }
        for await event in stream.stream { return event }
        return nil
    }

    @discardableResult
    func waitForStart() async throws -> pid_t {
        let event = await next()
        guard case .started(let child)? = event else {
            throw RLSystemError(code: ECHILD, to: "start: \(String(describing: event))")
        }
        return child
    }

    /// Waits until the child has written a text, which may come in pieces.
    func wait(for text: String) async {
        var output = ""
        while !output.contains(text), case .output(let bytes)? = await next() {
            output += String(decoding: bytes, as: UTF8.self)
        }
        #expect(output.contains(text))
    }
}

// Children end in real time. The test's clock has the limits and delays, so that no test sleeps.
@Suite("A supervisor", .runLoop, .timeLimit(.minutes(15))) struct SupervisorTests {
    private let log = Log()

    private func supervise(_ script: String, limit: Duration = .seconds(3600)) -> Task<
        Void, any Error
    > {
        let supervisor = Supervisor(words: ["sh", "-c", script], limit: limit, report: log.add)
        return Task { try await supervisor.run() }
    }

    @Test("restarts a command that fails, later each time") func restarts() async throws {
        let clock = RLTestClock()
        let job = supervise("exit 3")
        for delay in [1, 2, 4, 8, 16, 32, 60, 60] {
            try await log.waitForStart()
            #expect(await log.next() == .ended(.exited(3)))
            #expect(await log.next() == .restarts(after: .seconds(delay)))
            let count = log.count
            await clock.advance(by: .seconds(delay) - .milliseconds(1))
            #expect(log.count == count)
            await clock.advance(by: .milliseconds(1))
        }
        job.cancel()
        await #expect(throws: (any Error).self) { try await job.value }
        clock.end()
    }

    @Test("collects the output of a command, and ends when it exits with 0") func output()
        async throws
    {
        let clock = RLTestClock()
        // More than a pipe has room for.
        let job = supervise("head -c 300000 /dev/zero; echo error >&2")
        try await log.waitForStart()
        var bytes: [UInt8] = []
        while true {
            let event = await log.next()
            guard case .output(let more)? = event else { break }
            bytes += more
        }
        #expect(bytes == [UInt8](repeating: 0, count: 300_000) + Array("error\n".utf8))
        try await job.value
        clock.end()
    }

    @Test("ends a command by SIGTERM after its time") func limit() async throws {
        let clock = RLTestClock()
        let job = supervise("echo ready; exec sleep 1000", limit: .seconds(60))
        try await log.waitForStart()
        await log.wait(for: "ready")
        let count = log.count
        await clock.advance(by: .seconds(59))
        #expect(log.count == count)
        await clock.advance(by: .seconds(1))
        #expect(await log.next() == .signaled(SIGTERM))
        #expect(await log.next() == .ended(.signaled(SIGTERM)))
        #expect(await log.next() == .restarts(after: .seconds(1)))
        job.cancel()
        await #expect(throws: (any Error).self) { try await job.value }
        clock.end()
    }

    @Test("ends a command by SIGKILL that ignores SIGTERM") func escalation() async throws {
        let clock = RLTestClock()
        let job = supervise(
            "trap 'echo no' TERM; echo ready; while :; do sleep 0.01; done",
            limit: .seconds(60)
        )
        try await log.waitForStart()
        await log.wait(for: "ready")
        await clock.advance(by: .seconds(60))
        #expect(await log.next() == .signaled(SIGTERM))
        await log.wait(for: "no")
        let count = log.count
        await clock.advance(by: .seconds(4))
        #expect(log.count == count)
        await clock.advance(by: .seconds(1))
        #expect(await log.next() == .signaled(SIGKILL))
        #expect(await log.next() == .ended(.signaled(SIGKILL)))
        job.cancel()
        await #expect(throws: (any Error).self) { try await job.value }
        clock.end()
    }

    @Test("reaps the command when its task is cancelled, at any moment") func cancellation()
        async throws
    {
        let clock = RLTestClock()
        for yields in 0..<50 {
            let job = supervise("exec sleep 1000")
            for _ in 0..<yields { await Task.yield() }
            job.cancel()
            await #expect(throws: (any Error).self) { try await job.value }
            let child = try await log.waitForStart()
            #expect(waitpid(child, nil, WNOHANG) == -1 && errno == ECHILD)
            while log.hasMore { _ = await log.next() }
        }
        clock.end()
    }

    @Test("does not wait for a grandchild that keeps the output open") func grandchild()
        async throws
    {
        let clock = RLTestClock()
        let job = supervise("sleep 1000 & echo $!", limit: .seconds(1_000_000_000))
        try await log.waitForStart()
        var number = ""
        while !number.hasSuffix("\n"), case .output(let bytes)? = await log.next() {
            number += String(decoding: bytes, as: UTF8.self)
        }
        let grandchild = try #require(pid_t(number.dropLast()))
        // The child's end is in real time.
        while log.count < 3 {
            await clock.advance(by: .seconds(5))
            await Task.yield()
        }
        try await job.value
        kill(grandchild, SIGKILL)
        clock.end()
    }

    @Test("fails if there is no such program") func missing() async throws {
        let supervisor = Supervisor(words: ["/nonexistent"], limit: .seconds(1), report: log.add)
        let error = await #expect(throws: RLSystemError.self) { try await supervisor.run() }
        #expect(error?.code == ENOENT)
    }
}
