import CoreRunLoop

/// Two threads that send to each other's port and sleep in between.
struct PingPongSample: Sample {
    let name = "ping-pong"
    let summary = "two threads that wake each other through ports"

    func run(_ trace: Trace) throws {
        let (ping, pong) = (try EventPort(), try EventPort())
        defer {
            ping.close()
            pong.close()
        }
        let rounds = 3
        let count = Counter()

        let player = Worker {
            serve(ping) { stop in
                let round = count.countUp()
                trace.event("ping \(round)")
                if round == rounds { stop() }
                pong.send()
            }
        }
        ping.send()
        serve(pong) { stop in
            trace.event("pong \(count.value)")
            if count.value == rounds { stop() } else { ping.send() }
        }
        player.join()

        trace.expect(["ping 1", "pong 1", "ping 2", "pong 2", "ping 3", "pong 3"])
    }

    /// Runs the current loop, calling `receive` for each message, until that stops it.
    private func serve(
        _ port: EventPort,
        receive: @escaping @Sendable (_ stop: () -> Void) -> Void
    ) {
        let source = RLRunLoopSourceCreate(port: port.descriptor) {
            receive { RLRunLoopStop(RLRunLoopGetCurrent()) }
        }
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
        RLRunLoopRun()
        RLRunLoopSourceInvalidate(source)
    }
}
