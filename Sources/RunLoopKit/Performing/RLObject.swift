import CoreRunLoop
public import FoundationEssentials

/// A class whose methods can be performed later or on another thread, as those of NSObject in
/// Objective-C.
///
/// Declare the conformance; there is nothing to implement. Methods are named by ``RLSelector``.
///
/// ```swift
/// final class Player: RLObject {
///     func tick() { … }
/// }
///
/// extension RLSelector where Target == Player {
///     static let tick = RLSelector("tick", Player.tick)
/// }
///
/// func remind(_ player: Player) {
///     // [player performSelector:@selector(tick) withObject:nil afterDelay:1];
///     player.perform(.tick, afterDelay: 1)
/// }
/// ```
///
/// Foundation: NSObject, as far as its methods are performed.
public protocol RLObject: AnyObject {}

extension RLObject {
    /// Performs a method on the current thread after a delay.
    ///
    /// The receiver and the argument are retained until then. Requests with equal delays are
    /// performed in the order in which they were made.
    ///
    /// Foundation: perform(_:with:afterDelay:inModes:).
    ///
    /// - Parameters:
    ///   - selector: The method.
    ///   - argument: The method's argument, if it has a parameter.
    ///   - delay: The delay in seconds. Zero or less means the next pass, never at once.
    ///   - modes: The modes in which the loop may perform it.
    @available(*, noasync)
    public func perform(
        _ selector: RLSelector<Self>,
        with argument: Any? = nil,
        afterDelay delay: TimeInterval,
        inModes modes: [RLRunLoop.Mode] = [.default]
    ) {
        checkGiver("RLObject.perform(_:with:afterDelay:inModes:)")
        let current = RLRunLoop.current
        let key = PerformKey(self, selector.name, argument)
        let performs = current.performs
        let number = performs.takeDelayedNumber()
        performs.addDelayed(key, number, after: delay, modes: modes, to: current) {
            // The timer retains both.
            [unowned performs] in
            performs.endDelayed(key, number)
            selector.invoke(self, argument)
        }
    }

    /// Cancels the delayed requests of the current thread for a method of a target with an equal
    /// argument.
    ///
    /// Foundation: NSObject.cancelPreviousPerformRequests(withTarget:selector:object:).
    @available(*, noasync)
    public static func cancelPreviousPerformRequests<Target: RLObject>(
        withTarget target: Target,
        selector: RLSelector<Target>,
        object: Any? = nil
    ) {
        RLRunLoop.current.performs.cancelDelayed(PerformKey(target, selector.name, object))
    }

    /// Cancels all delayed requests of the current thread for a target.
    ///
    /// Foundation: NSObject.cancelPreviousPerformRequests(withTarget:).
    @available(*, noasync)
    public static func cancelPreviousPerformRequests(withTarget target: some RLObject) {
        RLRunLoop.current.performs.cancelDelayed(target)
    }
}

extension RLObject where Self: Sendable {
    /// Performs a method on another thread.
    ///
    /// The thread's loop performs it when it runs in one of the modes, after earlier requests.
    /// While it runs in other modes, the request is pending.
    ///
    /// Foundation: perform(_:on:with:waitUntilDone:modes:).
    ///
    /// - Parameters:
    ///   - selector: The method.
    ///   - thread: The thread. It must run its loop.
    ///   - argument: The method's argument, if it has a parameter.
    ///   - wait: Whether to return only after the method was performed. On the thread itself it is
    ///     then performed at once.
    ///   - modes: The modes in which the loop may perform it. Without a mode it is never performed,
    ///     and the call does not wait.
    /// - Returns: Whether the method was performed or, without waiting, was queued. False if the
    ///   thread has ended or ends first.
    @discardableResult
    public func perform(
        _ selector: RLSelector<Self>,
        on thread: RLThread,
        with argument: (any Sendable)? = nil,
        waitUntilDone wait: Bool,
        modes: [RLRunLoop.Mode] = [.common]
    ) -> Bool {
        thread.perform(waitUntilDone: wait, modes: modes) { selector.invoke(self, argument) }
    }

    /// Performs a method on a permanent thread, after its earlier tasks.
    ///
    /// Foundation: perform(_:on:with:waitUntilDone:modes:).
    ///
    /// - Parameters:
    ///   - selector: The method.
    ///   - thread: The thread.
    ///   - argument: The method's argument, if it has a parameter.
    ///   - wait: Whether to return only after the method was performed. On the thread itself it is
    ///     then performed at once.
    ///   - modes: The modes in which the loop may perform it. The thread runs its loop in default
    ///     mode. Without a mode it is never performed, and the call does not wait.
    /// - Returns: Whether the method was performed or, without waiting, was queued. False if the
    ///   thread was stopped.
    @discardableResult
    public func perform(
        _ selector: RLSelector<Self>,
        on thread: RLPermanentThread,
        with argument: (any Sendable)? = nil,
        waitUntilDone wait: Bool,
        modes: [RLRunLoop.Mode] = [.common]
    ) -> Bool {
        thread.execute(waitUntilDone: wait, modes: modes) { selector.invoke(self, argument) }
    }

    /// Performs a method on the main thread.
    ///
    /// Foundation: performSelector(onMainThread:with:waitUntilDone:modes:).
    @discardableResult
    public func performSelector(
        onMainThread selector: RLSelector<Self>,
        with argument: (any Sendable)? = nil,
        waitUntilDone wait: Bool,
        modes: [RLRunLoop.Mode] = [.common]
    ) -> Bool {
        perform(selector, on: .main, with: argument, waitUntilDone: wait, modes: modes)
    }

    /// Performs a method on a new thread, which ends afterwards.
    ///
    /// Foundation: performSelector(inBackground:with:).
    public func performSelector(
        inBackground selector: RLSelector<Self>,
        with argument: (any Sendable)? = nil
    ) {
        RLThread.detachNewThread { selector.invoke(self, argument) }
    }
}
