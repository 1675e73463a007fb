import FoundationEssentials
import RunLoopNetworking
import Synchronization

/// A client and a server that use TLS, and certificates that the client rejects.
struct HTTPSFetchSample: Sample {
    let name = "https-fetch"
    let summary = "fetches by https from a server whose certificate is signed by itself"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let server = RLPermanentThread(name: "server")
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        let serving = Task { await serve(listener, on: server.runLoop) }
        defer {
            listener.invalidate()
            serving.cancel()
        }

        guard let url = URL(string: "https://127.0.0.1:\(listener.port)/") else {
            return trace.fail("there is no URL")
        }
        var request = RLHTTPRequest(url: url)
        trace.event("trusts the authorities of the system: \(fetch(request))")
        request.security.authorities = [Data(certificate.utf8)]
        trace.event("trusts the certificate: \(fetch(request))")
        request.security.peerName = .named("elsewhere.example")
        trace.event("expects another name: \(fetch(request))")

        let refused = "the connection is not secure: The peer's certificate is"
        trace.expect([
            "trusts the authorities of the system: \(refused) signed by an unknown authority.",
            "trusts the certificate: got 'a secret'",
            "expects another name: "
                + "\(refused) for another name than the one that was connected to.",
        ])
    }

    // Sends a request while the main loop runs. Returns a line with the result.
    private func fetch(_ request: RLHTTPRequest) -> String {
        let outcome = Mutex("nothing, in all this time")
        let operation = RLHTTPRequestOperation(request) { result in
            outcome.withLock { $0 = describe(result) }
            RLRunLoopStop(RLRunLoopGetMain())
        }
        operation.start()
        RLRunLoopRunInMode(.defaultMode, 20, false)
        return outcome.withLock { $0 }
    }
}

private func serve(_ listener: RLListener, on loop: RLRunLoopRef) async {
    var security = RLStreamTLSSettings()
    security.isServer = true
    security.certificates = [Data((certificate + "\n" + key).utf8)]
    for await connection in listener.connections(on: loop) {
        // Set TLS before the streams are opened. The property applies to both streams.
        connection.input.setProperty(security, forKey: .sslSettingsKey)
        do {
            for try await line in connection.input.lines(on: loop) where line.isEmpty { break }
            let answer = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\na secret"
            try await connection.output.write(contentsOf: Array(answer.utf8), on: loop)
        } catch {}
        connection.close()
    }
}

private func describe(_ result: Result<RLHTTPResponse, RLHTTPError>) -> String {
    switch result {
    case .success(let response): "got '\(String(decoding: response.body, as: UTF8.self))'"
    case .failure(let error): "\(error)"
    }
}

/// The certificate of localhost, which is self-signed.
private let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBUDCB9qADAgECAgEBMAoGCCqGSM49BAMCMBExDzANBgNVBAMMBnNhbXBsZTAg
    Fw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowETEPMA0GA1UEAwwGc2Ft
    cGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVF34xNdnboeCV2hMLKxTczzF
    C+vLirsrh6QJlgKjJeSJMH8+4pxsR9Njvuq2tx1aMbwllxzM2CtRGfz+oZu10KM9
    MDswGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBQe63sIPAlM
    A3GAAcQnNCUmJ3bMwTAKBggqhkjOPQQDAgNJADBGAiEA08StwDFtWp/sGemcsp7y
    yNu2Z0eEsvEUHtUdA7iFqnoCIQDqLDh9CGU5oG8t4PXIre/kL2GWE6D3BB2yYOcy
    RwGEuw==
    -----END CERTIFICATE-----
    """

/// The key of the certificate; not a secret.
private let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeku9W3p2SnWGL31h
    3kECa3rHwKHagwTiVAg3jvG/2NyhRANCAARUXfjE12duh4JXaEwsrFNzPMUL68uK
    uyuHpAmWAqMl5Ikwfz7inGxH02O+6ra3HVoxvCWXHMzYK1EZ/P6hm7XQ
    -----END PRIVATE KEY-----
    """
