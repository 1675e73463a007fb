import Glibc
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

/// A sequence of each kind; the test counts its elements.
private enum Kind: CaseIterable {
    case timer, activities, signals, descriptor

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

    /// Whether the loop contains the item of the sequence.
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

/// A real-time signal that no other test uses.
private let unusedSignal: CInt = 64

/// Sequences that need no loop argument, and are sources of a loop.
private enum ActorKind: CaseIterable {
    case signals, connections, lines, changes
}

private actor Reader {
    nonisolated let executor: RLRunLoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(on loop: RLRunLoopRef) {
        executor = RLRunLoopExecutor(loop: loop, orphans: .runElsewhere)
    }

    func read(_ kind: ActorKind, _ hasBegun: Flag) async throws {
        hasBegun.set()
        switch kind {
        case .signals: for await _ in RLSignals([unusedSignal]) {}
        case .connections: for await _ in try RLListener(port: 0).connections() {}
        case .changes: for await _ in try RLFileWatch(path: "/tmp/file").changes() {}
        case .lines:
            guard let pair = RLStreamCreateBoundPair(bufferSize: 16) else { return }
            RLWriteStreamOpen(pair.writer)
            for try await _ in RLInputStream(pair.reader).lines() {}
        }
    }
}

@Suite("A sequence of events on a loop") struct SequenceEndTests {
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
        // Ends at once after the end of the thread.
        #expect(await kind.count(on: loop, end) == 0)
        for end in ends { close(end) }
    }

    @Test(
        "uses the loop of the actor that iterates over it",
        .timeLimit(.minutes(15)),
        arguments: ActorKind.allCases
    )
    private func ownLoop(kind: ActorKind) async {
        let worker = RLPermanentThread()
        let loop = worker.runLoop
        let reader = Reader(on: loop)
        let hasBegun = Flag()
        let task = Task { try await reader.read(kind, hasBegun) }
        // The job runs on the loop's thread, so it is suspended in its `for await` before that
        // thread can handle stop().
        while !hasBegun.isSet { await Task.yield() }
        worker.stop()
        _ = await task.result
        worker.join()
    }

    @Test("of a port ends when that is invalidated, after the messages that have come")
    func portEnds() async {
        let worker = RLPermanentThread()
        let port = RLPort()
        let streams = Log<RLEventSequence<RLPortLetter>>()
        worker.execute(waitUntilDone: true) {
            streams.add(port.messages(in: .current))
            port.send(before: .distantFuture, msgid: 7)
            runUntilMessage()
        }
        port.invalidate()
        // An invalid port has no messages.
        worker.execute(waitUntilDone: true) { streams.add(port.messages(in: .current)) }
        var numbers: [UInt32] = []
        for await letter in streams.entries[0] { numbers.append(letter.msgid) }
        for await letter in streams.entries[1] { numbers.append(letter.msgid) }
        #expect(numbers == [7])
        worker.stop()
    }

    @Test("of a timer ends with its iteration, also if it is kept") func keptTimer() async {
        let worker = RLPermanentThread()
        let loop = worker.runLoop
        let dates = RLTimer.fires(every: .milliseconds(1), on: loop)
        for await _ in dates { break }
        #expect(
            RLRunLoopCountItems(loop, RLRunLoopMode.defaultMode.rawValue, kRLRunLoopItemTimer) == 0
        )
        for await _ in dates { Issue.record("a date after the end") }
        worker.stop()
        worker.join()
    }

    @Test("of a port ends with its iteration, also if it is kept") func keptMessages() async {
        let worker = RLPermanentThread()
        let port = RLPort()
        let streams = Log<RLEventSequence<RLPortLetter>>()
        worker.execute(waitUntilDone: true) {
            streams.add(port.messages(in: .current))
            port.send(before: .distantFuture, msgid: 7)
        }
        for await _ in streams.entries[0] { break }
        worker.execute(waitUntilDone: true) {
            port.withDelegate { #expect($0 == nil) }
        }
        for await _ in streams.entries[0] { Issue.record("a message after the end") }
        worker.stop()
        worker.join()
    }

    @Test("of a port ends when the loop's thread ends") func portThreadEnds() async {
        let worker = RLPermanentThread()
        let port = RLPort()
        let streams = Log<RLEventSequence<RLPortLetter>>()
        worker.execute(waitUntilDone: true) { streams.add(port.messages(in: .current)) }
        worker.stop()
        for await letter in streams.entries[0] { Issue.record("\(letter)") }
        #expect(port.isValid)
    }

    @Test("of a port ends when the port goes") func portGoes() async {
        let worker = RLPermanentThread()
        let streams = Log<RLEventSequence<RLPortLetter>>()
        worker.execute(waitUntilDone: true) {
            let port = RLPort()
            streams.add(port.messages(in: .current))
            port.send(before: .distantFuture, msgid: 7)
            runUntilMessage()
            // The loop retains its items until they are removed.
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
        let streams = Log<RLEventSequence<RLPortLetter>>()
        worker.execute(waitUntilDone: true) {
            streams.add(port.messages(in: .current))
            port.send(before: .distantFuture, msgid: 7)
            runUntilMessage()
            if bySequence {
                streams.add(port.messages(in: .current))
            } else {
                port.setDelegate(nil)
            }
            port.send(before: .distantFuture, msgid: 8)
            if bySequence { runUntilMessage() } else { RLRunLoopRunInMode(.defaultMode, 0, true) }
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

    @Test("that has ended before the loop is watched leaves nothing there") func forgotten() {
        let log = Log<String>()
        onFreshThread {
            let end = LoopEnd { [token = Token(log)] in
                token.hold()
                log.add("over")
            }
            end.forget()
            end.watch(RLRunLoopGetCurrent())
        }
        #expect(log.entries == ["released"])
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

/// Runs the loop until a port has received a message.
///
/// A single pass may get the wake-up of the thread that queued the calling block in its place.
private func runUntilMessage() {
    #expect(RLRunLoopRunInMode(.defaultMode, 300, true) == .handledSource)
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
