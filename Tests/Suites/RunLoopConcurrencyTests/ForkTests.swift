import Glibc
import ProcessKit
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

/// Each runs in its own process, as a fork copies the locks of other threads.
@Suite("In a forked child") struct ForkTests {
    @Test("an awaited read of the parent continues, and the parent's read too") func reads() async {
        await #expect(processExitsWith: .success) {
            await onThread { readInBoth() }
        }
    }

    @Test("the end of a process is unknown, and is left to the parent") func processes() async {
        await #expect(processExitsWith: .success) {
            let process = try spawnProgram("sleep", ["1000"]) { _ in }
            await onThread { observeInBoth(process) }
        }
    }
}

/// Does not block a thread of Swift's pool, which the tasks of the closure need.
private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        RLThread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}

private func readInBoth() {
    let own = RLRunLoop.current
    let log = Log<[UInt8]>()
    var ends: [CInt] = [-1, -1]
    socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
    guard let pair = RLStreamCreatePair(withSocket: ends[0]) else { _exit(1) }
    let waiter = Waiter(own.getRLRunLoop())
    Task { await waiter.read(pair.reader, log) }
    write(ends[1], [1] as [UInt8], 1)
    own.run { log.entries == [[1]] }
    inChild {
        write(ends[1], [2] as [UInt8], 1)
        own.run { log.entries == [[1], [2]] }
    }
    write(ends[1], [3] as [UInt8], 1)
    own.run { log.entries == [[1], [3]] }
    close(ends[1])
    own.run { log.entries == [[1], [3], []] }
}

private func observeInBoth(_ process: pid_t) {
    let own = RLRunLoop.current
    var seen: [RLProcessEnd] = []
    let awaited = Log<RLProcessEnd>()
    let waiter = Waiter(own.getRLRunLoop())
    own.observe(process: process, reaps: false) { _, end in seen.append(end) }
    let hasBegun = Flag()
    Task { await waiter.await(process, awaited, hasBegun) }
    own.run { hasBegun.isSet }
    inChild {
        kill(process, SIGKILL)
        own.run { seen == [.unknown] && awaited.entries == [.unknown] }
    }
    own.run { !seen.isEmpty && awaited.entries == [.signaled(SIGKILL)] }
    // The task may have reaped the process before.
    if seen != [.signaled(SIGKILL)] && seen != [.unknown] { _exit(3) }
    if waitpid(process, nil, WNOHANG) != -1 || errno != ECHILD { _exit(2) }
}

/// Calls a closure in a forked child, and stops the process if the child fails.
private func inChild(_ body: () -> Void) {
    let child = forkProcess()
    if child == 0 {
        body()
        _exit(0)
    }
    var status: CInt = -1
    if waitpid(child, &status, 0) != child || status != 0 { _exit(100 + status & 0x7F) }
}

extension RLRunLoop {
    fileprivate func run(until condition: @escaping () -> Bool) {
        let observer = observe(.beforeWaiting) { _, _ in
            if condition() { RLRunLoop.current.stop() }
        }
        while !condition() { run(mode: .default, before: .distantFuture) }
        observer.invalidate()
    }
}

private actor Waiter {
    private let loop: RLRunLoopRef
    nonisolated let executor: RLRunLoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ loop: RLRunLoopRef) {
        self.loop = loop
        executor = RLRunLoopExecutor(loop: loop, orphans: .runElsewhere)
    }

    /// Logs the pieces, and an empty one at the end.
    func read(_ reader: RLReadStreamRef, _ log: Log<[UInt8]>) async {
        let input = RLInputStream(reader)
        while let bytes = try? await input.read(upToCount: 16) { log.add(bytes) }
        log.add([])
    }

    func await(_ process: pid_t, _ log: Log<RLProcessEnd>, _ hasBegun: Flag) async {
        hasBegun.set()
        if let end = try? await RLWaitForProcess(process) { log.add(end) }
    }
}
