import CRunLoop.Wrapping
@_spi(Boxes) import CoreRunLoop
public import FoundationEssentials

extension RLRunLoop {
    /// Schedules a block for the loop's next pass in default mode.
    ///
    /// Thread-safe. Unlike Foundation's function, a call from another thread wakes the loop.
    ///
    /// Foundation: RunLoop.perform(_:).
    public nonisolated func perform(_ block: @escaping @Sendable () -> Void) {
        perform(in: .default, block)
    }

    private nonisolated func perform(in mode: Mode, _ block: @escaping @Sendable () -> Void) {
        RLRunLoopPerformBlock(loop, mode.mode, block)
        RLRunLoopWakeUpForQueued(loop)
    }

    /// Schedules a block for the loop's next pass in one of the given modes.
    ///
    /// Thread-safe. Unlike Foundation's function, a call from another thread wakes the loop.
    ///
    /// Foundation: RunLoop.perform(inModes:block:).
    ///
    /// - Parameters:
    ///   - modes: The modes; ``Mode/common`` stands for all common modes. If the array is empty,
    ///     the block is never performed.
    ///   - block: Called on the loop's thread.
    public nonisolated func perform(inModes modes: [Mode], block: @escaping @Sendable () -> Void) {
        // A single mode needs no array object of the engine.
        if modes.count == 1 { return perform(in: modes[0], block) }
        if modes.isEmpty { return hintAtNoModes("RLRunLoop.perform(inModes:block:)") }
        RLRunLoopPerformBlock(loop, modes.map(\.mode), block)
        RLRunLoopWakeUpForQueued(loop)
    }

    /// Schedules a method for the start of the loop's next pass in one of the given modes.
    ///
    /// The target and the argument are retained until the method has been performed or the request
    /// is cancelled.
    ///
    /// Foundation: RunLoop.perform(_:target:argument:order:modes:).
    ///
    /// - Parameters:
    ///   - selector: The method.
    ///   - target: The object.
    ///   - argument: The method's argument, if it has a parameter.
    ///   - order: The order among such requests. Requests with a lower order are performed first;
    ///     requests with the same order are performed in the order in which they were made.
    ///   - modes: The modes.
    public func perform<Target: AnyObject>(
        _ selector: RLSelector<Target>,
        target: Target,
        argument: Any? = nil,
        order: Int = 0,
        modes: [Mode]
    ) {
        let call: StaticString = "RLRunLoop.perform(_:target:argument:order:modes:)"
        checkGiver(call)
        guard checkThreadUnlessEnded(of: loop, call) else { return }
        if modes.isEmpty { return hintAtNoModes(call) }
        performs.addOrdered(
            PerformKey(target, selector.name, argument),
            order: order,
            modes: modes
        ) { selector.invoke(target, argument) }
    }

    /// Cancels requests of ``perform(_:target:argument:order:modes:)`` for a method of a target, if
    /// their arguments are equal.
    ///
    /// Foundation: RunLoop.cancelPerform(_:target:argument:).
    public func cancelPerform<Target: AnyObject>(
        _ selector: RLSelector<Target>,
        target: Target,
        argument: Any? = nil
    ) {
        checkThread(of: loop, "RLRunLoop.cancelPerform(_:target:argument:)")
        performs.cancelOrdered(of: target, PerformKey(target, selector.name, argument))
    }

    /// Cancels all requests of ``perform(_:target:argument:order:modes:)`` for a target.
    ///
    /// Foundation: RunLoop.cancelPerformSelectors(withTarget:).
    public func cancelPerformSelectors(withTarget target: AnyObject) {
        checkThread(of: loop, "RLRunLoop.cancelPerformSelectors(withTarget:)")
        performs.cancelOrdered(of: target)
    }

    /// Schedules a closure on this loop after a delay.
    ///
    /// - Parameters:
    ///   - delay: The delay in seconds. With zero or less, the loop calls the closure as soon as
    ///     it serves timers, never during this call.
    ///   - modes: The modes in which the loop may call the closure.
    ///   - block: Called on the loop's thread.
    /// - Returns: The request, which can be cancelled. The closure is called even if you release
    ///   the request.
    @discardableResult
    public func perform(
        afterDelay delay: TimeInterval,
        inModes modes: [Mode] = [.default],
        block: @escaping () -> Void
    ) -> RLPerformRequest {
        checkGiver("RLRunLoop.perform(afterDelay:inModes:block:)")
        checkThreadUnlessEnded(of: loop, "RLRunLoop.perform(afterDelay:inModes:block:)")
        if modes.isEmpty { hintAtNoModes("RLRunLoop.perform(afterDelay:inModes:block:)") }
        return RLPerformRequest(
            timer: DelayedBlock.schedule(in: self, modes, after: delay, block)
        )
    }
}

/// In debug builds, logs a warning once for each calling function.
func hintAtNoModes(_ call: StaticString) {
    hint(call, "the list of modes is empty, so nothing will be called: pass at least one mode")
}

/// A block that a timer of the engine calls once; the timer has no wrapper.
final class DelayedBlock: ThreadBox {
    private struct Content {
        let callout: PlainCallout
        let block: () -> Void
        // Set while the timer is in the loop.
        var timer: RLRunLoopTimerRef?
    }

    private var content: Content?
    private let called: UnsafeRawPointer?

    private init(_ block: @escaping () -> Void) {
        let callout = PlainCallout(block)
        content = Content(callout: callout, block: block)
        called = functionAddress(in: callout)
    }

    override var function: UnsafeRawPointer? { called }

    override func releaseContent() {
        // Released at the end of this function: destructors may use the timer.
        let given = content
        content = nil
        withExtendedLifetime(given) {}
    }

    override func letGo() {
        RLRunLoopTimerInvalidate(content?.timer)
        releaseContent()
    }

    private func call() {
        guard let content else { return }
        noteFunction(content.callout)
        content.block()
    }

    static func schedule(
        in loop: RLRunLoop,
        _ modes: [RLRunLoop.Mode],
        after delay: TimeInterval,
        _ block: @escaping () -> Void
    ) -> RLRunLoopTimerRef {
        let date = RLAbsoluteTimeGetCurrent() + delay
        let box = DelayedBlock(block)
        let timer = makeTimer(date, 0, box) { _, info in
            guard let info else { return }
            // The engine retains the info during the call. The timer's reference is private, so the
            // timer cannot be in another loop.
            Unmanaged<DelayedBlock>.fromOpaque(info)._withUnsafeGuaranteedRef { $0.call() }
        }
        if box.belong(to: loop) && !modes.isEmpty { box.content?.timer = timer }
        for mode in modes { RLRunLoopAddTimer(loop.loop, timer, mode.mode) }
        return timer
    }
}

/// A request to call a closure after a delay.
///
/// Foundation has no counterpart.
public struct RLPerformRequest: Hashable, Sendable {
    private let timer: RLRunLoopTimerRef
    private let identity: UInt

    init(timer: RLRunLoopTimerRef) {
        self.timer = timer
        self.identity = RLHash(timer)
    }

    /// Whether the request has neither been performed nor cancelled.
    public var isPending: Bool {
        RLRunLoopTimerIsValid(timer)
    }

    /// Cancels the request.
    ///
    /// A no-op if the request was already performed. Thread-safe; the loop's thread releases the
    /// block.
    public func cancel() {
        RLRunLoopTimerInvalidate(timer)
    }
}

extension RLPerformRequest: CustomStringConvertible {
    /// Whether the request is pending.
    public var description: String {
        "<RLPerformRequest: \(isPending ? "pending" : "performed or cancelled")>"
    }
}
