import CRunLoop.Wrapping
@_spi(Boxes) public import CoreRunLoop
public import FoundationEssentials
import Synchronization

/// A timer in a run loop: calls a block, or a method of an object, at a time, once or repeatedly.
///
/// A timer's block is confined to the thread whose loop the timer is added to. Other threads may
/// read and move its date, and invalidate it; the compiler only lets them have
/// ``getRLRunLoopTimer()``. The loop retains the timer and its block, so you may hold the timer
/// weakly. A block that captures `self` strongly keeps it alive
/// until ``invalidate()``, which releases the block at once; a timer that does not repeat is
/// invalidated when it has fired. A timer is not a real-time mechanism: it fires late while its
/// thread is busy or its loop runs in other modes. Missed firings are coalesced: the timer fires
/// once, and then at the next multiple of its interval.
///
/// The loop calls the block directly. As in Foundation, it does not call a ``fire()`` that a
/// subclass overrides.
///
/// Foundation: Timer.
open class RLTimer {
    package final let timer: RLRunLoopTimerRef
    // The info of the engine's timer, if this object created the timer. Other wrappers must not
    // reach the box: the compiler does not confine the content of a `Sendable` reference.
    private final var ownBox: TimerBox?
    #if DEBUG
        // For a diagnostic in `deinit`: whether the timer was used.
        private final let wasUsed = Atomic(false)
    #endif

    /// Creates an object for a timer of the engine, and retains it.
    ///
    /// Two objects of one timer are equal. Its ``userInfo`` is nil, as the value is confined to the
    /// timer's first object. ``nextFire()`` works on the thread of the timer's loop, and only for
    /// timers that were made as an ``RLTimer``.
    ///
    /// Foundation: a cast of a CFRunLoopTimer.
    public init(_ timer: RLRunLoopTimerRef) {
        self.timer = timer
        self.ownBox = nil
        // The creator of the engine's timer has used it.
        noteUse()
    }

    /// Creates a wrapper to pass to the block of a timer whose first wrapper was deallocated.
    convenience init(_ timer: RLRunLoopTimerRef, of box: TimerBox) {
        self.init(timer)
        ownBox = box
    }

    /// The info of the engine's timer; nil if the timer was created without a wrapper.
    final var box: TimerBox? { ownBox ?? TimerBox.box(of: timer) }

    /// Whether this object created the engine's timer.
    final var isFirst: Bool { ownBox != nil }

    #if DEBUG
        deinit {
            if wasUsed.load(ordering: .relaxed) || ownBox == nil { return }
            if !RLRunLoopTimerIsValid(timer) { return }
            hint(
                "RLTimer.init",
                "the timer was released without having been in a run loop: call "
                    + "RLRunLoop.add(_:forMode:), or use scheduledTimer"
            )
        }
    #endif

    @inline(__always) package final func noteUse() {
        #if DEBUG
            wasUsed.store(true, ordering: .relaxed)
        #endif
    }

    private static func make(
        _ date: Date,
        _ interval: TimeInterval,
        _ repeats: Bool,
        _ box: TimerBox
    ) -> RLRunLoopTimerRef {
        if date.timeIntervalSinceReferenceDate.isNaN || interval.isNaN {
            stopProcess("RLTimer.init", "\(interval.isNaN ? "interval" : "date") is NaN")
        }
        return makeTimer(
            date.timeIntervalSinceReferenceDate,
            repeats ? usable(interval) : 0,
            box
        ) { TimerBox.fire($0, $1) }
    }

    /// Replaces an interval of zero or less by a tenth of a millisecond (NSTM-1).
    ///
    /// NaN remains NaN: the initializer stops the process for it.
    private static func usable(_ interval: TimeInterval) -> TimeInterval {
        interval > 0 || interval.isNaN ? interval : 0.0001
    }

    private static func date(after interval: TimeInterval) -> Date {
        Date(timeIntervalSinceReferenceDate: RLAbsoluteTimeGetCurrent() + usable(interval))
    }

    /// Creates a timer that calls a block; add it to a loop by
    /// ``RLRunLoop/add(_:forMode:)-(RLTimer,_)``.
    ///
    /// Foundation: Timer.init(fire:interval:repeats:block:).
    ///
    /// - Parameters:
    ///   - date: The date of the first firing. A date in the past means as soon as the loop runs.
    ///   - interval: The seconds between firings. Zero or less counts as 0.0001. Ignored if the
    ///     timer does not repeat.
    ///   - repeats: Whether the timer repeats.
    ///   - block: Called on the loop's thread with the timer.
    public init(
        fire date: Date,
        interval: TimeInterval,
        repeats: Bool,
        block: @escaping (RLTimer) -> Void
    ) {
        checkGiver("RLTimer.init")
        let box = TimerBox(userInfo: nil, block: block)
        self.timer = Self.make(date, interval, repeats, box)
        self.ownBox = box
    }

    /// Creates a timer that calls a block, first after one interval; add it to a loop yourself.
    ///
    /// Foundation: Timer.init(timeInterval:repeats:block:).
    ///
    /// - Parameters:
    ///   - interval: The seconds until it fires, and between firings. Zero or less counts as
    ///     0.0001.
    ///   - repeats: Whether the timer repeats.
    ///   - block: Called on the loop's thread with the timer.
    public convenience init(
        timeInterval interval: TimeInterval,
        repeats: Bool,
        block: @escaping (RLTimer) -> Void
    ) {
        self.init(
            fire: Self.date(after: interval),
            interval: interval,
            repeats: repeats,
            block: block
        )
    }

    /// Creates a timer that calls a block, first after one interval; add it to a loop yourself.
    ///
    /// An interval of zero or less counts as 0.1 ms.
    public convenience init(
        timeInterval interval: Duration,
        repeats: Bool,
        block: @escaping (RLTimer) -> Void
    ) {
        self.init(timeInterval: interval.seconds, repeats: repeats, block: block)
    }

    /// Creates a timer that calls a method of an object with the timer; add it to a loop yourself.
    ///
    /// The target is retained until the timer is invalidated.
    ///
    /// Foundation: Timer.init(fireAt:interval:target:selector:userInfo:repeats:).
    ///
    /// - Parameters:
    ///   - date: The date of the first firing.
    ///   - interval: The seconds between firings. Zero or less counts as 0.0001.
    ///   - target: The object.
    ///   - selector: The method; it is called with the timer, if it has a parameter.
    ///   - userInfo: The value of ``userInfo``, retained until the timer is invalidated.
    ///   - repeats: Whether the timer repeats.
    public init<Target: AnyObject>(
        fireAt date: Date,
        interval: TimeInterval,
        target: Target,
        selector: RLSelector<Target>,
        userInfo: Any?,
        repeats: Bool
    ) {
        checkGiver("RLTimer.init")
        let box = TimerBox(userInfo: userInfo.map(TimerBox.UserInfo.init)) {
            selector.invoke(target, $0)
        }
        self.timer = Self.make(date, interval, repeats, box)
        self.ownBox = box
    }

    /// Creates a timer that calls a method of an object with the timer, first after one interval.
    ///
    /// Add it to a loop yourself. The target is retained until the timer is invalidated.
    ///
    /// Foundation: Timer.init(timeInterval:target:selector:userInfo:repeats:).
    public convenience init<Target: AnyObject>(
        timeInterval interval: TimeInterval,
        target: Target,
        selector: RLSelector<Target>,
        userInfo: Any?,
        repeats: Bool
    ) {
        self.init(
            fireAt: Self.date(after: interval),
            interval: interval,
            target: target,
            selector: selector,
            userInfo: userInfo,
            repeats: repeats
        )
    }

    /// Creates a timer that calls a block, and adds it to the current loop in default mode.
    ///
    /// Foundation: Timer.scheduledTimer(withTimeInterval:repeats:block:).
    @available(
        *,
        noasync,
        message: "use RLTimer.fires(every:on:), or Task.sleep, or a synchronous helper function"
    )
    @discardableResult
    open class func scheduledTimer(
        withTimeInterval interval: TimeInterval,
        repeats: Bool,
        block: @escaping (RLTimer) -> Void
    ) -> RLTimer {
        let timer = RLTimer(timeInterval: interval, repeats: repeats, block: block)
        RLRunLoop.current.add(timer, forMode: .default)
        return timer
    }

    /// Creates a timer that calls a block, and adds it to the current loop in default mode.
    @available(
        *,
        noasync,
        message: "use RLTimer.fires(every:on:), or Task.sleep, or a synchronous helper function"
    )
    @discardableResult
    public static func scheduledTimer(
        withTimeInterval interval: Duration,
        repeats: Bool,
        block: @escaping (RLTimer) -> Void
    ) -> RLTimer {
        scheduledTimer(withTimeInterval: interval.seconds, repeats: repeats, block: block)
    }

    /// Creates a timer that calls a method of an object, and adds it to the current loop in default
    /// mode.
    ///
    /// Foundation: Timer.scheduledTimer(timeInterval:target:selector:userInfo:repeats:).
    @available(
        *,
        noasync,
        message: "use RLTimer.fires(every:on:), or Task.sleep, or a synchronous helper function"
    )
    @discardableResult
    open class func scheduledTimer<Target: AnyObject>(
        timeInterval interval: TimeInterval,
        target: Target,
        selector: RLSelector<Target>,
        userInfo: Any?,
        repeats: Bool
    ) -> RLTimer {
        let timer = RLTimer(
            timeInterval: interval,
            target: target,
            selector: selector,
            userInfo: userInfo,
            repeats: repeats
        )
        RLRunLoop.current.add(timer, forMode: .default)
        return timer
    }

    /// Calls the timer's block or method at once on the calling thread, if the timer is valid.
    ///
    /// A timer that does not repeat is then invalidated. The schedule of a repeating timer does not
    /// change.
    ///
    /// Foundation: fire().
    open func fire() {
        checkThread("RLTimer.fire()")
        noteUse()
        guard isValid else { return }
        if let box { box.call(with: self) } else { RLRunLoopTimerCallOut(timer) }
        if !RLRunLoopTimerDoesRepeat(timer) { invalidate() }
    }

    /// The date of the next firing.
    ///
    /// Setting it moves the schedule of a repeating timer. May be used on any thread.
    ///
    /// Foundation: fireDate.
    open var fireDate: Date {
        get { Date(timeIntervalSinceReferenceDate: RLRunLoopTimerGetNextFireDate(timer)) }
        set {
            if newValue.timeIntervalSinceReferenceDate.isNaN {
                hint("RLTimer.fireDate", "the date is NaN: the timer never fires")
            }
            RLRunLoopTimerSetNextFireDate(timer, newValue.timeIntervalSinceReferenceDate)
        }
    }

    /// The seconds between firings; 0 if the timer does not repeat.
    ///
    /// Foundation: timeInterval.
    open var timeInterval: TimeInterval {
        RLRunLoopTimerGetInterval(timer)
    }

    /// The greatest delay of a firing in seconds, which lets the loop serve the timer together with
    /// others.
    ///
    /// At most half the interval of a repeating timer. Zero at first. May be used on any thread.
    ///
    /// Foundation: tolerance.
    open var tolerance: TimeInterval {
        get { RLRunLoopTimerGetTolerance(timer) }
        set { RLRunLoopTimerSetTolerance(timer, newValue) }
    }

    /// Whether the timer can still fire.
    ///
    /// False once it was invalidated or the thread of its loop has ended.
    ///
    /// Foundation: isValid.
    open var isValid: Bool {
        canFire
    }

    /// Whether the timer can fire, independent of overrides.
    final var canFire: Bool {
        RLRunLoopTimerIsValid(timer) && ownBox?.isOver != true
    }

    /// Removes the timer from its loop for good and releases its block or target.
    ///
    /// May be called on any thread. The thread of the timer's loop releases the block or target: on
    /// another thread, after this call has returned.
    ///
    /// Foundation: invalidate().
    open func invalidate() {
        RLRunLoopTimerInvalidate(timer)
    }

    /// The user info that was given with the target; nil once the timer is invalid, and in an
    /// object that was made from a reference.
    ///
    /// Foundation: userInfo.
    ///
    /// Reading it on another thread stops the process with a message, because the value need not be
    /// `Sendable`.
    open var userInfo: Any? {
        checkThread("RLTimer.userInfo")
        // After another thread has invalidated the timer, the value belongs to the loop's thread.
        guard let ownBox, ownBox.belongsToCallingThread else { return nil }
        return ownBox.userInfo
    }

    /// Resumes a waiter at the next firing, or at once if there is none.
    final func addWaiter(_ waiter: TimerWaiter) {
        guard let box, canFire else { return waiter.end(false) }
        box.addWaiter(waiter, of: timer)
    }

    final func removeWaiter(_ waiter: TimerWaiter) {
        box?.removeWaiter(waiter)
    }

    /// Stops the process if the timer is in the loop of another thread.
    package final func checkThread(_ call: StaticString, remedy: String? = nil) {
        guard RLRunLoopTimerIsForeign(timer) else { return }
        stopForeignUse(
            call,
            of: "timer",
            thread: RLRunLoopTimerGetThreadNumber(timer),
            remedy ?? "use getRLRunLoopTimer() and the RLRunLoopTimer functions"
        )
    }

    /// The engine's timer, which may be used from any thread.
    ///
    /// The timer's block stays confined to the calling thread, because it need not be `Sendable`.
    /// If another thread invalidates the timer, the loop of this thread releases the block. If the
    /// timer is added to the loop of another thread, firing stops the process with a message. For a
    /// timer of another thread, use `RLRunLoopTimerCreate`, whose closure is `@Sendable`.
    ///
    /// After `RLRunLoopRemoveTimer` the timer and this object form a retain cycle until the timer
    /// is invalidated, as in Foundation on Linux. ``RLRunLoop/remove(_:forMode:)-(RLTimer,_)``
    /// leaves no cycle.
    ///
    /// Foundation: a cast to CFRunLoopTimer.
    public final func getRLRunLoopTimer() -> RLRunLoopTimerRef {
        noteUse()
        if let ownBox, RLRunLoopTimerIsForeign(timer) {
            ownBox.nameElsewhere()
        } else {
            box?.name(self)
        }
        return timer
    }
}

/// Creates a timer of the engine that retains a box and calls a function with it.
func makeTimer(
    _ date: RLAbsoluteTime,
    _ interval: TimeInterval,
    _ box: ThreadBox,
    _ callout: RLRunLoopTimerCallBack
) -> RLRunLoopTimerRef {
    let timer = withExtendedLifetime(box) {
        var context = RLRunLoopTimerContext()
        context.info = box.info
        context.retain = ThreadBox.beginUse
        context.release = ThreadBox.endUse
        context.copyDescription = ContextBox.copyDescription
        return RLRunLoopTimerCreate(nil, date, interval, 0, 0, callout, &context)
    }
    guard let timer else { stopProcess("RLTimer.init", "the engine made no timer") }
    return timer
}

/// A timer's block is confined to the thread of its loop; pass ``RLTimer/getRLRunLoopTimer()`` to
/// others.
@available(*, unavailable, message: "use getRLRunLoopTimer(), which may be passed to any thread")
extension RLTimer: Sendable {}

extension RLTimer: RLObjectProtocol {
    /// Whether the other object is a wrapper of the same timer.
    public func isEqual(_ object: Any?) -> Bool {
        (object as? RLTimer)?.timer === timer
    }

    /// The hash of the engine's timer.
    public var hash: Int {
        timer.hashValue
    }
}

extension RLTimer: CustomStringConvertible {
    /// The description of the engine's timer.
    public var description: String {
        timer.description
    }
}
