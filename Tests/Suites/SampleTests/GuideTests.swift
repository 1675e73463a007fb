import Foundation
import ProcessKit
import RunLoopKit
import Testing

@Suite("The guides")
struct GuideTests {
    @Test("port a file from Foundation's run loop by their line to one that does the same")
    func output() throws {
        let original = try ChildProcess(product: "foundation-file", [])
        let ported = try ChildProcess(path: Fixtures.built().path("ported-foundation-file"), [])

        #expect(original.exitCode == 0)
        #expect(original.output.hasSuffix("Notification of a Port\ntrue\n"))
        #expect(ported.exitCode == 0)
        #expect(ported.output == original.output)
    }

    @Test("have a file with Foundation's names use this library by one file beside it")
    func aliases() throws {
        let original = try ChildProcess(product: "foundation-file", [])
        let unedited = try ChildProcess(path: Fixtures.built().path("unedited-foundation-file"), [])

        #expect(unedited.exitCode == 0)
        #expect(unedited.output == original.output)
    }

    @Test(
        "have clients with threads and queues of their own use this library by that file",
        arguments: [
            ("packets", "300 bytes are back\nthe session has closed its streams\n"),
            (
                "plans",
                "the plan was executed 20 times\nthe action is released on the main thread: true\n"
            ),
            (
                "transport",
                "hello on the main thread: false\nthe transport has disconnected\n"
            ),
        ]
    )
    func clients(program: String, expected: String) throws {
        let process = try ChildProcess(path: Fixtures.built().path(program), [])

        #expect(process.exitCode == 0 && process.output == expected, "\(process.output)")
    }

    @Test("have XCTest wait for timers")
    func expectations() throws {
        let process = try ChildProcess(product: "xctest-probe", [])

        #expect(process.exitCode == 0)
        #expect(process.output.contains("Executed 8 tests, with 0 failures"))
    }

    @Test("have XCTest run 45 tests in the manner of Foundation's own, which leave nothing")
    func manyTests() throws {
        let process = try ChildProcess(product: "xctest-probe", ["many"])

        #expect(process.exitCode == 0, "\(process.output)")
        #expect(process.output.contains("Executed 45 tests, with 0 failures"))
    }

    @Test("have XCTest report the items that a test leaves in the main loop")
    func leftovers() throws {
        let process = try ChildProcess(product: "xctest-probe", ["leaving"])

        #expect(process.exitCode == 1)
        #expect(process.output.contains("Executed 1 test, with 1 failure"))
        #expect(
            process.output.contains("testLeaves has left in the main run loop: timer in mode ")
        )
    }

    @Test("have Swift Testing run a loop until something has happened") @MainActor
    func repeats() {
        var count = 0
        let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { _ in
            count += 1
        }
        let limit = Date(timeIntervalSinceNow: 100)
        while count < 3, Date.now < limit {
            _ = RLRunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
        }
        timer.invalidate()
        #expect(count >= 3)
    }
}
