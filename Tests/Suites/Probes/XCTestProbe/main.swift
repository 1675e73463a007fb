// The tests of Docs/TestingYourCode.md in XCTest, which waits by running Foundation's run loop.

import DeferralKit
import RunLoopXCTest
import XCTest

final class ReminderTests: RLTestCase {
    func testReminds() {
        let reminded = expectation(description: "reminded")
        RLTimer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { _ in reminded.fulfill() }
        // XCTest calls tests on the main thread.
        nonisolated(unsafe) let test = self
        MainActor.assumeIsolated { test.waitForExpectations(timeout: 100) }
    }

    func testRepeats() {
        var count = 0
        let reminded = expectation(description: "reminded three times")
        let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { _ in
            count += 1
            if count == 3 { reminded.fulfill() }
        }
        wait(for: [reminded], timeout: 100)
        timer.invalidate()
    }

    @MainActor func testAwaits() async {
        let reminded = expectation(description: "reminded")
        synchronously { RLRunLoop.main.perform(afterDelay: 0.001) { reminded.fulfill() } }
        await fulfillment(of: [reminded], timeout: 100)
    }
}

final class ClockTests: RLTestCase {
    private var timer: RLTimer?
    private var count = 0

    override func setUp() {
        timer = .scheduledTimer(withTimeInterval: 3600, repeats: true) { [unowned self] _ in
            count += 1
        }
    }

    override func tearDown() {
        timer?.invalidate()
    }

    func testHours() {
        let clock = RLTestClock()
        clock.advance(by: .seconds(24 * 3600))
        XCTAssertEqual(count, 24)
        clock.end()
    }

    /// A wait serves items that became due in an advance.
    func testWaitsByAClock() {
        let clock = RLTestClock()
        let performed = expectation(description: "performed")
        RLRunLoop.current.perform(afterDelay: 60) { performed.fulfill() }
        clock.jump(by: .seconds(60))
        wait(for: [performed], timeout: 100)
        XCTAssertEqual(count, 0)
        clock.end()
    }
}

/// The table of `StarvationTests`, for the main loop while XCTest waits.
final class StarvationTests: RLTestCase {
    /// The pools of the loop remain installed.
    override class func setUp() {
        RLRunLoop.current.installAutoreleasePool()
    }

    func testNothingStarves() {
        for what in Deferral.allCases + Deferral.allCases {
            let done = expectation(description: "\(what)")
            let kept = what { done.fulfill() }
            wait(for: [done], timeout: 100)
            withExtendedLifetime(kept) {}
        }
    }
}

/// `async` tests on the main actor, with and without the main loop in the main queue.
final class AsyncTests: XCTestCase {
    @MainActor func testAdvances() async {
        await advanceAnHour()
    }
}

final class HostedAsyncTests: RLTestCase {
    @MainActor func testAdvances() async {
        await advanceAnHour()
    }
}

@MainActor private func advanceAnHour() async {
    var count = 0
    var loop: RLRunLoopRef?
    var timer: RLTimer?
    synchronously {
        loop = RLRunLoopGetCurrent()
        timer = .scheduledTimer(withTimeInterval: 60, repeats: true) { _ in count += 1 }
    }
    guard let loop else { return XCTFail("the main thread has no loop") }
    let clock = RLTestClock(for: .loops([loop]))
    await clock.advance(by: .seconds(3600), on: loop)
    XCTAssertEqual(count, 60)
    clock.end()
    timer?.invalidate()
}

/// Fails by leaving items, if selected.
final class LeavingTests: RLTestCase {
    func testLeaves() {
        RLTimer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in }
    }
}

/// Calls a function that is unavailable in `async` functions.
private func synchronously(_ body: () -> Void) {
    body()
}

let leavingTests = [testCase([("testLeaves", LeavingTests.testLeaves)])]
let guideTests = [
    // Before the main loop is in the queue.
    testCase([("testAdvances", asyncTest(AsyncTests.testAdvances))]),
    testCase([("testAdvances", asyncTest(HostedAsyncTests.testAdvances))]),
    testCase([
        ("testReminds", ReminderTests.testReminds),
        ("testRepeats", ReminderTests.testRepeats),
        ("testAwaits", asyncTest(ReminderTests.testAwaits)),
    ]),
    testCase([
        ("testHours", ClockTests.testHours),
        ("testWaitsByAClock", ClockTests.testWaitsByAClock),
    ]),
    testCase([("testNothingStarves", StarvationTests.testNothingStarves)]),
]
let manyTests =
    RunLoopTests.all + TimerTests.all + ThreadTests.all + NotificationQueueTests.all
    + StreamTests.all + PortTests.all

// The first argument selects the tests; the rest is XCTest's, such as the name of a test.
let tests: [XCTestCaseEntry] =
    switch CommandLine.arguments.dropFirst().first {
    case "leaving": leavingTests
    case "many": manyTests
    default: guideTests
    }
XCTMain(tests, arguments: [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2))
