import Glibc

/// The time after which a process counts as hanging.
///
/// Much later than needed, as machines are busy and sanitizers slow.
struct Deadline {
    private let end = ContinuousClock.now + .seconds(300)

    /// Waits until the descriptor is readable or at EOF; false after the deadline.
    func awaitReadable(_ descriptor: CInt) -> Bool {
        while true {
            let left = end - .now
            guard left > .zero else { return false }
            var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
            if poll(&entry, 1, CInt(left.components.seconds + 1) * 1000) > 0 { return true }
        }
    }
}
