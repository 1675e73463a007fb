import CoreRunLoop
import Glibc

/// A connection that an ``RLListener`` has accepted.
///
/// Its two streams are not open yet. The socket is closed when both streams are closed or released.
///
/// Foundation has no counterpart.
public struct RLConnection {
    /// The stream that reads from the peer.
    public let input: RLInputStream

    /// The stream that writes to the peer.
    public let output: RLOutputStream

    private let accepted: AcceptedSocket

    /// Creates the streams, which own the socket: the socket is closed when both streams are
    /// closed.
    init(_ accepted: AcceptedSocket) {
        guard let (reader, writer) = RLStreamCreatePair(withSocket: accepted.handle) else {
            stopProcess("RLConnection", "internal error: no streams were created: please report it")
        }
        RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue)
        input = RLInputStream(reader)
        output = RLOutputStream(writer)
        self.accepted = accepted
    }

    /// The address and port of the peer, such as `"127.0.0.1:50110"` or `"[::1]:50110"`.
    public var peer: String {
        withUnsafeBytes(of: accepted.address) { describeAddress($0) }
    }

    /// Closes the output stream and then the input stream; this ends a TLS session.
    ///
    /// Unlike ``RLStream/close()``, the function also closes streams that were not opened.
    public func close() {
        output.close()
        output.engine.end()
        input.close()
        input.engine.end()
    }
}

/// An accepted socket, which its owner must close.
struct AcceptedSocket: Sendable {
    let handle: CInt
    // The address of either family: sockaddr_in6 is the larger type.
    private(set) var address = sockaddr_in6()

    init(_ handle: CInt, _ address: RLDataRef) {
        self.handle = handle
        address.withUnsafeBytes { bytes in
            withUnsafeMutableBytes(of: &self.address) { own in
                own.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(own.count)))
            }
        }
    }
}

func describeAddress(_ address: UnsafeRawBufferPointer) -> String {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let result = getnameinfo(
        address.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(address.count),
        &host,
        socklen_t(host.count),
        &port,
        socklen_t(port.count),
        NI_NUMERICHOST | NI_NUMERICSERV
    )
    if result != 0 { return "an unknown address" }
    let (name, number) = (text(host), text(port))
    return name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]:\(number)" : "\(name):\(number)"
}

private func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
