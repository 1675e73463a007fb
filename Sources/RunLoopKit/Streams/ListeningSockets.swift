import FoundationEssentials
import Glibc

/// The listening sockets for all addresses of a host, on one port.
struct ListeningSockets {
    private(set) var handles: [CInt] = []
    private(set) var addresses: [String] = []
    private(set) var port: UInt16

    /// The maximum number of attempts to find a port that is free at all addresses.
    private static let attempts = 16

    static func open(host: String?, port: UInt16) throws(RLSystemError) -> ListeningSockets {
        let places = try resolve(host, port)
        for _ in 1..<attempts where port == 0 {
            // The next attempt gets another free port.
            guard let sockets = try? ListeningSockets(at: places, port) else { continue }
            return sockets
        }
        return try ListeningSockets(at: places, port)
    }

    private static func resolve(
        _ host: String?,
        _ port: UInt16
    ) throws(RLSystemError) -> [SocketSignature] {
        if let host, host.utf8.contains(0) {
            throw RLSystemError(code: EAI_NONAME, to: "look up a name with a NUL character")
        }
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let error = getaddrinfo(host, String(port), &hints, &list)
        if error != 0 {
            let code = error == EAI_SYSTEM ? errno : error
            throw RLSystemError(code: code, to: "look up \(host ?? "this host")")
        }
        defer { freeaddrinfo(list) }
        var places: [SocketSignature] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let bytes = entry.ai_addr else { continue }
            let place = SocketSignature(
                family: entry.ai_family,
                type: entry.ai_socktype,
                protocol: entry.ai_protocol,
                address: Data(bytes: bytes, count: Int(entry.ai_addrlen))
            )
            // The resolver may return an address twice.
            if !places.contains(place) { places.append(place) }
        }
        return places
    }

    private init(at places: [SocketSignature], _ port: UInt16) throws(RLSystemError) {
        self.port = port
        var refusal: RLSystemError?
        do throws(RLSystemError) {
            for place in places {
                do throws(RLSystemError) {
                    try add(place)
                } catch  where error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL {
                    // This machine has no IPv6, or does not have this address.
                    refusal = error
                }
            }
        } catch {
            close()
            throw error
        }
        if handles.isEmpty {
            throw refusal ?? RLSystemError(code: EADDRNOTAVAIL, to: "listen")
        }
    }

    func close() {
        for handle in handles { Glibc.close(handle) }
    }

    private mutating func add(_ place: SocketSignature) throws(RLSystemError) {
        var place = place
        // The port has the same offset in the addresses of both families.
        place.address[2] = UInt8(port >> 8)
        place.address[3] = UInt8(truncatingIfNeeded: port)
        let handle = place.makeSocket()
        let isReady = handle.map { Self.listen($0, place) } ?? false
        let bound = isReady ? handle.flatMap { place.bound($0) } : nil
        guard let handle, let bound else {
            let error = RLSystemError(
                code: errno,
                to: "listen at \(place.address.withUnsafeBytes { describeAddress($0) })"
            )
            if let handle { Glibc.close(handle) }
            throw error
        }
        port = UInt16(bound.address[2]) << 8 | UInt16(bound.address[3])
        handles.append(handle)
        addresses.append(bound.address.withUnsafeBytes { describeAddress($0) })
    }

    private static func listen(_ handle: CInt, _ place: SocketSignature) -> Bool {
        var yes: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        // Each family has its own socket, regardless of `bindv6only`.
        if place.family == AF_INET6 {
            setsockopt(handle, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
        }
        return place.withAddress { bind(handle, $0, $1) } == 0
            && Glibc.listen(handle, SOMAXCONN) == 0
    }
}

extension SocketSignature {
    fileprivate func bound(_ handle: CInt) -> SocketSignature? {
        SocketSignature(of: handle, family: family, type: type, protocol: `protocol`)
    }
}
