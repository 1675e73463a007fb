import Dispatch
import FoundationEssentials
import Glibc
import RunLoopKit
import Synchronization
import Testing
import ThreadKit

@Suite("A stream object on a dispatch queue") struct StreamQueueTests {
    @Test("notifies a delegate that is for any thread", arguments: [true, false])
    func sendable(isDelegateFirst: Bool) {
        let queue = makeQueue("events")
        let reader = SafeReader()
        let input = RLInputStream(data: Data("hello".utf8))
        if isDelegateFirst { input.delegate = reader }
        RLReadStreamSetDispatchQueue(input, queue)
        input.delegate = reader
        #expect(RLReadStreamCopyDispatchQueue(input) === queue)
        #expect(RLReadStreamOpen(input))
        reader.isOver.wait()
        #expect(reader.log.entries == ["open on events", "bytes on events", "end on events"])
        #expect(reader.text == "hello")
        input.close()
    }

    @Test("notifies one at a time on a concurrent queue, by the engine's reference too")
    func concurrent() {
        let queue = makeQueue("many", attributes: .concurrent)
        let reader = SafeReader(bufferSize: 1)
        let input = RLInputStream(data: Data(repeating: 65, count: 500))
        input.delegate = reader
        RLReadStreamSetDispatchQueue(input.getRLReadStream(), queue)
        input.open()
        reader.isOver.wait()
        #expect(reader.text.count == 500 && !reader.wasCalledTwiceAtOnce)
        input.close()
    }

    @Test("notifies the delegate that code on this queue has set") func own() {
        let queue = makeQueue("own")
        let log = Log<String>()
        let isOver = Gate()
        queue.async { Session(log, isOver).begin(on: queue) }
        isOver.wait()
        #expect(log.entries == ["open on own", "bytes on own", "end on own"])
        // The queue released it after its last event.
        queue.sync { #expect(log.entries.last == "end on own") }
    }

    @Test("notifies on the main queue a delegate that the main actor has set") @MainActor
    func main() async {
        let log = Log<String>()
        let isOver = Gate()
        Session(log, isOver).begin(on: .main)
        await Task.detached { isOver.wait() }.value
        #expect(log.entries.map { $0.prefix { $0 != " " } } == ["open", "bytes", "end"])
    }

    @Test("writes there too, and no more once the queue is taken away") func writing() {
        let queue = makeQueue("writing")
        guard let (input, output) = makeStreams(bufferSize: 4) else { return }
        let log = Log<String>()
        let hasRoom = Gate()
        let writer = SafeListener { _, event in
            log.add(place(event))
            if event == .hasSpaceAvailable { hasRoom.open() }
        }
        input.open()
        output.delegate = writer
        RLWriteStreamSetDispatchQueue(output, queue)
        #expect(RLWriteStreamOpen(output))
        hasRoom.wait()
        RLWriteStreamSetDispatchQueue(output, nil)
        queue.sync {}
        #expect(log.entries == ["open on writing", "space on writing"])
        #expect(output.write([1, 2], maxLength: 2) == 2)
        queue.sync {}
        #expect(log.entries.count == 2 && RLWriteStreamCopyDispatchQueue(output) == nil)
        // A loop can serve it again.
        nonisolated(unsafe) let shared = output
        onFreshThread {
            onLoop(shared) { log.entries.count == 3 }
        }
        #expect(log.entries.last == "space on nothing")
        input.close()
        output.close()
    }

    @Test("continues when the thread that made it has ended") func threadEnds() {
        let queue = makeQueue("later")
        let reader = SafeReader()
        let kept = Guarded<Kept?>(nil)
        queue.suspend()
        onFreshThread {
            let input = RLInputStream(data: Data("late".utf8))
            input.delegate = reader
            RLReadStreamSetDispatchQueue(input, queue)
            input.open()
            kept.withLock { $0 = Kept(input) }
        }
        queue.resume()
        reader.isOver.wait()
        #expect(reader.text == "late")
        queue.sync { kept.withLock { $0 = nil } }
    }

    @Test("does not notify a released or removed delegate")
    func goneDelegate() {
        let queue = makeQueue("events")
        let input = RLInputStream(data: Data("ab".utf8))
        let second = SafeReader()
        queue.suspend()
        do {
            let first = SafeReader()
            input.delegate = first
            RLReadStreamSetDispatchQueue(input, queue)
            input.open()
            input.delegate = nil
        }
        queue.resume()
        queue.sync {}
        input.delegate = second
        second.isOver.wait()
        #expect(second.text == "ab")
        input.close()
    }

    @Test("may lose its delegate, its queue and its object during a notification")
    func races() {
        for round in 0..<300 {
            let queues = [makeQueue("one"), makeQueue("two", attributes: .concurrent)]
            let input = RLInputStream(data: Data(repeating: 1, count: 40))
            let readers = [SafeReader(bufferSize: 1), SafeReader(bufferSize: 1)]
            input.delegate = readers[0]
            RLReadStreamSetDispatchQueue(input, queues[round % 2])
            input.open()
            if round % 3 == 0 { readers[0].hasBegun.wait() }
            switch round % 5 {
            case 0: input.delegate = nil
            case 1: input.delegate = readers[1]
            case 2: RLReadStreamSetDispatchQueue(input, queues[1 - round % 2])
            case 3: input.close()
            default: break
            }
            // Releases the object while events may still be queued.
        }
    }

    @Test("notifies the delegate that one of two threads has set last, whatever the other did")
    func settingRace() {
        let queue = makeQueue("events")
        let notified = Atomic(0)
        let listener = SafeListener { _, _ in notified.add(1, ordering: .relaxed) }
        nonisolated(unsafe) let inputs = (0..<10_000).map { _ in
            let input = RLInputStream(data: Data([1]))
            input.delegate = listener
            RLReadStreamSetDispatchQueue(input, queue)
            return input
        }
        let arrived = Atomic(0)
        let meet: @Sendable (Int) -> Void = { round in
            arrived.add(1, ordering: .relaxed)
            while arrived.load(ordering: .relaxed) < 2 * round + 2 { sched_yield() }
        }
        let other = RLThread {
            for (round, input) in inputs.enumerated() {
                meet(round)
                input.delegate = nil
            }
        }
        other.start()
        for (round, input) in inputs.enumerated() {
            meet(round)
            input.delegate = listener
        }
        other.join()
        for input in inputs {
            let isSet = input.delegate != nil
            let before = notified.load(ordering: .relaxed)
            input.open()
            queue.sync {}
            #expect((notified.load(ordering: .relaxed) > before) == isSet)
            input.delegate = nil
            queue.sync {}
        }
    }

    @Test("is used by two threads at once: the delegate's, and the one that has made it")
    func twoThreads() {
        for _ in 0..<50 {
            let queue = makeQueue("events")
            let isOver = Gate()
            let input = RLInputStream(data: Data(repeating: 1, count: 20))
            let reader = SafeListener { stream, event in
                guard let input = stream as? RLInputStream else { return }
                var byte: UInt8 = 0
                if event == .hasBytesAvailable { _ = input.read(&byte, maxLength: 1) }
                _ = (stream.streamStatus, stream.streamError, "\(stream)")
                if event == .endEncountered {
                    stream.delegate = nil
                    isOver.open()
                }
            }
            input.delegate = reader
            RLReadStreamSetDispatchQueue(input, queue)
            input.open()
            for _ in 0..<10 {
                _ = (input.streamStatus, input.hasBytesAvailable, input.delegate)
                input.setProperty(0, forKey: .fileCurrentOffsetKey)
            }
            isOver.wait()
            input.close()
        }
    }
}

@Suite("The functions of streams") struct StreamFunctionTests {
    @Test("make pairs of objects") func pairs() {
        var input: RLInputStream?
        var output: RLOutputStream?
        RLStreamCreateBoundPair(nil, &input, &output, 16)
        #expect(RLReadStreamOpen(input) && RLWriteStreamOpen(output))
        #expect(output?.write([7, 8], maxLength: 2) == 2)
        var bytes: [UInt8] = [0, 0]
        #expect(input?.read(&bytes, maxLength: 2) == 2 && bytes == [7, 8])
        RLStreamCreatePairWithSocketToHost(nil, RLStringCreate("localhost"), 9, &input, &output)
        let host = RLStream.PropertyKey(String(kRLStreamPropertySocketRemoteHostName))
        #expect(input?.property(forKey: host) as? String == "localhost")
        var ends: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        RLStreamCreatePairWithSocket(nil, ends[0], &input, &output)
        let close = kRLStreamPropertyShouldCloseNativeSocket
        #expect(RLReadStreamSetProperty(input, close, kRLBooleanTrue))
        #expect(output?.property(forKey: .shouldCloseNativeSocketKey) as? Bool == true)
        #expect(RLWriteStreamSetProperty(output, close, kRLBooleanFalse))
        #expect(!RLWriteStreamSetProperty(output, close, nil))
        #expect(input?.property(forKey: .shouldCloseNativeSocketKey) as? Bool == false)
        RLStreamCreatePairWithSocket(nil, -1, &input, &output)
        #expect(input == nil && output == nil)
        for end in ends { Glibc.close(end) }
    }

    @Test("schedule an object whose delegate is for any thread on another one") func elsewhere() {
        let reader = SafeReader()
        let input = RLInputStream(data: Data("far".utf8))
        input.delegate = reader
        let reference = input.getRLReadStream()
        onFreshThread {
            RLReadStreamScheduleWithRunLoop(reference, RLRunLoopGetCurrent(), .defaultMode)
            RLReadStreamOpen(reference)
            while RLRunLoop.current.run(mode: .default, before: .distantFuture) {
                if reader.text == "far" { break }
            }
        }
        #expect(reader.text == "far")
        input.close()
    }

    @Test("schedule an object on the thread to which it was sent with its delegate") func sent() {
        let log = Log<String>()
        let kept = Guarded<(RLInputStream, Recorder)?>(nil)
        onFreshThread {
            let recorder = Recorder(log)
            let input = RLInputStream(data: Data([1]))
            input.delegate = recorder
            nonisolated(unsafe) let pair = (input, recorder)
            kept.withLock { $0 = pair }
        }
        onFreshThread {
            nonisolated(unsafe) var pair: (RLInputStream, Recorder)?
            kept.withLock { swap(&$0, &pair) }
            let input = pair?.0
            RLReadStreamScheduleWithRunLoop(input, RLRunLoopGetCurrent(), .defaultMode)
            input?.open()
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            input?.close()
        }
        #expect(log.entries.first == "open on nothing")
    }

    #if DEBUG
        @Test("count as scheduling: no line reports that the stream was in no loop") func counted()
            async
        {
            let result = await #expect(
                processExitsWith: .success,
                observing: [\.standardErrorContent]
            ) {
                onFreshThread {
                    let reader = SafeReader()
                    let input = RLInputStream(data: Data([1]))
                    input.delegate = reader
                    RLReadStreamScheduleWithRunLoop(input, RLRunLoopGetCurrent(), .defaultMode)
                    input.open()
                    RLRunLoop.current.run(mode: .default, before: .distantPast)
                }
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(!output.contains("RunLoopKit"), "\(output)")
        }
    #endif

    @Test("schedule an object on its own thread") func here() {
        onFreshThread {
            let reader = SafeReader()
            let input = RLInputStream(data: Data("near".utf8))
            input.delegate = reader
            RLReadStreamScheduleWithRunLoop(input, RLRunLoopGetCurrent(), .defaultMode)
            input.open()
            while reader.text != "near" {
                RLRunLoop.current.run(mode: .default, before: .distantFuture)
            }
            input.close()
        }
    }
}

// --- Delegates ---

private let labelKey = DispatchSpecificKey<String>()

private func makeQueue(
    _ label: String,
    attributes: DispatchQueue.Attributes = []
) -> DispatchQueue {
    let queue = DispatchQueue(label: label, attributes: attributes)
    queue.setSpecific(key: labelKey, value: label)
    return queue
}

/// The names of an event and of the queue that delivered it.
private func place(_ event: RLStream.Event) -> String {
    let names: [RLStream.Event: String] = [
        .openCompleted: "open", .hasBytesAvailable: "bytes", .hasSpaceAvailable: "space",
        .errorOccurred: "error", .endEncountered: "end",
    ]
    return "\(names[event] ?? "?") on \(DispatchQueue.getSpecific(key: labelKey) ?? "nothing")"
}

private func makeStreams(bufferSize: Int) -> (RLInputStream, RLOutputStream)? {
    var input: RLInputStream?
    var output: RLOutputStream?
    RLStream.getBoundStreams(
        withBufferSize: bufferSize,
        inputStream: &input,
        outputStream: &output
    )
    guard let input, let output else {
        Issue.record("no streams")
        return nil
    }
    return (input, output)
}

/// Serves a stream in the calling thread's loop until a condition holds.
private func onLoop(_ stream: RLStream, until isDone: () -> Bool) {
    stream.schedule(in: .current, forMode: .default)
    while !isDone() { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
    stream.remove(from: .current, forMode: .default)
}

/// Calls a closure with each event.
private final class SafeListener: RLSendableStreamDelegate {
    private let onEvent: @Sendable (RLStream, RLStream.Event) -> Void

    init(_ onEvent: @escaping @Sendable (RLStream, RLStream.Event) -> Void) {
        self.onEvent = onEvent
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        onEvent(aStream, eventCode)
    }
}

/// Reads available bytes, on any thread.
private final class SafeReader: RLSendableStreamDelegate {
    let log = Log<String>()
    let hasBegun = Gate()
    let isOver = Gate()
    private let bytes = Log<UInt8>()
    private let bufferSize: Int
    private let callCount = Atomic(0)
    private let overlapCount = Atomic(0)

    init(bufferSize: Int = 64) {
        self.bufferSize = bufferSize
    }

    var text: String { String(decoding: bytes.entries, as: UTF8.self) }

    var wasCalledTwiceAtOnce: Bool { overlapCount.load(ordering: .relaxed) > 0 }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        let isAlone = callCount.add(1, ordering: .relaxed).oldValue == 0
        if !isAlone { overlapCount.add(1, ordering: .relaxed) }
        defer { callCount.subtract(1, ordering: .relaxed) }
        log.add(place(eventCode))
        hasBegun.open()
        if eventCode == .endEncountered { isOver.open() }
        guard eventCode == .hasBytesAvailable, let input = aStream as? RLInputStream else { return }
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        let count = input.read(&buffer, maxLength: bufferSize)
        for byte in buffer.prefix(max(count, 0)) { bytes.add(byte) }
    }
}

/// Records events, on one thread.
private final class Recorder: RLStreamDelegate {
    private let log: Log<String>

    init(_ log: Log<String>) {
        self.log = log
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        log.add(place(eventCode))
    }
}

/// A stream and its delegate in one object, for one thread or queue; retains itself until the end.
private final class Session: RLStreamDelegate {
    private let log: Log<String>
    private let isOver: Gate
    private let input = RLInputStream(data: Data("mine".utf8))
    private var kept: Session?

    init(_ log: Log<String>, _ isOver: Gate) {
        self.log = log
        self.isOver = isOver
    }

    func begin(on queue: DispatchQueue) {
        kept = self
        input.delegate = self
        RLReadStreamSetDispatchQueue(input, queue)
        input.open()
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        log.add(place(eventCode))
        var bytes = [UInt8](repeating: 0, count: 16)
        if eventCode == .hasBytesAvailable, let input = aStream as? RLInputStream {
            _ = input.read(&bytes, maxLength: bytes.count)
        }
        guard eventCode == .endEncountered else { return }
        kept = nil
        isOver.open()
    }
}

/// Holds a stream; `@unchecked`: nobody uses it.
private final class Kept: @unchecked Sendable {
    private let stream: RLStream

    init(_ stream: RLStream) {
        self.stream = stream
    }
}
