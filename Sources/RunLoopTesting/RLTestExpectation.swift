import CRunLoop.Wrapping
import Dispatch
public import RunLoopKit

/// An event for which a test waits, like `XCTestExpectation`.
///
/// ```swift
/// let reply = RLTestExpectation("reply")
/// client.send(request) { _ in reply.fulfill() }
/// try RLTestExpectation.wait(for: [reply], timeout: .seconds(10))
/// ```
///
/// The class works with any test framework that reports thrown errors. The error names the missing
/// events.
///
/// XCTest: XCTestExpectation.
public final class RLTestExpectation: Sendable {
    /// The event's description, for messages.
    public let description: String
    /// The number of expected fulfillments.
    public let expectedFulfillmentCount: Int

    private struct State {
        var count = 0
        var waiters: [Int: @Sendable () -> Void] = [:]
        var lastWaiter = 0
    }

    private let state = Locked(State())

    /// Creates an expectation.
    ///
    /// - Parameters:
    ///   - description: A description of the event, for messages.
    ///   - count: The number of expected fulfillments, at least 1.
    public init(_ description: String, count: Int = 1) {
        self.description = description
        expectedFulfillmentCount = max(1, count)
    }

    /// Marks the event as fulfilled once more.
    ///
    /// Thread-safe. The calling thread's earlier writes to memory are visible to the waiting
    /// thread.
    public func fulfill() {
        let waiters = state.withLock { state in
            state.count += 1
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter() }
    }

    /// The number of fulfillments so far.
    public var fulfillmentCount: Int {
        state.withLock { $0.count }
    }

    /// Whether the event was fulfilled at least as often as expected.
    public var isFulfilled: Bool {
        fulfillmentCount >= expectedFulfillmentCount
    }

    fileprivate func addWaiter(_ waiter: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = waiter
            return state.lastWaiter
        }
    }

    fileprivate func removeWaiter(_ number: Int) {
        state.withLock { _ = $0.waiters.removeValue(forKey: number) }
    }
}

/// An error: expectations were not fulfilled in time or in order.
///
/// XCTest has no counterpart.
public struct RLUnfulfilledExpectations: Error, CustomStringConvertible {
    /// The descriptions of the expectations that are missing, or out of order.
    public let missing: [String]
    /// The text of the error, which names the expectations.
    public let description: String
}

extension RLTestExpectation {
    /// Runs the calling thread's loop until all expectations are fulfilled.
    ///
    /// If the loop has a ``RLTestClock`` that is not automatic, time stands still during the wait:
    /// advance the clock first, or instead of waiting.
    ///
    /// - Parameters:
    ///   - expectations: The expectations.
    ///   - timeout: The time limit, in real time.
    ///   - enforceOrder: Whether the expectations must be fulfilled in the order of the array.
    ///   - mode: The mode in which to run the loop.
    /// - Throws: ``RLUnfulfilledExpectations``, which names the missing expectations.
    public static func wait(
        for expectations: [RLTestExpectation],
        timeout: Duration = .seconds(10),
        enforceOrder: Bool = false,
        mode: RLRunLoop.Mode = .default
    ) throws(RLUnfulfilledExpectations) {
        let wait = Wait(expectations, enforceOrder: enforceOrder)
        guard let loop = RLRunLoopGetCurrent() else { return }
        let bell = RLRunLoopSourceCreate {}
        RLRunLoopAddSource(loop, bell, mode.mode)
        let wakeUp: @Sendable () -> Void = {
            RLRunLoopSourceSignal(bell)
            RLRunLoopWakeUp(loop)
        }
        let timeoutItem = wait.begin(timeout: timeout, wakeUp)
        while !wait.isOver { RLRunLoopRunInMode(mode.mode, .infinity, true) }
        timeoutItem.cancel()
        RLRunLoopSourceInvalidate(bell)
        if let failure = wait.end(after: timeout) { throw failure }
    }

    /// Suspends the task until all expectations are fulfilled.
    ///
    /// Use this function in `async` tests. The call does not run a loop.
    ///
    /// - Parameters:
    ///   - expectations: The expectations.
    ///   - timeout: The time limit, in real time.
    ///   - enforceOrder: Whether the expectations must be fulfilled in the order of the array.
    /// - Throws: ``RLUnfulfilledExpectations``, which names the missing expectations.
    public static func fulfillment(
        of expectations: [RLTestExpectation],
        timeout: Duration = .seconds(10),
        enforceOrder: Bool = false
    ) async throws(RLUnfulfilledExpectations) {
        let wait = Wait(expectations, enforceOrder: enforceOrder)
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        let timeoutItem = wait.begin(timeout: timeout) { continuation.yield() }
        if !wait.isOver {
            for await _ in changes where wait.isOver { break }
        }
        timeoutItem.cancel()
        if let failure = wait.end(after: timeout) { throw failure }
    }
}

/// A separate queue for time-outs, because blocked tests may occupy all threads of the global
/// queues.
let timeoutQueue = DispatchQueue(label: "RunLoopTesting.timeouts")

private final class Wait: Sendable {
    private struct State {
        var isTimeUp = false
        var numbers: [Int] = []
        // The indices of the expectations in the order of their fulfillment.
        var order: [Int] = []
    }

    private let expectations: [RLTestExpectation]
    private let enforcesOrder: Bool
    private let state = Locked(State())

    init(_ expectations: [RLTestExpectation], enforceOrder: Bool) {
        self.expectations = expectations
        enforcesOrder = enforceOrder
    }

    /// Begins to wait; calls `change` on any thread, for each change and after the time-out.
    func begin(timeout: Duration, _ change: @escaping @Sendable () -> Void) -> DispatchWorkItem {
        for (place, expectation) in expectations.enumerated() {
            let number = expectation.addWaiter { [self] in
                note(place)
                change()
            }
            state.withLock { $0.numbers.append(number) }
            note(place)
        }
        let timeoutItem = DispatchWorkItem { [weak self] in
            self?.state.withLock { $0.isTimeUp = true }
            change()
        }
        timeoutQueue.asyncAfter(deadline: .now() + timeout.seconds, execute: timeoutItem)
        return timeoutItem
    }

    private func note(_ place: Int) {
        guard expectations[place].isFulfilled else { return }
        state.withLock { if !$0.order.contains(place) { $0.order.append(place) } }
    }

    var isOver: Bool {
        state.withLock { $0.isTimeUp || $0.order.count == expectations.count }
    }

    func end(after timeout: Duration) -> RLUnfulfilledExpectations? {
        let (numbers, order) = state.withLock { ($0.numbers, $0.order) }
        for (expectation, number) in zip(expectations, numbers) {
            expectation.removeWaiter(number)
        }
        if order.count < expectations.count {
            let missing = expectations.filter { !$0.isFulfilled }
            let names = missing.map {
                "\"\($0.description)\" (\($0.fulfillmentCount) of \($0.expectedFulfillmentCount))"
            }
            return RLUnfulfilledExpectations(
                missing: missing.map(\.description),
                description: "not fulfilled in \(timeout): \(names.joined(separator: ", "))"
            )
        }
        guard enforcesOrder, order != order.sorted() else { return nil }
        let names = order.map { expectations[$0].description }
        return RLUnfulfilledExpectations(
            missing: names,
            description: "fulfilled in another order: \(names.joined(separator: ", "))"
        )
    }
}
