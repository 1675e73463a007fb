import FoundationEssentials
import RunLoopNetworking

/// A client and a server that speak TLS, and whom the client refuses.
struct HTTPSFetchSample: Sample {
    let name = "https-fetch"
    let summary = "fetches by https from a server whose certificate has an authority of its own"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        var security = RLStreamTLSSettings()
        security.isServer = true
        security.certificates = [Data(SampleCertificates.server.utf8)]
        let server = try unwrap(
            OwnWebServer("our own server", security: security),
            "There is no server."
        )
        defer { server.stop() }

        let url = try unwrap(URL(string: "https://127.0.0.1:\(server.port)/chunks"), "/chunks")
        var request = RLHTTPRequest(url: url)
        trace.event("trusts the authorities of the system: \(fetch(request))")
        request.security.authorities = [Data(SampleCertificates.authority.utf8)]
        trace.event("trusts the server's authority: \(fetch(request))")
        request.security.peerName = .named("elsewhere.example")
        trace.event("expects another name: \(fetch(request))")

        let refused = "the connection is not secure: The peer's certificate is"
        trace.expect([
            "trusts the authorities of the system: \(refused) signed by an unknown authority.",
            "trusts the server's authority: got '\(WebPages.chunks.joined())'",
            "expects another name: "
                + "\(refused) for another name than the one that was connected to.",
        ])
    }

    /// Fetches a page while the main loop runs, and returns a line with the result.
    private func fetch(_ request: RLHTTPRequest) -> String {
        let outcome = Locked("nothing, in all this time")
        let operation = RLHTTPRequestOperation(request) { result in
            outcome.withLock { $0 = describe(result) }
            RLRunLoopStop(RLRunLoopGetMain())
        }
        operation.start()
        RLRunLoopRunInMode(.defaultMode, 20, false)
        return outcome.withLock { $0 }
    }
}

private func describe(_ result: Result<RLHTTPResponse, RLHTTPError>) -> String {
    switch result {
    case .success(let response): "got '\(String(decoding: response.body, as: UTF8.self))'"
    case .failure(let error): "\(error)"
    }
}
