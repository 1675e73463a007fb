import RunLoopKit
import Testing

@Suite("Streams that tasks use on other threads than the loop's") struct StreamThreadTests {
    @Test(
        "miss no bytes and no space",
        .timeLimit(.minutes(15)),
        arguments: StreamKind.allCases
    )
    func threads(_ kind: StreamKind) async throws {
        let worker = RLPermanentThread(name: "streams")
        let loop = worker.runLoop
        for _ in 0..<20 {
            let (reader, writer) = try kind.makeEnds()
            let writing = Task {
                let output = RLOutputStream(writer)
                if kind == .secured { output.secure(isServer: false) }
                for _ in 0..<50 {
                    let bytes = [UInt8](repeating: 1, count: .random(in: 1...50_000))
                    try await output.write(contentsOf: bytes, on: loop)
                }
                try await output.write(contentsOf: [2], on: loop)
                try await output.finishWriting(on: loop)
            }
            let reading = Task {
                let input = RLInputStream(reader)
                if kind == .secured { input.secure(isServer: true) }
                var last: UInt8?
                for try await bytes in input.chunks(upToCount: 5000, on: loop) { last = bytes.last }
                return last
            }
            #expect(try await reading.value == 2)
            try await writing.value
        }
        worker.stop()
        worker.join()
    }
}

// MARK: - Helpers

enum StreamKind: CaseIterable {
    case bound, plain, secured

    /// A reader, and the writer of its bytes.
    func makeEnds() throws -> (RLReadStreamRef, RLWriteStreamRef) {
        if self == .bound {
            let pair = try #require(RLStreamCreateBoundPair(bufferSize: 10_000))
            return (pair.reader, pair.writer)
        }
        let (near, far) = try makeSocketStreams()
        return (near.reader, far.writer)
    }
}
