import Glibc
import RunLoopKit
import Testing
import ThreadKit

/// Deallocations of timers, threads and loops in any order: everything they held is released once.
@Suite("Nothing is left") struct LeakTests {
    /// The ways in which a timer may end.
    enum End: CaseIterable {
        case droppedUnscheduled, loopGoes, invalidated, fired, removed, invalidatedElsewhere
    }

    @Test("of a timer, however it ends", arguments: End.allCases) func timers(_ end: End) {
        let log = Log<String>()
        onFreshThread {
            let token = Token(log)
            let timer = RLTimer(timeInterval: 0.001, repeats: false) { [token] _ in token.hold() }
            if end != .droppedUnscheduled { RLRunLoop.current.add(timer, forMode: .common) }
            switch end {
            case .droppedUnscheduled, .loopGoes: break
            case .invalidated: timer.invalidate()
            case .fired: RLRunLoop.current.run()
            case .removed: RLRunLoop.current.remove(timer, forMode: .common)
            case .invalidatedElsewhere:
                let reference = timer.getRLRunLoopTimer()
                onFreshThread { RLRunLoopTimerInvalidate(reference) }
            }
        }
        #expect(log.entries == ["released"])
    }

    @Test("of wrappers and references that outlive their loop") func outliving() {
        let log = Log<String>()
        let kept = Log<RLRunLoopTimerRef>()
        let loops = Log<RLRunLoopRef>()
        onFreshThread {
            let token = Token(log)
            let timer = RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: true) { [token] _ in
                token.hold()
            }
            kept.add(timer.getRLRunLoopTimer())
            loops.add(RLRunLoop.current.getRLRunLoop())
        }
        #expect(log.entries == ["released"])
        #expect(!RLRunLoopTimerIsValid(kept.entries[0]))
        #expect(RLRunLoopCopyCurrentMode(loops.entries[0]) == nil)
    }

    @Test("of observers, blocks and requests that were never served") func unserved() {
        let log = Log<String>()
        onFreshThread {
            for _ in 0..<2 {
                let token = Token(log)
                RLRunLoop.current.observe(.entry) { [token] _, _ in token.hold() }
                RLRunLoop.current.perform { [token] in token.hold() }
                RLRunLoop.current.perform(afterDelay: 1000) { [token] in token.hold() }
            }
        }
        #expect(log.entries == ["released", "released"])
    }

    @Test("of notification queues and their observers") func queues() {
        let log = Log<String>()
        onFreshThread {
            do {
                let token = Token(log)
                let queue = RLNotificationQueue { [token] _ in token.hold() }
                queue.enqueue(RLNotification(name: .init("never")), postingStyle: .whenIdle)
            }
            log.add("queue dropped")
            RLRunLoop.current.perform {}
            RLRunLoop.current.run(mode: .default, before: .distantPast)
        }
        #expect(log.entries == ["released", "queue dropped"])
    }

    @Test("of threads that are dropped before, while and after they run") func threads() {
        let log = Log<String>()
        _ = RLThread { [token = Token(log)] in token.hold() }
        #expect(log.entries == ["released"])
        do {
            let thread = RLThread { [token = Token(log)] in token.hold() }
            thread.start()
            thread.join()
        }
        while log.entries.count < 2 {}
        do { RLThread { [token = Token(log)] in token.hold() }.start() }
        while log.entries.count < 3 {}
        for _ in 0..<20 {
            let worker = RLPermanentThread()
            worker.execute { [token = Token(log)] in token.hold() }
        }
        while log.entries.count < 23 {}
        #expect(log.entries.count == 23)
    }

    @Test("of the loop of a thread whose object is kept") func keptThreads() {
        let log = Log<String>()
        let thread = RLThread {
            RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: true) {
                [token = Token(log)] _ in token.hold()
            }
        }
        thread.start()
        thread.join()
        #expect(log.entries == ["released"])
        #expect(thread.runLoop == nil)
    }

    @Test("of threads that leave in the midst of their work (NSTH-3)") func leavingThreads() async {
        // In its own process, where no other loops exist.
        await #expect(processExitsWith: .success) {
            let log = Log<String>()
            let counts = (0..<10).map { _ in
                let thread = LeavingThread(log)
                thread.start()
                thread.join()
                return descriptorCount(ofKind: "anon_inode:[eventpoll]")
            }
            let isClean = log.entries.count == 10 && counts.first == counts.last
            _exit(isClean ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("of tasks that a thread has performed, while it waits for more") func tasks() {
        let log = Log<String>()
        let worker = RLPermanentThread()
        for _ in 0..<3 {
            worker.execute { [token = Token(log)] in token.hold() }
        }
        // Waits until the earlier tasks have been released.
        worker.execute(waitUntilDone: true) {}
        #expect(log.entries == ["released", "released", "released"])
    }
}

/// Exits from its main function, with items in its loop.
private final class LeavingThread: RLThread, @unchecked Sendable {
    // Proof: the subclass only adds a constant of a Sendable type.
    private let token: Token

    init(_ log: Log<String>) {
        token = Token(log)
        super.init()
    }

    override func main() {
        RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: true) { _ in }
        RLRunLoop.current.run(mode: .default, before: .distantPast)
        RLThread.exit()
    }
}

/// The number of the process's descriptors of a kind, in the kernel's terms.
///
/// Descriptors of other kinds vary with the runtime; each loop has an epoll set.
private func descriptorCount(ofKind kind: String) -> Int {
    (0..<1024).count { descriptor in
        var name = [UInt8](repeating: 0, count: 64)
        let length = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
        return length > 0 && String(decoding: name[..<length], as: UTF8.self) == kind
    }
}
