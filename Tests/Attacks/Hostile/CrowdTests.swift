import Glibc
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

@Suite("A crowd of streams") struct CrowdTests {
    @Test("delivers all bytes and all ends to 10,000 readers at once")
    func readers() async throws {
        let loopCount = 4
        let workers = (0..<loopCount).map { _ in RLPermanentThread(name: "crowd") }
        let loops = workers.map(\.runLoop)
        let sources = workers.map(countSources)
        let begun = Tally()
        // Bound pairs need no descriptors.
        let pairs = (0..<10_000).compactMap { _ in RLStreamCreateBoundPair(bufferSize: 16) }
        let readers = pairs.enumerated().map { number, pair in
            Task {
                begun.add()
                return try await readAll(pair.reader, loops[number % loopCount])
            }
        }
        while begun.count < pairs.count { await Task.yield() }
        let writers = pairs.enumerated().map { number, pair in
            Task {
                // Not the loop of the reader.
                try await writeAll(pair.writer, number, loops[(number + 1) % loopCount])
            }
        }
        for writer in writers { try await writer.value }
        var ends = 0
        for (number, reader) in readers.enumerated() {
            #expect(try await reader.value == Array(bytes(of: number)))
            ends += 1
        }
        #expect(ends == 10_000)
        // No stream is left in a loop. The source of the thread's tasks comes and goes.
        let end = ContinuousClock.now + .seconds(300)
        var isLeft = true
        while isLeft && .now < end {
            isLeft = zip(workers.map(countSources), sources).contains { $0 > $1 }
        }
        #expect(!isLeft)
        for worker in workers {
            worker.stop()
            worker.join()
        }
    }

    @Test(
        "loses no task when 10,000 are cancelled, or their loop's thread ends",
        arguments: [false, true]
    )
    func ends(isCancelled: Bool) async throws {
        let worker = RLPermanentThread(name: "crowd")
        let loop = worker.runLoop
        let begun = Tally()
        let pairs = (0..<10_000).compactMap { _ in RLStreamCreateBoundPair(bufferSize: 16) }
        let readers = pairs.map { pair in
            Task {
                begun.add()
                return try await readAll(pair.reader, loop)
            }
        }
        for pair in pairs { RLWriteStreamOpen(pair.writer) }
        while begun.count < pairs.count / 2 { await Task.yield() }
        if isCancelled {
            for reader in readers { reader.cancel() }
        } else {
            worker.stop()
        }
        var cancelled = 0
        for reader in readers {
            if case .failure(let error) = await reader.result, error is CancellationError {
                cancelled += 1
            }
        }
        #expect(cancelled == 10_000)
        worker.stop()
        worker.join()
    }
}

private func bytes(of number: Int) -> Range<UInt8> {
    0..<UInt8(20 + number % 50)
}

private func readAll(_ reader: RLReadStreamRef, _ loop: RLRunLoopRef) async throws -> [UInt8] {
    var all: [UInt8] = []
    for try await chunk in RLInputStream(reader).chunks(on: loop) { all += chunk }
    return all
}

private func writeAll(_ writer: RLWriteStreamRef, _ number: Int, _ loop: RLRunLoopRef) async throws
{
    let output = RLOutputStream(writer)
    try await output.write(contentsOf: Array(bytes(of: number)), on: loop)
    try await output.finishWriting(on: loop)
}

private func countSources(of worker: RLPermanentThread) -> Int {
    let mode = RLRunLoopMode.defaultMode.rawValue
    // The closure before has been released.
    worker.execute(waitUntilDone: true) {}
    return RLRunLoopCountItems(worker.runLoop, mode, kRLRunLoopItemSource0)
}
