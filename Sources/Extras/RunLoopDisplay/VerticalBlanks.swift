import CRunLoopDisplay
import Glibc
import RunLoopKit

/// The vertical blanks of a display, each requested by itself, as events in a run loop.
///
/// Used on one thread at a time: that of the link whose it is.
final class VerticalBlanks {
    /// A frame of the display.
    struct Blank {
        /// Its number; unlike the driver's, it does not wrap.
        let frame: Int64
        /// When it began, in nanoseconds of the monotonic clock.
        let time: Int64
    }

    static let pipes = 0...Int(RLVerticalBlankMostPipe)

    let path: String
    /// Called when the device is ready: something has come, or it is lost.
    var whenReady: () -> Void = {}
    private(set) var source: RLRunLoopSourceRef?
    private let pipe: UInt32
    private let descriptor: Int32
    // The driver's own count at first, so that all links to a display are in phase.
    private var latestFrame: Int64?
    private var ticket: UInt64 = 0
    // The frame of the last ticket, until that comes back.
    private var awaitedFrame: Int64?
    // The beginning of a record. The kernel gives whole ones; nothing relies on it.
    private var pending: [UInt8] = []

    /// Opens a device and asks whether it has vertical blanks.
    init(path: String, pipe: Int) throws(RLDisplayDeviceError) {
        self.path = path
        self.pipe = UInt32(pipe)
        descriptor = RLVerticalBlankOpen(path)
        guard descriptor >= 0 else { throw RLDisplayDeviceError(path: path, code: -descriptor) }
        // From here on, `deinit` closes it.
        _ = try latest()
        source = makeSource()
    }

    deinit {
        if let source { RLRunLoopSourceInvalidate(source) }
        if descriptor >= 0 { close(descriptor) }
    }

    private func makeSource() -> RLRunLoopSourceRef? {
        var context = RLRunLoopSourceContext2()
        context.version = 2
        // Not retained: `deinit` invalidates the source on the thread that would perform it.
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.getDescriptor = { VerticalBlanks.of($0)?.descriptor ?? -1 }
        context.perform = { info, _ in VerticalBlanks.of(info)?.whenReady() }
        return RLRunLoopSourceCreate(nil, 0, &context)
    }

    private static func of(_ info: UnsafeMutableRawPointer?) -> VerticalBlanks? {
        // See `makeSource`.
        info.map { Unmanaged<VerticalBlanks>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The last one.
    func latest() throws(RLDisplayDeviceError) -> Blank {
        var blank = RLVerticalBlank()
        try check(RLVerticalBlankQuery(descriptor, pipe, &blank))
        return numbered(blank)
    }

    /// Asks for the event of a frame, or of the next one if that has begun; for no other one any
    /// more.
    func request(_ frame: Int64) throws(RLDisplayDeviceError) {
        // The kernel keeps a limited number of requests, and what is on its way will come.
        if frame == awaitedFrame { return }
        ticket += 1
        let sequence = UInt32(truncatingIfNeeded: frame)
        try check(RLVerticalBlankRequest(descriptor, pipe, sequence, ticket))
        awaitedFrame = frame
    }

    /// The requested blank, if it has come.
    func receive() throws(RLDisplayDeviceError) -> Blank? {
        try fill()
        var found: Blank?
        while let blank = try takeRecord() {
            if blank.ticket != ticket { continue }
            awaitedFrame = nil
            found = numbered(blank)
        }
        return found
    }

    private func fill() throws(RLDisplayDeviceError) {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let length = read(descriptor, &bytes, bytes.count)
        if length < 0 && (errno == EAGAIN || errno == EINTR) { return }
        // The end of a device is that of one that is gone.
        try check(length < 0 ? -errno : length == 0 ? -ENODEV : 0)
        pending += bytes[..<length]
    }

    /// The next blank of what was read; events of other kinds are passed over.
    private func takeRecord() throws(RLDisplayDeviceError) -> RLVerticalBlank? {
        var blank = RLVerticalBlank()
        var isBlank = false
        while true {
            let length = RLVerticalBlankParse(pending, pending.count, &blank, &isBlank)
            try check(length)
            if length == 0 { return nil }
            pending.removeFirst(Int(length))
            if isBlank { return blank }
        }
    }

    private func numbered(_ blank: RLVerticalBlank) -> Blank {
        let latest = latestFrame ?? Int64(blank.sequence)
        let passed = Int32(bitPattern: blank.sequence &- UInt32(truncatingIfNeeded: latest))
        latestFrame = latest + Int64(passed)
        return Blank(frame: latest + Int64(passed), time: blank.nanoseconds)
    }

    private func check(_ result: Int32) throws(RLDisplayDeviceError) {
        if result < 0 { throw RLDisplayDeviceError(path: path, code: -result) }
    }
}
