import CRunLoopDisplay
import Glibc
import RunLoopKit

// Requests vertical blanks one by one. Confined to the thread of its link.
final class VerticalBlanks {
    struct Blank {
        /// The number of the frame, which does not wrap, unlike the driver's number.
        let frame: Int64
        /// The time in nanoseconds of the monotonic clock.
        let time: Int64
    }

    static let pipes = 0...Int(RLVerticalBlankMostPipe)

    let path: String
    /// Called when the device is readable or lost.
    var whenReady: () -> Void = {}
    private(set) var source: RLRunLoopSourceRef?
    private let pipe: UInt32
    private let descriptor: Int32
    // The numbers of frames start at the driver's count, so all links to a display are in phase.
    private var latestFrame: Int64?
    private var ticket: UInt64 = 0
    // The frame of the last request; nil after its event has arrived.
    private var awaitedFrame: Int64?
    // The bytes of an incomplete record; usually empty, because the kernel returns whole records.
    private var pending: [UInt8] = []

    /// Throws if the device is unavailable or has no vertical blanks.
    init(path: String, pipe: Int) throws(RLDisplayDeviceError) {
        self.path = path
        self.pipe = UInt32(pipe)
        descriptor = RLVerticalBlankOpen(path)
        guard descriptor >= 0 else { throw RLDisplayDeviceError(path: path, code: -descriptor) }
        // From here on, `deinit` closes the descriptor.
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
        // Unretained: `deinit` invalidates the source, on the thread that calls `perform`.
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.getDescriptor = { VerticalBlanks.of($0)?.descriptor ?? -1 }
        context.perform = { info, _ in VerticalBlanks.of(info)?.whenReady() }
        return RLRunLoopSourceCreate(nil, 0, &context)
    }

    private static func of(_ info: UnsafeMutableRawPointer?) -> VerticalBlanks? {
        info.map { Unmanaged<VerticalBlanks>.fromOpaque($0).takeUnretainedValue() }
    }

    func latest() throws(RLDisplayDeviceError) -> Blank {
        var blank = RLVerticalBlank()
        try check(RLVerticalBlankQuery(descriptor, pipe, &blank))
        return numbered(blank)
    }

    // Requests a frame's blank, or the next blank if the frame has begun. Replaces the last
    // request.
    func request(_ frame: Int64) throws(RLDisplayDeviceError) {
        // The kernel limits the number of pending requests, and cannot cancel a request.
        if frame == awaitedFrame { return }
        ticket += 1
        let sequence = UInt32(truncatingIfNeeded: frame)
        try check(RLVerticalBlankRequest(descriptor, pipe, sequence, ticket))
        awaitedFrame = frame
    }

    /// Returns the requested blank, or nil if its event has not arrived.
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
        // EOF means that the device was removed.
        try check(length < 0 ? -errno : length == 0 ? -ENODEV : 0)
        pending += bytes[..<length]
    }

    /// Returns the next blank, and skips other events.
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
