// The main run loop in tests of XCTest. A module of its own, so that only tests link that
// framework.

@_exported public import RunLoopTesting
public import XCTest

/// A test case whose waiting serves the main run loop, in which each test must leave nothing.
///
/// ```
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
/// XCTest waits by running Foundation's loop of the main thread. That serves `RLRunLoop.main` here,
/// in default mode, from the first such test to the end of the process
/// (`RLRunLoop.serveInMainQueue(mode:)`, which nobody else may call then). So
/// timers, sources and performed closures of the main loop are served by `wait(for:timeout:)`,
/// `waitForExpectations(timeout:)` and the `await`s of tests that are `async`.
///
/// At the end of each test, after `tearDown()`, the loop runs until it is idle; each source,
/// observer, timer and closure that is left then is a failure of the test, which names it.
///
/// A test may own the main loop's time by an `RLTestClock`: it advances the clock, and has no need
/// to wait. XCTest's waiting takes real time, and lets none pass by the clock.
open class RLTestCase: XCTestCase {
    private static let hosting = RLRunLoop.current.serveInMainQueue()

    /// Runs the test with the main loop being served, and looks at what it leaves.
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
