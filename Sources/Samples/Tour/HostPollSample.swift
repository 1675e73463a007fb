import Dispatch
import Glibc
import RunLoopHosts

/// A hand-written event loop serves the main run loop and a descriptor.
struct HostPollSample: Sample {
    let name = "host-poll"
    let summary = "a loop with poll hosts the main run loop, its main queue and the main actor"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return trace.fail("there is no pipe") }
        let (own, bell) = (ends[0], ends[1])
        defer { ends.forEach { close($0) } }
        let adapter = RLHostAdapter.polled()
        defer { adapter.invalidate() }

        RLTimer.scheduledTimer(withTimeInterval: 0.002, repeats: false) { _ in
            trace.event("the run loop's timer")
            DispatchQueue.main.async {
                trace.event("the main queue")
                Task { @MainActor in
                    trace.event("the main actor")
                    write(bell, "!", 1)
                }
            }
        }

        var waits = 0
        var items = [own, adapter.descriptor].map { descriptor in
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        while items[0].revents == 0 {
            waits += 1
            guard poll(&items, nfds_t(items.count), -1) > 0 else { continue }
            if items[1].revents != 0 { adapter.serve() }
        }
        trace.event("the host's descriptor")
        trace.remark("the host waited \(waits) times, always until there was something to do")

        trace.expect([
            "the run loop's timer", "the main queue", "the main actor", "the host's descriptor",
        ])
        trace.check(waits <= 8, "it does not poll in intervals")
    }
}
