// A trait for Swift Testing. It has its own module, so that only tests link Swift Testing.

import Glibc
import RunLoopConcurrency
@_exported public import RunLoopTesting
public import Testing

/// Runs each test with its own run loop, and reports items that the test leaves in the loop.
///
/// ```swift
/// @Suite(.runLoop) struct ReminderTests {
///     @Test func reminds() {
///         let clock = RLTestClock()
///         let reminder = Reminder()
///         clock.advance(by: .seconds(3600))
///         #expect(reminder.count == 1)
///         reminder.stop()
///     }
/// }
/// ```
///
/// The test runs on a new thread. Whenever an `async` test is suspended, the thread runs its loop
/// in default mode. At the end of the test, the loop runs until it is idle. Then each source,
/// observer, timer and closure that is left in the loop is recorded as an issue. The issue names
/// the item. Tests that are isolated to an actor, such as the main actor, run on that actor.
///
/// Swift Testing has no counterpart.
public struct RLRunLoopTrait: TestTrait, SuiteTrait, TestScoping {
    /// Whether descriptors that the test leaves open are also reported.
    public let checksDescriptors: Bool

    /// True: the trait applies to each test of a suite.
    public var isRecursive: Bool { true }

    /// Runs a test on its own thread; called by the testing library.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let descriptors = checksDescriptors ? openDescriptors() : [:]
        let scene = await Scene(name: test.name)
        var failure: (any Error)?
        do {
            try await scene.perform(function)
        } catch {
            failure = error
        }
        for line in await scene.end() {
            Issue.record("left in the test's run loop: \(line)")
        }
        if checksDescriptors {
            for (number, name) in openDescriptors() where descriptors[number] != name {
                Issue.record("left open by the test: descriptor \(number), \(name)")
            }
        }
        if let failure { throw failure }
    }
}

extension Trait where Self == RLRunLoopTrait {
    /// A trait that runs each test with its own run loop, in which the test must leave no items.
    public static var runLoop: RLRunLoopTrait { RLRunLoopTrait(checksDescriptors: false) }

    /// Returns a trait that runs each test with its own run loop, in which the test must leave no
    /// items.
    ///
    /// - Parameter checksDescriptors: Whether the test also must not leave descriptors open. If
    ///   true, use `.serialized` and run no tests in parallel, because all descriptors of the
    ///   process count.
    /// - Returns: The trait.
    public static func runLoop(checksDescriptors: Bool) -> RLRunLoopTrait {
        RLRunLoopTrait(checksDescriptors: checksDescriptors)
    }
}

private struct Scene {
    private let thread: RLPermanentThread
    private let executor: RLRunLoopExecutor
    private let leftovers: RLLoopLeftovers

    init(name: String) async {
        thread = RLPermanentThread(name: name)
        let loop = thread.runLoop
        executor = RLRunLoopExecutor(loop: loop, orphans: .runElsewhere)
        await rest(of: loop)
        leftovers = RLLoopLeftovers(of: loop)
    }

    func perform(_ function: @Sendable () async throws -> Void) async throws {
        try await RLTestClock.withVisibleTasks {
            try await executor.withAllTasks(function)
        }
    }

    /// Ends the thread, and returns the remaining items of its loop.
    func end() async -> [String] {
        await rest(of: thread.runLoop)
        let lines = leftovers.find()
        thread.stop()
        thread.join()
        return lines
    }
}

/// Waits until a loop is idle and sleeps.
private func rest(of loop: RLRunLoopRef) async {
    await withCheckedContinuation { continuation in
        // A queued block is not an item of the loop, unlike the sources of other performs.
        RLRunLoopPerformBlock(loop, .defaultMode) {
            RLRunLoop.current.runUntilIdle()
            continuation.resume()
        }
        RLRunLoopWakeUp(loop)
    }
    // A pass temporarily removes items, but a sleeping loop contains all items.
    while !RLRunLoopIsWaiting(loop) { await Task.yield() }
}

private func openDescriptors() -> [Int32: String] {
    var names: [Int32: String] = [:]
    guard let folder = opendir("/proc/thread-self/fd") else { return names }
    defer { closedir(folder) }
    var target = [CChar](repeating: 0, count: 4096)
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let number = Int32(name), number != dirfd(folder) else { continue }
        let length = readlink("/proc/thread-self/fd/\(name)", &target, target.count)
        if length <= 0 { continue }
        names[number] = String(
            decoding: target.prefix(length).map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }
    return names
}
