import CRunLoop.Wrapping
public import FoundationEssentials

/// The monotonic clock in seconds, as the times of ``RLDisplayLink`` are.
///
/// CF: none; CACurrentMediaTime() of Core Animation.
public func RLCurrentMediaTime() -> TimeInterval {
    Double(RLClockGetNanoseconds()) / 1e9
}

/// Calls a method or a closure once for each frame of a display, in a run loop.
///
/// The display is an ideal one: its frames begin at the multiples of its refresh rate on the
/// monotonic clock, so that all links of a rate are in phase. A link has every frame, or every
/// second one and so on, as its ``preferredFrameRateRange`` says. If the loop is late, because a
/// callback took long or ran another mode, the frames that have passed are left out, never made up
/// for: the next call is for the frame that is on, and the one after it comes with its own frame.
///
/// ```swift
/// let link = RLDisplayLink(refreshRate: 120) { link in
///     scene.advance(to: link.targetTimestamp)
/// }
/// link.add(to: .current, forMode: .common)
/// ```
///
/// A link belongs to the thread whose loop it is added to. While it is in a mode, the loop keeps it
/// and its target; ``invalidate()`` ends it.
///
/// It is built on a timer of the loop rather than on a descriptor of its own: it costs no system
/// objects, due frames and timers end one sleep together, and the clock is the loop's. Vertical
/// blanks of real displays (DRM) are not followed.
///
/// Core Animation: CADisplayLink.
public final class RLDisplayLink {
    /// The refresh rate of a display that is not given one.
    public static let defaultRefreshRate = 60

    private let timer: RLTimer
    private let core: DisplayLinkCore

    fileprivate init(_ timer: RLTimer, _ core: DisplayLinkCore) {
        self.timer = timer
        self.core = core
        core.link = self
    }

    /// Makes a link that calls a closure; add it to a loop by ``add(to:forMode:)``.
    ///
    /// - Parameters:
    ///   - refreshRate: The frames of the display in a second, from 24 to 240; another number stops
    ///     the process.
    ///   - handler: Called on the loop's thread with the link; held until the link is invalidated.
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
        let core = DisplayLinkCore(FrameGrid(refreshRate: refreshRate), handler)
        // Its interval is never waited for: each firing sets the time of the next one.
        let timer = RLTimer(fire: .distantFuture, interval: 1e8, repeats: true) { timer in
            core.frameComes(timer)
        }
        self.init(timer, core)
    }

    /// Makes a link that calls a method of an object with the link; add it to a loop yourself.
    ///
    /// The target is held until the link is invalidated.
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
    /// Its first call is for the next frame. Ignored if it is invalid or in another loop.
    ///
    /// Core Animation: CADisplayLink.add(to:forMode:).
    public func add(to loop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        timer.checkThread("RLDisplayLink.add(to:forMode:)")
        if !isInLoop { core.restart(timer) }
        loop.add(timer, forMode: mode)
    }

    /// Removes the link from a mode, or from all common modes.
    ///
    /// When it is in no mode any more, the loop lets it go.
    ///
    /// Core Animation: CADisplayLink.remove(from:forMode:).
    public func remove(from loop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        loop.remove(timer, forMode: mode)
    }

    /// Ends the link for good: it leaves its loop and releases its target or handler.
    ///
    /// Core Animation: CADisplayLink.invalidate().
    public func invalidate() {
        timer.checkThread("RLDisplayLink.invalidate()")
        timer.invalidate()
        core.end()
    }

    private var isInLoop: Bool {
        RLRunLoopTimerGetThreadNumber(timer.timer) != 0
    }

    /// Whether the link rests; it stays in its loop.
    ///
    /// The frames of a rest do not count as skipped. False at first.
    ///
    /// Core Animation: CADisplayLink.isPaused.
    public var isPaused: Bool {
        get { core.isPaused }
        set {
            timer.checkThread("RLDisplayLink.isPaused")
            if newValue == core.isPaused { return }
            core.isPaused = newValue
            core.restart(timer)
        }
    }

    /// When the frame of the last call began, in seconds of ``RLCurrentMediaTime()``; 0 before the
    /// first call.
    ///
    /// Core Animation: CADisplayLink.timestamp.
    public var timestamp: TimeInterval {
        core.lastFrame.map(core.seconds) ?? 0
    }

    /// When the link's next frame begins, for which this call prepares; 0 before the first call.
    ///
    /// Core Animation: CADisplayLink.targetTimestamp.
    public var targetTimestamp: TimeInterval {
        core.lastFrame.map { core.seconds($0 + Int64(core.divider)) } ?? 0
    }

    /// The seconds from one frame of the display to the next.
    ///
    /// Those between calls are ``targetTimestamp`` less ``timestamp``.
    ///
    /// Core Animation: CADisplayLink.duration.
    public var duration: TimeInterval {
        1 / Double(core.grid.refreshRate)
    }

    /// How many of its frames the link has left out so far, because the loop was late or ran in
    /// other modes.
    public var skippedFrameCount: Int {
        core.skippedFrameCount
    }

    /// How often the link would like to be called.
    ///
    /// The rate that it gets is that of the display divided by a whole number: of those within the
    /// range, or, if there is none, of all, the one closest to what is preferred.
    ///
    /// Core Animation: CADisplayLink.preferredFrameRateRange.
    public var preferredFrameRateRange: RLFrameRateRange {
        get { core.range }
        set {
            core.range = newValue
            setDivider(core.grid.divider(for: newValue))
        }
    }

    /// How often a second the link would like to be called; 0, as at first, for each frame.
    ///
    /// A negative number counts as 0.
    ///
    /// Core Animation: CADisplayLink.preferredFramesPerSecond.
    @available(*, deprecated, message: "use preferredFrameRateRange")
    public var preferredFramesPerSecond: Int {
        get { Int(min(core.range.preferred ?? core.range.maximum, Float(Int32.max))) }
        set {
            let rate = Float(max(newValue, 0))
            // Any rate will do: the closest one is taken.
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

    /// Each how manieth frame of the display the link is called for; at least 1, as at first.
    ///
    /// Core Animation: CADisplayLink.frameInterval.
    @available(*, deprecated, message: "use preferredFrameRateRange")
    public var frameInterval: Int {
        get { core.divider }
        set {
            core.range = .default
            setDivider(min(max(newValue, 1), Int(Int32.max)))
        }
    }

    private func setDivider(_ divider: Int) {
        timer.checkThread("RLDisplayLink.preferredFrameRateRange")
        if divider == core.divider { return }
        core.divider = divider
        core.restart(timer)
    }
}

/// A link is for the thread of its loop.
@available(*, unavailable)
extension RLDisplayLink: Sendable {}

/// What a display link does.
///
/// The link's timer holds it, and it the handler while the link is valid. Links come and go, as timers' wrappers do: nothing here keeps one alive.
private final class DisplayLinkCore {
    let grid: FrameGrid
    weak var link: RLDisplayLink?
    var isPaused = false
    var range = RLFrameRateRange.default
    var divider = 1
    private(set) var lastFrame: Int64?
    private(set) var skippedFrameCount = 0
    // The frames before it were not to be called for. Nil: no frame has come since a restart.
    private var followedFrame: Int64?
    private var handler: ((RLDisplayLink) -> Void)?

    init(_ grid: FrameGrid, _ handler: @escaping (RLDisplayLink) -> Void) {
        self.grid = grid
        self.handler = handler
    }

    func seconds(_ frame: Int64) -> TimeInterval {
        Double(grid.time(of: frame)) / 1e9
    }

    /// Waits for the next frame, without asking what was before.
    func restart(_ timer: RLTimer) {
        followedFrame = nil
        awaitNextFrame(timer)
    }

    func end() {
        handler = nil
    }

    func frameComes(_ timer: RLTimer) {
        guard let handler, !isPaused else { return }
        let frame = grid.frame(at: RLClockGetNanoseconds(), every: divider)
        if let followed = followedFrame {
            skippedFrameCount += Int((frame - followed) / Int64(divider)) - 1
        }
        followedFrame = frame
        lastFrame = frame
        noteFunction(FrameCallout(handler: handler))
        handler(link ?? RLDisplayLink(timer, self))
        awaitNextFrame(timer)
    }

    /// Has the timer fire with the next frame of the link, or hardly ever.
    private func awaitNextFrame(_ timer: RLTimer) {
        let now = RLClockGetNanoseconds()
        let next = grid.frame(at: now, every: divider) + Int64(divider)
        RLRunLoopTimerSetNextFireTime(timer.timer, isPaused ? Int64.max / 2 : grid.time(of: next))
    }
}

/// Holds a link's handler for `noteFunction`.
private struct FrameCallout {
    let handler: (RLDisplayLink) -> Void
}
