import Foundation

/// Echoes all bytes of one connection.
final class EchoServer: @unchecked Sendable {
    // `@unchecked`: constants and a semaphore, which is thread-safe.
    let port: Int
    private let listener: Int32
    private let hasEnded = DispatchSemaphore(value: 0)

    init() {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(socket, address, length)
                _ = getsockname(socket, address, &length)
            }
        }
        listen(socket, 1)
        listener = socket
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { self.serve() }
    }

    private func serve() {
        let connection = accept(listener, nil, nil)
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(connection, &bytes, bytes.count, 0)
            if count <= 0 || send(connection, bytes, count, 0) != count { break }
        }
        close(connection)
        close(listener)
        hasEnded.signal()
    }

    /// Waits until the client has closed the connection.
    func waitForEnd() {
        hasEnded.wait()
    }
}
