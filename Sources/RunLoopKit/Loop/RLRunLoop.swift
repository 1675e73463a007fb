@_spi(Boxes) public import CoreRunLoop
import CRunLoop.Wrapping

/// The run loop of a thread, as an object that is confined to it.
///
/// Every thread has one: ``current``. The compiler does not let a run loop be passed to another
/// thread. If it reaches one nevertheless, calls stop the process with a message. Other threads may
/// call ``perform(_:)``, ``perform(inModes:block:)`` and ``getRLRunLoop()``, whose result is for
/// all other functions. ``main`` is the main thread's loop.
///
/// ```swift
/// let timer = RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in print("tick") }
/// RLRunLoop.current.run(until: Date(timeIntervalSinceNow: 10))
/// timer.invalidate()
/// ```
///
/// Each loop has one object, which is deallocated when its thread ends.
///
/// Foundation: RunLoop.
public final class RLRunLoop {
    let loop: RLRunLoopRef
    let performs: PendingPerforms
    let ports = PortRecords()
    package let belongings = ThreadBelongings()
    private let loopEnd: LoopEnd
    var notificationQueue: RLNotificationQueue?
    var transaction: RLTransaction?

    private init(_ loop: RLRunLoopRef) {
        FoundationLoop.checksSleeps
        self.loop = loop
        self.performs = PendingPerforms(loop: loop)
        self.loopEnd = LoopEnd { [belongings] in belongings.letGo() }
        belongings.insert(performs)
        belongings.insert(ports)
    }

    /// The calling thread's run loop, created at the first call.
    ///
    /// Not available in async functions, which may resume on another thread. In destructors of
    /// thread-specific data that run after the loop was torn down, it stops the process.
    ///
    /// Foundation: RunLoop.current.
    @available(
        *,
        noasync,
        message: "use RLRunLoop.main, or with the trait .runLoop, a synchronous function"
    )
    public static var current: RLRunLoop {
        if let known { return known }
        guard let loop = RLRunLoopGetCurrent() else {
            stopProcess("RLRunLoop.current", "this thread's run loop has been torn down")
        }
        return wrapper(of: loop)
    }

    /// The calling thread's run loop, if its object exists.
    static var known: RLRunLoop? {
        // The engine retains it until this thread ends.
        RLRunLoopGetCurrentCounterpart().map {
            Unmanaged<RLRunLoop>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// The engine's loop, which may be used from any thread.
    ///
    /// Foundation: getCFRunLoop().
    public nonisolated func getRLRunLoop() -> RLRunLoopRef {
        loop
    }

    /// The mode in which the loop runs at this moment, or nil if it does not run.
    ///
    /// Foundation: RunLoop.currentMode.
    public var currentMode: Mode? {
        hintAtForeignRead("RLRunLoop.currentMode")
        return currentModeForAll
    }

    /// The current mode, for any thread.
    var currentModeForAll: Mode? {
        RLRunLoopCopyCurrentMode(loop).map(Mode.init)
    }

    /// In debug builds, logs once that another thread has read a property of the loop.
    @inline(__always) func hintAtForeignRead(_ call: StaticString) {
        hint(
            call,
            ifForeign: !RLRunLoopIsCurrent(loop),
            for: "the run loop",
            of: threadNumber(of: loop),
            "pass getRLRunLoop() to C functions, such as RLRunLoopPerformBlock"
        )
    }

    /// Returns the wrapper of a loop, created on first use.
    ///
    /// The engine retains it until the loop's thread ends.
    static func wrapper(of loop: RLRunLoopRef) -> RLRunLoop {
        if let known = RLRunLoopGetCounterpart(loop) {
            // The wrapper is alive: it is the calling thread's, or the main loop's, which is
            // permanent.
            return Unmanaged<RLRunLoop>.fromOpaque(known).takeUnretainedValue()
        }
        let made = Unmanaged.passRetained(RLRunLoop(loop))
        let kept = RLRunLoopSetCounterpart(loop, made.toOpaque()) { counterpart in
            // Releases the reference that the engine has owned.
            counterpart.map { Unmanaged<RLRunLoop>.fromOpaque($0).release() }
        }
        if kept == made.toOpaque() {
            let wrapper = made.takeUnretainedValue()
            wrapper.loopEnd.watch(loop)
            return wrapper
        }
        let wrapper = made.takeRetainedValue()
        // Another thread has created the main loop's wrapper, or this thread is about to end.
        return kept.map { Unmanaged<RLRunLoop>.fromOpaque($0).takeUnretainedValue() } ?? wrapper
    }
}

/// A run loop is confined to its thread; pass ``RLRunLoop/getRLRunLoop()`` to others.
@available(*, unavailable, message: "use getRLRunLoop(), which may be passed to any thread")
extension RLRunLoop: Sendable {}

extension RLRunLoop: RLObjectProtocol {}

extension RLRunLoop: CustomStringConvertible, CustomDebugStringConvertible {
    /// The dump of the loop: its modes and their items.
    public var description: String {
        loop.description
    }

    /// The dump of the loop.
    public var debugDescription: String {
        loop.description
    }
}
