import FoundationEssentials
import Glibc

/// The connection with which a remote socket port sends, created on demand.
final class SocketConnection: Sendable {
    private struct State {
        // While a thread sends, only that thread closes the socket.
        var socket: CInt = -1
        var isSending = false
        var isClosed = false

        mutating func closeSocket() {
            if socket >= 0 { Glibc.close(socket) }
            socket = -1
        }
    }

    private let signature: SocketSignature
    private let state = Condition(State())

    init(to signature: SocketSignature) {
        self.signature = signature
    }

    deinit {
        close()
    }

    /// The descriptor, or -1 if there is no connection.
    var descriptor: CInt {
        state.withLock { $0.socket }
    }

    /// Closes the connection permanently, and cancels a send in progress.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if !state.isSending { return state.closeSocket() }
            // Wakes the sending thread, which waits for its socket.
            if state.socket >= 0 { shutdown(state.socket, CInt(SHUT_RDWR)) }
        }
    }

    /// Sends all bytes, without bytes of other threads in between.
    ///
    /// Returns false on failure; the next message then uses a new connection.
    func send(_ bytes: Data, before limitDate: Date) -> Bool {
        let mayBegin = state.wait(seconds: limitDate.timeIntervalSinceNow) { state -> Bool? in
            if state.isClosed { return false }
            if state.isSending { return nil }
            state.isSending = true
            return true
        }
        guard mayBegin == true else { return false }
        let isSent = connect(before: limitDate) && write(bytes, before: limitDate)
        state.withLock { state in
            state.isSending = false
            if !isSent || state.isClosed { state.closeSocket() }
        }
        return isSent
    }

    private static func hasEnded(_ socket: CInt) -> Bool {
        var query = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&query, 1, 0) > 0
    }

    /// Connects if necessary, and returns whether there is a connection.
    private func connect(before limitDate: Date) -> Bool {
        // The peer may have closed an earlier connection.
        if descriptor >= 0 && !Self.hasEnded(descriptor) { return true }
        let made = signature.makeSocket() ?? -1
        state.withLock { state in
            state.closeSocket()
            state.socket = made
            if state.isClosed { state.closeSocket() }
        }
        let socket = descriptor
        if socket < 0 { return false }
        let result = signature.withAddress { Glibc.connect(socket, $0, $1) }
        if result == 0 { return true }
        guard errno == EINPROGRESS && Self.wait(for: socket, before: limitDate) else {
            return false
        }
        var error: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size)
        return error == 0
    }

    private func write(_ bytes: Data, before limitDate: Date) -> Bool {
        let socket = descriptor
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard Self.wait(for: socket, before: limitDate) else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Waits until the socket is writable or has an error; returns false after the time limit.
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
