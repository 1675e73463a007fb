import Glibc
import ProcessKit
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

@Suite("A loop and async code") struct SequenceTests {
    @Test("activities come as a sequence, and the observer goes with it") func activities() async {
        let worker = RLPermanentThread()
        let seen = await watch(worker.runLoop)
        #expect(seen.first == .beforeWaiting || seen.first == .afterWaiting)
        let log = Log<String>()
        worker.execute(waitUntilDone: true) { log.add(RLRunLoopGetCurrent().description) }
        #expect(!log.entries[0].contains("activities = 0x60"))
        worker.stop()
    }

    @Test("the end of a process is awaited, and reaps it", .timeLimit(.minutes(15))) @MainActor
    func processes() async throws {
        let child = try spawnProgram("sh", ["-c", "exit 3"]) { _ in }
        #expect(try await RLWaitForProcess(child) == .exited(3))
        #expect(waitpid(child, nil, WNOHANG) == -1 && errno == ECHILD)
        let error = await #expect(throws: RLSystemError.self) { try await RLWaitForProcess(child) }
        #expect(error?.code == ESRCH)
    }

    @Test("a cancelled wait for a process leaves its status", .timeLimit(.minutes(15)))
    func cancelledProcesses() async throws {
        for _ in 0..<30 {
            let worker = RLPermanentThread()
            let loop = worker.runLoop
            let child = try spawnProgram("sh", ["-c", "exit 3"]) { _ in }
            let task = Task { try await RLWaitForProcess(child, on: loop) }
            // The moments around the child's end, too.
            var end = siginfo_t()
            if Bool.random() { waitid(P_PID, id_t(child), &end, WEXITED | WNOWAIT) }
            for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
            if Bool.random() { task.cancel() } else { worker.stop() }
            switch await task.result {
            case .success(let end): #expect(end == .exited(3))
            case .failure(let error):
                #expect(error is CancellationError)
                var status: CInt = 0
                #expect(waitpid(child, &status, 0) == child && status == 3 << 8)
            }
            worker.stop()
            worker.join()
        }
    }

    /// The activities up to the wake-up of the loop; the sequence is released at the return.
    private func watch(_ loop: RLRunLoopRef) async -> [RLRunLoopActivity] {
        var seen: [RLRunLoopActivity] = []
        let activities = RLRunLoopActivities(loop, [.beforeWaiting, .afterWaiting])
        // The loop may be asleep, and adding an observer does not wake it (OBS-11).
        RLRunLoopWakeUp(loop)
        for await activity in activities {
            seen.append(activity)
            if seen.count == 1 { RLRunLoopWakeUp(loop) }
            if seen.contains(.afterWaiting) { break }
        }
        return seen
    }

    @Test("readiness of a descriptor comes when requested, and ends with a hang-up")
    func readiness()
        async throws
    {
        let worker = RLPermanentThread()
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let readable = ends[0], writable = ends[1]
        var received: [UInt8] = []
        write(writable, [1], 1)
        for await ready in RLDescriptorReadiness(readable, .read, on: worker.runLoop) {
            var byte: UInt8 = 0
            guard ready.contains(.read), read(readable, &byte, 1) == 1 else { break }
            received.append(byte)
            if byte == 3 { close(writable) } else { write(writable, [byte + 1], 1) }
        }
        #expect(received == [1, 2, 3])
        close(readable)
        worker.stop()
    }

    @Test("what was written before a hang-up is read, however late the reader comes")
    func lateReader()
        async throws
    {
        let worker = RLPermanentThread()
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let readable = ends[0]
        let readiness = RLDescriptorReadiness(readable, .read, on: worker.runLoop)
            .makeAsyncIterator()
        write(ends[1], [UInt8]([1, 2]), 2)
        close(ends[1])
        // A pass of the loop, which must not report the hang-up before the iteration.
        worker.execute(waitUntilDone: true) {}
        var reader = readiness
        var received: [UInt8] = []
        while let ready = await reader.next(), ready.contains(.read) {
            var byte: UInt8 = 0
            guard read(readable, &byte, 1) == 1 else { break }
            received.append(byte)
        }
        #expect(received == [1, 2])
        close(readable)
        worker.stop()
    }

    @Test("a reader of a descriptor that is never ready can be cancelled") func cancelled()
        async throws
    {
        let worker = RLPermanentThread()
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let end = ends[0]
        let task = Task {
            var count = 0
            for await _ in RLDescriptorReadiness(end, .read, on: worker.runLoop) { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
        worker.execute(waitUntilDone: true) {}
        for end in ends { close(end) }
        worker.stop()
    }

    @Test("files are always ready, in the loop's mode") func files() async throws {
        let worker = RLPermanentThread()
        let file = try #require(tmpfile())
        let descriptor = fileno(file)
        write(descriptor, [UInt8]([1, 2, 3]), 3)
        lseek(descriptor, 0, SEEK_SET)
        var received: [UInt8] = []
        for await ready in RLDescriptorReadiness(descriptor, .read, on: worker.runLoop) {
            var byte: UInt8 = 0
            guard ready == .read, read(descriptor, &byte, 1) == 1 else { break }
            received.append(byte)
        }
        #expect(received == [1, 2, 3])
        fclose(file)

        let sink = open("/dev/null", O_WRONLY)
        let readiness = RLDescriptorReadiness(sink, .write, on: worker.runLoop, mode: "other")
        async let first = readiness.first { _ in true }
        let log = Log<String>()
        worker.execute(waitUntilDone: true) { log.add("default mode has run") }
        worker.execute {
            // The other mode delays the request for readiness.
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, "other")
            log.add("other mode runs")
            RLRunLoopRunInMode("other", .infinity, false)
        }
        let ready = await first
        log.add("ready")
        #expect(ready == .write)
        #expect(log.entries == ["default mode has run", "other mode runs", "ready"])
        RLRunLoopStop(worker.runLoop)
        close(sink)
        worker.stop()
    }

    @Test("a descriptor that is not open is never ready", arguments: [-1, CInt.max])
    func noDescriptor(number: CInt) async {
        let worker = RLPermanentThread()
        for await ready in RLDescriptorReadiness(number, .read, on: worker.runLoop) {
            Issue.record("\(ready)")
        }
        worker.stop()
    }

    @Test("messages of a port come as a sequence") func messages() async {
        let worker = RLPermanentThread()
        let port = RLPort()
        let streams = Log<RLEventSequence<RLPortLetter>>()
        worker.execute(waitUntilDone: true) { streams.add(port.messages(in: .current)) }
        worker.execute {
            port.send(before: .distantFuture, msgid: 1, components: ["a"], from: port)
        }
        worker.execute { port.send(before: .distantFuture, msgid: 2) }
        var letters: [RLPortLetter] = []
        for await letter in streams.entries[0] {
            letters.append(letter)
            if letter.msgid == 2 { break }
        }
        #expect(letters.map(\.msgid) == [1, 2])
        #expect(letters[0].components.first as? String == "a" && letters[0].sendPort === port)
        #expect(letters[1].receivePort === port && letters[1].sendPort == nil)
        port.invalidate()
        worker.stop()
    }

    @Test("messages of a port come as a sequence only if any thread may have them")
    func foreignMessages() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            final class Part {}
            let port = RLPort()
            let parts = GivenComponents([Part()])
            let message = RLPortMessage(sendPort: port, receivePort: nil, given: parts)
            message.send(before: .distantFuture)
            await onOtherThread {
                let letters = port.messages(in: .current)
                RLRunLoop.current.run(mode: .default, before: .distantFuture)
                withExtendedLifetime(letters) {}
            }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RLPort.messages(in:forMode:): a component of message 0"))
    }

    @Test("an async function runs to its end while synchronous code runs the loop")
    func completion() async {
        await onOtherThread {
            let log = Log<String>()
            RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in log.add("timer")
            }
            let loop = RLRunLoop.current.getRLRunLoop()
            let clock = RLRunLoopClock(loop: loop)
            do {
                let answer = try RLRunLoop.current.runToCompletion {
                    // Sleeping is the subject.
                    try await clock.sleep(for: .milliseconds(3))
                    return 42
                }
                #expect(answer == 42)
                #expect(log.entries == ["timer"])
            } catch {
                Issue.record("\(error)")
            }
            #expect(throws: RLRunLoopClock.LoopEnded.self) {
                try RLRunLoop.current.runToCompletion { throw RLRunLoopClock.LoopEnded() }
            }
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
        }
    }

    @Test("an async main is run by the main run loop, on the main thread") func asyncMain() throws {
        let run = try ChildProcess(product: "async-main-probe", [])
        #expect(run.exitCode == 0)
        #expect(
            run.lines == [
                "signal: true", "hooked: true", "main thread: true", "timer: true", "counts: 3",
                "slept, main thread: true", "",
            ]
        )
    }
}
