import CHarness
import Glibc

/// The time after which a process counts as hanging.
///
/// Much later than needed, as machines are busy and sanitizers slow.
public struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    /// Makes a deadline after a duration from now.
    public init(after limit: Duration = .seconds(300)) {
        end = .now + limit
    }

    /// Waits until the descriptor is readable or at EOF; false after the deadline.
    func awaitReadable(_ descriptor: CInt) -> Bool {
        while true {
            let left = end - .now
            guard left > .zero else { return false }
            var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
            if poll(&entry, 1, CInt(left.components.seconds + 1) * 1000) > 0 { return true }
        }
    }

    /// Waits until a child has ended, and does not reap it; false after the deadline.
    ///
    /// Before Linux 5.3, it returns true at once.
    func awaitEnd(of child: pid_t) -> Bool {
        let descriptor = open_process(child)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return awaitReadable(descriptor)
    }
}
