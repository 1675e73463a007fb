import CoreRunLoop
import Glibc

/// The state of a descriptor, which determines whether a loop polls the descriptor.
enum DescriptorState {
    /// The descriptor is negative or closed.
    case invalid
    /// The descriptor is always ready and may not support polling, like a regular file.
    case ready(RLRunLoopDescriptorEvents)
    case watchable

    init(of descriptor: CInt, for events: RLRunLoopDescriptorEvents) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            self = .invalid
            return
        }
        let kind = status.st_mode & S_IFMT
        let ready = kind == S_IFSOCK || kind == S_IFIFO ? [] : Self.poll(descriptor, events)
        self = ready.isEmpty ? .watchable : .ready(ready)
    }

    private static func poll(
        _ descriptor: CInt,
        _ events: RLRunLoopDescriptorEvents
    ) -> RLRunLoopDescriptorEvents {
        let flags: [(RLRunLoopDescriptorEvents, CInt)] = [
            (.read, POLLIN), (.write, POLLOUT), (.priority, POLLPRI), (.hangUp, POLLHUP),
            (.error, POLLERR),
        ]
        var query = pollfd(fd: descriptor, events: 0, revents: 0)
        for (event, flag) in flags where events.contains(event) { query.events |= CShort(flag) }
        guard Glibc.poll(&query, 1, 0) > 0 else { return [] }
        return flags.reduce(into: []) { ready, pair in
            if query.revents & CShort(pair.1) != 0 { ready.insert(pair.0) }
        }
    }
}
