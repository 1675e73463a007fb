// Run loops and timers in XCTest: waiting, and running the loop directly.

import Dispatch
import RunLoopXCTest
import XCTest

final class RunLoopTests: RLTestCase {
    private let loop = RLRunLoop.current

    func testCurrentIsThatOfTheThread() {
        XCTAssertTrue(loop === RLRunLoop.current && loop.isEqual(RLRunLoop.current))
        XCTAssertTrue(loop.getRLRunLoop() === RLRunLoopGetMain())
        let asked = expectation(description: "asked")
        let own = loop.hash
        RLThread.detachNewThread {
            XCTAssertNotEqual(RLRunLoop.current.hash, own)
            asked.fulfill()
        }
        wait(for: [asked], timeout: 100)
    }

    func testDoesNotRunWithNothingInTheMode() {
        XCTAssertFalse(loop.run(mode: "nothing", before: .distantFuture))
    }

    func testRunsUntilADate() {
        let limit = Date(timeIntervalSinceNow: 0.01)
        loop.run(until: limit)
        XCTAssertGreaterThanOrEqual(Date(), limit)
    }

    /// Neither a timer nor the service of the loop in tests is a source (RUN-15).
    func testDoesNotReturnForATimer() {
        let limit = Date(timeIntervalSinceNow: 0.02)
        var fires = 0
        let timer = RLTimer.scheduledTimer(withTimeInterval: 0.002, repeats: true) { _ in
            fires += 1
        }
        loop.perform {}
        XCTAssertTrue(loop.run(mode: .default, before: limit))
        XCTAssertGreaterThanOrEqual(Date(), limit)
        XCTAssertGreaterThan(fires, 0)
        timer.invalidate()
    }

    func testReturnsForASource() {
        let performed = Box(0)
        let source = RLRunLoopSourceCreate { performed.value += 1 }
        RLRunLoopAddSource(loop.getRLRunLoop(), source, .defaultMode)
        loop.perform(afterDelay: 0.001) { RLRunLoopSourceSignal(source) }
        XCTAssertTrue(loop.run(mode: .default, before: .distantFuture))
        XCTAssertEqual(performed.value, 1)
        RLRunLoopSourceInvalidate(source)
    }

    /// As in CF, work of the main queue counts as a source (MAINQ-4).
    func testReturnsForWorkOfTheMainQueue() {
        let performed = Box(0)
        DispatchQueue.main.async { performed.value += 1 }
        XCTAssertTrue(loop.run(mode: .default, before: .distantFuture))
        XCTAssertEqual(performed.value, 1)
    }

    func testKnowsTheNextDateOfAMode() {
        let timer = RLTimer(timeInterval: 1000, repeats: false) { _ in }
        loop.add(timer, forMode: "dates")
        XCTAssertEqual(loop.limitDate(forMode: "dates"), timer.fireDate)
        timer.invalidate()
        XCTAssertNil(loop.limitDate(forMode: "dates"))
    }

    func testPerformsInOrder() {
        let order = Box([Int]())
        for number in 1...3 { loop.perform { order.value.append(number) } }
        XCTAssertEqual(order.value, [])
        loop.run(mode: .default, before: .distantPast)
        XCTAssertEqual(order.value, [1, 2, 3])
    }

    func testPerformsInTheModesGivenOnly() {
        let modes = Box([RLRunLoop.Mode?]())
        loop.perform(inModes: ["special"]) { modes.value.append(RLRunLoop.current.currentMode) }
        loop.run(mode: .default, before: .distantPast)
        XCTAssertEqual(modes.value, [])
        loop.run(mode: "special", before: .distantPast)
        XCTAssertEqual(modes.value, ["special"])
    }

    func testRunsInsideARun() {
        XCTAssertNil(loop.currentMode)
        let modes = Box([RLRunLoop.Mode?]())
        loop.perform {
            RLRunLoop.current.perform(inModes: ["inner"]) {
                modes.value.append(RLRunLoop.current.currentMode)
            }
            RLRunLoop.current.run(mode: "inner", before: .distantPast)
            modes.value.append(RLRunLoop.current.currentMode)
        }
        loop.run(mode: .default, before: .distantPast)
        XCTAssertEqual(modes.value, ["inner", .default])
    }

    static let all = [
        testCase([
            ("testCurrentIsThatOfTheThread", testCurrentIsThatOfTheThread),
            ("testDoesNotRunWithNothingInTheMode", testDoesNotRunWithNothingInTheMode),
            ("testRunsUntilADate", testRunsUntilADate),
            ("testDoesNotReturnForATimer", testDoesNotReturnForATimer),
            ("testReturnsForASource", testReturnsForASource),
            ("testReturnsForWorkOfTheMainQueue", testReturnsForWorkOfTheMainQueue),
            ("testKnowsTheNextDateOfAMode", testKnowsTheNextDateOfAMode),
            ("testPerformsInOrder", testPerformsInOrder),
            ("testPerformsInTheModesGivenOnly", testPerformsInTheModesGivenOnly),
            ("testRunsInsideARun", testRunsInsideARun),
        ])
    ]
}

final class TimerTests: RLTestCase {
    func testFiresOnce() {
        let fired = expectation(description: "fired")
        let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { timer in
            XCTAssertTrue(timer.isValid)
            fired.fulfill()
        }
        XCTAssertEqual(timer.timeInterval, 0)
        wait(for: [fired], timeout: 100)
        XCTAssertFalse(timer.isValid)
    }

    func testRepeatsUntilItIsInvalidated() {
        let fired = expectation(description: "fired")
        fired.expectedFulfillmentCount = 3
        var count = 0
        let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { timer in
            count += 1
            fired.fulfill()
            if count == 3 { timer.invalidate() }
        }
        wait(for: [fired], timeout: 100)
        RLRunLoop.current.run(until: Date(timeIntervalSinceNow: 0.005))
        XCTAssertEqual(count, 3)
        XCTAssertFalse(timer.isValid)
    }

    func testFiresAfterItsInterval() {
        let begin = Date()
        let fired = expectation(description: "fired")
        RLTimer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { _ in fired.fulfill() }
        wait(for: [fired], timeout: 100)
        XCTAssertGreaterThanOrEqual(Date().timeIntervalSince(begin), 0.01)
    }

    func testFiresOnAnotherDate() {
        let fired = expectation(description: "fired")
        let timer = RLTimer.scheduledTimer(withTimeInterval: 3600, repeats: false) { _ in
            fired.fulfill()
        }
        XCTAssertGreaterThan(timer.fireDate, Date(timeIntervalSinceNow: 3500))
        timer.fireDate = Date()
        wait(for: [fired], timeout: 100)
    }

    func testFiresByHand() {
        var count = 0
        let once = RLTimer(timeInterval: 3600, repeats: false) { _ in count += 1 }
        once.fire()
        XCTAssertFalse(once.isValid)
        let often = RLTimer(timeInterval: 3600, repeats: true) { _ in count += 1 }
        often.fire()
        often.fire()
        XCTAssertTrue(often.isValid)
        often.invalidate()
        often.fire()
        XCTAssertEqual(count, 3)
    }

    func testHasALeastInterval() {
        let timer = RLTimer(timeInterval: -1, repeats: true) { _ in }
        XCTAssertEqual(timer.timeInterval, 0.0001)
        timer.invalidate()
    }

    func testWaitsForItsMode() {
        var count = 0
        let timer = RLTimer(timeInterval: 0.001, repeats: false) { _ in count += 1 }
        RLRunLoop.current.add(timer, forMode: "special")
        RLRunLoop.current.run(until: Date(timeIntervalSinceNow: 0.005))
        XCTAssertEqual(count, 0)
        while timer.isValid { RLRunLoop.current.run(mode: "special", before: .distantFuture) }
        XCTAssertEqual(count, 1)
    }

    func testCanBeInvalidatedBeforeItFires() {
        let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
            XCTFail("fired")
        }
        timer.invalidate()
        RLRunLoop.current.run(until: Date(timeIntervalSinceNow: 0.005))
    }

    func testIsEqualToWrappersOfTheSameTimer() {
        let timer = RLTimer(timeInterval: 1, repeats: false) { _ in }
        let other = RLTimer(timeInterval: 1, repeats: false) { _ in }
        let wrapper = RLTimer(timer.getRLRunLoopTimer())
        XCTAssertTrue(timer.isEqual(wrapper) && timer == wrapper && timer.hash == wrapper.hash)
        XCTAssertFalse(timer.isEqual(other) || timer.isEqual(nil) || timer.isEqual(self))
        timer.invalidate()
        other.invalidate()
    }

    static let all = [
        testCase([
            ("testFiresOnce", testFiresOnce),
            ("testRepeatsUntilItIsInvalidated", testRepeatsUntilItIsInvalidated),
            ("testFiresAfterItsInterval", testFiresAfterItsInterval),
            ("testFiresOnAnotherDate", testFiresOnAnotherDate),
            ("testFiresByHand", testFiresByHand),
            ("testHasALeastInterval", testHasALeastInterval),
            ("testWaitsForItsMode", testWaitsForItsMode),
            ("testCanBeInvalidatedBeforeItFires", testCanBeInvalidatedBeforeItFires),
            ("testIsEqualToWrappersOfTheSameTimer", testIsEqualToWrappersOfTheSameTimer),
        ])
    ]
}

/// Holds a value that several threads change; `@unchecked`: only while the test waits for them.
final class Box<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
