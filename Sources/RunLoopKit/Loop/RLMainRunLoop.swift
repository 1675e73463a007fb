public import CoreRunLoop
public import FoundationEssentials
public import Glibc

// `RLRunLoop.main` is overloaded with two types. Overload resolution selects the first type that
// has the member. So one name works on all threads, and the compiler rejects main-thread members on
// other threads.

extension RLRunLoop {
    /// The main thread's run loop, for use from any thread.
    ///
    /// The result has the members that are safe on any thread. On the main actor, `RLRunLoop.main`
    /// can also be an ``RLRunLoop`` with all members, including the functions for timers and
    /// observers, whose closures need not be `Sendable`:
    ///
    /// ```swift
    /// RLThread.detachNewThread { RLRunLoop.main.perform { print("on the main thread") } }
    ///
    /// @MainActor func start() {
    ///     RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in tick() }
    ///     RLRunLoop.main.observe(.beforeWaiting) { _, _ in commit() }
    ///     let loop: RLRunLoop = .main
    /// }
    /// ```
    ///
    /// In nonisolated code on the main thread, ``current`` is the same loop. In Swift 5 mode,
    /// `RLRunLoop.main` is always an ``RLRunLoop``.
    ///
    /// Foundation: RunLoop.main.
    @available(swift 6)
    public static var main: RLMainRunLoop {
        RLMainRunLoop()
    }

    /// Returns whether a run loop is the main thread's run loop.
    public static func == (runLoop: RLRunLoop, main: RLMainRunLoop) -> Bool {
        runLoop.loop === main.getRLRunLoop()
    }

    /// Returns whether a run loop is not the main thread's run loop.
    public static func != (runLoop: RLRunLoop, main: RLMainRunLoop) -> Bool {
        !(runLoop == main)
    }
}

/// A protocol that adds the second `main` to ``RLRunLoop``.
///
/// Do not conform other types to this protocol.
///
/// Foundation has no such protocol.
public protocol RLMainRunLoopOwner: AnyObject {}

extension RLRunLoop: RLMainRunLoopOwner {}

// Disfavored, so that `perform` selects the overload whose block is isolated to the main actor.
extension RLMainRunLoopOwner where Self == RLRunLoop {
    /// The main thread's run loop, for the main actor.
    ///
    /// Foundation: RunLoop.main.
    @available(swift 6)
    @_disfavoredOverload
    @MainActor
    public static var main: RLRunLoop {
        RLRunLoop.wrapper(of: RLRunLoopGetMain())
    }
}

extension RLMainRunLoopOwner where Self: RLRunLoop {
    /// The main thread's run loop in Swift 5 mode.
    ///
    /// The compiler does not check the thread. Calls from other threads work if they are safe, and
    /// debug builds log a warning about them.
    ///
    /// Foundation: RunLoop.main.
    @available(swift, obsoleted: 6)
    public static var main: RLRunLoop {
        RLRunLoop.wrapper(of: RLRunLoopGetMain())
    }
}

/// The main thread's run loop with the members that any thread may use.
///
/// Foundation: RunLoop.
public struct RLMainRunLoop: Sendable {
    /// Returns the engine's loop, which any thread may use.
    ///
    /// Foundation: getCFRunLoop().
    public func getRLRunLoop() -> RLRunLoopRef {
        RLRunLoopGetMain()
    }

    /// Schedules a block for the loop's next pass in default mode.
    ///
    /// A call on another thread wakes the loop.
    ///
    /// The block is isolated to the main actor, so it may call methods of a main-actor class:
    /// `RLRunLoop.main.perform { self.tick() }`.
    ///
    /// Foundation: RunLoop.perform(_:).
    public func perform(_ block: @escaping @MainActor @Sendable () -> Void) {
        wrapper.perform(onMainThread(block))
    }

    /// Schedules a block for the loop's next pass in one of the given modes.
    ///
    /// A call on another thread wakes the loop.
    ///
    /// Foundation: RunLoop.perform(inModes:block:).
    ///
    /// - Parameters:
    ///   - modes: The modes; ``RLRunLoop/Mode/common`` stands for all common modes. If the array is
    ///     empty, the block is never performed.
    ///   - block: Called on the main actor.
    public func perform(
        inModes modes: [RLRunLoop.Mode],
        block: @escaping @MainActor @Sendable () -> Void
    ) {
        wrapper.perform(inModes: modes, block: onMainThread(block))
    }

    /// The mode in which the loop currently runs, or nil if the loop does not run.
    ///
    /// Foundation: RunLoop.currentMode.
    public var currentMode: RLRunLoop.Mode? {
        wrapper.currentModeForAll
    }

    /// Runs the loop in default mode while the mode has a source, timer or block.
    ///
    /// Call this function on the main thread. A call on another thread stops the process.
    ///
    /// Foundation: RunLoop.run().
    @available(*, noasync)
    public func run() {
        wrapper.run()
    }

    /// Runs the loop in default mode until it is stopped, even if the mode is empty.
    ///
    /// Call this function on the main thread. A call on another thread stops the process.
    ///
    /// - Returns: The code from ``stop(withCode:)``, or 0 after `RLRunLoopStop`.
    @available(*, noasync)
    @discardableResult
    public func runUntilStopped() -> Int32 {
        wrapper.runUntilStopped()
    }

    /// Ends ``runUntilStopped()``.
    ///
    /// If no such call is running, the next call returns immediately. Thread-safe: see
    /// ``RLRunLoop/stop(withCode:)``.
    ///
    /// - Parameter code: The result of `runUntilStopped()`, which the program can pass to `exit`.
    public func stop(withCode code: Int32 = EXIT_SUCCESS) {
        wrapper.stop(withCode: code)
    }

    /// Runs the loop in default mode until a date.
    ///
    /// Call this function on the main thread. A call on another thread stops the process.
    ///
    /// Foundation: RunLoop.run(until:).
    @available(*, noasync)
    public func run(until limitDate: Date) {
        wrapper.run(until: limitDate)
    }

    /// Runs the loop in a mode until it has served a source or reached a date.
    ///
    /// Call this function on the main thread. A call on another thread stops the process.
    ///
    /// See ``RLRunLoop/run(mode:before:)`` for the arguments and the result.
    ///
    /// Foundation: RunLoop.run(mode:before:).
    @available(*, noasync)
    @discardableResult
    public func run(mode: RLRunLoop.Mode, before limitDate: Date) -> Bool {
        wrapper.run(mode: mode, before: limitDate)
    }

    /// Unavailable: only ``RLRunLoop`` has functions for timers.
    @available(*, unavailable, message: "on the main actor, declare `let loop: RLRunLoop = .main`")
    public func add(_ item: Any, forMode mode: RLRunLoop.Mode) {}

    // The wrapper's functions check the thread where necessary.
    private var wrapper: RLRunLoop {
        RLRunLoop.wrapper(of: RLRunLoopGetMain())
    }
}

private func onMainThread(
    _ block: @escaping @MainActor @Sendable () -> Void
) -> @Sendable () -> Void {
    // The main loop runs on the main actor's thread. `assumeIsolated` would also check the
    // executor, which differs if the job of another actor runs the loop.
    unsafeBitCast(block, to: (@Sendable () -> Void).self)
}

// There is only one main loop, so all values are equal.
extension RLMainRunLoop: Hashable {}

extension RLMainRunLoop: CustomStringConvertible {
    /// A dump of the loop with its modes and their items.
    public var description: String {
        wrapper.description
    }
}
