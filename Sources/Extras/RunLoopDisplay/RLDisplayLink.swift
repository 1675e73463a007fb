import CRunLoop.Wrapping
public import FoundationEssentials
public import RunLoopKit

/// The monotonic clock in seconds, the clock of ``RLDisplayLink``.
///
/// CF: none; CACurrentMediaTime() of Core Animation.
public func RLCurrentMediaTime() -> TimeInterval {
    Double(RLClockGetNanoseconds()) / 1e9
}

/// Calls a method or a closure once for each frame of a display, in a run loop.
///
/// By default the display is ideal: its frames begin at the multiples of its refresh interval on
/// the monotonic clock, so that all links of a rate are in phase. With
/// ``init(device:pipe:handler:)`` the frames begin at the vertical blanks of a real display.
/// ``preferredFrameRateRange`` determines whether a link is called for every frame, every second
/// one, and so on. If the loop is late, because a callback took long or ran another mode, missed
/// frames are skipped: the next call is for the current frame, and the one after it is on time.
///
/// ```swift
/// let link = RLDisplayLink(refreshRate: 120) { link in
///     scene.advance(to: link.targetTimestamp)
/// }
/// link.add(to: .current, forMode: .common)
/// ```
///
/// A link is confined to the thread whose loop it is added to. While it is in a mode, the loop
/// retains it and its target; ``invalidate()`` ends that. Without a device it is a timer of the
/// loop and needs no descriptor: due frames and timers end one sleep together, and the clock is the
/// loop's.
///
/// Core Animation: CADisplayLink.
public final class RLDisplayLink {
    /// The default refresh rate of a display.
    public static let defaultRefreshRate = 60

    let timer: RLTimer
    private let core: DisplayLinkCore
    // The objects of the loop's thread that hold this link; nil before the link is in a loop.
    private var belongings: ThreadBelongings?

    private init(_ core: DisplayLinkCore) {
        checkGiver("RLDisplayLink.init")
        self.core = core
        // Each firing sets the next fire date: the interval is never used.
        timer = RLTimer(fire: .distantFuture, interval: 1e8, repeats: true) { core.frameComes($0) }
        core.link = self
        // An unused link logs its own diagnostic instead of the timer's.
        timer.noteUse()
    }

    #if DEBUG
        private var wasAdded = false

        deinit {
            if wasAdded || !timer.isValid { return }
            hint(
                "RLDisplayLink.init",
                "the display link was released without having been in a run loop: "
                    + "call add(to:forMode:)"
            )
        }
    #endif

    /// Creates a link that calls a closure; add it to a loop by ``add(to:forMode:)``.
    ///
    /// - Parameters:
    ///   - refreshRate: The frames of the display in a second, from 24 to 240; another number stops
    ///     the process.
    ///   - handler: Called on the loop's thread with the link; retained until the link is
    ///     invalidated.
    public convenience init(
        refreshRate: Int = RLDisplayLink.defaultRefreshRate,
        handler: @escaping (RLDisplayLink) -> Void
    ) {
        guard FrameGrid.rates.contains(refreshRate) else {
            stopProcess(
                "RLDisplayLink.init",
                "argument `refreshRate` (\(refreshRate)) is not within \(FrameGrid.rates)"
            )
        }
        self.init(DisplayLinkCore(FrameGrid(refreshRate: refreshRate), nil, handler))
    }

    /// Creates a link that is called at the vertical blanks of a display; add it to a loop by
    /// ``add(to:forMode:)``.
    ///
    /// ```swift
    /// let link =
    ///     (try? RLDisplayLink(device: "/dev/dri/card0") { draw(for: $0.targetTimestamp) })
    ///     ?? RLDisplayLink { draw(for: $0.targetTimestamp) }
    /// ```
    ///
    /// Times and frames are the driver's. ``timestamp`` is that of the blank. ``duration`` is
    /// measured from one call to the next (1/60 s until then). Frames that the driver has counted
    /// without a call are skipped ones. Each call requests the next blank, so that a link that is
    /// paused or in no mode leaves the display's interrupts off and the loop asleep.
    ///
    /// Only this initializer opens a device: a device needs permission, keeps a graphics card
    /// awake, and makes the first program that opens it its master until it drops that, as the link
    /// does at once. Another program, such as a compositor, must switch the display on. If the
    /// display is lost later (unplugged, switched off, revoked), the link logs a line on standard
    /// error and continues for good by the monotonic clock, at the measured rate; see
    /// ``followsDevice``.
    ///
    /// Core Animation: none; NSScreen.displayLink(target:selector:) of AppKit.
    ///
    /// - Parameters:
    ///   - path: The device; the kernel's DRM drivers have theirs in `/dev/dri`. It is opened for
    ///     this link alone, and closed when the link is invalidated or deallocated.
    ///   - pipe: The display of the device (CRTC) in the order of its driver, from 0 to 31; another
    ///     number stops the process.
    ///   - handler: Called on the loop's thread with the link; retained until the link is
    ///     invalidated.
    /// - Throws: ``RLDisplayDeviceError`` if there is no such device, no permission, or no vertical
    ///   blanks.
    public convenience init(
        device path: String,
        pipe: Int = 0,
        handler: @escaping (RLDisplayLink) -> Void
    ) throws(RLDisplayDeviceError) {
        guard VerticalBlanks.pipes.contains(pipe) else {
            stopProcess(
                "RLDisplayLink.init",
                "argument `pipe` (\(pipe)) is not within \(VerticalBlanks.pipes)"
            )
        }
        let grid = FrameGrid(refreshRate: Self.defaultRefreshRate)
        let blanks = try VerticalBlanks(path: path, pipe: pipe)
        self.init(DisplayLinkCore(grid, blanks, handler))
    }

    /// Creates a link that calls a method of an object with the link; add it to a loop yourself.
    ///
    /// The target is retained until the link is invalidated.
    ///
    /// Core Animation: CADisplayLink.init(target:selector:).
    ///
    /// - Parameters:
    ///   - target: The object.
    ///   - selector: The method; it is called with the link, if it has a parameter.
    ///   - refreshRate: The frames of the display in a second, from 24 to 240; another number stops
    ///     the process.
    public convenience init<Target: AnyObject>(
        target: Target,
        selector: RLSelector<Target>,
        refreshRate: Int = RLDisplayLink.defaultRefreshRate
    ) {
        self.init(refreshRate: refreshRate) { selector.invoke(target, $0) }
    }

    /// Adds the link to a mode of a loop, or to all common modes.
    ///
    /// Its first call is for the next frame. Does nothing if the link is invalid or in another
    /// loop.
    ///
    /// Core Animation: CADisplayLink.add(to:forMode:).
    public func add(to loop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        checkGiver("RLDisplayLink.add(to:forMode:)")
        checkThread("RLDisplayLink.add(to:forMode:)")
        #if DEBUG
            wasAdded = true
        #endif
        if !isInLoop { core.restart(timer) }
        if !isInLoop && timer.isValid {
            belongings?.remove(core)
            belongings = loop.belongings
            loop.belongings.insert(core)
        }
        loop.add(timer, forMode: mode, keeping: self)
        guard let source = core.source else { return }
        // The timer may belong to another loop.
        let engineLoop = loop.getRLRunLoop()
        if RLRunLoopContainsTimer(engineLoop, timer.timer, mode.mode) {
            RLRunLoopAddSource(engineLoop, source, mode.mode)
        }
    }

    /// Removes the link from a mode, or from all common modes.
    ///
    /// When it is in no mode any more, the loop releases it.
    ///
    /// Core Animation: CADisplayLink.remove(from:forMode:).
    public func remove(from loop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        loop.remove(timer, forMode: mode)
        if !isInLoop { belongings?.remove(core) }
        if let source = core.source {
            RLRunLoopRemoveSource(loop.getRLRunLoop(), source, mode.mode)
        }
    }

    /// Removes the link from its loop for good and releases its target or handler.
    ///
    /// Core Animation: CADisplayLink.invalidate().
    public func invalidate() {
        checkThread("RLDisplayLink.invalidate()")
        timer.invalidate()
        belongings?.remove(core)
        core.end()
    }

    private func checkThread(_ call: StaticString) {
        timer.checkThread(call, remedy: "call it on that thread with RLRunLoopPerformBlock")
    }

    private var isInLoop: Bool {
        RLRunLoopTimerGetThreadNumber(timer.timer) != 0
    }

    /// Whether the link is paused.
    ///
    /// A paused link stays in its loop. Frames during a pause do not count as skipped. False by
    /// default.
    ///
    /// Core Animation: CADisplayLink.isPaused.
    public var isPaused: Bool {
        get {
            checkThread("RLDisplayLink.isPaused.getter")
            return core.isPaused
        }
        set {
            checkThread("RLDisplayLink.isPaused")
            if newValue == core.isPaused { return }
            core.isPaused = newValue
            if isInLoop { core.restart(timer) }
        }
    }

    /// Whether the frames come from the link's device.
    ///
    /// False without a device, and once the device is lost or the link is invalid.
    public var followsDevice: Bool {
        checkThread("RLDisplayLink.followsDevice")
        return core.source != nil
    }

    /// The time at which the frame of the last call began, in seconds of ``RLCurrentMediaTime()``;
    /// 0 before the first call.
    ///
    /// Core Animation: CADisplayLink.timestamp.
    public var timestamp: TimeInterval {
        checkThread("RLDisplayLink.timestamp")
        return core.lastFrame.map { $0.time(after: 0) } ?? 0
    }

    /// The time at which the link's next frame begins, for which this call prepares; 0 before the
    /// first call.
    ///
    /// Core Animation: CADisplayLink.targetTimestamp.
    public var targetTimestamp: TimeInterval {
        checkThread("RLDisplayLink.targetTimestamp")
        return core.lastFrame.map { $0.time(after: core.divider) } ?? 0
    }

    /// The seconds from one frame of the display to the next.
    ///
    /// The time between calls is ``targetTimestamp`` less ``timestamp``.
    ///
    /// Core Animation: CADisplayLink.duration.
    public var duration: TimeInterval {
        checkThread("RLDisplayLink.duration")
        return core.duration
    }

    /// The number of frames skipped so far because the loop was late or ran in other modes.
    public var skippedFrameCount: Int {
        checkThread("RLDisplayLink.skippedFrameCount")
        return core.skippedFrameCount
    }

    /// The preferred rate of calls.
    ///
    /// The actual rate is that of the display divided by a whole number: the one within the range
    /// that is closest to the preferred rate or, if none is within the range, the closest of all.
    ///
    /// Core Animation: CADisplayLink.preferredFrameRateRange.
    public var preferredFrameRateRange: RLFrameRateRange {
        get {
            checkThread("RLDisplayLink.preferredFrameRateRange.getter")
            return core.range
        }
        set {
            checkThread("RLDisplayLink.preferredFrameRateRange")
            core.range = newValue
            setDivider(core.grid.divider(for: newValue))
        }
    }

    /// The preferred number of calls per second; 0, the default, for each frame.
    ///
    /// A negative number counts as 0.
    ///
    /// Core Animation: CADisplayLink.preferredFramesPerSecond.
    @available(*, deprecated, message: "use preferredFrameRateRange")
    public var preferredFramesPerSecond: Int {
        get {
            Int(
                min(
                    preferredFrameRateRange.preferred ?? preferredFrameRateRange.maximum,
                    Float(Int32.max)
                )
            )
        }
        set {
            let rate = Float(max(newValue, 0))
            // A range around the rate: the closest possible rate is chosen.
            preferredFrameRateRange =
                rate == 0
                ? .default
                : RLFrameRateRange(
                    minimum: .leastNonzeroMagnitude,
                    maximum: .greatestFiniteMagnitude,
                    preferred: rate
                )
        }
    }

    /// The number of frames of the display per call; at least 1, the default.
    ///
    /// Core Animation: CADisplayLink.frameInterval.
    @available(*, deprecated, message: "use preferredFrameRateRange")
    public var frameInterval: Int {
        get {
            checkThread("RLDisplayLink.frameInterval.getter")
            return core.divider
        }
        set {
            checkThread("RLDisplayLink.frameInterval")
            core.range = .default
            setDivider(min(max(newValue, 1), Int(Int32.max)))
        }
    }

    private func setDivider(_ divider: Int) {
        if divider == core.divider { return }
        core.divider = divider
        if isInLoop { core.restart(timer) }
    }
}

/// A link is confined to the thread of its loop.
@available(*, unavailable)
extension RLDisplayLink: Sendable {}

extension RLDisplayLink: RLObjectProtocol {}

extension RLDisplayLink: CustomStringConvertible {
    /// The address, whether it is paused, and the preferred frame rate.
    public var description: String {
        describe(self, "\(core.isPaused ? "paused" : "running"), \(core.range)")
    }
}
