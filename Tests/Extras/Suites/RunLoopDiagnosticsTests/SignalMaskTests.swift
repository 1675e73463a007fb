import ProcessKit
import Testing

/// In processes of their own, which a signal may end.
@Suite("A signal with a source") struct SignalMaskTests {
    @Test(
        "arrives, whatever threads were created before its source",
        arguments: [
            "foreign signals worker client", "foreign worker client signals",
            "client worker foreign signals", "worker client foreign signals",
            "client signals worker foreign", "worker signals client foreign",
            "signals worker client foreign", "signals client worker foreign",
            "signals foreign worker client",
        ]
    )
    func order(of parts: String) throws {
        let child = try ChildProcess(product: "diagnostics-probe", ["order \(parts)"])
        #expect(child.exitCode == 0)
        #expect(child.output == "received signal 15\n")
    }

    @Test("is blocked in every thread that a library makes") func everywhere() throws {
        let child = try ChildProcess(product: "diagnostics-probe", ["threads"])
        #expect(child.exitCode == 0)
        let names = child.lines.dropLast().compactMap { $0.split(separator: " ").first }
        for name in ["worker", "thread", "rl-dumps", "rl-inspector"] {
            #expect(names.contains { $0 == name }, "\(child.output)")
        }
        // The signals of the thread's own faults, SIGPIPE, SIGPROF, the unblockable ones, the
        // signals of the C library, and that of backtraces; and the signal of a thread for dumps.
        let ofThread: Set = [4, 5, 6, 7, 8, 9, 11, 13, 19, 27, 31, 32, 33, 34, 63]
        for line in child.lines.dropLast() {
            let words = line.split(separator: " ")
            let taken = Set(words.compactMap { Int($0) }).subtracting(ofThread)
            #expect(taken == (words.first == "rl-dumps" ? [12] : []), "\(line)")
        }
    }
}
