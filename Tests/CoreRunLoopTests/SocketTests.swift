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
            log.add("\(fcntl(pipe.readEnd, F_GETFD))")
        }

        #expect(log.entries == ["read x", "read x", "timedOut", "-1", "-1"])
        _ = Glibc.close(pipe.writeEnd)
    }

    @Test("gives its closure up when it is invalidated")
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
    /// A signature of a free port of this machine.
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
