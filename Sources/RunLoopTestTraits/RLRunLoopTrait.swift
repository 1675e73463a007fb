// Traits for Swift Testing. A module of its own, so that only tests link that framework.

import Glibc
import RunLoopConcurrency
@_exported public import RunLoopTesting
public import Testing

/// Gives each test a run loop of its own, and sees that the test leaves nothing in it.
///
/// ```
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
/// The test runs on a thread that is made for it, which runs its loop in default mode between the
/// parts of an `async` test. At the end the loop runs until it is idle; each source, observer,
/// timer and closure that is left then is an issue, which names it. Tests that are isolated to an
/// actor, such as the main actor, run where that runs.
public struct RLRunLoopTrait: TestTrait, SuiteTrait, TestScoping {
    /// Whether open descriptors of the process count too.
    public let checksDescriptors: Bool

    /// Whether it is for the tests of a suite, and not for the suite as a whole: it is.
    public var isRecursive: Bool { true }

    /// Runs a test on a thread of its own.
    ///
    /// Called by the testing library.
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
    /// A run loop of its own for each test, in which it must leave nothing.
    public static var runLoop: RLRunLoopTrait { RLRunLoopTrait(checksDescriptors: false) }

    /// A run loop of its own for each test, in which it must leave nothing.
    ///
    /// - Parameter checksDescriptors: Whether the test must leave no descriptor open either. Not
    ///   beside others that open some: use it with `.serialized`, in a run without parallel tests.
    /// - Returns: The trait.
    public static func runLoop(checksDescriptors: Bool) -> RLRunLoopTrait {
        RLRunLoopTrait(checksDescriptors: checksDescriptors)
    }
}

/// The thread of a test.
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
        try await withTaskExecutorPreference(executor) { try await function() }
    }

    /// Ends the thread, and tells what is left in its loop.
    func end() async -> [String] {
        await rest(of: thread.runLoop)
        let lines = leftovers.find()
        thread.stop()
        thread.join()
        return lines
    }
}

/// Waits until a loop has nothing to do, and sleeps.
private func rest(of loop: RLRunLoopRef) async {
    await withCheckedContinuation { continuation in
        // A block of the engine is no item in the loop, as what is performed by other means is.
        RLRunLoopPerformBlock(loop, .defaultMode) {
            RLRunLoop.current.runUntilIdle()
            continuation.resume()
        }
        RLRunLoopWakeUp(loop)
    }
    // Items that a pass has taken out are in the loop again.
    while !RLRunLoopIsWaiting(loop) { await Task.yield() }
}

/// The numbers of the process's descriptors and what they stand for.
private func openDescriptors() -> [Int32: String] {
    var names: [Int32: String] = [:]
    guard let folder = opendir("/proc/self/fd") else { return names }
    defer { closedir(folder) }
    var target = [CChar](repeating: 0, count: 4096)
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let number = Int32(name), number != dirfd(folder) else { continue }
        let length = readlink("/proc/self/fd/\(name)", &target, target.count)
        if length <= 0 { continue }
        names[number] = String(
            decoding: target.prefix(length).map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }
    return names
}
