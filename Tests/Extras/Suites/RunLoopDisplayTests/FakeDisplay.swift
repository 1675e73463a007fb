import CRunLoopDisplay
import Glibc
import RunLoopTesting
import ThreadKit

/// A display device whose kernel is this file.
///
/// Its descriptor is a socket, and its vertical blanks are times of a clock of the thread; each
/// request advances the clock to its blank.
///
/// `@unchecked`: a display belongs to the thread of its test.
final class FakeDisplay: @unchecked Sendable {
    /// The beginning of frame 0.
    static let start: Int64 = 1_000_000_000_000

    let path: String
    /// The time between vertical blanks, in nanoseconds.
    let interval: Int64
    /// The driver's count at frame 0.
    var firstSequence: UInt32 = 0
    var hasMonotonicTimes = true
    /// The error of all calls.
    var failure: Int32 = 0
    /// Whether requests are answered; if not, the test sends records.
    var isAutomatic = true
    /// The requested frames.
    private(set) var requests: [Int] = []
    private(set) var lastTicket: UInt64 = 0
    private(set) var pipes: Set<UInt32> = []
    private(set) var dropsMaster = false
    let clock = RLTestClock(isAutomatic: true)
    private let ends: [Int32]
    /// The inode of the device's end: its number may be reused before the display is removed.
    private let inode: ino_t

    init(interval: Int64 = 10_000_000) {
        var ends: [Int32] = [-1, -1]
        let options = SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | options), 0, &ends)
        self.ends = ends
        inode = Self.inode(of: ends[0])
        self.interval = interval
        path = "/dev/dri/fake\(ends[0])"
        Self.install
        Self.all.withLock { $0[ends[0]] = self }
        clock.nanoseconds = Self.start
    }

    /// Closes the test's end; the link closes the device's end.
    func remove() {
        Self.all.withLock { all in
            // Another display may have reused the number.
            if all[ends[0]] === self { all[ends[0]] = nil }
        }
        close(ends[1])
        clock.end()
    }

    /// Whether the link has closed its end, for which this waits: programs that other tests start
    /// inherit it until they are executed.
    var isClosed: Bool {
        var end = pollfd(fd: ends[1], events: 0, revents: 0)
        return poll(&end, 1, 100_000) == 1 && Int32(end.revents) & POLLHUP != 0
    }

    /// Causes EOF at the device's end.
    func hangUp() {
        shutdown(ends[1], Int32(SHUT_WR))
    }

    func time(_ frame: Int) -> Double {
        Double(Self.start + Int64(frame) * interval) / 1e9
    }

    /// The bytes of a record.
    func record(_ frame: Int, ticket: UInt64? = nil, type: UInt32 = 1) -> [UInt8] {
        let time = Self.start + Int64(frame) * interval
        let ticket = ticket ?? lastTicket
        let sequence = firstSequence &+ UInt32(frame)
        let words: [UInt32] = [
            type, 32, UInt32(truncatingIfNeeded: ticket), UInt32(truncatingIfNeeded: ticket >> 32),
            UInt32(time / 1_000_000_000), UInt32(time % 1_000_000_000 / 1000), sequence, 42,
        ]
        return words.withUnsafeBytes { Array($0) }
    }

    func send(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        precondition(write(ends[1], bytes, bytes.count) == bytes.count)
    }

    // MARK: The kernel

    private static let all = Guarded<[Int32: FakeDisplay]>([:])

    private static let install: Void = {
        var system = RLVerticalBlankSystem(
            open: { path, _ in FakeDisplay.open(path.map { String(cString: $0) } ?? "") },
            control: { FakeDisplay.control($0, $1, $2) }
        )
        _ = RLVerticalBlankSetSystem(&system)
    }()

    private static func inode(of descriptor: Int32) -> ino_t {
        var status = stat()
        fstat(descriptor, &status)
        return status.st_ino
    }

    private static func open(_ path: String) -> Int32 {
        let found = all.withLock { all in all.values.first { $0.path == path } }
        if let found { return found.ends[0] }
        return Glibc.open(path, O_RDWR)
    }

    private static func control(
        _ descriptor: Int32,
        _ request: UInt,
        _ argument: UnsafeMutableRawPointer?
    ) -> Int32 {
        let display = all.withLock { $0[descriptor] }
        let isDisplay = display?.inode == inode(of: descriptor)
        let failure = isDisplay ? display?.serve(request, argument) ?? ENOTTY : ENOTTY
        if failure != 0 { errno = failure }
        return failure == 0 ? 0 : -1
    }

    /// The numbers are those of <drm/drm.h>, written out.
    private func serve(_ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        switch (request, argument) {
        case (0xC010_640C, let argument?):
            guard argument.load(as: UInt64.self) == 6 else { return EINVAL }
            argument.storeBytes(of: hasMonotonicTimes ? 1 : 0, toByteOffset: 8, as: UInt64.self)
            return 0
        case (0x641F, nil):
            dropsMaster = true
            return EINVAL
        case (0xC018_643A, let argument?):
            return failure != 0 ? failure : wait(argument)
        default: return ENOTTY
        }
    }

    private func wait(_ argument: UnsafeMutableRawPointer) -> Int32 {
        let type = argument.load(as: UInt32.self)
        let sequence = argument.load(fromByteOffset: 4, as: UInt32.self)
        pipes.insert(type >> 1 & 31)
        let now = Int((clock.nanoseconds - Self.start) / interval)
        switch type & ~0x3E {
        case 0x1:
            guard sequence == 0 else { return EINVAL }
            let time = Self.start + Int64(now) * interval
            let reply = (firstSequence &+ UInt32(now), time / 1_000_000_000)
            argument.storeBytes(of: reply.0, toByteOffset: 4, as: UInt32.self)
            argument.storeBytes(of: Int(reply.1), toByteOffset: 8, as: Int.self)
            argument.storeBytes(
                of: Int(time % 1_000_000_000 / 1000),
                toByteOffset: 16,
                as: Int.self
            )
            return 0
        case 0x1400_0000:
            let frame = Int(sequence &- firstSequence)
            lastTicket = UInt64(argument.load(fromByteOffset: 8, as: UInt.self))
            requests.append(frame)
            if isAutomatic { blank(max(frame, now + 1)) }
            return 0
        default: return EINVAL
        }
    }

    private func blank(_ frame: Int) {
        clock.nanoseconds = Self.start + Int64(frame) * interval
        send(record(frame))
    }
}
