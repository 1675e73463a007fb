// Threads and notification queues in XCTest.

import RunLoopXCTest
import XCTest

final class ThreadTests: RLTestCase {
    func testTestsAreOnTheMainThread() {
        XCTAssertTrue(RLThread.isMainThread && RLThread.current.isMainThread)
        XCTAssertTrue(RLThread.current.isEqual(RLThread.main))
    }

    func testDetachesAThread() {
        let ran = expectation(description: "ran")
        RLThread.detachNewThread {
            XCTAssertFalse(RLThread.isMainThread)
            ran.fulfill()
        }
        wait(for: [ran], timeout: 100)
    }

    func testReturnsItsState() {
        let began = expectation(description: "began")
        let thread = RLThread { began.fulfill() }
        XCTAssertFalse(thread.isExecuting || thread.isFinished || thread.isCancelled)
        thread.start()
        wait(for: [began], timeout: 100)
        thread.join()
        XCTAssertTrue(thread.isFinished && !thread.isExecuting)
    }

    func testIsCancelledByItsOwnWill() {
        let seen = expectation(description: "seen")
        let thread = RLThread {
            while !RLThread.current.isCancelled { sched_yield() }
            seen.fulfill()
        }
        thread.start()
        thread.cancel()
        XCTAssertTrue(thread.isCancelled)
        wait(for: [seen], timeout: 100)
        thread.join()
    }

    func testHasAName() {
        let named = expectation(description: "named")
        let thread = RLThread {
            XCTAssertEqual(RLThread.current.name, "clerk")
            named.fulfill()
        }
        thread.name = "clerk"
        thread.start()
        wait(for: [named], timeout: 100)
        thread.join()
    }

    func testHasADictionaryOfItsOwn() {
        RLThread.current.threadDictionary["key"] = "main"
        let asked = expectation(description: "asked")
        RLThread.detachNewThread {
            XCTAssertNil(RLThread.current.threadDictionary["key"])
            asked.fulfill()
        }
        wait(for: [asked], timeout: 100)
        XCTAssertEqual(RLThread.current.threadDictionary["key"] as? String, "main")
        RLThread.current.threadDictionary["key"] = nil
    }

    func testRunsALoopOfItsOwn() {
        let fired = expectation(description: "fired")
        RLThread.detachNewThread {
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
                fired.fulfill()
            }
            while timer.isValid { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
        }
        wait(for: [fired], timeout: 100)
    }

    func testPerformsOnTheMainThread() {
        let performed = expectation(description: "performed")
        RLThread.detachNewThread {
            RLRunLoop.main.perform {
                XCTAssertTrue(RLThread.isMainThread)
                performed.fulfill()
            }
        }
        wait(for: [performed], timeout: 100)
    }

    static let all = [
        testCase([
            ("testTestsAreOnTheMainThread", testTestsAreOnTheMainThread),
            ("testDetachesAThread", testDetachesAThread),
            ("testReturnsItsState", testReturnsItsState),
            ("testIsCancelledByItsOwnWill", testIsCancelledByItsOwnWill),
            ("testHasAName", testHasAName),
            ("testHasADictionaryOfItsOwn", testHasADictionaryOfItsOwn),
            ("testRunsALoopOfItsOwn", testRunsALoopOfItsOwn),
            ("testPerformsOnTheMainThread", testPerformsOnTheMainThread),
        ])
    ]
}

final class NotificationQueueTests: RLTestCase {
    private let kind = RLNotification.Name("XCTestProbe")
    private let queue = RLNotificationQueue.default
    private var token: RLNotificationCenter.Token?
    private let numbers = Box([Int]())
    private let posted = Box<XCTestExpectation?>(nil)

    override func setUp() {
        token = RLNotificationCenter.default.addObserver(forName: kind) { [numbers, posted] in
            numbers.value.append($0.userInfo?["number"] as? Int ?? 0)
            posted.value?.fulfill()
        }
    }

    override func tearDown() {
        if let token { RLNotificationCenter.default.removeObserver(token) }
    }

    private func enqueue(
        _ number: Int,
        _ style: RLNotificationQueue.PostingStyle,
        mask: RLNotificationQueue.NotificationCoalescing = [],
        modes: [RLRunLoop.Mode]? = nil
    ) {
        queue.enqueue(
            RLNotification(name: kind, userInfo: ["number": number]),
            postingStyle: style,
            coalesceMask: mask,
            forModes: modes
        )
    }

    private func waitForPosting() {
        let first = expectation(description: "posted")
        first.assertForOverFulfill = false
        posted.value = first
        wait(for: [first], timeout: 100)
        RLRunLoop.current.runUntilIdle()
    }

    private func expectNothing() {
        RLRunLoop.current.runUntilIdle()
        XCTAssertEqual(numbers.value, [])
    }

    /// The loop is empty and makes no pass by itself (NSNQ-5).
    func testPostsSoon() {
        enqueue(1, .asap)
        XCTAssertEqual(numbers.value, [])
        waitForPosting()
        XCTAssertEqual(numbers.value, [1])
    }

    /// The loop is empty and makes no pass by itself (NSNQ-5).
    func testPostsWhenIdle() {
        enqueue(1, .whenIdle)
        XCTAssertEqual(numbers.value, [])
        waitForPosting()
        XCTAssertEqual(numbers.value, [1])
    }

    func testPostsNow() {
        enqueue(1, .now)
        XCTAssertEqual(numbers.value, [1])
    }

    /// Modes are compared by name, and no loop runs in `.common` (NSNQ-4).
    func testPostsNowInTheModesGivenOnly() {
        RLRunLoop.current.perform(afterDelay: 0) { [self] in
            enqueue(1, .now, modes: ["special"])
            enqueue(2, .now, modes: [.common])
            enqueue(3, .now, modes: [.common, .default])
        }
        waitForPosting()
        XCTAssertEqual(numbers.value, [3])
    }

    func testMergesByName() {
        for number in 1...3 { enqueue(number, .asap, mask: .onName) }
        waitForPosting()
        XCTAssertEqual(numbers.value, [3])
    }

    func testMergesNothingWithoutAMask() {
        for number in 1...3 { enqueue(number, .asap) }
        waitForPosting()
        XCTAssertEqual(numbers.value, [1, 2, 3])
    }

    func testDropsWhatIsDequeued() {
        enqueue(1, .asap)
        queue.dequeueNotifications(matching: RLNotification(name: kind), coalesceMask: .onName)
        expectNothing()
    }

    func testPostsToNobodyWhoHasLeft() {
        if let token { RLNotificationCenter.default.removeObserver(token) }
        enqueue(1, .asap)
        expectNothing()
    }

    static let all = [
        testCase([
            ("testPostsSoon", testPostsSoon),
            ("testPostsWhenIdle", testPostsWhenIdle),
            ("testPostsNow", testPostsNow),
            ("testPostsNowInTheModesGivenOnly", testPostsNowInTheModesGivenOnly),
            ("testMergesByName", testMergesByName),
            ("testMergesNothingWithoutAMask", testMergesNothingWithoutAMask),
            ("testDropsWhatIsDequeued", testDropsWhatIsDequeued),
            ("testPostsToNobodyWhoHasLeft", testPostsToNobodyWhoHasLeft),
        ])
    ]
}
