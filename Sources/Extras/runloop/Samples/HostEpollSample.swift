import CLinux
import Dispatch
import Glibc
import RunLoopHosts

/// An event loop written by hand serves the main run loop beside a descriptor of its own.
struct HostEpollSample: Sample {
    let name = "host-epoll"
    let summary = "an epoll loop hosts the main run loop, its main queue and the main actor"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let host = try EpollHost()
        let adapter = RLHostAdapter.epoll(host.set, payload: EpollHost.runLoop)
        defer { adapter.invalidate() }

        RLTimer.scheduledTimer(withTimeInterval: 0.002, repeats: false) { _ in
            trace.event("the run loop's timer")
            DispatchQueue.main.async {
                trace.event("the main queue")
                Task { @MainActor in
                    trace.event("the main actor")
                    host.ring()
                }
            }
        }
        let waits = host.run {
            trace.event("the host's descriptor")
            return false
        } serve: {
            adapter.serve()
        }
        trace.remark("the host waited \(waits) times, always until there was something to do")

        trace.expect([
            "the run loop's timer", "the main queue", "the main actor", "the host's descriptor",
        ])
        trace.check(waits <= 8, "it does not poll in intervals")
    }
}

/// An event loop with one descriptor, which it rings itself.
private struct EpollHost: Sendable {
    static let own: UInt64 = 1
    static let runLoop: UInt64 = 2

    let set: Int32
    private let bell: Int32

    init() throws {
        set = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC))
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = Self.own
        let result = epoll_ctl(set, EPOLL_CTL_ADD, bell, &event)
        _ = try unwrap(result == 0 ? result : nil, "no epoll set: error \(errno)")
    }

    func ring() {
        eventfd_write(bell, 1)
    }

    /// Waits and serves until the bell is readable; returns the number of waits.
    func run(answer: () -> Bool, serve: () -> Void) -> Int {
        defer {
            close(bell)
            close(set)
        }
        var waits = 0
        while true {
            var event = epoll_event()
            waits += 1
            guard epoll_wait(set, &event, 1, -1) == 1 else { continue }
            if event.data.u64 == Self.runLoop {
                serve()
            } else if !answer() {
                return waits
            }
        }
    }
}
