import FoundationEssentials
import Glibc

/// The address and the kind of socket of a socket port.
struct SocketSignature: Hashable, Sendable {
    var family: Int32
    var type: Int32
    var `protocol`: Int32
    /// A `sockaddr` of the family.
    var address: Data

    /// Resolves a host for TCP, or returns nil if the host does not exist.
    static func ofHost(_ host: String, port: UInt16) -> SocketSignature? {
        if host.utf8.contains(0) { return nil }
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        guard let first = list?.pointee, let bytes = first.ai_addr else { return nil }
        return SocketSignature(
            family: first.ai_family,
            type: first.ai_socktype,
            protocol: first.ai_protocol,
            address: Data(bytes: bytes, count: Int(first.ai_addrlen))
        )
    }

    /// Returns the wildcard IPv4 address of this host, for TCP.
    static func everywhere(port: UInt16) -> SocketSignature {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        return SocketSignature(
            family: AF_INET,
            type: CInt(SOCK_STREAM.rawValue),
            protocol: CInt(IPPROTO_TCP),
            address: withUnsafeBytes(of: address) { Data($0) }
        )
    }

    /// Replaces a wildcard address by the peer's address, because a wildcard address would mean
    /// this host.
    func seen(by peer: Data) -> SocketSignature {
        guard family == AF_INET, address.count >= MemoryLayout<sockaddr_in>.size,
            peer.count >= MemoryLayout<sockaddr_in>.size
        else { return self }
        var own = address.withUnsafeBytes { $0.loadUnaligned(as: sockaddr_in.self) }
        let other = peer.withUnsafeBytes { $0.loadUnaligned(as: sockaddr_in.self) }
        guard own.sin_addr.s_addr == 0, other.sin_family == sa_family_t(AF_INET) else {
            return self
        }
        own.sin_addr = other.sin_addr
        var seen = self
        seen.address = withUnsafeBytes(of: own) { Data($0) }
        return seen
    }

    /// Creates a nonblocking socket; nil means failure.
    func makeSocket() -> CInt? {
        let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let made = socket(family, type | flags, `protocol`)
        return made < 0 ? nil : made
    }

    func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        let count = min(address.count, MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: address.prefix(count)) }
        return withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(count)) }
        }
    }
}

extension SocketSignature {
    init?(of socket: CInt, family: Int32, type: Int32, protocol: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
        }
        guard result == 0 else { return nil }
        self.init(
            family: family,
            type: type,
            protocol: `protocol`,
            address: withUnsafeBytes(of: storage) { Data($0.prefix(Int(length))) }
        )
    }
}
