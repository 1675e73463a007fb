import CoreRunLoop
import Dispatch
import Glibc
import Testing
import ThreadKit

@Suite("On a dispatch queue")
struct DispatchQueueTests {
    private static let key = DispatchSpecificKey<String>()

    private func makeQueue(_ label: String) -> DispatchQueue {
        let queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.key, value: label)
        return queue
    }

    @Test("a stream is read, and has the queue as long as it is set")
    func reading() {
        let queue = makeQueue("reading")
        let text = Log<String>()
        let ended = Gate()
        let bytes: StaticString = "0123456789"
        let stream = RLReadStreamCreateWithBytesNoCopy(
            kRLAllocatorDefault,
            bytes.utf8Start,
            bytes.utf8CodeUnitCount,
            kRLAllocatorNull
        )
        RLReadStreamSetClient(stream, events: [.hasBytesAvailable, .endEncountered]) {
            stream,
            event in
            var buffer = [UInt8](repeating: 0, count: 4)
            guard event == .hasBytesAvailable else { return ended.open() }
            let count = RLReadStreamRead(stream, &buffer, buffer.count)
            let place = DispatchQueue.getSpecific(key: Self.key) ?? "elsewhere"
            text.add("\(String(decoding: buffer.prefix(count), as: UTF8.self)) \(place)")
        }
        #expect(RLReadStreamCopyDispatchQueue(stream) == nil)
        RLReadStreamSetDispatchQueue(stream, queue)
        let copy: DispatchQueue? = RLReadStreamCopyDispatchQueue(stream)
        #expect(copy === queue)
        #expect(RLReadStreamOpen(stream))
        ended.wait()
        #expect(text.entries == ["0123 reading", "4567 reading", "89 reading"])
        RLReadStreamSetDispatchQueue(stream, nil)
        #expect(RLReadStreamCopyDispatchQueue(stream) == nil)
        RLReadStreamClose(stream)
    }

    @Test("a stream is written, and gives the queue up with itself")
    func writing() {
        weak var left: DispatchQueue?
        do {
            let queue = makeQueue("writing")
            left = queue
            let written = Gate()
            let stream = RLWriteStreamCreateWithAllocatedBuffers(kRLAllocatorDefault, nil)
            RLWriteStreamSetClient(stream, events: .openCompleted) { stream, _ in
                #expect(DispatchQueue.getSpecific(key: Self.key) == "writing")
                #expect(RLWriteStreamWrite(stream, [1, 2, 3], 3) == 3)
                written.open()
            }
            RLWriteStreamSetDispatchQueue(stream, queue)
            let copy: DispatchQueue? = RLWriteStreamCopyDispatchQueue(stream)
            #expect(copy === queue)
            #expect(RLWriteStreamOpen(stream))
            written.wait()
            RLWriteStreamClose(stream)
            // The call that opened the gate retains the stream until it returns.
            queue.sync {}
        }
        #expect(left == nil)
    }

    @Test("a message port answers while no loop runs")
    func answering() {
        let name = "org.corerunloop.tests.\(getpid()).queue"
        let local = RLMessagePortCreateLocal(name) { _, number, _ in
            let place = DispatchQueue.getSpecific(key: Self.key) ?? "elsewhere"
            return RLDataCreate([UInt8]("\(number) \(place)".utf8))
        }
        RLMessagePortSetDispatchQueue(local, makeQueue("answering"))
        let answer = onFreshThread {
            let remote = RLMessagePortCreateRemote(kRLAllocatorDefault, RLStringCreate(name))
            var reply: RLDataRef?
            RLMessagePortSendRequest(remote, 7, nil, 100, 100, .defaultMode, &reply)
            return reply.map { String(decoding: [UInt8]($0), as: UTF8.self) }
        }
        #expect(answer == "7 answering")
        RLMessagePortSetDispatchQueue(local, nil)
        RLMessagePortInvalidate(local)
    }
}
