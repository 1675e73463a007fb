import CRunLoop.Wrapping
public import FoundationEssentials
public import RunLoopKit

/// Returns the time of the monotonic clock in seconds, the time base of ``RLDisplayLink``.
///
/// Core Animation: CACurrentMediaTime().
public func RLCurrentMediaTime() -> TimeInterval {
    Double(RLClockGetNanoseconds()) / 1e9
}

/// Calls a method or a closure once for each frame of a display, in a run loop.
///
/// By default the display is ideal: its frames begin at the multiples of its refresh interval on
/// the monotonic clock, so all links with the same rate are in phase. With
/// ``init(device:pipe:handler:)`` the frames begin at the vertical blanks of a real display.
/// ``preferredFrameRateRange`` determines whether a link is called for every frame, every second
/// frame, and so on. If the loop is late, because a callback took long or ran another mode, missed
/// frames are skipped: the next call is for the current frame, and the call after it is on time.
///
/// ```swift
/// let link = RLDisplayLink(refreshRate: 120) { link in
///     scene.advance(to: link.targetTimestamp)
/// }
/// link.add(to: .current, forMode: .common)
/// ```
///
/// A link is confined to the thread of the loop to which it is added. While the link is in a mode,
/// the loop retains the link and its target, until ``invalidate()`` is called. Without a device, a
/// link is a timer of the loop and needs no descriptor: one wake-up serves all frames and timers
/// that are due, and the link follows the loop's clock.
///
/// Core Animation: CADisplayLink.
public final class RLDisplayLink {
    /// The default refresh rate of a display.
    public static let defaultRefreshRate = 60

    let timer: RLTimer
    private let core: DisplayLinkCore
    // The thread's collection that retains `core`; nil before the link is added to a loop.
    private var belongings: ThreadBelongings?

    private init(_ core: DisplayLinkCore) {
        checkGiver("RLDisplayLink.init")
        self.core = core
        // Each firing sets the next fire date: the interval is never used.
        timer = RLTimer(fire: .distantFuture, interval: 1e8, repeats: true) { core.frameComes($0) }
        core.link = self
        // Suppresses the timer's hint about an unused timer: the link logs a hint of its own.
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

    /// Creates a link that calls a closure; add it to a loop with ``add(to:forMode:)``.
    ///
    /// - Parameters:
    ///   - refreshRate: The display's frames per second, from 24 to 240; another number stops the
    ///     process.
    ///   - handler: Called on the loop's thread with the link; retained until the link is
    ///     invalidated.
    public convenience init(
        refreshRate: Int = RLDisplayLink.defaultRefreshRate,
        handler: @escaping (RLDisplayLink) -> Void
    ) {
        guard FrameGrid.rates.contains(refreshRate) else {
            stopProcess(
                "RLDisplayLink.init",
                "argument `refreshRate` (\(refreshRate)) must be within "
                    + "\(FrameGrid.rates)"
            )
        }
        self.init(DisplayLinkCore(FrameGrid(refreshRate: refreshRate), nil, handler))
    }

    /// Creates a link that calls a closure at the vertical blanks of a display; add it to a loop
    /// with ``add(to:forMode:)``.
    ///
    /// ```swift
    /// let link =
    ///     (try? RLDisplayLink(device: "/dev/dri/card0") { draw(for: $0.targetTimestamp) })
    ///     ?? RLDisplayLink { draw(for: $0.targetTimestamp) }
    /// ```
    ///
    /// The driver supplies times and frame numbers. ``timestamp`` is the time of the blank.
    /// ``duration`` is measured between calls, and is 1/60 s before the second call. Frames that
    /// the driver counted without a call are skipped frames. Each call requests the next blank. A
    /// link that is paused or in no mode requests none, so the display's interrupts are off and the
    /// loop sleeps.
    ///
    /// Only this initializer opens a device. Opening requires permission and keeps the graphics
    /// card awake. The first program that opens a device becomes its DRM master; the link drops
    /// this role at once. Another program, such as a compositor, must switch the display on. If the
    /// display is lost later (unplugged, switched off, revoked), the link logs a line on standard
    /// error. It then stays on the monotonic clock, at the measured rate; see ``followsDevice``.
    ///
    /// AppKit: NSScreen.displayLink(target:selector:).
    ///
    /// - Parameters:
    ///   - path: The path of the device; DRM devices are in `/dev/dri`. The link opens the device
    ///     for itself, and closes it when the link is invalidated or deallocated.
    ///   - pipe: The index of the display (CRTC) in the driver's order, from 0 to 31; another
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
                "argument `pipe` (\(pipe)) must be within \(VerticalBlanks.pipes)"
            )
        }
        let grid = FrameGrid(refreshRate: Self.defaultRefreshRate)
        let blanks = try VerticalBlanks(path: path, pipe: pipe)
        self.init(DisplayLinkCore(grid, blanks, handler))
    }

    /// Creates a link that calls a method of an object; add it to a loop with ``add(to:forMode:)``.
    ///
    /// The target is retained until the link is invalidated.
    ///
    /// Core Animation: CADisplayLink.init(target:selector:).
    ///
    /// - Parameters:
    ///   - target: The object.
    ///   - selector: The method. If it has a parameter, it is called with the link.
    ///   - refreshRate: The display's frames per second, from 24 to 240; another number stops the
    ///     process.
    public convenience init<Target: AnyObject>(
        target: Target,
        selector: RLSelector<Target>,
        refreshRate: Int = RLDisplayLink.defaultRefreshRate
    ) {
        self.init(refreshRate: refreshRate) { selector.invoke(target, $0) }
    }

    /// Adds the link to a mode of a loop, or to all common modes.
    ///
    /// The first call is for the next frame. Does nothing if the link is invalid or in another
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
        // If the timer is in another loop, the link is not added.
        let engineLoop = loop.getRLRunLoop()
        if RLRunLoopContainsTimer(engineLoop, timer.timer, mode.mode) {
            RLRunLoopAddSource(engineLoop, source, mode.mode)
        }
    }

    /// Removes the link from a mode, or from all common modes.
    ///
    /// When the link is in no mode anymore, the loop releases the link.
    ///
    /// Core Animation: CADisplayLink.remove(from:forMode:).
    public func remove(from loop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        loop.remove(timer, forMode: mode)
        if !isInLoop { belongings?.remove(core) }
        if let source = core.source {
            RLRunLoopRemoveSource(loop.getRLRunLoop(), source, mode.mode)
        }
    }

    /// Removes the link from all modes, forever, and releases its target or handler.
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

    /// Whether the link is paused; false by default.
    ///
    /// A paused link stays in its loop. Frames during a pause do not count as skipped.
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

    /// The time at which the link's next frame begins, which is the frame to prepare in the current
    /// call; 0 before the first call.
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
    /// The actual rate is the display's rate divided by a whole number. The link chooses the rate
    /// closest to the preferred rate, within the range if possible.
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

    /// The preferred number of calls per second.
    ///
    /// The default, 0, means one call per frame.
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
            // The range has no limits, so the closest possible rate is chosen.
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
