// The tests of Docs/Porting.md, as XCTest runs them: its waiting runs Foundation's run loop.

import RunLoopKit
import XCTest

final class ReminderTests: XCTestCase {
    override class func setUp() {
        RLRunLoop.current.serveInMainQueue()
    }

    func testReminds() {
        let reminded = expectation(description: "reminded")
        RLTimer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { _ in reminded.fulfill() }
        wait(for: [reminded], timeout: 10)
    }

    func testRepeats() {
        var count = 0
        let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { _ in
            count += 1
        }
        let limit = Date(timeIntervalSinceNow: 10)
        while count < 3, Date() < limit {
            _ = RLRunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
        }
        timer.invalidate()
        XCTAssertGreaterThanOrEqual(count, 3)
    }
}

XCTMain([
    testCase([
        ("testReminds", ReminderTests.testReminds),
        ("testRepeats", ReminderTests.testRepeats),
    ])
])
