import Glibc
import RunLoopKit
import Synchronization

/// Two threads that wake each other by writing to a socket pair.
struct PingPongSample: Sample {
    let name = "ping-pong"
    let summary = "two threads that wake each other through ports"

    func run(_ trace: Trace) throws {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            return trace.fail("there is no pair of sockets: \(String(cString: strerror(errno)))")
        }
        let (here, there) = (ends[0], ends[1])
        defer { ends.forEach { close($0) } }
        let rounds = 3
        let count = Atomic(0)

        let player = RLThread {
            serve(there) { stop in
                let round = count.add(1, ordering: .relaxed).newValue
                trace.event("ping \(round)")
                if round == rounds { stop() }
                write(there, "!", 1)
            }
        }
        player.start()
        write(here, "!", 1)
        serve(here) { stop in
            let round = count.load(ordering: .relaxed)
            trace.event("pong \(round)")
            if round == rounds { stop() } else { write(here, "!", 1) }
        }
        player.join()

        trace.expect(["ping 1", "pong 1", "ping 2", "pong 2", "ping 3", "pong 3"])
    }

    /// Calls `receive` for each byte, until `receive` stops the loop.
    private func serve(
        _ port: CInt,
        receive: @escaping @Sendable (_ stop: () -> Void) -> Void
    ) {
        let source = RLRunLoopSourceCreate(port: port) {
            var byte: UInt8 = 0
            read(port, &byte, 1)
            receive { RLRunLoopStop(RLRunLoopGetCurrent()) }
        }
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
        RLRunLoopRun()
        RLRunLoopSourceInvalidate(source)
    }
}
