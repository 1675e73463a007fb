import CRunLoop.Wrapping
import RunLoopKit

/// The implementation of a display link, driven by the clock or by a display's vertical blanks.
///
/// The link and its timer retain this object, which retains the handler while the link is valid.
/// The loop retains the link while the link is in a mode. With a device, the timer is disarmed
/// until the device is lost.
final class DisplayLinkCore: ThreadBelonging {
    enum Frame {
        case ofGrid(FrameGrid, Int64)
        case ofDevice(time: Int64, duration: Double)

        /// The time of a later frame, in seconds.
        func time(after frames: Int) -> Double {
            switch self {
            case .ofGrid(let grid, let number): Double(grid.time(of: number + Int64(frames))) / 1e9
            case .ofDevice(let time, let duration): Double(time) / 1e9 + Double(frames) * duration
            }
        }
    }

    // With a device, the grid has the measured rate, rounded, also after the device is lost.
    private(set) var grid: FrameGrid
    var isPaused = false
    var range = RLFrameRateRange.default
    var divider = 1
    private(set) var lastFrame: Frame?
    private(set) var skippedFrameCount = 0
    // The number of the last call's frame; nil if there was no call since the last restart.
    private var followedFrame: Int64?
    private var handler: ((RLDisplayLink) -> Void)?
    private var blanks: VerticalBlanks?
    private var measuredBlank: VerticalBlanks.Blank?
    private var measuredDuration: Double?

    weak var link: RLDisplayLink?

    init(_ grid: FrameGrid, _ blanks: VerticalBlanks?, _ handler: @escaping (RLDisplayLink) -> Void)
    {
        self.grid = grid
        self.handler = handler
        self.blanks = blanks
        blanks?.whenReady = { [weak self] in self?.deviceIsReady() }
    }

    var source: RLRunLoopSourceRef? {
        blanks?.source
    }

    /// The duration of a frame in seconds.
    var duration: Double {
        measuredDuration ?? 1 / Double(grid.refreshRate)
    }

    /// Requests the next frame; earlier frames do not count as skipped.
    func restart(_ timer: RLTimer) {
        followedFrame = nil
        measuredBlank = nil
        awaitNextFrame(timer)
    }

    func end() {
        let ended = (handler, blanks)
        handler = nil
        blanks = nil
        // The `deinit` of a captured object may invalidate the link, after the accesses above.
        withExtendedLifetime(ended) {}
    }

    func letGo() {
        end()
    }

    func frameComes(_ timer: RLTimer) {
        guard handler != nil, !isPaused, blanks == nil else { return }
        let number = grid.frame(at: RLClockGetNanoseconds(), every: divider)
        call(.ofGrid(grid, number), number, timer)
    }

    private func call(_ frame: Frame, _ number: Int64, _ timer: RLTimer) {
        guard let handler, let link else { return }
        if let followed = followedFrame {
            skippedFrameCount += Int((number - followed) / Int64(divider)) - 1
        }
        followedFrame = number
        lastFrame = frame
        noteFunction(FrameCallout(handler: handler))
        handler(link)
        awaitNextFrame(timer)
    }

    /// Requests a vertical blank or sets the timer, unless the link is paused.
    private func awaitNextFrame(_ timer: RLTimer) {
        if !isPaused && handler != nil { requestBlank() }
        let rests = isPaused || blanks != nil
        let now = RLClockGetNanoseconds()
        let next = grid.frame(at: now, every: divider) + Int64(divider)
        RLRunLoopTimerSetNextFireTime(timer.timer, rests ? Int64.max / 2 : grid.time(of: next))
    }
}

extension DisplayLinkCore {
    private func requestBlank() {
        guard let blanks else { return }
        do throws(RLDisplayDeviceError) {
            // `??` would erase the error's type.
            guard let followedFrame else {
                return try request(after: blanks.latest().frame, of: blanks)
            }
            try request(after: followedFrame, of: blanks)
        } catch {
            lose(error)
        }
    }

    private func request(
        after frame: Int64,
        of blanks: VerticalBlanks
    ) throws(RLDisplayDeviceError) {
        try blanks.request((frame / Int64(divider) + 1) * Int64(divider))
    }

    private func deviceIsReady() {
        guard let blanks, let timer = link?.timer else { return }
        do throws(RLDisplayDeviceError) {
            guard let blank = try blanks.receive(), !isPaused else { return }
            try blankComes(blank, of: blanks, timer)
        } catch {
            lose(error)
            awaitNextFrame(timer)
        }
    }

    private func blankComes(
        _ event: VerticalBlanks.Blank,
        of blanks: VerticalBlanks,
        _ timer: RLTimer
    ) throws(RLDisplayDeviceError) {
        var blank = event
        // The event is stale if the loop was late.
        if Double(RLClockGetNanoseconds() - event.time) / 1e9 >= duration {
            blank = try blanks.latest()
        }
        measure(blank)
        if let followed = followedFrame, blank.frame < followed {
            // The driver has restarted its counter.
            followedFrame = nil
        }
        let back = blank.frame % Int64(divider)
        let number = blank.frame - back
        guard number >= event.frame else {
            // The request was late: this blank lies within a frame of the link.
            return try request(after: blank.frame, of: blanks)
        }
        let begins = blank.time - Int64((Double(back) * duration * 1e9).rounded())
        call(.ofDevice(time: begins, duration: duration), number, timer)
    }

    /// Measures the duration of a frame, which changes with the display's video mode.
    private func measure(_ blank: VerticalBlanks.Blank) {
        defer { measuredBlank = blank }
        guard let before = measuredBlank, blank.frame > before.frame, blank.time > before.time
        else {
            return
        }
        let frames = Double(blank.frame - before.frame)
        let duration = Double(blank.time - before.time) / 1e9 / frames
        measuredDuration = duration
        let rate = min(max(Int((1 / duration).rounded()), 1), 1000)
        if rate == grid.refreshRate { return }
        grid = FrameGrid(refreshRate: rate)
        if range != .default { divider = grid.divider(for: range) }
    }

    /// Switches to the monotonic clock.
    private func lose(_ error: RLDisplayDeviceError) {
        blanks = nil
        followedFrame = nil
        measuredDuration = nil
        warn(
            "RLDisplayLink",
            "\(error); frames now follow the monotonic clock, \(grid.refreshRate) a "
                + "second: connect the display, and create another link"
        )
    }
}

/// Passes a link's handler to `noteFunction`.
private struct FrameCallout {
    let handler: (RLDisplayLink) -> Void
}
