import FoundationEssentials
import Glibc

/// The connection by which a socket port sends to another one.
///
/// It is made when it is needed.
final class SocketConnection: Sendable {
    private let signature: SocketSignature
    // The lock is held for a whole message.
    private let socket = Locked<CInt>(-1)

    init(to signature: SocketSignature) {
        self.signature = signature
    }

    deinit {
        close()
    }

    /// The descriptor; -1 without a connection.
    var descriptor: CInt {
        socket.withLock { $0 }
    }

    func close() {
        socket.withLock { Self.close(&$0) }
    }

    private static func close(_ socket: inout CInt) {
        if socket >= 0 { Glibc.close(socket) }
        socket = -1
    }

    /// Sends bytes as a whole; false if there is no connection or the time was up, after which the
    /// next message goes by another connection.
    func send(_ bytes: Data, before limitDate: Date) -> Bool {
        socket.withLock { socket in
            // The peer may have closed a connection that was made for an earlier message.
            if socket >= 0, Self.hasEnded(socket) { Self.close(&socket) }
            if socket < 0 { socket = connect(before: limitDate) }
            guard socket >= 0 else { return false }
            if Self.write(bytes, to: socket, before: limitDate) { return true }
            Self.close(&socket)
            return false
        }
    }

    private static func hasEnded(_ socket: CInt) -> Bool {
        var query = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&query, 1, 0) > 0
    }

    private func connect(before limitDate: Date) -> CInt {
        guard var socket = signature.makeSocket() else { return -1 }
        let result = signature.withAddress { Glibc.connect(socket, $0, $1) }
        if result != 0 && errno == EINPROGRESS && Self.wait(for: socket, before: limitDate) {
            var error: CInt = 0
            var size = socklen_t(MemoryLayout<CInt>.size)
            getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size)
            if error == 0 { return socket }
        } else if result == 0 {
            return socket
        }
        Self.close(&socket)
        return -1
    }

    private static func write(_ bytes: Data, to socket: CInt, before limitDate: Date) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard wait(for: socket, before: limitDate) else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Whether there is room, or an error, before the date.
    private static func wait(for socket: CInt, before limitDate: Date) -> Bool {
        while true {
            var query = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
            let seconds = max(0, limitDate.timeIntervalSinceNow)
            let limit = CInt(min((seconds * 1000).rounded(.up), 1_000_000))
            let count = poll(&query, 1, limit)
            if count > 0 { return true }
            if limitDate.timeIntervalSinceNow <= 0 { return false }
        }
    }
}
