import Glibc
import ProcessKit
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

@Suite("The end of a process") struct ProcessEndTests {
    @Test("cannot be awaited without descriptors, and is not lost") func noDescriptors() async {
        await #expect(processExitsWith: .success) { @MainActor in
            let child = try spawnProgram("sh", ["-c", "exit 3"]) { _ in }
            let shortage = DescriptorShortage()
            for _ in 0..<100 {
                do {
                    _ = try await RLWaitForProcess(child)
                    _exit(1)
                } catch {
                    if (error as? RLSystemError)?.code != EMFILE { _exit(2) }
                }
            }
            shortage.end()
            // The first wait makes the loop's descriptors.
            let other = try spawnProgram("true", []) { _ in }
            if try await RLWaitForProcess(other) != .exited(0) { _exit(3) }
            let count = countDescriptors()
            if try await RLWaitForProcess(child) != .exited(3) { _exit(4) }
            if countDescriptors() != count { _exit(5) }
        }
    }

    @Test("is reported or left to the parent when the observing thread ends") func threadEnd()
        throws
    {
        for _ in 0..<30 {
            let reported = Log<RLProcessEnd>()
            let released = Log<String>()
            let child = try spawnProgram("sh", ["-c", "exit 3"]) { _ in }
            let worker = RLPermanentThread()
            worker.execute(waitUntilDone: true) {
                RLRunLoop.current.observe(process: child) { [token = Token(released)] _, end in
                    token.hold()
                    reported.add(end)
                }
            }
            if Bool.random() { sched_yield() }
            worker.stop()
            worker.join()
            #expect(released.entries == ["released"])
            var status: CInt = 0
            let reaped = waitpid(child, &status, 0)
            if reported.entries.isEmpty {
                #expect(reaped == child && status == 3 << 8)
            } else {
                #expect(reported.entries == [.exited(3)] && reaped == -1)
            }
        }
    }

    @Test("is reported to 10,000 observers at once, and to the task that reaps") func crowd() async
    {
        // The limit of descriptors affects the whole process.
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = min(limit.rlim_max, 20_000)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            // Each observer has a descriptor.
            let count = min(10_000, Int(limit.rlim_cur) - 200)
            try await observe(by: count)
        }
    }
}

/// Runs in its own process; the exit code identifies the failure.
private func observe(by count: Int) async throws {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { _exit(1) }
    let children = try (0..<4).map { _ in
        try spawnProgram("cat", []) { actions in
            posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        }
    }
    let workers = (0..<2).map { _ in RLPermanentThread() }
    let reported = Log<RLProcessEnd>()
    let released = Log<String>()
    let descriptors = countAllDescriptors()
    for number in 0..<count {
        let child = children[number % children.count]
        workers[number % workers.count].execute {
            RLRunLoop.current.observe(process: child, reaps: false) {
                [token = Token(released)] source, end in
                if source.isValid { _exit(2) }
                token.hold()
                reported.add(end)
            }
        }
    }
    for worker in workers { worker.execute(waitUntilDone: true) {} }
    if countAllDescriptors() < descriptors + count { _exit(3) }
    close(ends[0])
    close(ends[1])
    while reported.entries.count < count { await Task.yield() }
    for worker in workers { worker.execute(waitUntilDone: true) {} }
    if reported.entries.contains(where: { $0 != .exited(0) }) { _exit(4) }
    if released.entries.count != count { _exit(5) }
    // A few belong to the loops.
    if countAllDescriptors() > descriptors + 10 { _exit(6) }
    let loops = workers.map(\.runLoop)
    for child in children {
        if try await RLWaitForProcess(child, on: loops[0]) != .exited(0) { _exit(7) }
    }
    for worker in workers {
        worker.stop()
        worker.join()
    }
}

private func countAllDescriptors() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}
