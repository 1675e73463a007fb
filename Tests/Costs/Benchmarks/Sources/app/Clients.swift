// Clients of servers and of events, which make the same calls for all libraries.

import Glibc

/// Sends 64 bytes several times, on connections in turn, and reads the echoes.
func requestEchoes(_ times: Int, connections: Int, port: UInt16) {
    let handles = (0..<connections).map { _ in connect(toPort: port) }
    var bytes = [UInt8](repeating: 97, count: 64)
    for first in stride(from: 0, to: times, by: connections) {
        let asked = handles.prefix(times - first)
        for handle in asked where write(handle, bytes, bytes.count) != bytes.count { exit(1) }
        for handle in asked where recv(handle, &bytes, bytes.count, 0) != bytes.count { exit(1) }
    }
    for handle in handles { close(handle) }
}

func connect(toPort port: UInt16) -> CInt {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    let result = withUnsafeBytes(of: address) { bytes in
        Glibc.connect(
            handle,
            bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
            socklen_t(bytes.count)
        )
    }
    if result != 0 { exit(1) }
    return handle
}

func makePair() -> (CInt, CInt) {
    var handles: [CInt] = [0, 0]
    if socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &handles) != 0 { exit(1) }
    return (handles[0], handles[1])
}

/// Sends a line to a socket.
@Sendable func send(to handle: CInt) { write(handle, "a line of text\n", 15) }

/// Waits for events, each of which is asked for when the task has taken the one before.
func take<Events: AsyncSequence>(
    _ times: Int,
    of events: Events,
    on actor: isolated (any Actor)? = #isolation,
    ask: () -> Void = {},
    use: (Events.Element) -> Void = { _ in }
) async {
    var count = 0
    ask()
    do {
        for try await event in events {
            use(event)
            count += 1
            if count == times { break }
            ask()
        }
    } catch { exit(1) }
}
