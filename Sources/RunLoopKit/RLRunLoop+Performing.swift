// What a loop is asked to do later, once.

import CRunLoop.Wrapping
import CoreRunLoop
public import FoundationEssentials

extension RLRunLoop {
    /// Has a block performed by the loop in its next pass in default mode.
    ///
    /// May be called from any thread; then it also wakes the loop, which Foundation leaves to the
    /// caller.
    ///
    /// Foundation: RunLoop.perform(_:).
    public nonisolated func perform(_ block: @escaping @Sendable () -> Void) {
        perform(in: .default, block)
    }

    private nonisolated func perform(in mode: Mode, _ block: @escaping @Sendable () -> Void) {
        RLRunLoopPerformBlock(loop, mode.mode, block)
        RLRunLoopWakeUpForQueued(loop)
    }

    /// Has a block performed by the loop in its next pass in one of some modes.
    ///
    /// May be called from any thread; then it also wakes the loop, which Foundation leaves to the
    /// caller.
    ///
    /// Foundation: RunLoop.perform(inModes:block:).
    ///
    /// - Parameters:
    ///   - modes: The modes; ``Mode/common`` stands for all common ones. With none, the block is
    ///     never performed.
    ///   - block: Called on the loop's thread.
    public nonisolated func perform(inModes modes: [Mode], block: @escaping @Sendable () -> Void) {
        // One mode needs no array of the engine.
        if modes.count == 1 { return perform(in: modes[0], block) }
        RLRunLoopPerformBlock(loop, modes.map(\.mode), block)
        RLRunLoopWakeUpForQueued(loop)
    }

    /// Has a method performed at the start of the loop's next pass in one of some modes.
    ///
    /// Target and argument are held until then.
    ///
    /// Foundation: RunLoop.perform(_:target:argument:order:modes:).
    ///
    /// - Parameters:
    ///   - selector: The method.
    ///   - target: The object.
    ///   - argument: What the method is called with, if it has a parameter.
    ///   - order: The place among such requests: lower ones are performed first, equal ones in the
    ///     order in which they were made.
    ///   - modes: The modes.
    public func perform<Target: AnyObject>(
        _ selector: RLSelector<Target>,
        target: Target,
        argument: Any? = nil,
        order: Int = 0,
        modes: [Mode]
    ) {
        guard isOwnThread(of: loop, "RLRunLoop.perform(_:target:argument:order:modes:)") else {
            return
        }
        let key = PerformKey(
            target: ObjectIdentifier(target),
            name: selector.name,
            argument: argument
        )
        performs.addOrdered(key, order: order, modes: modes) {
            selector.invoke(target, argument)
        }
    }

    /// Forgets the requests of ``perform(_:target:argument:order:modes:)`` for a method of a target
    /// with an equal argument.
    ///
    /// Foundation: RunLoop.cancelPerform(_:target:argument:).
    public func cancelPerform<Target: AnyObject>(
        _ selector: RLSelector<Target>,
        target: Target,
        argument: Any? = nil
    ) {
        guard isOwnThread(of: loop, "RLRunLoop.cancelPerform(_:target:argument:)") else { return }
        performs.cancelOrdered { $0.matches(target, selector.name, argument) }
    }

    /// Forgets all requests of ``perform(_:target:argument:order:modes:)`` for a target.
    ///
    /// Foundation: RunLoop.cancelPerformSelectors(withTarget:).
    public func cancelPerformSelectors(withTarget target: AnyObject) {
        guard isOwnThread(of: loop, "RLRunLoop.cancelPerformSelectors(withTarget:)") else { return }
        performs.cancelOrdered { $0.matches(target) }
    }

    /// Has a closure performed by this loop after a delay.
    ///
    /// The form for code without a target: the result cancels it.
    ///
    /// - Parameters:
    ///   - delay: The seconds to wait. Zero or less: the next pass, never at once.
    ///   - modes: The modes in which it may be performed.
    ///   - block: Called on the loop's thread.
    /// - Returns: The request. It is performed whether or not anybody keeps this.
    @discardableResult
    public func perform(
        afterDelay delay: TimeInterval,
        inModes modes: [Mode] = [.default],
        block: @escaping () -> Void
    ) -> RLPerformRequest {
        let timer = RLTimer(fire: Date(timeIntervalSinceNow: delay), interval: 0, repeats: false) {
            _ in
            noteFunction(PlainCallout(block))
            block()
        }
        if isOwnThread(of: loop, "RLRunLoop.perform(afterDelay:inModes:block:)") {
            for mode in modes { add(timer, forMode: mode) }
        }
        return RLPerformRequest(timer: timer.timer)
    }
}

/// A request to perform something after a delay.
public struct RLPerformRequest: Hashable, Sendable {
    private let timer: RLRunLoopTimerRef
    private let identity: UInt

    init(timer: RLRunLoopTimerRef) {
        self.timer = timer
        self.identity = RLHash(timer)
    }

    /// Whether it is still to be performed.
    public var isPending: Bool {
        RLRunLoopTimerIsValid(timer)
    }

    /// Forgets the request; nothing happens if it has been performed.
    public func cancel() {
        RLRunLoopTimerInvalidate(timer)
    }
}
