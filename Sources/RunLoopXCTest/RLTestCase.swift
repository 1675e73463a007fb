// The main run loop in XCTest, in its own module, so that only tests link that framework.

@_exported public import RunLoopTesting
public import XCTest

/// A test case that serves the main run loop while it waits, and reports items that a test leaves
/// in it.
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
/// XCTest waits by running Foundation's loop of the main thread. From the first such test to the
/// end of the process, that loop serves `RLRunLoop.main` in default mode
/// (`RLRunLoop.serveInMainQueue(mode:)`, which other code must not call then). So
/// `wait(for:timeout:)`, `waitForExpectations(timeout:)` and the `await`s of `async` tests serve
/// timers, sources and performed closures of the main loop.
///
/// At the end of each test, after `tearDown()`, the loop runs until it is idle. Each source,
/// observer, timer and closure that is left then fails the test, by name.
///
/// A test may control the main loop's time with an `RLTestClock`. It then advances the clock
/// instead of waiting: XCTest waits in real time.
open class RLTestCase: XCTestCase {
    private static let hosting = RLRunLoop.current.serveInMainQueue()

    /// Runs the test while the main loop is served, and reports the items that it leaves.
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
