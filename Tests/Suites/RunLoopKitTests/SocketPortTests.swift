import FoundationEssentials
import Glibc
import RunLoopKit
import Testing
import ThreadKit

@Suite("A socket port") struct SocketPortTests {
    @Test("listens on a free TCP port of every address, and returns its number (NSPT-2)")
    func listening() throws {
        let port = try #require(RLSocketPort(tcpPort: 0))
        #expect(port.isValid && port.socket >= 0 && number(of: port) != 0)
        #expect(port.protocolFamily == AF_INET && port.socketType == CInt(SOCK_STREAM.rawValue))
        #expect(RLSocketPort().isValid)
        port.invalidate()
        #expect(!port.isValid)
        let remote = try #require(RLSocketPort(remoteWithTCPPort: number(of: port), host: nil))
        #expect(!remote.send(before: Date(timeIntervalSinceNow: 10), msgid: 1))
    }

    @Test("may be queried and invalidated while another thread sends, which ends the sending")
    func invalidationDuringSend() async {
        await #expect(processExitsWith: .success) {
            guard let server = RLSocketPort(tcpPort: 0) else { _exit(EXIT_FAILURE) }
            let remote = RLSocketPort(
                remoteWithProtocolFamily: server.protocolFamily,
                socketType: server.socketType,
                protocol: server.protocol,
                address: loopback(server)
            )
            let sent = Log<Bool>()
            // No thread reads: one sender waits for space, and the other waits for the first.
            let senders = (0..<2).map { _ in
                RLThread {
                    let components = [Data(count: 30_000_000)]
                    sent.add(remote.send(before: .distantFuture, components: components))
                }
            }
            for sender in senders { sender.start() }
            while remote.socket < 0 { sched_yield() }
            remote.invalidate()
            for sender in senders { sender.join() }
            _exit(sent.entries == [false, false] ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("is equal to others to its address, if it is remote (NSPT-3)") func equality() throws {
        let host = "127.0.0.1"
        let first = try #require(RLSocketPort(remoteWithTCPPort: 4711, host: host))
        let second = try #require(RLSocketPort(remoteWithTCPPort: 4711, host: host))
        let other = try #require(RLSocketPort(remoteWithTCPPort: 4712, host: host))
        #expect(first == second && first.isEqual(second) && first.hash == second.hash)
        #expect(Set([first, second, other]).count == 2)
        let listener = RLSocketPort()
        let local = RLSocketPort(
            remoteWithProtocolFamily: listener.protocolFamily,
            socketType: listener.socketType,
            protocol: listener.protocol,
            address: listener.address
        )
        #expect(!listener.isEqual(local) && !local.isEqual(listener))
        #expect(listener.isEqual(listener) && listener != RLSocketPort() && !first.isEqual(nil))
        listener.invalidate()
        first.invalidate()
        #expect(first == second)
    }

    @Test("gets messages from another one, and answers (NSPT-6)") func conversation() throws {
        let server = try #require(RLSocketPort(tcpPort: 0))
        let log = Log<String>()
        onFreshThreads([
            {
                serve(server, once: 2) { message in
                    let text = (message.components?.first as? Data).map {
                        String(decoding: $0, as: UTF8.self)
                    }
                    log.add("\(message.msgid): \(text ?? "none")")
                    message.sendPort?.send(before: .distantFuture, msgid: 9)
                }
            },
            {
                let remote = RLSocketPort(
                    remoteWithProtocolFamily: server.protocolFamily,
                    socketType: server.socketType,
                    protocol: server.protocol,
                    address: loopback(server)
                )
                let answers = RLSocketPort()
                #expect(remote.send(before: .distantFuture, msgid: 1, components: [Data("a".utf8)]))
                let large = Data(repeating: 98, count: 1_000_000)
                #expect(
                    remote.send(
                        before: .distantFuture,
                        msgid: 2,
                        components: [large, remote],
                        from: answers
                    )
                )
                serve(answers, once: 1) { log.add("answer \($0.msgid)") }
                #expect(remote.socket >= 0)
                #expect(!remote.send(before: .distantPast, components: ["text"]))
            },
        ])
        #expect(log.entries.first == "1: a" && log.entries.last == "answer 9")
        #expect(log.entries.count == 3 && log.entries[1].hasPrefix("2: bbbb"))
    }

    @Test("disconnects only the sender of an invalid message") func hostile() throws {
        let server = try #require(RLSocketPort(tcpPort: 0))
        let number = number(of: server)
        let log = Log<UInt32>()
        let valid: [UInt8] = [0x52, 0x4C, 0x50, 0x31]
        onFreshThreads([
            { serve(server, once: 1) { log.add($0.msgid) } },
            {
                for bytes: [UInt8] in [
                    [1], [0x52, 0x4C, 0x51], valid + [255, 255, 255, 255],
                    valid + [0, 0, 0, 0], valid + [0, 0, 0, 4, 0, 0, 0, 1],
                    valid + [0, 0, 0, 12] + [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9],
                    valid + [0, 0, 0, 13] + [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 7],
                    valid + [0, 0, 0, 12] + [0, 0, 0, 1, 0, 0, 0, 200, 0, 0, 0, 0],
                ] {
                    #expect(isThrownOut(bytes, number))
                }
                let remote = RLSocketPort(remoteWithTCPPort: number, host: "127.0.0.1")
                #expect(remote?.send(before: .distantFuture, msgid: 5) == true)
            },
        ])
        #expect(log.entries == [5])
    }

    @Test("may be a subclass whose validity depends on the port")
    func overridden() {
        let server = Overridden()
        let number = number(of: server)
        let log = Log<UInt32>()
        onFreshThreads([
            { serve(server, once: 1) { log.add($0.msgid) } },
            {
                let remote = RLSocketPort(remoteWithTCPPort: number, host: "127.0.0.1")
                #expect(remote?.send(before: .distantFuture, msgid: 5) == true)
            },
        ])
        #expect(log.entries == [5])
    }
}

// Proof: the class has no state of its own.
private final class Overridden: RLSocketPort, @unchecked Sendable {
    override var isValid: Bool {
        remove(from: .current, forMode: .init("Unused"))
        return super.isValid
    }
}

private final class Reader: RLPortDelegate {
    private let block: (RLPortMessage) -> Void
    var count = 0

    init(_ block: @escaping (RLPortMessage) -> Void) {
        self.block = block
    }

    func handle(_ message: RLPortMessage) {
        count += 1
        block(message)
    }
}

/// Serves a port on this thread until `count` messages have come.
private func serve(_ port: RLPort, once count: Int, _ block: @escaping (RLPortMessage) -> Void) {
    let reader = Reader(block)
    port.setDelegate(reader)
    RLRunLoop.current.add(port, forMode: .default)
    while reader.count < count { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
    port.invalidate()
}

private func number(of port: RLSocketPort) -> UInt16 {
    port.address.withUnsafeBytes {
        UInt16(bigEndian: $0.loadUnaligned(as: sockaddr_in.self).sin_port)
    }
}

private func loopback(_ port: RLSocketPort) -> Data {
    var address = port.address.withUnsafeBytes { $0.loadUnaligned(as: sockaddr_in.self) }
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafeBytes(of: address) { Data($0) }
}

/// Sends bytes on a connection, and returns whether the other side closes it.
private func isThrownOut(_ bytes: [UInt8], _ port: UInt16) -> Bool {
    let raw = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(raw) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard result == 0, send(raw, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    else { return false }
    var byte: UInt8 = 0
    return recv(raw, &byte, 1, 0) <= 0
}
