import CLinux
import DeferralKit
import Glibc
import RunLoopHosts
import RunLoopTesting
import Testing
import ThreadKit

/// The ways to run a loop.
enum Runner: CaseIterable {
    case run, pump, epoll, polled, clock

    /// Serves the calling thread's loop for a few passes, if it requests them.
    func serve(_ end: @escaping () -> Bool) {
        let loop = RLRunLoop.current
        let serveOnce: () -> Void
        switch self {
        case .run: serveOnce = { loop.run(mode: .default, for: .milliseconds(1)) }
        case .pump: serveOnce = { loop.pump() }
        case .clock: serveOnce = { RLTestClock().advance(by: .milliseconds(1)) }
        case .polled:
            let adapter = RLHostAdapter.polled()
            serveOnce = {
                var query = pollfd(fd: adapter.descriptor, events: Int16(POLLIN), revents: 0)
                if poll(&query, 1, 1) == 1 { adapter.serve() }
            }
        case .epoll:
            let set = epoll_create1(Int32(EPOLL_CLOEXEC))
            let adapter = RLHostAdapter.epoll(set, payload: 0)
            serveOnce = {
                var event = epoll_event()
                if epoll_wait(set, &event, 1, 1) == 1 { adapter.serve() }
            }
        }
        for _ in 0..<10 where !end() { serveOnce() }
        RLRunLoopEndHosting()
    }
}

@Suite("Nothing starves") struct StarvationTests {
    @Test(
        "that is put off in a loop with nothing else in it (NSNQ-5, NSAP-2)",
        arguments: Deferral.allCases,
        Runner.allCases
    )
    func served(what: Deferral, by runner: Runner) {
        onFreshThread {
            let log = Log<Int>()
            var kept = what { log.add(1) }
            runner.serve { log.entries == [1] }
            #expect(log.entries == [1])
            kept = nil
            // The second time the service exists, and the loop is idle.
            kept = what { log.add(2) }
            runner.serve { log.entries == [1, 2] }
            #expect(log.entries == [1, 2])
            withExtendedLifetime(kept) {}
        }
    }
}
