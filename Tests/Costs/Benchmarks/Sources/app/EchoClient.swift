// Clients of an echo server, which make the same calls for all servers.

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
