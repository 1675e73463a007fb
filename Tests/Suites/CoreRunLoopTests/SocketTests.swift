import CoreRunLoop
import Glibc
import Testing
import ThreadKit

@Suite("A file descriptor")
struct FileDescriptorTests {
    @Test("calls its closure once for each time that it is enabled, and closes")
    func closure() throws {
        let pipe = try Pipe()
        let log = Log<String>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            let descriptor = RLFileDescriptorCreate(pipe.readEnd, closeOnInvalidate: true) {
                called,
                types in
                log.add(types == kRLFileDescriptorReadCallBack ? "read \(pipe.read())" : "?")
                RLFileDescriptorEnableCallBacks(called, types)
            }
            let source = RLFileDescriptorCreateRunLoopSource(nil, descriptor, 0)
            RLRunLoopAddSource(loop, source, .defaultMode)
            RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack)
            pipe.write()
            pipe.write()
            RLRunLoopRunInMode(.defaultMode, 10, true)
            RLRunLoopRunInMode(.defaultMode, 10, true)
            log.add("\(RLRunLoopRunInMode(.defaultMode, 0, true))")
            RLFileDescriptorInvalidate(descriptor)
            log.add("\(RLFileDescriptorGetNativeDescriptor(descriptor))")
            log.add(pipe.losesReader ? "closed" : "open")
        }

        #expect(log.entries == ["read x", "read x", "timedOut", "-1", "closed"])
        _ = Glibc.close(pipe.writeEnd)
    }

    @Test("releases its closure when it is invalidated")
    func ownership() throws {
        let pipe = try Pipe()
        weak var held: Log<String>?

        do {
            let log = Log<String>()
            held = log
            let descriptor = RLFileDescriptorCreate(pipe.readEnd, closeOnInvalidate: false) {
                _,
                _ in log.add("called")
            }
            RLFileDescriptorInvalidate(descriptor)
        }
        #expect(held == nil)
        #expect(RLFileDescriptorCreate(-1, closeOnInvalidate: false) { _, _ in } == nil)
        pipe.close()
    }
}

@Suite("A socket")
struct SocketTests {
    /// A signature with a free port of this machine.
    private static func makeSignature() -> RLSocketSignature {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let bytes = withUnsafeBytes(of: address) { [UInt8]($0) }
        var signature = RLSocketSignature()
        signature.protocolFamily = PF_INET
        signature.socketType = Int32(SOCK_STREAM.rawValue)
        signature.protocol = Int32(IPPROTO_TCP)
        signature.address = RLDataCreate(bytes)
        return signature
    }

    private static func add(_ socket: RLSocketRef?) {
        let source = RLSocketCreateRunLoopSource(nil, socket, 0)
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
    }

    @Test("listens, accepts, connects and echoes, each as an event of a closure")
    func echo() {
        let log = Log<String>()

        onFreshThread {
            var signature = SocketTests.makeSignature()
            let listener = RLSocketCreate(callBackTypes: .acceptCallBack) { _, event in
                guard case .accepted(let handle, _) = event else { return }
                log.add("accepted")
                let session = RLSocketCreateWithNative(handle, callBackTypes: .dataCallBack) {
                    peer,
                    event in
                    guard case .data(let data, _) = event else { return }
                    log.add("server: \(String(decoding: [UInt8](data), as: UTF8.self))")
                    log.add("\(RLSocketSendData(peer, nil, data, 10))")
                }
                SocketTests.add(session)
            }
            log.add("\(RLSocketSetAddress(listener, signature.address))")
            SocketTests.add(listener)
            signature.address = RLSocketCopyAddress(listener)

            let client = RLSocketCreate(callBackTypes: [.dataCallBack, .connectCallBack]) {
                own,
                event in
                switch event {
                case .connected(let error):
                    log.add("connected \(error)")
                    _ = RLSocketSendData(own, nil, RLDataCreate([UInt8]("hello".utf8)), 10)
                case .data(let data, _):
                    log.add("client: \(String(decoding: [UInt8](data), as: UTF8.self))")
                    RLSocketInvalidate(own)
                    RLRunLoopStop(RLRunLoopGetCurrent())
                default:
                    log.add("unexpected \(event)")
                }
            }
            log.add("\(RLSocketConnectToAddress(client, signature.address, -1))")
            SocketTests.add(client)
            RLRunLoopRunInMode(.defaultMode, 10, false)
            RLSocketInvalidate(listener)
        }

        let entries = log.entries
        #expect(entries.first == "RLSocketError(rawValue: 0)" || entries.first == "success")
        #expect(entries.contains("connected 0"))
        #expect(entries.contains("accepted"))
        #expect(entries.contains("server: hello"))
        #expect(entries.last == "client: hello")
    }

    @Test("is one object for a handle, equal to itself")
    func identity() throws {
        let pipe = try Pipe()
        let first = RLSocketCreateWithNative(pipe.readEnd, callBackTypes: .readCallBack) { _, _ in }
        let second = RLSocketCreateWithNative(pipe.readEnd, callBackTypes: []) { _, _ in }

        #expect(first != nil && first === second && first == second)
        #expect(RLSocketGetSocketFlags(first) & kRLSocketCloseOnInvalidate != 0)
        RLSocketInvalidate(first)
        #expect(!RLSocketIsValid(second))
        _ = Glibc.close(pipe.writeEnd)
    }
}

@Suite("A stream")
struct StreamTests {
    @Test("of a pair reads its peer's bytes to the end, notified by closures")
    func pair() throws {
        let log = Log<String>()

        onFreshThread {
            var handles: [CInt] = [-1, -1]
            #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &handles) == 0)
            let loop = RLRunLoopGetCurrent()
            let farHandle = handles[1]
            guard let near = RLStreamCreatePair(withSocket: handles[0]),
                let far = RLStreamCreatePair(withSocket: handles[1])
            else { return log.add("no streams") }
            RLReadStreamSetClient(
                near.reader,
                events: [.openCompleted, .hasBytesAvailable, .endEncountered]
            ) { stream, event in
                guard event == .hasBytesAvailable else {
                    log.add(event == .openCompleted ? "open" : "end")
                    if event == .endEncountered { RLRunLoopStop(RLRunLoopGetCurrent()) }
                    return
                }
                var bytes = [UInt8](repeating: 0, count: 16)
                let count = RLReadStreamRead(stream, &bytes, bytes.count)
                log.add(String(decoding: bytes.prefix(count), as: UTF8.self))
            }
            RLWriteStreamSetClient(far.writer, events: .canAcceptBytes) { stream, _ in
                _ = RLWriteStreamWrite(stream, Array("hello".utf8), 5)
                RLWriteStreamClose(stream)
                shutdown(farHandle, CInt(SHUT_WR))
            }
            RLReadStreamScheduleWithRunLoop(near.reader, loop, .defaultMode)
            RLWriteStreamScheduleWithRunLoop(far.writer, loop, .defaultMode)
            #expect(RLReadStreamOpen(near.reader) && RLWriteStreamOpen(far.writer))
            RLRunLoopRunInMode(.defaultMode, 10, false)
            log.add("\(RLReadStreamGetStatus(near.reader) == .atEnd)")
            RLReadStreamClose(near.reader)
            for handle in handles { _ = Glibc.close(handle) }
        }

        #expect(log.entries == ["open", "hello", "end", "true"])
    }

    @Test("gives its closure up with its client")
    func ownership() {
        weak var held: Log<String>?
        let stream = RLWriteStreamCreateWithAllocatedBuffers(nil, nil)

        do {
            let log = Log<String>()
            held = log
            RLWriteStreamSetClient(stream, events: .openCompleted) { _, _ in log.add("open") }
        }
        #expect(held != nil)
        _ = RLWriteStreamSetClient(stream, 0, nil, nil)
        #expect(held == nil)
    }
}
