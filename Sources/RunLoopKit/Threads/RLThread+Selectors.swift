extension RLThread {
    /// Creates a thread that performs a method of an object when it is started.
    ///
    /// ```swift
    /// let thread = RLThread(target: loader, selector: .runLoopEntry, object: nil)
    /// thread.name = "network"
    /// thread.start()
    /// ```
    ///
    /// Foundation: Thread.init(target:selector:object:).
    ///
    /// - Parameters:
    ///   - target: The object, which the thread's object retains.
    ///   - selector: The method, which the thread calls. The thread ends when the method returns.
    ///   - argument: The method's argument, if it has a parameter. Retained as long as the target.
    public convenience init<Target: AnyObject & Sendable>(
        target: Target,
        selector: RLSelector<Target>,
        object argument: (any Sendable)?
    ) {
        self.init { selector.invoke(target, argument) }
    }

    /// Starts a thread that performs a method of an object.
    ///
    /// Foundation: Thread.detachNewThreadSelector(_:toTarget:with:).
    ///
    /// - Parameters:
    ///   - selector: The method.
    ///   - target: The object, which is retained until the thread has ended.
    ///   - argument: The method's argument, if it has a parameter. Retained as long as the target.
    public static func detachNewThreadSelector<Target: AnyObject & Sendable>(
        _ selector: RLSelector<Target>,
        toTarget target: Target,
        with argument: (any Sendable)?
    ) {
        RLThread(target: target, selector: selector, object: argument).start()
    }
}
