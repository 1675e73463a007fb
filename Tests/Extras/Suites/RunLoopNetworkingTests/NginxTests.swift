import FoundationEssentials
import Glibc
import RunLoopNetworking
import Testing
import ThreadKit

private func string(_ data: Data) -> String {
    String(decoding: data, as: UTF8.self)
}

@Suite("A client of nginx", .serialized, .enabled(if: NginxServer.isInstalled))
struct NginxTests {
    private let server: NginxServer
    private let client = RLHTTPClient()

    init() throws {
        server = try NginxServer()
    }

    @Test("speaks HTTP/2 over TLS, many requests on one connection") func version2() async throws {
        // The first request discovers the server's version.
        let first = try await client.response(for: server.request("protocol", isSecured: true))
        #expect(first.majorVersion == 2 && first.minorVersion == 0)
        let request = try server.request("protocol", isSecured: true)
        let client = client
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { string(try await client.response(for: request).body) }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1 && bodies.first?.hasPrefix("HTTP/2.0 ") == true)
        let plain = try await client.response(for: server.request("protocol"))
        #expect(plain.majorVersion == 1 && plain.minorVersion == 1)
    }

    @Test("has parts come by HTTP/1.1, whose server waits") func parts() async throws {
        let first = try await client.response(for: server.request("protocol", isSecured: true))
        let (head, body) = try await client.parts(
            of: server.request("large.txt", isSecured: true)
        )
        var length = 0
        for try await part in body { length += part.count }
        #expect(first.majorVersion == 2 && head.majorVersion == 1 && length == 1_048_576)
    }

    @Test("decompresses bodies") func compressed() async throws {
        var request = try server.request("large.txt")
        let response = try await client.response(for: request)
        #expect(response.body.count == 1_048_576)
        #expect(response.value(forField: "Content-Encoding") == "gzip")
        request.limits.bodyLength = 1_048_575
        await #expect(throws: RLHTTPError.limitExceeded("body")) {
            try await client.response(for: request)
        }
        request = try server.request("large.txt")
        request.decompresses = false
        let plain = try await client.response(for: request)
        #expect(plain.value(forField: "Content-Encoding") == nil)
    }

    @Test("follows redirects that come to an end") func redirects() async throws {
        #expect(try await client.response(for: server.request("moved")).body.count == 1024)
        await #expect(throws: RLHTTPError.tooManyRedirects) {
            try await client.response(for: server.request("circle"))
        }
    }

    @Test("requests ranges") func ranges() async throws {
        var request = try server.request("large.txt")
        request.fields = [RLHTTPField(name: "Range", value: "bytes=16-19")]
        request.decompresses = false
        let response = try await client.response(for: request)
        #expect(response.statusCode == 206 && string(response.body) == "0123")
    }

    @Test("is authenticated") func credentials() async throws {
        var request = try server.request("private")
        #expect(try await client.response(for: request).statusCode == 401)
        request.credentials = .basic(user: "user", password: "password")
        #expect(try await client.response(for: request).statusCode == 200)
    }

    @Test("puts and removes files") func files() async throws {
        var request = try server.request("files/new.txt")
        request.method = "PUT"
        request.body = .data(Data(repeating: 65, count: 500_000))
        #expect(try await client.response(for: request).statusCode == 201)
        let got = try await client.response(for: server.request("new.txt"))
        #expect(got.body.count == 500_000)
        request.method = "DELETE"
        request.body = nil
        #expect(try await client.response(for: request).statusCode == 204)
        request.method = "HEAD"
        let head = try await client.response(for: request)
        #expect(head.statusCode == 404 && head.body.isEmpty)
    }

    @Test("has a response of a broken backend, and a limit for a slow one") func backends()
        async throws
    {
        #expect(try await client.response(for: server.request("broken")).statusCode == 502)
        var request = try server.request("slow")
        request.decompresses = false
        request.timeoutIntervalForResource = .milliseconds(300)
        await #expect(throws: RLHTTPError.timedOut) { try await client.response(for: request) }
    }

    @Test(
        "applies the idle time-out to one of the requests on a connection",
        .timeLimit(.minutes(15))
    )
    func silence() async throws {
        let before = try await client.response(for: server.request("protocol", isSecured: true))
        var request = try server.request("silent", isSecured: true)
        request.timeoutIntervalForRequest = .milliseconds(100)
        await #expect(throws: RLHTTPError.timedOut) { try await client.response(for: request) }
        let after = try await client.response(for: server.request("protocol", isSecured: true))
        #expect(before.body == after.body && before.majorVersion == 2)
    }

    @Test("has a thousand requests at a time") func thousand() async throws {
        var configuration = RLHTTPClientConfiguration()
        configuration.connectionsPerHost = 0
        configuration.requestsAtATime = 1000
        let client = RLHTTPClient(configuration: configuration)
        let request = try server.request("small.txt")
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1000 {
                group.addTask { try await client.response(for: request).body.count }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 1_024_000)
    }

    // In its own process, whose descriptors and memory are counted.
    @Test("does not grow") func growth() async {
        await #expect(processExitsWith: .success) {
            let server = try NginxServer()
            let client = RLHTTPClient()
            let requests = [
                try server.request("small.txt"), try server.request("small.txt", isSecured: true),
            ]
            func fetch(_ count: Int) async throws {
                for number in 0..<count {
                    let response = try await client.response(for: requests[number % 2])
                    #expect(response.body.count == 1024)
                }
            }
            try await fetch(1000)
            let before = (descriptors: descriptorCount(), bytes: bytesInUse())
            try await fetch(10000)
            #expect(descriptorCount() == before.descriptors)
            #expect(bytesInUse() < before.bytes + 1 << 20)
        }
    }

    // In its own process, which has another environment.
    @Test("goes through the proxy of the environment, with TLS too") func proxy() async {
        await #expect(processExitsWith: .success) {
            let server = try NginxServer()
            setenv("http_proxy", "http://127.0.0.1:\(server.proxyPort)", 1)
            setenv("https_proxy", "http://127.0.0.1:\(server.proxyPort)", 1)
            let client = RLHTTPClient()
            let plain = try await client.response(for: server.request("small.txt"))
            #expect(plain.body.count == 1024)
            #expect(plain.value(forField: "Via")?.contains("tinyproxy") == true)
            let secured = try await client.response(
                for: server.request("protocol", isSecured: true)
            )
            #expect(string(secured.body).hasPrefix("HTTP/2.0"))
            #expect(secured.value(forField: "Via") == nil)
            for proxy in ["bad://me:secret@127.0.0.1:1", "http://me:secret@127.0.0.1:no"] {
                setenv("http_proxy", proxy, 1)
                let error = await #expect(throws: RLHTTPError.self) {
                    try await client.response(for: server.request("small.txt"))
                }
                #expect(error.map { "\($0)".contains("secret") } == false)
            }
        }
    }
}

private func descriptorCount() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
}

/// The resident memory of the process in bytes.
///
/// With a sanitizer, which delays freeing, the allocated bytes.
func bytesInUse() -> Int {
    if let function = dlsym(nil, "__sanitizer_get_current_allocated_bytes") {
        return unsafeBitCast(function, to: (@convention(c) () -> Int).self)()
    }
    return residentPages() * Int(getpagesize())
}

private func residentPages() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return -1 }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = fread(&bytes, 1, bytes.count, file)
    let numbers = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
    return numbers.count > 1 ? Int(numbers[1]) ?? -1 : -1
}
