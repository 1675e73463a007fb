import FetchKit
import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopNetworking
import ServerKit
import Testing

private let hasGnuTLS: Bool = {
    let script = #"import ctypes; ctypes.CDLL("libcurl-gnutls.so.4")"#
    return (try? ChildProcess(path: "python3", ["-c", script]).exitCode) == 0
}()

@Suite("A secured request") struct SecuredTests {
    @Test("gets its response from a server whose authority it trusts", .timeLimit(.minutes(15)))
    func trusted() throws {
        let server = try PythonServer(certificate: Certificates.server)
        let kept = try #require(Fetch(try server.request("kept")).run())
        #expect(String(decoding: kept.body, as: UTF8.self) == "hello")
        let large = try #require(Fetch(try server.request("large?4194304")).run())
        #expect(large.body.count == 4_194_304)
    }

    @Test("trusts neither an authority nor a name that it does not know", .timeLimit(.minutes(15)))
    func refused() throws {
        let server = try PythonServer(certificate: Certificates.server)
        var request = try server.request("kept")
        request.security.authorities = []
        #expect(code(of: request) == Int(kRLStreamErrorSSLNoRootCert))
        let elsewhere = try PythonServer(certificate: Certificates.elsewhere)
        #expect(code(of: try elsewhere.request("kept")) == Int(kRLStreamErrorSSLHostNameMismatch))
        var named = try elsewhere.request("kept")
        named.security.peerName = .named("elsewhere.example")
        #expect(try #require(Fetch(named).run()).statusCode == 200)
        let plain = try PythonServer()
        var other = try server.request("kept")
        other.url = try #require(URL(string: "https://127.0.0.1:\(plain.port)/kept"))
        #expect(code(of: other) == Int(kRLStreamErrorSSLProtocol))
    }

    @Test("is checked in the same way if a redirect leads to it", .timeLimit(.minutes(15)))
    func redirected() throws {
        let secured = try PythonServer(certificate: Certificates.server)
        let plain = try PythonServer()
        let place = try secured.url("kept").absoluteString
        var request = try plain.request("to?\(place)")
        #expect(code(of: request) == Int(kRLStreamErrorSSLNoRootCert))
        request.security = try secured.request("kept").security
        #expect(try #require(Fetch(request).run()).statusCode == 200)
    }

    @Test("fails if the server leaves before the end", .timeLimit(.minutes(15))) func early() throws
    {
        let server = try PythonServer(certificate: Certificates.server)
        let fetch = Fetch(try server.request("early"))
        #expect(fetch.run() == nil)
        #expect(fetch.error == .closedEarly)
    }

    @Test(
        "fails in the same way by GnuTLS, if a server leaves before the end",
        .enabled(if: hasGnuTLS)
    )
    func earlyByGnuTLS() throws {
        // With an unusable `libcurl.so.4`, the other library is loaded.
        let folder = "/tmp/RunLoopNetworking.\(getpid()).gnutls"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: "\(folder)/libcurl.so.4"))
        let server = try PythonServer(certificate: Certificates.server)
        func outcome(_ page: String) throws -> String {
            let probe = try ChildProcess.pathOfProduct("extras-probe")
            let url = try server.url(page).absoluteString
            let environment = "LD_LIBRARY_PATH=\(folder)"
            return try ChildProcess(path: "env", [environment, probe, "unchecked", url]).output
        }
        #expect(try outcome("kept") == "success(5)\n")
        #expect(try outcome("early") == "failure(\(RLHTTPError.closedEarly))\n")
    }

    @Test("has a reason if its server resets it by HTTP/2", .timeLimit(.minutes(15)))
    func givenUp() throws {
        // SETTINGS, and a GOAWAY with a protocol error before any stream was processed.
        let frames = "000000040000000000" + "000008070000000000" + "0000000000000001"
        let server = try PythonServer(certificate: Certificates.server, frames: frames)
        let fetch = Fetch(try server.request("any"))
        #expect(fetch.run() == nil)
        guard case .malformedResponse(let reason) = fetch.error else {
            Issue.record("\(String(describing: fetch.error))")
            return
        }
        // Libcurl may have no text for the number.
        #expect(!reason.isEmpty && !reason.contains("error 16"))
    }

    @Test("is refused if its settings make no sense") func unusable() throws {
        let server = try PythonServer(certificate: Certificates.server)
        var request = try server.request("kept")
        request.security.authorities = [Data("nothing".utf8)]
        #expect(code(of: request) == Int(kRLStreamErrorSSLBadConfiguration))
    }

    /// The code of the error with which a request fails.
    private func code(of request: RLHTTPRequest) -> Int? {
        let fetch = Fetch(request)
        _ = fetch.run()
        guard case .failure(.connectionNotSecured(let error)) = fetch.results.first else {
            return nil
        }
        #expect(!error.description.isEmpty)
        return error.code
    }
}
