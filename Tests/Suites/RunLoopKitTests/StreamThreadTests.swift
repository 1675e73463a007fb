import FoundationEssentials
import Glibc
import RunLoopKit
import ServerKit
import Testing

@Suite("Streams that tasks use on other threads than the loop's") struct StreamThreadTests {
    @Test(
        "miss no bytes and no space",
        .timeLimit(.minutes(15)),
        arguments: StreamKind.allCases
    )
    func threads(_ kind: StreamKind) async throws {
        let worker = RLPermanentThread(name: "streams")
        let loop = worker.runLoop
        for _ in 0..<20 {
            let (reader, writer) = try kind.makeEnds()
            let writing = Task {
                let output = RLOutputStream(writer)
                if kind == .secured { output.secure(isServer: false) }
                for _ in 0..<50 {
                    let bytes = [UInt8](repeating: 1, count: .random(in: 1...50_000))
                    try await output.write(contentsOf: bytes, on: loop)
                }
                try await output.write(contentsOf: [2], on: loop)
                try await output.finishWriting(on: loop)
            }
            let reading = Task {
                let input = RLInputStream(reader)
                if kind == .secured { input.secure(isServer: true) }
                var last: UInt8?
                for try await bytes in input.chunks(upToCount: 5000, on: loop) { last = bytes.last }
                return last
            }
            #expect(try await reading.value == 2)
            try await writing.value
        }
        worker.stop()
        worker.join()
    }
}

// MARK: - Helpers

enum StreamKind: CaseIterable {
    case bound, plain, secured

    /// A reader, and the writer of its bytes.
    func makeEnds() throws -> (RLReadStreamRef, RLWriteStreamRef) {
        if self == .bound {
            let pair = try #require(RLStreamCreateBoundPair(bufferSize: 10_000))
            return (pair.reader, pair.writer)
        }
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
        return (pairs[0].reader, pairs[1].writer)
    }
}

extension RLStream {
    fileprivate func secure(isServer: Bool) {
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
