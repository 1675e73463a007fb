import CoreRunLoop
public import FoundationEssentials

/// A class whose methods can be performed later or on another thread, like the methods of
/// Objective-C's NSObject.
///
/// Declare the conformance; the protocol has no requirements. An ``RLSelector`` names a method.
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
/// Foundation: the functions of NSObject that perform methods.
public protocol RLObject: AnyObject {}

extension RLObject {
    /// Performs a method on the current thread after a delay.
    ///
    /// The object and the argument are retained until the method has been performed or the request
    /// is cancelled. Requests with equal delays are performed in the order in which they were made.
    ///
    /// Foundation: perform(_:with:afterDelay:inModes:).
    ///
    /// - Parameters:
    ///   - selector: The method.
    ///   - argument: The method's argument, if it has a parameter.
    ///   - delay: The delay in seconds. With zero or less, the method is performed in the next
    ///     pass, never immediately.
    ///   - modes: The modes in which the loop may perform the method.
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
        let number = performs.takeNumber()
        performs.addDelayed(key, number, after: delay, modes: modes, to: current) {
            // The timer retains the target and the argument. The timer fires only while the loop
            // retains `performs`.
            [unowned performs] in
            performs.endDelayed(key, number)
            selector.invoke(self, argument)
        }
    }

    /// Cancels the current thread's delayed requests for a method of a target, if their arguments
    /// are equal.
    ///
    /// Foundation: NSObject.cancelPreviousPerformRequests(withTarget:selector:object:).
    @available(*, noasync)
    public static func cancelPreviousPerformRequests<Target: RLObject>(
        withTarget target: Target,
        selector: RLSelector<Target>,
        object: Any? = nil
    ) {
        RLRunLoop.current.performs.cancelDelayed(
            of: target,
            PerformKey(target, selector.name, object)
        )
    }

    /// Cancels all the current thread's delayed requests for a target.
    ///
    /// Foundation: NSObject.cancelPreviousPerformRequests(withTarget:).
    @available(*, noasync)
    public static func cancelPreviousPerformRequests(withTarget target: some RLObject) {
        RLRunLoop.current.performs.cancelDelayed(of: target)
    }
}

extension RLObject where Self: Sendable {
    /// Performs a method on another thread.
    ///
    /// The thread's loop performs the method when it runs in one of the modes, after earlier
    /// requests. While the loop runs in other modes, the request is pending.
    ///
    /// Foundation: perform(_:on:with:waitUntilDone:modes:).
    ///
    /// - Parameters:
    ///   - selector: The method.
    ///   - thread: The thread. It must run its loop.
    ///   - argument: The method's argument, if it has a parameter.
    ///   - wait: Whether to wait until the method was performed. If the caller is on the thread
    ///     itself and waits, the method is performed immediately.
    ///   - modes: The modes in which the loop may perform the method. If the array is empty, the
    ///     method is never performed, and the call does not wait.
    /// - Returns: Whether the method was performed or, if the call does not wait, was queued. False
    ///   if the thread has ended or ends before it performs the method.
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
    ///   - wait: Whether to wait until the method was performed. If the caller is on the thread
    ///     itself and waits, the method is performed immediately.
    ///   - modes: The modes in which the loop may perform the method. The thread runs its loop in
    ///     default mode. If the array is empty, the method is never performed, and the call does
    ///     not wait.
    /// - Returns: Whether the method was performed or, if the call does not wait, was queued. False
    ///   if the thread was stopped.
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

    /// Performs a method on a new thread, which ends when the method returns.
    ///
    /// Foundation: performSelector(inBackground:with:).
    public func performSelector(
        inBackground selector: RLSelector<Self>,
        with argument: (any Sendable)? = nil
    ) {
        RLThread.detachNewThread { selector.invoke(self, argument) }
    }
}
