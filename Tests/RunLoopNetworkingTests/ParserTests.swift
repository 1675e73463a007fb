import FoundationEssentials
import Testing

@testable import RunLoopNetworking

@Suite("The reader of responses") struct ParserTests {
    /// Reads a text in pieces of some length, and the end of the connection if there is more to
    /// come.
    private func parse(
        _ text: String,
        pieceLength: Int = .max,
        limits: RLHTTPLimits = RLHTTPLimits()
    ) throws(RLHTTPError) -> RLHTTPResponse {
        var parser = ResponseParser(limits: limits)
        var rest = [UInt8](text.utf8)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieceLength)
            try parser.take([UInt8](piece))
            rest = rest.dropFirst(piece.count)
        }
        if !parser.isComplete { try parser.takeEnd() }
        return parser.response
    }

    private static let texts = [
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
        "HTTP/1.1 200 OK\r\ncontent-length:4, 4\r\n\r\nbody and more",
        "HTTP/1.0 200 \r\n\r\nbody",
        "HTTP/1.9 200 Fine\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbod\r\n01 ;x=\"y\"\r\ny\r\n0\r\n\r\n",
        "HTTP/1.1 100 Go on\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
    ]

    @Test("does not care in which pieces they come", arguments: texts, [1, 2, 3, 7, 1000])
    func pieces(text: String, length: Int) throws {
        let response = try parse(text, pieceLength: length)
        #expect(response.statusCode == 200)
        #expect(response.body == Data("body".utf8))
    }

    @Test("takes them apart") func parts() throws {
        let response = try parse(
            "HTTP/1.0 299 Very \tfine \r\nA:b\r\nC:\t d e \t\r\nF:\r\na: g\r\n\r\n"
        )
        #expect(response.minorVersion == 0 && response.reason == "Very \tfine ")
        let expected = [("A", "b"), ("C", "d e"), ("F", ""), ("a", "g")]
        #expect(response.fields == expected.map { RLHTTPField(name: $0, value: $1) })
        #expect(response.value(forField: "A") == "b, g" && response.value(forField: "f") == "")
    }

    @Test(
        "refuses what is none",
        arguments: [
            "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 200\r\n\r\n",
            "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n",
            "HTTP/1.x 200 OK\r\n\r\n", "HTTP/1.1 200 OK\n\n", "http/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n", "\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 O\0K\r\n\r\n",
        ]
    )
    func statusLines(text: String) {
        expectMalformed(text)
    }

    @Test(
        "refuses heads that mean two things, or nothing",
        arguments: [
            "A b\r\n", ": b\r\n", "A : b\r\n", " A: b\r\n", "A: b\r\n c\r\n", "A: b\rc\r\n",
            "A: \u{1}\r\n", "A: b\nC: d\r\n", "Content-Length: \r\n", "Content-Length: -1\r\n",
            "Content-Length: +1\r\n", "Content-Length: 1 1\r\n", "Content-Length: 0x1\r\n",
            "Content-Length: 1\r\nContent-Length: 2\r\n", "Content-Length: 1,\r\nA: b\r\n,\r\n",
            "Content-Length: 99999999999999999999\r\n", "Transfer-Encoding: gzip, chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", "Transfer-Encoding: \r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        ]
    )
    func heads(fields: String) {
        expectMalformed("HTTP/1.1 200 OK\r\n\(fields)\r\n")
    }

    @Test(
        "refuses chunks that are none",
        arguments: [
            "\r\n", "g\r\n", "-1\r\n", "+1\r\n", " 1\r\na\r\n", "1 1\r\n", "0x1\r\n", ";a\r\n",
            "1\na\r\n", "1\r\nab\r\n", "1\r\na0\r\n", "fffffffffffffffff\r\n", "1;\u{1}\r\na\r\n",
            "0\r\nno field\r\n\r\n",
        ]
    )
    func chunks(body: String) {
        expectMalformed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
    }

    @Test("refuses to switch protocols, and chunks in HTTP/1.0") func protocols() {
        expectMalformed("HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n")
        expectMalformed("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    }

    @Test(
        "notices that they are not complete",
        arguments: [
            "", "HTTP/1.", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Go on\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbod\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbod\r\n0\r\n",
        ]
    )
    func incomplete(text: String) {
        #expect(throws: RLHTTPError.closedEarly) { try parse(text) }
    }

    @Test("may have limits as large as numbers can be") func largestLimits() throws {
        let limits = RLHTTPLimits(
            headLength: .max,
            fieldCount: .max,
            bodyLength: .max,
            chunkExtensionLength: .max
        )
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(try parse(head + "1;a\r\nx\r\n0\r\n\r\n", limits: limits).body.count == 1)
    }

    @Test("keeps to the limits") func limits() {
        let head = "HTTP/1.1 200 OK\r\n"
        let small = RLHTTPLimits(headLength: 64, fieldCount: 2, bodyLength: 4)
        func expect(_ what: String, _ text: String) {
            #expect(throws: RLHTTPError.limitExceeded(what)) { try parse(text, limits: small) }
        }
        expect("head", head + "A: " + String(repeating: "b", count: 64))
        expect("head", String(repeating: "HTTP/1.1 100 OK\r\n\r\n", count: 4))
        expect("number of fields", head + "A:\r\nB:\r\nC:\r\n")
        expect("body", head + "Content-Length: 5\r\n\r\n")
        expect("body", head + "Content-Length: 9223372036854775807\r\n\r\n")
        expect("body", head + "\r\n12345")
        let large = RLHTTPLimits(
            headLength: 50,
            fieldCount: 1,
            bodyLength: 4,
            chunkExtensionLength: 20
        )
        func expectInChunks(_ what: String, _ text: String) {
            #expect(throws: RLHTTPError.limitExceeded(what)) {
                try parse(head + "Transfer-Encoding: chunked\r\n\r\n" + text, limits: large)
            }
        }
        expectInChunks("body", "2\r\nab\r\n7fffffffffffffff\r\n")
        expectInChunks("chunk extensions", "2;" + String(repeating: "x", count: 50))
        // All chunks together, and the sizes of chunks for themselves cost nothing.
        let chunk = "01;name=\"x\"\r\na\r\n"
        expectInChunks("chunk extensions", chunk + chunk + chunk)
        expectInChunks("chunk extensions", String(repeating: "0", count: 22) + "1\r\na\r\n")
        expectInChunks("trailers", "0\r\nA:" + String(repeating: "x", count: 50))
        expectInChunks("number of fields", "0\r\nA:\r\nB:\r\n")
    }

    /// What no server sends, many times over: an error or a response, and nothing else.
    @Test("survives whatever comes") func mutations() {
        var random = Random(state: 20_240_607)
        var outcomes: Set<String> = []
        for _ in 0..<4000 {
            var bytes = [UInt8](Self.texts.randomElement(using: &random)?.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1 where bytes.count > 1: bytes.remove(at: index)
                default: bytes.insert(bytes[index], at: index)
                }
            }
            var parser = ResponseParser(limits: RLHTTPLimits(bodyLength: 1000))
            do {
                try parser.take(bytes)
                if !parser.isComplete { try parser.takeEnd() }
                outcomes.insert("response")
                #expect((200...999).contains(parser.response.statusCode))
            } catch {
                outcomes.insert("error")
            }
        }
        #expect(outcomes == ["response", "error"])
    }

    private func expectMalformed(_ text: String) {
        do {
            let response = try parse(text)
            Issue.record("it was read as \(response)")
        } catch {
            guard case .malformedResponse = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}

@Suite("The head of a request") struct RequestHeadTests {
    @Test(
        "names what is asked for, and where",
        arguments: [
            ("http://example.org", "example.org", 80, "GET / HTTP/1.1", "Host: example.org"),
            ("http://[::1]:8080/a", "::1", 8080, "GET /a HTTP/1.1", "Host: [::1]:8080"),
            ("HTTP://h:80/a/?b=%20#c", "h", 80, "GET /a/?b=%20 HTTP/1.1", "Host: h:80"),
        ]
    )
    func lines(url: String, host: String, port: Int, first: String, field: String) throws {
        let head = try RequestHead(RLHTTPRequest(url: try #require(URL(string: url))))
        #expect(head.host == host && head.port == port)
        let text = String(decoding: head.bytes, as: UTF8.self)
        #expect(text.hasSuffix("\r\n\r\n"))
        let lines = text.split(separator: "\r\n")
        #expect(lines.first.map(String.init) == first && lines.contains(Substring(field)))
    }
}

/// The same numbers each time.
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
