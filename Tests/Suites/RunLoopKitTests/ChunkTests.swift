import FoundationEssentials
import Glibc
import RunLoopKit
import Testing
import ThreadKit

@Suite("An awaited read") struct ChunkTests {
    @Test("returns all bytes of a file, and then nil") @MainActor func file() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let path = "/tmp/CoreRunLoop-chunks-\(getpid())"
        defer { unlink(path) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let input = try #require(RLInputStream(fileAtPath: path))
        #expect(try await input.read(upToCount: 3) == [0, 1, 2])
        var rest: [UInt8] = []
        for try await chunk in input.chunks(upToCount: .max) {
            #expect((1...65536).contains(chunk.count))
            rest += chunk
        }
        #expect(rest == Array(bytes[3...]))
        #expect(try await input.read(upToCount: 1) == nil)
        let missing = try #require(RLInputStream(fileAtPath: "/nonexistent/file"))
        for _ in 0..<2 {
            let error = await #expect(throws: POSIXError.self) {
                try await missing.read(upToCount: 1)
            }
            #expect(error?.code == .ENOENT)
        }
    }

    @Test("waits for bytes, and continues after a break", .timeLimit(.minutes(15))) @MainActor
    func waits() async throws {
        let (input, output) = try #require(makeBoundStreams(4))
        let writing = Task {
            for byte in 0..<100 as Range<UInt8> { try await output.write(contentsOf: [byte]) }
            try await output.finishWriting()
        }
        let chunks = input.chunks()
        var bytes: [UInt8] = []
        for try await chunk in chunks {
            bytes += chunk
            break
        }
        // The end of the call's wait must not end the sequence's.
        for _ in 0..<2 { bytes += try #require(await input.read(upToCount: 1)) }
        for try await chunk in chunks { bytes += chunk }
        #expect(bytes == Array(0..<100))
        try await writing.value
        #expect(try await input.read(upToCount: 1) == nil)
    }

    @Test("of several tasks comes one after the other", .timeLimit(.minutes(15))) @MainActor
    func turns() async throws {
        let (input, output) = try #require(makeBoundStreams(4))
        let lines = input.lines()
        let readers = (0..<4).map { number in
            Task {
                var bytes: [UInt8] = []
                while let chunk = try await input.read(upToCount: number + 1) { bytes += chunk }
                if number == 0 {
                    for try await _ in lines { Issue.record("a line comes after the end") }
                }
                return bytes
            }
        }
        for byte in 0..<200 as Range<UInt8> { try await output.write(contentsOf: [byte]) }
        output.close()
        var all: [UInt8] = []
        for reader in readers {
            let bytes = try await reader.value
            #expect(bytes == bytes.sorted())
            all += bytes
        }
        #expect(all.sorted() == Array(0..<200))
    }

    @Test("that is cancelled loses no byte", .timeLimit(.minutes(15))) @MainActor
    func cancellation() async throws {
        let (input, output) = try #require(makeBoundStreams(1000))
        output.open()
        var received: [UInt8] = []
        for round in 0..<300 {
            let byte = UInt8(truncatingIfNeeded: round)
            let task = Task { try await input.read(upToCount: 10) }
            for _ in 0..<Int.random(in: 0..<4) { await Task.yield() }
            if Bool.random() {
                task.cancel()
                #expect(output.write([byte], maxLength: 1) == 1)
            } else {
                #expect(output.write([byte], maxLength: 1) == 1)
                for _ in 0..<Int.random(in: 0..<4) { await Task.yield() }
                task.cancel()
            }
            switch await task.result {
            case .success(let bytes): received += bytes ?? []
            case .failure(let error): #expect(error is CancellationError)
            }
        }
        output.close()
        while let bytes = try await input.read(upToCount: 64) { received += bytes }
        #expect(received == (0..<300).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test("leaves unread bytes in the peer's buffer", .timeLimit(.minutes(15))) @MainActor
    func backPressure() async throws {
        let (input, output) = try #require(makeBoundStreams(16))
        let chunks = input.chunks(upToCount: 8)
        output.open()
        #expect(output.write([UInt8](repeating: 1, count: 16), maxLength: 16) == 16)
        var iterator = chunks.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 8)
        #expect(output.write([UInt8](repeating: 2, count: 16), maxLength: 16) == 8)
        for _ in 0..<20 { await Task.yield() }
        #expect(!output.hasSpaceAvailable)
        output.close()
        #expect(try await iterator.next() == [UInt8](repeating: 1, count: 8))
        #expect(try await iterator.next() == [UInt8](repeating: 2, count: 8))
        #expect(try await iterator.next() == nil)
    }

    @Test("does not wait in vain", .timeLimit(.minutes(15)), arguments: EndOfWait.allCases)
    func ends(_ end: EndOfWait) async throws {
        let outcomes = try await end.outcomes { pair, loop in
            let input = RLInputStream(pair.reader)
            return "\(try await input.read(upToCount: 16, on: loop) ?? [])"
        } close: {
            RLReadStreamClose($0.reader)
        } end: {
            finish($0.writer)
        }
        let isError = end == .cancellation || end == .thread
        #expect(outcomes == [isError ? "CancellationError" : "[]"])
    }

    @Test("stops the process at a count below 1") func misuse() async {
        await #expect(processExitsWith: .signal(SIGABRT)) { @MainActor in
            _ = try? await RLInputStream(data: Data()).read(upToCount: 0)
        }
        await #expect(processExitsWith: .signal(SIGABRT)) {
            _ = RLInputStream(data: Data()).chunks(upToCount: -1)
        }
    }
}

// MARK: - Helpers

/// Unavailable in async code, as it may block.
private func finish(_ writer: RLWriteStreamRef) {
    #expect(RLWriteStreamFinishWriting(writer))
}
