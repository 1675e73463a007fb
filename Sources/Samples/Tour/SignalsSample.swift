import CoreRunLoop
import Glibc

/// A daemon's main loop, in which signals and the ends of children are events.
struct SignalsSample: Sample {
    let name = "signals"
    let summary = "signals and the ends of children as events of one loop, without a handler"

    func run(_ trace: Trace) throws {
        let loop = RLRunLoopGetCurrent()
        let signals = RLSignalSourceCreate(signals: [SIGUSR1, SIGUSR2]) { source, event in
            switch (event.number, event.processID) {
            case (SIGUSR1, getpid()):
                trace.event("SIGUSR1 of our own, with the number \(event.value)")
                RLRunLoopSourceInvalidate(source)
            case (SIGUSR1, let child):
                trace.event("SIGUSR1 of a child, which may end now")
                kill(child, SIGTERM)
            case (_, let child):
                trace.event("SIGUSR2 of a child, which is killed for it")
                kill(child, SIGKILL)
            }
        }
        RLRunLoopAddSource(loop, signals, .defaultMode)
        // This child ends on SIGTERM, or when its parent has ended.
        let polite = """
            trap 'exit 3' TERM
            kill -USR1 $PPID
            while kill -0 $PPID; do sleep 0.01; done
            """
        watch(polite, trace) { status in
            trace.event("the first child \(describeEnd(status))")
            watch("kill -USR2 $PPID; exec sleep 60", trace) { status in
                trace.event("the second child \(describeEnd(status))")
                sigqueue(getpid(), SIGUSR1, sigval(sival_int: 7))
            }
        }
        RLRunLoopRun()
        trace.event("nothing is left to wait for")

        trace.expect([
            "SIGUSR1 of a child, which may end now", "the first child ended with 3",
            "SIGUSR2 of a child, which is killed for it", "the second child was killed by signal 9",
            "SIGUSR1 of our own, with the number 7", "nothing is left to wait for",
        ])
    }
}

/// Runs a script in a shell, and reports its end in this thread's loop.
private func watch(_ script: String, _ trace: Trace, _ ended: @escaping @Sendable (Int32) -> Void) {
    // A child inherits the signal mask, in which the signals of the source are blocked.
    var attributes = posix_spawnattr_t()
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var child = pid_t()
    let arguments = ["sh", "-c", script]
    let words = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    guard posix_spawn(&child, "/bin/sh", nil, &attributes, words, environ) == 0 else {
        return trace.fail("no shell can be started")
    }
    let source = RLProcessSourceCreate(process: child) { _, status in ended(status ?? -1) }
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
}

private func describeEnd(_ status: Int32) -> String {
    let signal = status & 0x7F
    return signal == 0 ? "ended with \(status >> 8 & 0xFF)" : "was killed by signal \(signal)"
}
