import FoundationEssentials
import Glibc
import RunLoopNetworking
import ServerKit
import Testing

/// The text of a small file.
///
/// Not `Data(contentsOf:)`, which leaks for empty files.
private func contents(of path: String) throws -> String {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}

/// A response that a server sends byte by byte.
private struct Reply: Sendable {
    let bytes: [UInt8]
    /// The body, keyed by the number of bytes after which the connection may end.
    var bodies: [Int: String] = [:]
    var method = "GET"
    /// Libcurl before 8 accepts the last chunk without LF, as nothing can follow.
    var mayLackLineFeed = false

    init(_ head: String, _ content: [UInt8] = Array("hello".utf8), body: String = "hello") {
        bytes = Array("HTTP/1.1 \(head)\r\n\r\n".utf8) + content
        bodies[bytes.count] = body
    }

    /// Whether EOF ends the body.
    var isEndedByConnection: Bool { bodies.count > 1 }

    /// "hello" compressed with gzip, in two members.
    static let members: [[UInt8]] = [
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 1, 0, 27, 241, 11, 229, 3, 0, 0, 0],
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 201, 7, 0, 157, 74, 156, 85, 2, 0, 0, 0],
    ]
    static let compressed = members[0] + members[1]

    private static func chunks(_ content: [UInt8]) -> [UInt8] {
        let size = String(content.count - 1, radix: 16)
        return Array("\(size);name=value\r\n".utf8) + content.dropLast()
            + Array("\r\n1\r\n".utf8) + content.suffix(1)
            + Array("\r\n0\r\nX-End: yes\r\n\r\n".utf8)
    }

    /// Responses of all kinds; the first four are used with TLS too.
    static func all(redirectingTo place: String) -> [Reply] {
        let plain = "200 OK\r\nContent-Length: 5\r\nX-Own: a"
        let zipped = "200 OK\r\nContent-Encoding: gzip"
        let chunked = "Transfer-Encoding: chunked"
        var inChunks = Reply("200 OK\r\n\(chunked)", chunks(Array("hello".utf8)))
        inChunks.mayLackLineFeed = true
        var zippedInChunks = Reply("\(zipped)\r\n\(chunked)", chunks(compressed))
        zippedInChunks.mayLackLineFeed = true
        var head = Reply(plain, [], body: "")
        head.method = "HEAD"
        // A response that ends with the connection may end anywhere, but gzip only between members.
        var closed = Reply("200 OK\r\nX-Own: a")
        for count in 0...5 {
            closed.bodies[closed.bytes.count - 5 + count] = String("hello".prefix(count))
        }
        var zippedClosed = Reply(zipped, compressed)
        zippedClosed.bodies[zippedClosed.bytes.count - members[1].count] = "hel"
        return [
            Reply(plain), inChunks, closed, zippedClosed, zippedInChunks, head,
            Reply("204 None\r\nX-Own: a", [], body: ""),
            Reply("100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 \(plain)"),
            Reply("302 Found\r\nLocation: \(place)\r\nContent-Length: 0", []),
            Reply("\(zipped)\r\nContent-Length: \(compressed.count)", compressed),
        ]
    }
}

@Suite("A response", .serialized) struct CutTests {
    private let client: RLHTTPClient

    init() {
        var configuration = RLHTTPClientConfiguration()
        configuration.idleConnections = 0
        client = RLHTTPClient(configuration: configuration)
    }

    /// The end of a connection: plain, or TLS with or without close_notify.
    enum End: String, CaseIterable {
        case plain
        case notified
        case unnotified
    }

    private func request(_ server: PythonServer, _ bytes: some Sequence<UInt8>, _ end: End) throws
        -> RLHTTPRequest
    {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return try server.request("raw?\(end),\(digits)")
    }

    @Test(
        "is a success only if it is whole, wherever it is cut, and leaves a file else",
        .timeLimit(.minutes(15)),
        // Custom authorities need a newer libcurl too.
        arguments: hasConnectionCallback ? End.allCases : [.plain]
    )
    func cuts(end: End) async throws {
        let folder = "/tmp/RunLoopNetworking.\(getpid()).\(end)"
        let server = try PythonServer(certificate: end == .plain ? nil : Certificates.server)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = try request(server, Reply("200 OK\r\nContent-Length: 5").bytes, end).url
        let replies = Reply.all(redirectingTo: place.absoluteString)
        for (number, reply) in replies.prefix(end == .plain ? replies.count : 4).enumerated() {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for cut in 0...reply.bytes.count
                where !(reply.mayLackLineFeed && cut == reply.bytes.count - 1) {
                    group.addTask { [self] in
                        var request = try request(server, reply.bytes.prefix(cut), end)
                        request.method = reply.method
                        let path = "\(folder)/\(number).\(cut)"
                        try Data("precious".utf8).write(to: URL(filePath: path))
                        let result = await Result { @Sendable [request] in
                            try await client.download(request, toFile: path)
                        }
                        var body = reply.bodies[cut]
                        // Without close_notify, an attacker may have truncated the body.
                        if end == .unnotified, reply.isEndedByConnection { body = nil }
                        let left = try contents(of: path)
                        let response = try? result.get()
                        #expect(
                            (response != nil) == (body != nil) && left == body ?? "precious",
                            "\(number), \(cut) of \(reply.bytes.count): \(result), '\(left)'"
                        )
                    }
                }
                try await group.waitForAll()
            }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.allSatisfy { !$0.hasSuffix(".part") })
    }

    @Test("has a whole body if that is compressed, whatever length its head announces")
    func members() async throws {
        let server = try PythonServer()
        func body(_ content: some Collection<UInt8>, coding: String = "gzip") async throws -> String
        {
            let head = "200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(content.count)"
            let request = try request(server, Reply(head, Array(content)).bytes, .plain)
            return String(decoding: try await client.response(for: request).body, as: UTF8.self)
        }
        let first = Reply.members[0].count
        for count in 0...Reply.compressed.count {
            let part = try? await body(Reply.compressed.prefix(count))
            let wholes = [0: "", first: "hel", Reply.compressed.count: "hello"]
            #expect(part == wholes[count], "\(count)")
        }
        let damaged = RLHTTPError.malformedResponse("the body is not compressed by gzip")
        await #expect(throws: damaged) { try await body(Reply.compressed + [1, 2]) }
        await #expect(throws: damaged) { try await body("hello".utf8) }
        #expect(try await body("hello".utf8, coding: "identity") == "hello")
        let unknown = RLHTTPError.malformedResponse(
            "the body is compressed by 'br', and not by gzip"
        )
        await #expect(throws: unknown) { try await body("hello".utf8, coding: "br") }
    }

    @Test(
        "has a length that is one number",
        arguments: [
            "0x5", "1 0", "5, 7", "5\r\nContent-Length: 7", "+5", "-1", "", "5,", "5\r\n 0",
            "99999999999999999999",
        ]
    )
    func lengths(text: String) async throws {
        let server = try PythonServer()
        let request = try request(server, Reply("200 OK\r\nContent-Length: \(text)").bytes, .plain)
        let error = await #expect(throws: RLHTTPError.self) {
            try await client.response(for: request)
        }
        guard case .malformedResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("may announce the same length twice") func equalLengths() async throws {
        let server = try PythonServer()
        let head = "200 OK\r\nContent-Length: 5\r\nContent-Length: 5"
        let request = try request(server, Reply(head).bytes, .plain)
        #expect(try await client.response(for: request).body == Data("hello".utf8))
    }

    @Test(
        "has no fields of another head",
        arguments: [
            "200 OK\r\nHTTP/1.1 500 x: y\r\nContent-Length: 5", "200 OK\r\nContent-Length : 5",
            "302 OK\r\nHTTP/1.1 500 x: y\r\nLocation: /kept", "200 OK\r\nTransfer-Encoding: gzip",
            "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nHTTP/1.1 500 x: y",
        ]
    )
    func fields(head: String) async throws {
        let server = try PythonServer()
        let request = try request(server, Reply(head, []).bytes, .plain)
        let error = await #expect(throws: RLHTTPError.self) {
            try await client.response(for: request)
        }
        guard case .malformedResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("is not followed if it is no redirect", arguments: [300, 304, 305, 306, 310, 399])
    func otherCodes(code: Int) async throws {
        let server = try PythonServer()
        let response = try await client.response(for: server.request("moved?\(code)"))
        #expect(response.statusCode == code)
    }

    @Test("is too long if one line is too long", arguments: [false, true]) func longLine(
        isLast: Bool
    )
        async throws
    {
        let server = try PythonServer()
        let request = try server.request(isLast ? "trailer?200000" : "line?200000")
        await #expect(throws: RLHTTPError.limitExceeded(isLast ? "trailers" : "head")) {
            try await client.response(for: request)
        }
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(catching body: @Sendable () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
