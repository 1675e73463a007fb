import Glibc

/// Binds a socket to a free port of this machine; nil if that fails.
public func bindToFreePort(_ descriptor: CInt) -> Int? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
        }
    }
    return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
}

/// A free port of this machine without a listener: it refuses connections.
///
/// Other sockets only get the port if they name it and set `SO_REUSEADDR`.
public final class ReservedPort: Sendable {
    /// The number of the port.
    public let number: Int

    private let descriptor: CInt

    /// Reserves a port; nil if that fails.
    public init?() {
        var yes: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        guard let number = bindToFreePort(descriptor) else { return nil }
        self.number = number
    }

    deinit {
        close(descriptor)
    }
}
