public import CoreRunLoop
public import FoundationEssentials
public import Glibc

// `RLRunLoop.main` has two types: overload resolution chooses the first with the used member. So
// one name serves all threads, and the compiler rejects members for the main thread elsewhere.

extension RLRunLoop {
    /// The main thread's run loop, for use from any thread.
    ///
    /// It has the members that are safe on any thread. On the main actor the same name is an
    /// ``RLRunLoop``, with all members, such as those for timers and observers, whose closures need
    /// not be `Sendable`:
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
    /// In nonisolated code on the main thread, ``current`` is the same loop. In Swift 5 mode this
    /// name is an ``RLRunLoop`` everywhere.
    ///
    /// Foundation: RunLoop.main.
    @available(swift 6)
    public static var main: RLMainRunLoop {
        RLMainRunLoop()
    }

    /// Whether a run loop is the main thread's.
    public static func == (runLoop: RLRunLoop, main: RLMainRunLoop) -> Bool {
        runLoop.loop === main.getRLRunLoop()
    }

    /// Whether a run loop is not the main thread's.
    public static func != (runLoop: RLRunLoop, main: RLMainRunLoop) -> Bool {
        !(runLoop == main)
    }
}

/// Adds the second `main` to ``RLRunLoop``.
///
/// Do not conform other types to it.
///
/// Foundation has no such protocol.
public protocol RLMainRunLoopOwner: AnyObject {}

extension RLRunLoop: RLMainRunLoopOwner {}

// Disfavored: otherwise blocks would be performed by this overload, which does not know the main
// actor.
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
    /// The compiler does not check the thread. Calls that are safe on other threads work there, and
    /// debug builds log them.
    ///
    /// Foundation: RunLoop.main.
    @available(swift, obsoleted: 6)
    public static var main: RLRunLoop {
        RLRunLoop.wrapper(of: RLRunLoopGetMain())
    }
}

/// The members of the main thread's run loop that any thread may use: ``RLRunLoop/main``.
///
/// Foundation: RunLoop.
public struct RLMainRunLoop: Sendable {
    /// The engine's loop, which may be used from any thread.
    ///
    /// Foundation: getCFRunLoop().
    public func getRLRunLoop() -> RLRunLoopRef {
        RLRunLoopGetMain()
    }

    /// Schedules a block for the loop's next pass in default mode, and wakes the loop.
    ///
    /// The block is isolated to the main actor, so that it may call a main-actor class:
    /// `RLRunLoop.main.perform { self.tick() }`.
    ///
    /// Foundation: RunLoop.perform(_:).
    public func perform(_ block: @escaping @MainActor @Sendable () -> Void) {
        wrapper.perform(onMainThread(block))
    }

    /// Schedules a block for the loop's next pass in one of the given modes, and wakes the loop.
    ///
    /// Foundation: RunLoop.perform(inModes:block:).
    ///
    /// - Parameters:
    ///   - modes: The modes; ``RLRunLoop/Mode/common`` stands for all common ones. Without a mode,
    ///     the block is never performed.
    ///   - block: Called on the main actor.
    public func perform(
        inModes modes: [RLRunLoop.Mode],
        block: @escaping @MainActor @Sendable () -> Void
    ) {
        wrapper.perform(inModes: modes, block: onMainThread(block))
    }

    /// The mode in which the loop runs at this moment, or nil if it does not run.
    ///
    /// Foundation: RunLoop.currentMode.
    public var currentMode: RLRunLoop.Mode? {
        wrapper.currentModeForAll
    }

    /// Runs the loop in default mode while the mode has a source, timer or block.
    ///
    /// Call it on the main thread: another thread stops the process.
    ///
    /// Foundation: RunLoop.run().
    @available(*, noasync)
    public func run() {
        wrapper.run()
    }

    /// Runs the loop in default mode until it is stopped, even if nothing is left in it.
    ///
    /// For the main thread: another one stops the process.
    ///
    /// - Returns: The code that ``stop(withCode:)`` was given; 0 after `RLRunLoopStop`.
    @available(*, noasync)
    @discardableResult
    public func runUntilStopped() -> Int32 {
        wrapper.runUntilStopped()
    }

    /// Ends ``runUntilStopped()``, now or, if it has not been called yet, then.
    ///
    /// May be called from any thread: see ``RLRunLoop/stop(withCode:)``.
    ///
    /// - Parameter code: The result of `runUntilStopped()`, for `exit`.
    public func stop(withCode code: Int32 = EXIT_SUCCESS) {
        wrapper.stop(withCode: code)
    }

    /// Runs the loop in default mode until the date has come.
    ///
    /// Call it on the main thread: another thread stops the process.
    ///
    /// Foundation: RunLoop.run(until:).
    @available(*, noasync)
    public func run(until limitDate: Date) {
        wrapper.run(until: limitDate)
    }

    /// Runs the loop in a mode until a source was served or the date has come.
    ///
    /// Call it on the main thread: another thread stops the process.
    ///
    /// Foundation: RunLoop.run(mode:before:).
    ///
    /// - Parameters:
    ///   - mode: The mode. Not ``RLRunLoop/Mode/common``.
    ///   - limitDate: The time limit.
    /// - Returns: Whether the loop ran. False, at once, if the mode has no source, timer or block.
    @available(*, noasync)
    @discardableResult
    public func run(mode: RLRunLoop.Mode, before limitDate: Date) -> Bool {
        wrapper.run(mode: mode, before: limitDate)
    }

    /// Names the loop that has timers.
    @available(*, unavailable, message: "on the main actor, declare `let loop: RLRunLoop = .main`")
    public func add(_ item: Any, forMode mode: RLRunLoop.Mode) {}

    // The wrapper's functions check the thread themselves where needed.
    private var wrapper: RLRunLoop {
        RLRunLoop.wrapper(of: RLRunLoopGetMain())
    }
}

private func onMainThread(
    _ block: @escaping @MainActor @Sendable () -> Void
) -> @Sendable () -> Void {
    // The main loop runs on the main thread, which is the main actor's. `assumeIsolated` would also
    // check the executor, which differs in runs that an actor's job makes.
    unsafeBitCast(block, to: (@Sendable () -> Void).self)
}

// There is one main loop, so that all values are equal.
extension RLMainRunLoop: Hashable {}

extension RLMainRunLoop: CustomStringConvertible {
    /// The dump of the loop: its modes and their items.
    public var description: String {
        wrapper.description
    }
}
