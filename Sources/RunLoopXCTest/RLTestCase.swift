// Serves the main run loop in XCTest. It has its own module, so that only tests link XCTest.

@_exported public import RunLoopTesting
public import XCTest

/// A test case that serves the main run loop while a test waits, and reports items that the test
/// leaves in the loop.
///
/// ```swift
/// import RunLoopXCTest
/// import XCTest
///
/// final class ReminderTests: RLTestCase {
///     func testReminds() {
///         let reminded = expectation(description: "reminded")
///         RLTimer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { _ in
///             reminded.fulfill()
///         }
///         wait(for: [reminded], timeout: 10)
///     }
/// }
/// ```
///
/// XCTest waits by running Foundation's loop of the main thread. From the first `RLTestCase` test
/// to the end of the process, Foundation's loop also serves `RLRunLoop.main` in default mode, by
/// `RLRunLoop.serveInMainQueue(mode:)`, which other code must not call. So `wait(for:timeout:)`,
/// `waitForExpectations(timeout:)` and `await` in `async` tests serve timers, sources and performed
/// closures of the main loop.
///
/// At the end of each test, after `tearDown()`, the loop runs until it is idle. Then each source,
/// observer, timer and closure that is left in the loop fails the test. The message names the item.
///
/// A test may control the main loop's time with an `RLTestClock`. Such a test advances the clock
/// instead of waiting, because XCTest waits in real time.
open class RLTestCase: XCTestCase {
    private static let hosting = RLRunLoop.current.serveInMainQueue()

    /// Runs the test while the main loop is served, and reports the items that the test leaves.
    ///
    /// Called by XCTest, on the main thread.
    open override func invokeTest() {
        _ = Self.hosting
        let loop = RLRunLoop.current
        loop.runUntilIdle()
        let leftovers = RLLoopLeftovers(of: loop.getRLRunLoop())
        super.invokeTest()
        loop.runUntilIdle()
        for line in leftovers.find() {
            XCTFail("\(name) has left in the main run loop: \(line)")
        }
    }
}
