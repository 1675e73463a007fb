import CRunLoop.Wrapping
@_spi(Boxes) public import CoreRunLoop
public import FoundationEssentials
import Synchronization

/// A timer in a run loop, which calls a block, or a method of an object, once or repeatedly.
///
/// A timer's block is confined to the thread to whose loop the timer is added. Other threads may
/// read and set the timer's date, and invalidate the timer. The compiler does not permit sending
/// this object to another thread: send the result of ``getRLRunLoopTimer()`` instead.
///
/// The loop retains the timer and its block, so a weak reference to the timer is sufficient. If the
/// block captures `self` strongly, `self` is retained until ``invalidate()``. A timer that does not
/// repeat is invalidated when it has fired.
///
/// A timer is not a real-time mechanism: it fires late if its thread is busy or its loop runs in
/// other modes. Missed firings are coalesced: the timer fires once, and then at the next multiple
/// of its interval.
///
/// As in Foundation, the loop calls the block directly, and does not call ``fire()``, even if a
/// subclass overrides it.
///
/// Foundation: Timer.
open class RLTimer {
    package final let timer: RLRunLoopTimerRef
    // The info of the engine's timer. Nil in a wrapper that the client created from a reference,
    // because the compiler does not confine the content of a `Sendable` reference.
    private final var ownBox: TimerBox?
    #if DEBUG
        // Whether the timer was used, for a diagnostic in `deinit`.
        private final let wasUsed = Atomic(false)
    #endif

    /// Creates an object for a timer of the engine, and retains the timer.
    ///
    /// Several objects for the same timer are equal. The ``userInfo`` of an object that this
    /// initializer creates is nil, because only the timer's original object can access the value.
    /// ``nextFire()`` works only on the thread of the timer's loop, and only for timers that were
    /// created as an ``RLTimer``.
    ///
    /// Foundation: a cast from CFRunLoopTimer.
    public init(_ timer: RLRunLoopTimerRef) {
        self.timer = timer
        self.ownBox = nil
        // The creator of the engine's timer may add the timer to a loop.
        noteUse()
    }

    /// Creates a wrapper for the timer's block, after the first wrapper was deallocated.
    convenience init(_ timer: RLRunLoopTimerRef, of box: TimerBox) {
        self.init(timer)
        ownBox = box
    }

    /// The box; nil if the timer has no box, or it is not accessible: see ``TimerBox/box(of:)``.
    final var box: TimerBox? { ownBox ?? TimerBox.box(of: timer) }

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
            stopProcess(
                "RLTimer.init",
                "\(interval.isNaN ? "interval" : "date") is NaN: check its computation"
            )
        }
        return makeTimer(
            date.timeIntervalSinceReferenceDate,
            repeats ? usable(interval) : 0,
            box
        ) { TimerBox.fire($0, $1) }
    }

    /// Returns 0.1 ms for zero or less (NSTM-1); NaN stays NaN, which stops the process in `make`.
    private static func usable(_ interval: TimeInterval) -> TimeInterval {
        interval > 0 || interval.isNaN ? interval : 0.0001
    }

    private static func date(after interval: TimeInterval) -> Date {
        Date(timeIntervalSinceReferenceDate: RLAbsoluteTimeGetCurrent() + usable(interval))
    }

    /// Creates a timer that calls a block.
    ///
    /// Add the timer to a loop with ``RLRunLoop/add(_:forMode:)-(RLTimer,_)``.
    ///
    /// Foundation: Timer.init(fire:interval:repeats:block:).
    ///
    /// - Parameters:
    ///   - date: The date of the first firing. With a date in the past, the timer fires as soon as
    ///     the loop runs.
    ///   - interval: The seconds between firings. Zero or less means 0.0001. Ignored if the timer
    ///     does not repeat.
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

    /// Creates a timer that calls a block, first after one interval.
    ///
    /// The caller must add the timer to a loop.
    ///
    /// Foundation: Timer.init(timeInterval:repeats:block:).
    ///
    /// - Parameters:
    ///   - interval: The seconds until the first firing, and between firings. Zero or less means
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

    /// Creates a timer that calls a block, first after one interval.
    ///
    /// The caller must add the timer to a loop. An interval of zero or less means 0.1 ms.
    public convenience init(
        timeInterval interval: Duration,
        repeats: Bool,
        block: @escaping (RLTimer) -> Void
    ) {
        self.init(timeInterval: interval.seconds, repeats: repeats, block: block)
    }

    /// Creates a timer that calls a method of an object.
    ///
    /// The caller must add the timer to a loop. The target is retained until the timer is
    /// invalidated.
    ///
    /// Foundation: Timer.init(fireAt:interval:target:selector:userInfo:repeats:).
    ///
    /// - Parameters:
    ///   - date: The date of the first firing.
    ///   - interval: The seconds between firings. Zero or less means 0.0001.
    ///   - target: The object.
    ///   - selector: The method. If it has a parameter, its argument is the timer.
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

    /// Creates a timer that calls a method of an object, first after one interval.
    ///
    /// The caller must add the timer to a loop. The target is retained until the timer is
    /// invalidated.
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

    /// Calls the timer's block or method immediately on the calling thread, if the timer is valid.
    ///
    /// The call invalidates a timer that does not repeat. It does not change the schedule of a
    /// repeating timer.
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
    /// Setting the date moves the schedule of a repeating timer. Thread-safe.
    ///
    /// Foundation: fireDate.
    open var fireDate: Date {
        get { Date(timeIntervalSinceReferenceDate: RLRunLoopTimerGetNextFireDate(timer)) }
        set {
            if newValue.timeIntervalSinceReferenceDate.isNaN {
                hint(
                    "RLTimer.fireDate",
                    "the date is NaN, so the timer never fires: check the computation of the "
                        + "date"
                )
            }
            RLRunLoopTimerSetNextFireDate(timer, newValue.timeIntervalSinceReferenceDate)
        }
    }

    /// The seconds between firings, or 0 if the timer does not repeat.
    ///
    /// Foundation: timeInterval.
    open var timeInterval: TimeInterval {
        RLRunLoopTimerGetInterval(timer)
    }

    /// The maximum delay of a firing, in seconds.
    ///
    /// A tolerance lets the loop serve several timers at once. The initial value is zero. For a
    /// repeating timer, the maximum is half the interval. Thread-safe.
    ///
    /// Foundation: tolerance.
    open var tolerance: TimeInterval {
        get { RLRunLoopTimerGetTolerance(timer) }
        set { RLRunLoopTimerSetTolerance(timer, newValue) }
    }

    /// Whether the timer can still fire.
    ///
    /// False after the timer was invalidated or the thread of its loop has ended.
    ///
    /// Foundation: isValid.
    open var isValid: Bool {
        canFire
    }

    /// Whether the timer can fire, regardless of overrides of `isValid`.
    final var canFire: Bool {
        RLRunLoopTimerIsValid(timer) && ownBox?.isOver != true
    }

    /// Removes the timer from its loop permanently and releases its block or target.
    ///
    /// Thread-safe. The thread of the timer's loop releases the block or target. If another thread
    /// calls this function, the release happens after the call has returned.
    ///
    /// Foundation: invalidate().
    open func invalidate() {
        RLRunLoopTimerInvalidate(timer)
    }

    /// The user info that was passed with the target.
    ///
    /// Nil after the timer was invalidated, and in an object that was created from a reference.
    ///
    /// Foundation: userInfo.
    ///
    /// Reading the property on another thread stops the process with a message, because the value
    /// need not be `Sendable`.
    open var userInfo: Any? {
        checkThread("RLTimer.userInfo")
        // After another thread has invalidated the timer, the value belongs to the loop's thread.
        guard let ownBox, ownBox.belongsToCallingThread else { return nil }
        return ownBox.userInfo
    }

    /// Resumes a waiter at the next firing, or immediately if the timer cannot fire any more.
    final func addWaiter(_ waiter: TimerBox.Waiter) {
        guard let box, canFire else { return waiter.end(false) }
        box.addWaiter(waiter, of: timer)
    }

    final func removeWaiter(_ waiter: TimerBox.Waiter) {
        box?.removeWaiter(waiter)
    }

    package final func checkThread(_ call: StaticString, remedy: String? = nil) {
        guard RLRunLoopTimerIsForeign(timer) else { return }
        stopForeignUse(
            call,
            of: "timer",
            thread: RLRunLoopTimerGetThreadNumber(timer),
            remedy ?? "use getRLRunLoopTimer() and the RLRunLoopTimer functions"
        )
    }

    /// Returns the engine's timer, which any thread may use.
    ///
    /// The timer's block stays confined to the calling thread, because the block need not be
    /// `Sendable`. If another thread invalidates the timer, the calling thread's loop releases the
    /// block. If the timer is added to the loop of another thread, firing stops the process with a
    /// message. For a timer in another thread's loop, use `RLRunLoopTimerCreate`, whose closure is
    /// `@Sendable`.
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
    guard let timer else {
        stopProcess("RLTimer.init", "internal error: no timer was created: please report it")
    }
    return timer
}

/// A timer's block is confined to the thread of its loop. Pass ``RLTimer/getRLRunLoopTimer()`` to
/// other threads.
@available(*, unavailable, message: "use getRLRunLoopTimer(), which may be passed to any thread")
extension RLTimer: Sendable {}

extension RLTimer: RLObjectProtocol {
    /// Returns whether the other object is a wrapper of the same timer of the engine.
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
