import CFCompatibility
import FoundationEssentials
import RunLoopKit
import Synchronization
import Testing
import ThreadKit

// The declarations that a ported program adds, as far as needed here.
private typealias Stream = RLStream
private typealias InputStream = RLInputStream
private typealias OutputStream = RLOutputStream
private typealias StreamDelegate = RLSendableStreamDelegate

@Suite("A stream object under CoreFoundation's names") struct StreamObjectTests {
    @Test("is opened, set and given a queue by the functions of CF") func functions() {
        var input: InputStream!
        var output: OutputStream!
        CFStreamCreateBoundPair(nil, &input, &output, 64)
        let queue = DispatchQueue(label: "events")
        let reader = Reader()
        CFReadStreamSetDispatchQueue(input, queue)
        CFWriteStreamSetDispatchQueue(output, queue)
        #expect(CFReadStreamCopyDispatchQueue(input) === queue)
        input.delegate = reader
        #expect(CFReadStreamOpen(input) && CFWriteStreamOpen(output))
        #expect(output.write([1, 2, 3], maxLength: 3) == 3)
        output.close()
        reader.isOver.wait()
        #expect(reader.count.load(ordering: .relaxed) == 3)
        CFReadStreamSetDispatchQueue(input, nil)
        #expect(CFReadStreamCopyDispatchQueue(input) == nil)
        input.close()
    }

    @Test("takes keys and settings as on Apple's systems") func properties() throws {
        var readStream: InputStream?
        var writeStream: OutputStream?
        let name = "localhost" as CFString
        CFStreamCreatePairWithSocketToHost(nil, name, 9, &readStream, &writeStream)
        let input = try #require(readStream), output = try #require(writeStream)
        let key = CFStreamPropertyKey(rawValue: kCFStreamNetworkServiceType)
        #expect(CFReadStreamSetProperty(input, key, kCFStreamNetworkServiceTypeVideo))
        let type = output.property(forKey: .networkServiceType)
        #expect(type as? RLStreamNetworkServiceTypeValue == .video)
        #expect(!CFWriteStreamSetProperty(output, key, kCFBooleanTrue))
        let close = CFStreamPropertyKey(kCFStreamPropertyShouldCloseNativeSocket)
        #expect(CFWriteStreamSetProperty(output, close, kCFBooleanTrue))
        // Properties of one stream are read from the other, and have values of all kinds.
        let found = CFWriteStreamCopyProperty(output, kCFStreamNetworkServiceType)
        #expect(found.map { CFEqual($0, kCFStreamNetworkServiceTypeVideo) } == true)
        let host = CFReadStreamCopyProperty(input, CFStreamPropertyKey.socketRemoteHostName)
        #expect((host as? CFString).map { String($0) } == "localhost")
        let types = [
            kCFStreamNetworkServiceTypeVoIP, kCFStreamNetworkServiceTypeBackground,
            kCFStreamNetworkServiceTypeVoice, kCFStreamNetworkServiceTypeResponsiveData,
            kCFStreamNetworkServiceTypeAVStreaming, kCFStreamNetworkServiceTypeResponsiveAV,
            kCFStreamNetworkServiceTypeCallSignaling,
        ]
        for type in types {
            #expect(CFReadStreamSetProperty(input.getRLReadStream(), key, type))
        }
    }

    @Test("is closed by the functions of CF, which return its status") func status() {
        var input: InputStream?
        var output: OutputStream?
        CFStreamCreateBoundPair(nil, &input, &output, 64)
        #expect(CFReadStreamGetStatus(input) == .notOpen)
        #expect(CFReadStreamOpen(input) && CFWriteStreamOpen(output))
        #expect(CFWriteStreamGetStatus(output) == .open)
        CFReadStreamClose(input)
        CFWriteStreamClose(output)
        #expect(CFReadStreamGetStatus(input) == .closed && output?.streamStatus == .closed)
    }

    @Test("is created for a peer's address") func signature() {
        var input: InputStream?
        var output: OutputStream?
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        let bytes = withUnsafeBytes(of: address) { Array($0) }
        var signature = CFSocketSignature(
            protocolFamily: PF_INET,
            socketType: Int32(SOCK_STREAM.rawValue),
            protocol: Int32(IPPROTO_TCP),
            address: CFDataCreate(nil, bytes, bytes.count)
        )
        CFStreamCreatePairWithPeerSocketSignature(nil, &signature, &input, &output)
        #expect(input?.streamStatus == .notOpen && output?.streamStatus == .notOpen)
    }

    @Test("is scheduled in a loop, and unscheduled, by the functions of CF") func loops() {
        onFreshThread {
            var input: InputStream?
            var output: OutputStream?
            CFStreamCreateBoundPair(nil, &input, &output, 64)
            let reader = Reader()
            input?.delegate = reader
            CFReadStreamScheduleWithRunLoop(input, CFRunLoopGetCurrent(), .defaultMode)
            CFReadStreamOpen(input)
            CFWriteStreamOpen(output)
            #expect(output?.write([1], maxLength: 1) == 1)
            CFReadStreamUnscheduleFromRunLoop(input, CFRunLoopGetCurrent(), .defaultMode)
            CFWriteStreamUnscheduleFromRunLoop(output, CFRunLoopGetCurrent(), .defaultMode)
            #expect(CFRunLoopRunInMode(.defaultMode, 10, true) == .finished)
            #expect(reader.count.load(ordering: .relaxed) == 0)
            CFReadStreamScheduleWithRunLoop(input, CFRunLoopGetCurrent(), .defaultMode)
            output?.close()
            while !reader.hasEnded.isSet { CFRunLoopRunInMode(.defaultMode, 10, true) }
            #expect(reader.count.load(ordering: .relaxed) == 1)
            input?.close()
        }
    }
}

private final class Reader: StreamDelegate {
    let count = Atomic(0)
    let hasEnded = Flag()
    let isOver = Gate()

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        if eventCode == .endEncountered {
            hasEnded.set()
            isOver.open()
        }
        guard eventCode == .hasBytesAvailable, let input = aStream as? InputStream else { return }
        var bytes: [UInt8] = [0, 0, 0, 0]
        count.add(max(input.read(&bytes, maxLength: 4), 0), ordering: .relaxed)
    }
}
