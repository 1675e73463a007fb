@_spi(Boxes) public import CoreRunLoop
import CRunLoop.Wrapping

/// A thread's run loop, as an object that is confined to the thread.
///
/// Every thread has a run loop: ``current``. ``main`` is the main thread's run loop. The compiler
/// rejects passing a run loop to another thread; if another thread uses a run loop anyway, most
/// calls stop the process with a message. Other threads may call ``perform(_:)``,
/// ``perform(inModes:block:)`` and ``getRLRunLoop()``, whose result they can pass to the functions
/// of `CoreRunLoop`.
///
/// ```swift
/// let timer = RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in print("tick") }
/// RLRunLoop.current.run(until: Date(timeIntervalSinceNow: 10))
/// timer.invalidate()
/// ```
///
/// Each loop has one object, which is deallocated when the loop's thread ends.
///
/// Foundation: RunLoop.
public final class RLRunLoop {
    let loop: RLRunLoopRef
    let performs: PerformQueue
    let ports = PortRecords()
    package let belongings = ThreadBelongings()
    private let loopEnd: LoopEnd
    var notificationQueue: RLNotificationQueue?
    var transaction: RLTransaction?

    private init(_ loop: RLRunLoopRef) {
        FoundationLoop.checksSleeps
        self.loop = loop
        self.performs = PerformQueue(loop)
        self.loopEnd = LoopEnd { [belongings] in belongings.letGo() }
        belongings.insert(performs)
        belongings.insert(ports)
    }

    /// The calling thread's run loop, which is created on first use.
    ///
    /// Unavailable in async functions, which may resume on another thread. In a destructor of
    /// thread-specific data that runs after the end of the loop, the call stops the process.
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
            stopProcess(
                "RLRunLoop.current",
                "this thread is ending and has no run loop: do not use loops in destructors of "
                    + "thread-specific values"
            )
        }
        return wrapper(of: loop)
    }

    /// The calling thread's run loop, if its object exists.
    static var known: RLRunLoop? {
        // The engine retains the object until this thread ends.
        RLRunLoopGetCurrentCounterpart().map {
            Unmanaged<RLRunLoop>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Returns the engine's loop, which may be used from any thread.
    ///
    /// Foundation: getCFRunLoop().
    public nonisolated func getRLRunLoop() -> RLRunLoopRef {
        loop
    }

    /// The mode in which the loop runs at this moment, or nil if the loop does not run.
    ///
    /// Foundation: RunLoop.currentMode.
    public var currentMode: Mode? {
        hintAtForeignRead("RLRunLoop.currentMode")
        return currentModeForAll
    }

    /// The current mode, which any thread may read.
    var currentModeForAll: Mode? {
        RLRunLoopCopyCurrentMode(loop).map(Mode.init)
    }

    /// In debug builds, logs a warning once if another thread reads a property of the loop.
    @inline(__always) func hintAtForeignRead(_ call: StaticString) {
        hint(
            call,
            ifForeign: !RLRunLoopIsCurrent(loop),
            for: "the run loop",
            of: threadNumber(of: loop),
            "pass getRLRunLoop() to C functions, such as RLRunLoopPerformBlock"
        )
    }

    /// Returns the loop's wrapper, which the engine retains until the loop's thread ends.
    static func wrapper(of loop: RLRunLoopRef) -> RLRunLoop {
        if let known = RLRunLoopGetCounterpart(loop) {
            // The wrapper is alive: it belongs to the calling thread, or to the main loop, whose
            // wrapper is permanent.
            return Unmanaged<RLRunLoop>.fromOpaque(known).takeUnretainedValue()
        }
        let made = Unmanaged.passRetained(RLRunLoop(loop))
        let kept = RLRunLoopSetCounterpart(loop, made.toOpaque()) { counterpart in
            // Releases the engine's reference.
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

/// A run loop is confined to its thread. Pass ``RLRunLoop/getRLRunLoop()`` to other threads.
@available(*, unavailable, message: "use getRLRunLoop(), which may be passed to any thread")
extension RLRunLoop: Sendable {}

extension RLRunLoop: RLObjectProtocol {}

extension RLRunLoop: CustomStringConvertible, CustomDebugStringConvertible {
    /// A dump of the loop with its modes and their items.
    public var description: String {
        loop.description
    }

    /// A dump of the loop.
    public var debugDescription: String {
        loop.description
    }
}
