import Dispatch
import Glibc
import RunLoopKit
import Testing

/// The ways to take the events of a stream from a task that waits for them.
private enum Taking: String, CaseIterable, Codable {
    case delegate, client, lineReader
    case noDelegate, noClient, removal, queue, otherObject

    /// Whether others would receive the events.
    var isMistake: Bool { [.delegate, .client, .lineReader, .otherObject].contains(self) }

    /// The beginning of the diagnostic, for an input stream.
    var function: String {
        self == .client || self == .otherObject ? "RLReadStreamSetClient" : "RLStream.delegate"
    }
}

@Suite("A stream for which a task waits") struct AwaitedClientTests {
    @Test(
        "refuses other clients",
        .timeLimit(.minutes(15)),
        arguments: Taking.allCases.filter(\.isMistake)
    )
    fileprivate func mistakes(taking: Taking) async {
        let result = await #expect(
            processExitsWith: .signal(SIGABRT),
            observing: [\.standardErrorContent]
        ) { [taking] in
            _ = try await takeEvents(taking)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("\(taking.function): a task waits for "), "\(output)")
    }

    @Test("keeps its task when it loses its client or loop", .timeLimit(.minutes(15)))
    @MainActor func interruptions() async throws {
        for taking in Taking.allCases where !taking.isMistake {
            #expect(try await takeEvents(taking) == [1, 2], "\(taking)")
        }
    }

    @Test("refuses other clients for awaited writes, too", .timeLimit(.minutes(15)))
    func writes() async {
        let result = await #expect(
            processExitsWith: .signal(SIGABRT),
            observing: [\.standardErrorContent]
        ) { @MainActor in
            let (input, output) = try #require(makeBoundStreams(1))
            input.open()
            let writing = Task { try await output.write(contentsOf: [1, 2]) }
            while output.hasSpaceAvailable || output.streamStatus != .open { await Task.yield() }
            RLWriteStreamSetClient(output.getRLWriteStream(), events: .canAcceptBytes) { _, _ in }
            try await writing.value
            input.close()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RLWriteStreamSetClient: a task waits for "), "\(output)")
    }

    @Test("continues an awaited write that loses its client and loop", .timeLimit(.minutes(15)))
    @MainActor func interruptedWrites() async throws {
        let (input, output) = try #require(makeBoundStreams(1))
        input.open()
        let writing = Task {
            try await output.write(contentsOf: [1, 2])
            try await output.finishWriting()
        }
        var bytes: [UInt8] = []
        while bytes.count < 2 {
            while output.hasSpaceAvailable || output.streamStatus == .notOpen {
                await Task.yield()
            }
            output.remove(from: .main, forMode: .common)
            output.delegate = nil
            bytes += try #require(await input.read(upToCount: 1))
        }
        try await writing.value
        #expect(bytes == [1, 2])
        #expect(try await input.read(upToCount: 1) == nil)
    }

    @Test("refuses other clients for an awaited end, too", .timeLimit(.minutes(15)))
    func otherClientOfEnd() async {
        let result = await #expect(
            processExitsWith: .signal(SIGABRT),
            observing: [\.standardErrorContent]
        ) { @MainActor in
            let (ends, finishing) = try await awaitEnd()
            ends.output.delegate = Delegate()
            try await finishing.value
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RLStream.delegate: a task waits for "), "\(output)")
    }

    @Test("continues an awaited end that loses its client or loop", .timeLimit(.minutes(15)))
    @MainActor func interruptedEnds() async throws {
        let interruptions: [(RLOutputStream) -> Void] = [
            { $0.delegate = nil },
            { RLWriteStreamSetClient($0.getRLWriteStream(), 0, nil, nil) },
            { $0.remove(from: .main, forMode: .common) },
            { output in
                let writer = output.getRLWriteStream()
                RLWriteStreamSetDispatchQueue(writer, DispatchQueue(label: "events"))
                RLWriteStreamSetDispatchQueue(writer, nil)
            },
        ]
        for interrupt in interruptions {
            let (ends, finishing) = try await awaitEnd()
            interrupt(ends.output)
            ends.secureFar()
            for try await _ in ends.farInput.chunks() { Issue.record("bytes") }
            #expect(ends.farInput.streamStatus == .atEnd)
            try await finishing.value
            #expect(ends.output.streamStatus == .atEnd)
        }
    }

    @Test("has no delegate between two elements, either", .timeLimit(.minutes(15)))
    @MainActor func betweenElements() async throws {
        let (input, output) = try #require(makeBoundStreams(16))
        let delegate = Delegate()
        var bytes: [UInt8] = []
        try await output.write(contentsOf: [1])
        for try await chunk in input.chunks(upToCount: 1) {
            bytes += chunk
            if bytes.count == 3 { break }
            input.delegate = delegate
            try await output.write(contentsOf: [UInt8(bytes.count + 1)])
        }
        #expect(bytes == [1, 2, 3])
    }
}

// MARK: - Helpers

private final class Delegate: RLStreamDelegate {}

/// Returns a TLS stream, and a task that waits for its end, as the peer does not answer yet.
@MainActor private func awaitEnd() async throws -> (Ends, Task<Void, any Error>) {
    let ends = try Ends(true)
    let finishing = Task { try await ends.output.finishWriting() }
    // The main actor runs its jobs in order, so afterwards the task waits.
    for _ in 0..<3 { await Task.yield() }
    return (ends, finishing)
}

/// Takes the events from a task that waits to read, and returns the bytes that the task reads.
@MainActor private func takeEvents(_ taking: Taking) async throws -> [UInt8] {
    let (input, output) = try #require(makeBoundStreams(16))
    let reader = input.getRLReadStream()
    let reading = Task {
        let first = try await input.read(upToCount: 1)
        return (first ?? []) + (try await input.read(upToCount: 1) ?? [])
    }
    var kept: AnyObject?
    for byte in 1...2 as ClosedRange<UInt8> {
        // The main actor runs its jobs in order, so afterwards the task waits.
        for _ in 0..<3 { await Task.yield() }
        switch taking {
        case .delegate:
            let delegate = Delegate()
            kept = delegate
            input.delegate = delegate
        case .client: RLReadStreamSetClient(reader, events: .hasBytesAvailable) { _, _ in }
        case .lineReader: kept = RLLineReader(input, line: { _ in }, whenOver: { _ in })
        case .otherObject:
            let other = RLInputStream(reader)
            kept = other
            other.delegate = Delegate()
        case .noDelegate: input.delegate = nil
        case .noClient: RLReadStreamSetClient(reader, 0, nil, nil)
        case .removal: input.remove(from: .main, forMode: .common)
        case .queue:
            RLReadStreamSetDispatchQueue(reader, DispatchQueue(label: "events"))
            RLReadStreamSetDispatchQueue(reader, nil)
        }
        try await output.write(contentsOf: [byte])
    }
    withExtendedLifetime(kept) {}
    return try await reading.value
}
