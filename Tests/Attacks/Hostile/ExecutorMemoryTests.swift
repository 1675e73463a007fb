import CLinux
import Glibc
import RunLoopConcurrency
import RunLoopKit
import Testing

private func residentMemory() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard let text = fgets(&line, CInt(line.count), file) else { return 0 }
    let pages = String(cString: text).split(separator: " ")[1]
    return (Int(pages) ?? 0) * sysconf(CInt(_SC_PAGESIZE)) / 1024
}

/// The allocated bytes; 0 with the address sanitizer, which delays freeing.
private func allocatedBytes() -> Int {
    let numbers = mallinfo2()
    return Int(numbers.uordblks + numbers.hblkhd)
}

/// Two tasks of an executor that yield to each other, so that one always waits.
private func takeTurns(on executor: RLRunLoopExecutor, for duration: Duration) async -> Int {
    let end = ContinuousClock.now + duration
    return await withTaskGroup(of: Int.self) { group in
        for _ in 0..<2 {
            group.addTask(executorPreference: executor) {
                var turns = 0
                while ContinuousClock.now < end {
                    for _ in 0..<1000 { await Task.yield() }
                    turns += 1000
                }
                return turns
            }
        }
        return await group.reduce(0, +)
    }
}

/// The duration of the yielding in seconds: `RL_YIELD_SECONDS`, or a quarter.
private let seconds =
    getenv("RL_YIELD_SECONDS").flatMap { Double(String(cString: $0)) } ?? 0.25

@Suite("The memory of a loop's executor") struct ExecutorMemoryTests {
    // In its own process, as other tests allocate too.
    @Test("does not grow while two tasks yield") func yielding() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) {
            let worker = RLPermanentThread()
            let executor = RLRunLoopExecutor(loop: worker.runLoop)
            _ = await takeTurns(on: executor, for: .milliseconds(100))
            let (before, allocatedBefore) = (residentMemory(), allocatedBytes())
            let turns = await takeTurns(on: executor, for: .seconds(seconds))
            let after = residentMemory()
            print("\(turns) yields in \(seconds) s: from \(before) to \(after) KiB")
            // Retaining finished jobs would take 70 MB a second.
            #expect(allocatedBytes() - allocatedBefore < 1_000_000)
            worker.stop()
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self), terminator: "")
    }
}
