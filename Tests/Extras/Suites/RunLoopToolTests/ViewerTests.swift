import CoreRunLoop
import Glibc
import ProcessKit
import RunLoopDiagnostics
import Testing

@testable import runloop

/// The server's side of the protocol, with viewers of all kinds in this process.
@Suite("An inspected process")
struct ViewerTests {
    private struct Greeting: Decodable {
        let viewers: Int
        let loops: Int
    }

    private struct Refusal: Decodable {
        let error: String
    }

    @Test("serves the greatest number of viewers, and unregisters viewers that leave")
    func crowd() throws {
        let program = try Inspected("inspected-busy")
        let process = try process(of: program)

        for viewer in 0..<64 {
            _ = try process.ask("sample viewer=\(viewer)", for: Readings.self)
        }
        #expect(try process.ask("hello", for: Greeting.self).viewers == 64)
        let refusal = try process.ask("sample viewer=one-more", for: Refusal.self)
        #expect(refusal.error == "64 viewers watch already")
        // Existing viewers are still served.
        #expect(try process.ask("sample viewer=63", for: Readings.self).loops.count == 2)

        for viewer in 0..<64 { _ = try process.ask("leave viewer=\(viewer)", for: Empty.self) }
        #expect(try process.ask("hello", for: Greeting.self).viewers == 0)
    }

    @Test("rejects malformed requests, and continues")
    func malformed() throws {
        let program = try Inspected("inspected-busy")
        let process = try process(of: program)
        let long = String(repeating: "x", count: 513)
        let requests = [
            "", " ", "nonsense", "HELLO", "hello\u{0}", "hello\n", "h\u{e9}llo", long, "sample",
            "sample viewer=", "sample viewer=\(long.prefix(65))", "sample viewer", "sample =1",
            "items thread=0", "items thread=x", "items thread=99999999999999999999",
            "items thread=1", "trace viewer=a capacity=1", "trace viewer=a since=-1",
            "trace viewer=a since=1 thread=1",
            "stalls viewer=a threshold=-1",
        ]

        for request in requests {
            #expect(throws: Never.self, "\(request)") {
                _ = try process.ask(request, for: Refusal.self)
            }
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let count = Int.random(in: 0..<600, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(send(bytes, to: program.number) == kRLMessagePortSuccess)
        }
        #expect(send([UInt8](repeating: 0x61, count: 8 << 20), to: program.number) == 0)
        #expect(send(Array("hello".utf8), version: 2, to: program.number) == 0)
        #expect(try process.ask("hello", for: Greeting.self).loops == 2)
    }

    @Test("survives thousands of requests from viewers that do not wait for the answers")
    func flood() throws {
        let program = try Inspected("inspected-busy")
        let process = try process(of: program)
        let port = try #require(RLMessagePortCreateRemote("runloop.inspect.\(program.number)"))

        for number in 0..<3000 {
            let line = ["hello", "sample viewer=f", "items thread=\(program.number)"][number % 3]
            let data = RLDataCreate(Array(line.utf8))
            // Without a mode for the reply, none is sent.
            let result = RLMessagePortSendRequest(port, 1, data, 100, 0, nil, nil)
            #expect(result == kRLMessagePortSuccess)
        }

        #expect(try process.ask("hello", for: Greeting.self).viewers == 1)
    }

    @Test("shows a viewer the loops while another one hangs them")
    func stopped() throws {
        let program = try Inspected("inspected-hung")
        let first = try process(of: program)

        let loop = try first.ask("sample viewer=a", for: Readings.self).loops.first
        #expect(loop?.isInCallback ?? false)
        // On a busy machine, the thread may handle the signal of backtraces late.
        let isShown = try (0..<10).contains { _ in
            try first.ask("dump", for: Dump.self).lines.contains {
                $0.function?.contains("waitForEver") ?? false
            }
        }
        #expect(isShown)
    }

    private struct Dump: Decodable {
        let lines: [ReportLine]
    }

    private func process(of program: Inspected) throws -> InspectedProcess {
        try InspectedProcess(#require(pid_t(program.number)))
    }

    private func send(_ bytes: [UInt8], version: Int32 = 1, to number: String) -> Int32 {
        guard let port = RLMessagePortCreateRemote("runloop.inspect.\(number)") else { return -1 }
        var reply: RLDataRef?
        let data = RLDataCreate(bytes)
        return RLMessagePortSendRequest(port, version, data, 100, 100, "reply", &reply)
    }
}
