import CoreRunLoop
import Glibc

/// A daemon's main loop: signals and the ends of children are events like others.
struct SignalsSample: Sample {
    let name = "signals"
    let summary = "signals and the ends of children as events of one loop, without a handler"

    func run(_ trace: Trace) throws {
        let loop = RLRunLoopGetCurrent()
        // A child waits for a byte after its signal, so that the signal is seen before its end.
        let polite = try shell("read line; kill -USR1 \(getpid()); read line; exit 3")
        let stubborn = try shell("read line; kill -USR2 \(getpid()); while :; do read line; done")

        let signals = RLSignalSourceCreate(signals: [SIGUSR1, SIGUSR2]) { source, event in
            switch (event.number, event.processID) {
            case (SIGUSR1, getpid()):
                trace.event("SIGUSR1 of our own, with the number \(event.value)")
                RLRunLoopSourceInvalidate(source)
            case (SIGUSR1, polite.number):
                trace.event("SIGUSR1 of a child, which may end now")
                polite.send()
            case (SIGUSR2, stubborn.number):
                trace.event("SIGUSR2 of a child, which is killed for it")
                kill(stubborn.number, SIGKILL)
            default: trace.fail("signal \(event.number) of process \(event.processID)")
            }
        }
        RLRunLoopAddSource(loop, signals, .defaultMode)
        polite.send()
        watch(polite) { status in
            trace.event("the first child \(describeEnd(status))")
            stubborn.send()
        }
        watch(stubborn) { status in
            trace.event("the second child \(describeEnd(status))")
            sigqueue(getpid(), SIGUSR1, sigval(sival_int: 7))
        }
        RLRunLoopRun()
        trace.event("nothing is left to wait for")

        trace.expect([
            "SIGUSR1 of a child, which may end now", "the first child ended with 3",
            "SIGUSR2 of a child, which is killed for it", "the second child was killed by signal 9",
            "SIGUSR1 of our own, with the number 7", "nothing is left to wait for",
        ])
    }

    private func shell(_ script: String) throws -> Subprocess {
        try Subprocess("/bin/sh", ["-c", script])
    }

    /// Reports the end of a child in this thread's loop, once.
    private func watch(_ child: Subprocess, _ ended: @escaping @Sendable (Int32?) -> Void) {
        let source = RLProcessSourceCreate(process: child.number) { _, status in ended(status) }
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
    }
}
