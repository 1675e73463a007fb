import FoundationEssentials
import Glibc
import RunLoopKit

/// A server made of this package's sockets and streams, on a thread of its own.
final class OwnWebServer: WebServer {
    let name: String
    let port: Int
    private let thread = RLPermanentThread(name: "server")
    private let hall: WebHall

    /// Secures its connections if there are settings for that.
    init?(_ name: String, security: RLStreamTLSSettings? = nil) {
        self.name = name
        let hall = WebHall(security: security)
        self.hall = hall
        thread.execute(waitUntilDone: true) { hall.open() }
        port = hall.port
        if port == 0 { return nil }
    }

    func waitForHangUp() -> Bool {
        hall.hangUp.wait { $0 ? true : nil }
    }

    func stop() {
        thread.execute(waitUntilDone: true) { [hall] in hall.close() }
        thread.stop()
        thread.join()
    }
}

/// The socket that listens, and who has come.
private final class WebHall: @unchecked Sendable {
    // Proof: all of it is used on the server's thread, except `port`, which is read when the thread
    // has set it and waited for, and `hangUp`, which locks itself.
    private let security: RLStreamTLSSettings?
    private var listener: RLSocketRef?
    private var guests: [ObjectIdentifier: WebGuest] = [:]
    private(set) var port = 0
    let hangUp = Condition(false)

    init(security: RLStreamTLSSettings?) {
        self.security = security
    }

    func open() {
        listener = RLSocketCreate(callBackTypes: .acceptCallBack) { [weak self] _, event in
            if case .accepted(let handle, _) = event { self?.accept(handle) }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let data = RLDataCreate(withUnsafeBytes(of: address) { [UInt8]($0) })
        guard RLSocketSetAddress(listener, data) == .success else { return }
        RLSocketCopyAddress(listener)?.withUnsafeBytes { bytes in
            port = Int(UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_port))
        }
        let source = RLSocketCreateRunLoopSource(kRLAllocatorDefault, listener, 0)
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
    }

    func close() {
        RLSocketInvalidate(listener)
        guests = [:]
    }

    private func accept(_ handle: CInt) {
        guard let guest = WebGuest(handle, security: security) else { return }
        guests[ObjectIdentifier(guest)] = guest
        guest.onEnd = { [unowned self, unowned guest] in
            if guest.isHalf { hangUp.withLock { $0 = true } }
            guests[ObjectIdentifier(guest)] = nil
        }
    }
}

/// One connection: requests, and their pages.
private final class WebGuest: AcceptedConnection {
    private var request = ""
    private var unsent: [UInt8] = []
    private(set) var isHalf = false

    override func read() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = input.read(&buffer, maxLength: buffer.count)
        request += String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
        guard unsent.isEmpty, request.hasSuffix("\r\n\r\n") else { return }
        unsent = answer(to: request)
        // The next one may come by the same connection.
        request = ""
        if output.hasSpaceAvailable { write() }
    }

    override func write() {
        guard !unsent.isEmpty else { return }
        unsent.removeFirst(max(output.write(unsent, maxLength: unsent.count), 0))
    }

    /// The whole response.
    private func answer(to request: String) -> [UInt8] {
        let body: String
        if request.hasPrefix("GET /text ") {
            let text = WebPages.text
            body = "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
        } else if request.hasPrefix("GET /chunks ") {
            let chunks = WebPages.chunks.map {
                "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n"
            }
            body = "Transfer-Encoding: chunked\r\n\r\n\(chunks.joined())0\r\n\r\n"
        } else {
            isHalf = true
            let half = String(repeating: "x", count: WebPages.halfLength)
            body = "Content-Length: \(WebPages.halfLength * 2)\r\n\r\n\(half)"
        }
        return [UInt8]("HTTP/1.1 200 OK\r\n\(body)".utf8)
    }
}
