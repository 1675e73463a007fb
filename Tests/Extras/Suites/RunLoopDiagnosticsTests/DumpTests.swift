import CRunLoop.Wrapping
import CoreRunLoop
import Glibc
import ProcessKit
import RunLoopDiagnostics
import Testing
import ThreadKit

@Suite("The dump of all loops") struct DumpTests {
    @Test("shows what each loop does, on which thread, and what is in it") func text() {
        let dump = onFreshThread {
            RLBacktrace.allowOnCurrentThread()
            let source = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, "drawer")
            let dumps = Guarded<RLRunLoopDump?>(nil)
            RLRunLoop.current.perform { dumps.withLock { $0 = lookAround() } }
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            RLRunLoopSourceInvalidate(source)
            return (dumps.withLock { $0?.description } ?? "", RLThreadGetNumber())
        }
        let (text, thread) = dump ?? ("", 0)
        let ours = part(of: text, "thread \(thread) ")
        #expect(ours.contains("is in a block for "), "\(text)")
        #expect(ours.contains("in mode kRLRunLoopDefaultMode"))
        #expect(ours.contains("mode drawer: 1 version-0 source, 0 ports, 0 descriptors, 0 timers"))
        #expect(ours.contains("lookAround"))
        #expect(ours.contains("__RLRUNLOOP_IS_CALLING_OUT_TO_A_BLOCK__"))
        #expect(text.hasSuffix("--- end of run loops\n"))
    }

    @Test("comes at a signal, into a descriptor, also from loops that hang") func signal() throws {
        var child = try ChildProcess(product: "diagnostics-probe", ["dump"])
        // On a busy machine, a thread may handle the signal of backtraces late.
        let functions = ["askForDump", "holdOn"]
        for _ in 0..<9 where !functions.allSatisfy({ child.output.contains($0) }) {
            child = try ChildProcess(product: "diagnostics-probe", ["dump"])
        }
        #expect(child.exitCode == 0)
        #expect(child.output.contains("again: busy"))
        #expect(child.output.contains(": 2 run loops"), "\(child.output)")
        let main = part(of: child.output, ", main: ")
        #expect(main.contains("is in a block for "), "\(child.output)")
        #expect(main.contains("askForDump"), "\(child.output)")
        #expect(main.contains("mode drawer: 1 version-0 source, "), "\(child.output)")
        let worker = part(of: child.output, "(worker): ")
        #expect(worker.contains("is in "), "\(child.output)")
        #expect(worker.contains("holdOn"), "\(child.output)")
        #expect(child.output.hasSuffix("ended\n"))
    }

    @Test("is triggered by signals that do not disturb other threads") func storm() throws {
        let child = try ChildProcess(product: "diagnostics-probe", ["storm"])
        #expect(child.exitCode == 0)
        #expect(child.output == "dumps: true\n")
    }

    @Test("is the parent's alone after a fork, and the child may take its own, and backtraces")
    func fork() throws {
        let child = try ChildProcess(product: "diagnostics-probe", ["fork"])
        #expect(child.exitCode == 0)
        #expect(child.output == "dumps for children: 0\nfailed children: 0\n")
    }

    @Test("rejects signals that cannot be caught, and has no handler after the end") func ends()
        throws
    {
        #expect(throws: RLRunLoopDump.Failure.self) { try RLRunLoopDump.write(at: SIGKILL) }
        #expect(throws: RLRunLoopDump.Failure.self) { try RLRunLoopDump.write(at: 0) }
        let signal = __libc_current_sigrtmax() - 10
        let log = Log<String>()
        do {
            let token = Token(log)
            try RLRunLoopDump.take(at: signal) { _ in token.hold() }
            RLRunLoopDump.end(at: signal)
        }
        #expect(log.entries == ["released"])
        var action = sigaction()
        sigaction(signal, nil, &action)
        #expect(action.__sigaction_handler.sa_handler == nil)
        // Dumps may start again.
        try RLRunLoopDump.take(at: signal) { _ in }
        RLRunLoopDump.end(at: signal)
    }

    @Test("may be ended by its own handler") func endsItself() throws {
        let signal = __libc_current_sigrtmax() - 11
        let isReleased = Gate()
        do {
            let opener = GateOpener(isReleased)
            try RLRunLoopDump.take(at: signal) { [opener] _ in
                RLRunLoopDump.end(at: signal)
                withExtendedLifetime(opener) {}
            }
        }
        kill(getpid(), signal)
        isReleased.wait()
    }

    @Test("may be registered and unregistered by independent threads") func together() throws {
        let signal = __libc_current_sigrtmax() - 12
        let (begun, released) = (Log<String>(), Log<String>())
        onFreshThreads(
            (0..<3).map { _ in
                {
                    for _ in 0..<1000 {
                        let token = Token(released)
                        if (try? RLRunLoopDump.take(at: signal) { _ in token.hold() }) != nil {
                            begun.add("begun")
                        }
                        // A signal must neither count for the next dumps nor be lost by them.
                        RLRunLoopDump.end(at: signal)
                    }
                }
            }
        )
        RLRunLoopDump.end(at: signal)
        #expect(begun.entries.count >= 1000 && released.entries.count == 3000)
        let isAsked = Gate()
        try RLRunLoopDump.take(at: signal) { _ in isAsked.open() }
        kill(getpid(), signal)
        isAsked.wait()
        RLRunLoopDump.end(at: signal)
    }
}

@inline(never) private func lookAround() -> RLRunLoopDump {
    let dump = RLRunLoopDump()
    return withExtendedLifetime(dump) { dump }
}

/// The lines of the loop whose first line contains the words.
private func part(of text: String, _ words: String) -> String {
    let lines = text.split(separator: "\n")
    guard let first = lines.firstIndex(where: { $0.contains(words) }) else { return "" }
    let rest = lines[(first + 1)...].prefix { $0.hasPrefix("  ") }
    return ([lines[first]] + rest).joined(separator: "\n")
}

@Suite("A loop's description") struct LoopDescriptionTests {
    @Test("names Swift's functions without types") func names() {
        onFreshThread {
            let timer = RLRunLoopTimerCreate(fireDate: 1e10) { _ in }
            let text = timer.description
            #expect(text.contains(" in CoreRunLoop.RLRunLoopTimerCreate (0x"), "\(text)")
            RLRunLoopTimerInvalidate(timer)
        }
    }
}

@Suite("A tool's description") struct ToolDescriptionTests {
    @Test("has the settings of the tool") func settings() {
        let monitor = RLStallMonitor { _ in }
        #expect("\(monitor)".contains(": 5 stretches over 0.05 seconds, or one over 0.25 seconds>"))
        monitor.stop()
        #expect("\(RLRunLoopTracer())".hasSuffix(": 0 loop(s) recorded, 0 given up>"))
    }
}
