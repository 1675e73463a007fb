import FoundationEssentials
import Glibc
import RunLoopNetworking
import ServerKit

/// A server in this process that handles each connection with a closure.
final class HostileServer: Sendable {
    struct Failure: Error {}

    struct Connection: Sendable {
        fileprivate let descriptor: CInt

        /// Waits for the end of the request.
        func readRequest() {
            var bytes: [UInt8] = []
            while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                var byte: UInt8 = 0
                if recv(descriptor, &byte, 1, 0) != 1 { return }
                bytes.append(byte)
            }
        }

        /// Sends a whole text; false if the client has disconnected.
        @discardableResult
        func send(_ text: String) -> Bool {
            var rest = [UInt8](text.utf8)[...]
            while !rest.isEmpty {
                let sent = Glibc.send(descriptor, Array(rest), rest.count, CInt(MSG_NOSIGNAL))
                if sent < 0 && errno != EINTR { return false }
                rest = rest.dropFirst(max(0, sent))
            }
            return true
        }

        /// Sends a text repeatedly until the client has disconnected.
        func sendForever(_ text: String) {
            while send(text) {}
        }

        /// Waits until the client has disconnected.
        func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }

        /// Makes `close` reset the connection.
        func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            let length = socklen_t(MemoryLayout<linger>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, length)
        }
    }

    let port: Int
    private let listener: CInt
    private let thread: RLThread

    init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard let port = bindToFreePort(listener), listen(listener, 200) == 0 else {
            throw Failure()
        }
        self.listener = listener
        self.port = port
        thread = RLThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0 && errno == EINTR { continue }
                if descriptor < 0 { return }
                RLThread.detachNewThread {
                    serve(Connection(descriptor: descriptor))
                    close(descriptor)
                }
            }
        }
        thread.start()
    }

    deinit {
        // Wakes the thread from `accept`.
        shutdown(listener, CInt(SHUT_RDWR))
        thread.join()
        close(listener)
    }

    func request() throws -> RLHTTPRequest {
        guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw Failure() }
        return RLHTTPRequest(url: url)
    }
}
