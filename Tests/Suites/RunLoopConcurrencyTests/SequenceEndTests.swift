import Glibc
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

/// A sequence of each kind, whose elements are counted.
private enum Kind: CaseIterable {
    case timer, activities, signals, descriptor

    /// Reads to the end.
    func count(on loop: RLRunLoopRef, _ descriptor: CInt) async -> Int {
        var count = 0
        switch self {
        case .timer: for await _ in RLTimer.fires(every: .seconds(1000), on: loop) { count += 1 }
        case .activities: for await _ in RLRunLoopActivities(loop, .exit, mode: "x") { count += 1 }
        case .signals:
            for await _ in RLSignals([unusedSignal], on: loop) { count += 1 }
        case .descriptor:
            for await _ in RLDescriptorReadiness(descriptor, .read, on: loop) { count += 1 }
        }
        return count
    }

    /// Whether the loop has what the sequence put there.
    func isIn(_ loop: RLRunLoopRef) -> Bool {
        func has(_ kind: RLRunLoopItemKind, in mode: RLRunLoopMode = .defaultMode) -> Bool {
            RLRunLoopCountItems(loop, mode.rawValue, kind) > 0
        }
        return switch self {
        case .timer: has(kRLRunLoopItemTimer)
        case .activities: has(kRLRunLoopItemObserver, in: "x")
        case .signals, .descriptor: has(kRLRunLoopItemSource2)
        }
    }
}

/// The real-time signal that nobody else here uses.
private let unusedSignal: CInt = 64

@Suite("A sequence of what happens on a loop") struct SequenceEndTests {
    @Test("ends when the loop's thread ends", arguments: Kind.allCases)
    private func threadEnds(kind: Kind) async throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let end = ends[0]
        let worker = RLPermanentThread()
        let loop = worker.runLoop
        let task = Task { await kind.count(on: loop, end) }
        while !kind.isIn(loop) { await Task.yield() }
        worker.stop()
        #expect(await task.value == 0)
        worker.join()
        // And at once when it has ended.
        #expect(await kind.count(on: loop, end) == 0)
        for end in ends { close(end) }
    }

    @Test("of a port ends when that is invalidated, after the messages that have come")
    func portEnds() async {
        let worker = RLPermanentThread()
        let port = RLPort()
        let streams = Log<AsyncStream<RLPortLetter>>()
        worker.execute(waitUntilDone: true) {
            streams.add(port.messages(in: .current))
            port.send(before: .distantFuture, msgid: 7)
            RLRunLoopRunInMode(.defaultMode, 0, true)
        }
        port.invalidate()
        // Of an invalid port there are none.
        worker.execute(waitUntilDone: true) { streams.add(port.messages(in: .current)) }
        var numbers: [UInt32] = []
        for await letter in streams.entries[0] { numbers.append(letter.msgid) }
        for await letter in streams.entries[1] { numbers.append(letter.msgid) }
        #expect(numbers == [7])
        worker.stop()
    }

    @Test("of a port ends when the loop's thread ends") func portThreadEnds() async {
        let worker = RLPermanentThread()
        let port = RLPort()
        let streams = Log<AsyncStream<RLPortLetter>>()
        worker.execute(waitUntilDone: true) { streams.add(port.messages(in: .current)) }
        worker.stop()
        for await letter in streams.entries[0] { Issue.record("\(letter)") }
        #expect(port.isValid)
    }

    @Test("of a port ends when the port goes") func portGoes() async {
        let worker = RLPermanentThread()
        let streams = Log<AsyncStream<RLPortLetter>>()
        worker.execute(waitUntilDone: true) {
            let port = RLPort()
            streams.add(port.messages(in: .current))
            port.send(before: .distantFuture, msgid: 7)
            RLRunLoopRunInMode(.defaultMode, 0, true)
            // The loop keeps what is in it.
            RLRunLoop.current.remove(port, forMode: .common)
        }
        var numbers: [UInt32] = []
        for await letter in streams.entries[0] { numbers.append(letter.msgid) }
        #expect(numbers == [7])
        worker.stop()
    }

    @Test("of a port ends when another one, or a delegate, takes over", arguments: [true, false])
    func portTakenOver(bySequence: Bool) async {
        let worker = RLPermanentThread()
        let port = RLPort()
        let streams = Log<AsyncStream<RLPortLetter>>()
        worker.execute(waitUntilDone: true) {
            streams.add(port.messages(in: .current))
            port.send(before: .distantFuture, msgid: 7)
            RLRunLoopRunInMode(.defaultMode, 0, true)
            if bySequence {
                streams.add(port.messages(in: .current))
            } else {
                port.setDelegate(nil)
            }
            port.send(before: .distantFuture, msgid: 8)
            RLRunLoopRunInMode(.defaultMode, 0, true)
        }
        port.invalidate()
        var numbers: [[UInt32]] = []
        for stream in streams.entries {
            numbers.append([])
            for await letter in stream { numbers[numbers.count - 1].append(letter.msgid) }
        }
        #expect(numbers == (bySequence ? [[7], [8]] : [[7]]))
        worker.stop()
    }

    @Test("of a descriptor stops the process where two tasks wait with one iterator")
    func twoWaits() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            await waitTwice()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            output.contains(
                "RLDescriptorReadiness.Iterator.next(): two tasks wait with copies of one"
            ),
            "\(output)"
        )
    }
}

private func waitTwice() async {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    let worker = RLPermanentThread()
    let readiness = RLDescriptorReadiness(ends[0], .read, on: worker.runLoop)
    nonisolated(unsafe) let iterator = readiness.makeAsyncIterator()
    await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
            group.addTask {
                var copy = iterator
                _ = await copy.next()
            }
        }
    }
    worker.stop()
}
