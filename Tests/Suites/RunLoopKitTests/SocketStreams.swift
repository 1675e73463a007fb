import FoundationEssentials
import Glibc
import RunLoopKit
import ServerKit
import Testing

/// The streams of the engine at one end of a connection.
typealias StreamPair = (reader: RLReadStreamRef, writer: RLWriteStreamRef)

/// Streams over both ends of a Unix socket, which they close.
func makeSocketStreams() throws -> (near: StreamPair, far: StreamPair) {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let pairs = try ends.map { try #require(RLStreamCreatePair(withSocket: $0)) }
    for pair in pairs {
        RLReadStreamSetProperty(
            pair.reader,
            kRLStreamPropertyShouldCloseNativeSocket,
            kRLBooleanTrue
        )
    }
    return (pairs[0], pairs[1])
}

extension RLStream {
    /// Secures the stream and the other stream of its connection.
    func secure(isServer: Bool) {
        var settings = RLStreamTLSSettings()
        settings.isServer = isServer
        if isServer {
            settings.certificates = [Data(Certificates.server.utf8)]
        } else {
            settings.peerName = .named("localhost")
            settings.authorities = [Data(Certificates.authority.utf8)]
        }
        #expect(setProperty(settings, forKey: .sslSettingsKey))
    }
}
