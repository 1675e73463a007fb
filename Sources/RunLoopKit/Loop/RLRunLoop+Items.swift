@_spi(Boxes) public import CoreRunLoop
import CRunLoop.Wrapping

extension RLRunLoop {
    /// Adds a timer to a mode, or to all common modes.
    ///
    /// A no-op if the timer is invalid. If the timer is in another loop, the function only logs a
    /// warning.
    ///
    /// Foundation: RunLoop.add(_:forMode:).
    public func add(_ timer: RLTimer, forMode mode: Mode) {
        checkGiver("RLRunLoop.add(_:forMode:)")
        add(timer, forMode: mode, keeping: nil)
    }

    /// Adds a timer, and retains `owner` while the timer is in the loop.
    package func add(_ timer: RLTimer, forMode mode: Mode, keeping owner: AnyObject?) {
        let isCurrent = checkThreadUnlessEnded(of: loop, "RLRunLoop.add(_:forMode:)")
        timer.noteUse()
        guard let box = timer.box else {
            // A timer without a box has no wrapper to retain.
            if !RLRunLoopTimerIsValid(timer.timer) { return hintAtInvalid(timer) }
            return RLRunLoopAddTimer(loop, timer.timer, mode.mode)
        }
        // Retains the content, because another thread may invalidate the timer during the call.
        guard RLRunLoopTimerIsValid(timer.timer), !box.isOver, box.beginUseUnlessOver() else {
            return hintAtInvalid(timer)
        }
        defer { ThreadBox.endUse(box.info) }
        if RLRunLoopTimerGetThreadNumber(timer.timer) == 0 {
            // These calls come before the timer can fire.
            box.belong(to: self)
            box.keep(timer, owner: owner)
        }
        RLRunLoopAddTimer(loop, timer.timer, mode.mode)
        if RLRunLoopTimerGetThreadNumber(timer.timer) == 0 {
            // The timer is not in the loop: the timer became invalid, or the loop has ended.
            box.letGoOfWrapper()
        } else if box.loop === loop {
            // A C function may have added the engine's timer without its wrapper.
            if isCurrent { box.keep(timer, owner: owner) }
        } else if !RLRunLoopContainsTimer(loop, timer.timer, mode.mode) {
            warn(
                "RLRunLoop.add(_:forMode:)",
                "the timer is in another run loop and is not added: create another timer for "
                    + "this loop"
            )
        }
    }

    private func hintAtInvalid(_ timer: RLTimer) {
        hint(
            "RLRunLoop.add(_:forMode:)",
            describe(timer, "invalid")
                + " is not added, as it was invalidated or has fired once: create another timer"
        )
    }

    /// Removes a timer from a mode, or from all common modes.
    ///
    /// The timer stays valid.
    ///
    /// Foundation has no such function. CF: CFRunLoopRemoveTimer.
    public func remove(_ timer: RLTimer, forMode mode: Mode) {
        checkThreadUnlessEnded(of: loop, "RLRunLoop.remove(_:forMode:)")
        RLRunLoopRemoveTimer(loop, timer.timer, mode.mode)
        if RLRunLoopTimerGetThreadNumber(timer.timer) == 0 { timer.box?.leaveLoop() }
    }

    /// Calls a closure whenever the loop reaches one of the given activities.
    ///
    /// ```swift
    /// let observer = RLRunLoop.current.observe(.beforeWaiting) { _, _ in commit() }
    /// ```
    ///
    /// - Parameters:
    ///   - activities: The activities.
    ///   - modes: The modes; by default all common modes.
    ///   - repeats: Whether the closure is called more than once.
    ///   - order: The order among observers. Observers with a lower order are called first.
    ///   - handler: Called on the loop's thread with the observer and the activity.
    /// - Returns: The observer, which stays in the loop until it is invalidated.
    @discardableResult
    public func observe(
        _ activities: RLRunLoopActivity,
        in modes: [Mode] = [.common],
        repeats: Bool = true,
        order: Int = 0,
        handler: @escaping (RLRunLoopObserver, RLRunLoopActivity) -> Void
    ) -> RLRunLoopObserver {
        checkGiver("RLRunLoop.observe(_:in:repeats:order:handler:)")
        checkThreadUnlessEnded(of: loop, "RLRunLoop.observe(_:in:repeats:order:handler:)")
        if modes.isEmpty { hintAtNoModes("RLRunLoop.observe(_:in:repeats:order:handler:)") }
        let observer = RLRunLoopObserver(self, activities, repeats, order, handler)
        for mode in modes { RLRunLoopAddObserver(loop, observer.reference, mode.mode) }
        return observer
    }
}
