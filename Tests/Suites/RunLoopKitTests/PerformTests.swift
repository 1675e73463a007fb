import Glibc
import RunLoopTesting
import Synchronization
import Testing
import ThreadKit

@Suite("Performing later") struct DelayedPerformTests {
    @Test("happens in the next pass at the earliest, in the modes given (NSPF-1)")
    func delaysAndModes() {
        onFreshThread {
            let log = Log<String>()
            let player = Player(log)
            player.perform(.play, with: "default", afterDelay: -1)
            player.perform(.play, with: "custom", afterDelay: 0, inModes: ["custom", "other"])
            #expect(log.entries.isEmpty)
            #expect(RLRunLoop.current.run(mode: "custom", before: .distantPast))
            #expect(log.entries == ["custom"])
            #expect(!RLRunLoop.current.run(mode: "other", before: .distantPast))
            #expect(RLRunLoop.current.run(mode: .default, before: .distantPast))
            #expect(log.entries == ["custom", "default"])
        }
    }

    @Test("keeps equal delays in order (NSPF-2)") func order() {
        onFreshThread {
            let log = Log<String>()
            let player = Player(log)
            let clock = RLTestClock()
            for number in 0..<20 { player.perform(.play, with: "\(number)", afterDelay: 1) }
            player.perform(.play, with: "early", afterDelay: 0.999)
            clock.advance(by: .seconds(1))
            #expect(log.entries == ["early"] + (0..<20).map { "\($0)" })
            clock.end()
        }
    }

    @Test("holds receiver and argument until it is done (NSPF-1)") func ownership() {
        onFreshThread {
            let log = Log<String>()
            Player(log, logsEnd: true).perform(.play, with: "song", afterDelay: 0)
            RLRunLoop.current.run()
            #expect(log.entries == ["song", "player gone"])

            let token = Token(log)
            let other = Player(log)
            other.perform(.keep, with: token, afterDelay: 100)
            Player.cancelPreviousPerformRequests(withTarget: other)
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
        }
    }

    @Test("lets arguments that are released make and cancel requests") func meddlingArguments()
        async
    {
        // In its own process: overlapping accesses to memory would end it.
        await #expect(processExitsWith: .success) {
            let released = Log<Int>()
            // Calls all that removes requests, with arguments whose copies in requests are equal.
            onFreshThread {
                let loop = RLRunLoop.current
                let player = Player(Log())
                func request() {
                    player.perform(.meet, with: Meddler(player, released), afterDelay: -1)
                    player.perform(.meet, with: Meddler(player, released), afterDelay: -1)
                    for _ in 0..<2 {
                        let argument = Meddler(player, released)
                        loop.perform(
                            .meet,
                            target: player,
                            argument: argument,
                            order: 0,
                            modes: [.default]
                        )
                    }
                }
                request()
                for _ in 0..<4 { loop.run(mode: .default, before: .distantPast) }
                if released.entries.count != 4 { _exit(1) }
                request()
                Player.cancelPreviousPerformRequests(withTarget: player)
                loop.cancelPerformSelectors(withTarget: player)
                if released.entries.count != 8 { _exit(2) }
                request()
                let equal = Meddler(player, released)
                Player.cancelPreviousPerformRequests(
                    withTarget: player,
                    selector: .meet,
                    object: equal
                )
                loop.cancelPerform(.meet, target: player, argument: equal)
                if released.entries.count != 12 { _exit(3) }
                request()
            }
            _exit(released.entries.count == 17 ? 0 : 4)
        }
    }

    @Test("can be cancelled by target, selector and argument (NSPF-3)") func cancelling() {
        onFreshThread {
            let log = Log<String>()
            let one = Player(log), two = Player(log)
            one.perform(.play, with: "a", afterDelay: 0)
            one.perform(.play, with: "b", afterDelay: 0)
            one.perform(.tick, afterDelay: 0)
            two.perform(.play, with: "two", afterDelay: 0)
            Player.cancelPreviousPerformRequests(withTarget: one, selector: .play, object: "a")
            Player.cancelPreviousPerformRequests(withTarget: one, selector: .play, object: "none")
            Player.cancelPreviousPerformRequests(
                withTarget: one,
                selector: .tick,
                object: "argument"
            )
            RLRunLoop.current.run()
            #expect(log.entries == ["b", "tick", "two"])

            one.perform(.play, with: "a", afterDelay: 0)
            one.perform(.tick, afterDelay: 0)
            two.perform(.tick, afterDelay: 0)
            Player.cancelPreviousPerformRequests(withTarget: one)
            RLRunLoop.current.run()
            #expect(log.entries == ["b", "tick", "two", "tick"])
        }
    }

    @Test("is not cancelled by an argument that cannot be compared with its own (NSPF-3)")
    func incomparable() {
        onFreshThread {
            let log = Log<String>()
            let player = Player(log), songs = 50
            for number in 0..<songs {
                player.perform(.playRecord, with: Record(song: "\(number)"), afterDelay: 0)
                let other = Record(song: "\(number)")
                Player.cancelPreviousPerformRequests(
                    withTarget: player,
                    selector: .playRecord,
                    object: other
                )
            }
            RLRunLoop.current.run()
            #expect(log.entries == (0..<songs).map { "\($0)" })
        }
    }

    @Test("can be cancelled by its token") func tokens() {
        onFreshThread {
            let log = Log<String>()
            let first = RLRunLoop.current.perform(afterDelay: 0) { log.add("first") }
            let second = RLRunLoop.current.perform(afterDelay: 0.001) { log.add("second") }
            #expect(first.isPending && second.isPending && first != second)
            first.cancel()
            RLRunLoop.current.run()
            #expect(log.entries == ["second"] && !first.isPending && !second.isPending)
        }
    }

    @Test("in order does not wait for something else to wake the loop") func orderedAtRest() {
        onFreshThread {
            let log = Log<String>()
            let player = Player(log)
            // Without a wake-up, the request would wait for this timer.
            RLTimer.scheduledTimer(withTimeInterval: 600, repeats: false) { _ in log.add("timer") }
            RLRunLoop.current.observe(.beforeWaiting, repeats: false) { _, _ in
                RLRunLoop.current.perform(
                    .play,
                    target: player,
                    argument: "served",
                    order: 0,
                    modes: [.default]
                )
            }
            #expect(RLRunLoop.current.run(mode: .default, before: .distantFuture))
            #expect(log.entries == ["served"])
        }
    }

    @Test("is done by the loop in the requested order (NSRL-15)") func ordered() {
        onFreshThread {
            let log = Log<String>()
            let player = Player(log)
            let loop = RLRunLoop.current
            loop.perform(.play, target: player, argument: "5", order: 5, modes: [.default])
            loop.perform(.play, target: player, argument: "1a", order: 1, modes: [.default])
            loop.perform(.play, target: player, argument: "1b", order: 1, modes: [.default])
            loop.perform(.play, target: player, argument: "never", order: 0, modes: [.default])
            loop.perform(.tick, target: player, order: -1, modes: ["custom"])
            loop.cancelPerform(.play, target: player, argument: "never")
            #expect(loop.run(mode: .default, before: .distantPast))
            #expect(log.entries == ["1a", "1b", "5"])
            loop.perform(.play, target: player, argument: "gone", modes: [.default])
            loop.cancelPerformSelectors(withTarget: player)
            #expect(!loop.run(mode: .default, before: .distantPast))
            #expect(!loop.run(mode: "custom", before: .distantPast))
            #expect(log.entries == ["1a", "1b", "5"])
        }
    }

    @Test("can be cancelled by an earlier one of the same pass (NSRL-15)") func cancelledInPass() {
        onFreshThread {
            let log = Log<String>()
            let player = Player(log), other = Player(log)
            let loop = RLRunLoop.current
            loop.perform(.play, target: player, argument: "never", order: 2, modes: [.default])
            loop.perform(.tick, target: other, order: 3, modes: [.default])
            let canceller = Canceller { loop.cancelPerformSelectors(withTarget: player) }
            loop.perform(.cancel, target: canceller, order: 1, modes: [.default])
            loop.perform(.play, target: player, argument: "first", order: 0, modes: [.default])
            #expect(loop.run(mode: .default, before: .distantPast))
            #expect(log.entries == ["first", "tick"])
        }
    }
}

@Suite("Performing on a thread") struct ThreadPerformTests {
    @Test("happens there, in order, in one pass (NSPF-4)") func order() {
        let log = Log<String>()
        let clerk = Clerk(log)
        let isReady = Atomic(false)
        let thread = RLThread {
            while !isReady.load(ordering: .acquiring) {}
            log.add("ran \(RLRunLoop.current.run(mode: .default, before: .distantFuture))")
        }
        thread.start()
        for number in 0..<5 { clerk.perform(.file, on: thread, with: number, waitUntilDone: false) }
        isReady.store(true, ordering: .releasing)
        thread.join()
        #expect(log.entries == ["0", "1", "2", "3", "4", "ran true"])
    }

    @Test("ends the sleep of run(mode:before:), as any source does") func wakes() {
        let log = Log<String>()
        let thread = RLThread {
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, .defaultMode)
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            log.add("returned")
        }
        thread.start()
        while !RLRunLoopIsWaiting(thread.runLoop) {}
        #expect(thread.perform(waitUntilDone: true) { log.add("performed") })
        thread.join()
        #expect(log.entries == ["performed", "returned"])
    }

    @Test("happens in the modes given only (NSPF-4)") func modes() {
        let log = Log<String>()
        let isReady = Atomic(false)
        let thread = RLThread {
            let loop = RLRunLoop.current
            RLRunLoopAddCommonMode(loop.getRLRunLoop(), "shared")
            while !isReady.load(ordering: .acquiring) {}
            for mode in ["custom", "shared", "kRLRunLoopDefaultMode"] {
                log.add("in \(mode)")
                loop.run(mode: RLRunLoop.Mode(mode), before: .distantPast)
            }
            // The loop is empty.
            log.add("again \(loop.run(mode: .default, before: .distantPast))")
        }
        thread.start()
        thread.perform(modes: [.default]) { log.add("default") }
        thread.perform(modes: [.common]) { log.add("common") }
        thread.perform(modes: ["custom", .default]) { log.add("custom") }
        #expect(thread.perform(modes: []) { log.add("never") })
        isReady.store(true, ordering: .releasing)
        thread.join()
        #expect(
            log.entries == [
                "in custom", "custom", "in shared", "common", "in kRLRunLoopDefaultMode", "default",
                "again false",
            ]
        )
    }

    @Test("happens once, in order over all the modes that fit (NSPF-4)") func severalModes() {
        onFreshThread {
            let log = Log<String>()
            let loop = RLRunLoop.current
            let thread = RLThread.current
            thread.perform(modes: [.default, .default]) { log.add("named twice") }
            thread.perform(modes: [.common]) { log.add("common") }
            thread.perform(modes: ["custom", .default]) { log.add("two modes") }
            thread.perform(modes: ["custom"]) { log.add("custom") }
            thread.perform(modes: [.default, .common]) { log.add("both ways") }
            #expect(loop.run(mode: .default, before: .distantPast))
            #expect(log.entries == ["named twice", "common", "two modes", "both ways"])
            #expect(!loop.run(mode: .default, before: .distantPast))
            #expect(loop.run(mode: "custom", before: .distantPast))
            #expect(log.entries.last == "custom")
            #expect(!loop.run(mode: "custom", before: .distantPast))
        }
    }

    @Test("continues in a nested run, which performs new ones after earlier ones (NSPF-4)")
    func nested() {
        onFreshThread {
            let log = Log<String>()
            let thread = RLThread.current
            thread.perform(modes: [.default]) {
                log.add("first")
                thread.perform(modes: [.default]) { log.add("third") }
                RLRunLoop.current.run(mode: .default, before: .distantPast)
                log.add("nested run over")
            }
            thread.perform(modes: [.default]) { log.add("second") }
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(log.entries == ["first", "second", "third", "nested run over"])
        }
    }

    @Test("waits, and does it at once on one's own thread (NSPF-5)") func waiting() {
        let log = Log<String>()
        let worker = RLPermanentThread(name: "worker")
        #expect(worker.execute(waitUntilDone: true) { log.add("done") })
        log.add("waited")
        worker.execute(waitUntilDone: true) {
            let clerk = Clerk(log)
            clerk.perform(.file, on: .current, with: 1, waitUntilDone: true)
            clerk.perform(.file, on: .current, with: 2, waitUntilDone: false, modes: [.default])
            log.add("queued")
        }
        worker.execute(waitUntilDone: true) {}
        worker.stop()
        worker.join()
        #expect(log.entries == ["done", "waited", "1", "queued", "2"])
    }

    @Test("fails instead of waiting for work without a mode") func noModes() async {
        // In its own process: a missing check would block forever.
        await #expect(processExitsWith: .success) {
            let worker = RLPermanentThread()
            let isPerformed = worker.execute(waitUntilDone: true, modes: []) { _exit(EXIT_FAILURE) }
            let never = Gate()
            let thread = RLThread { never.wait() }
            thread.start()
            _exit(
                isPerformed || thread.perform(waitUntilDone: true, modes: []) {}
                    ? EXIT_FAILURE : EXIT_SUCCESS
            )
        }
    }

    @Test("fails instead of waiting for a thread that is gone") func finishedThread() {
        let thread = RLThread {}
        #expect(!thread.perform(waitUntilDone: true) {})
        thread.start()
        thread.join()
        #expect(!thread.perform(waitUntilDone: true) {})
        #expect(!Clerk(Log()).perform(.file, on: thread, with: 1, waitUntilDone: true))
    }

    @Test("fails when the thread ends before it came to it") func endingThread() {
        let mayEnd = Atomic(false)
        let thread = RLThread { while !mayEnd.load(ordering: .acquiring) {} }
        thread.start()
        // The thread never runs its loop; its end ends the wait.
        let other = RLThread { mayEnd.store(true, ordering: .releasing) }
        let waiter = RLThread {
            other.start()
            #expect(!thread.perform(waitUntilDone: true) { Issue.record("performed") })
        }
        waiter.start()
        waiter.join()
        thread.join()
        other.join()
    }

    @Test("fails when the block itself ends the thread") func endingInBlock() async {
        // In its own process: the objects of the abandoned stack are never released.
        await #expect(processExitsWith: .success) {
            let worker = RLThread {
                let keeper = RLRunLoopSourceCreate {}
                RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, .defaultMode)
                RLRunLoopRun()
            }
            worker.start()
            let isPerformed = worker.perform(waitUntilDone: true) { RLThread.exit() }
            worker.join()
            _exit(!isPerformed && worker.isFinished ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("starts a thread for the background (NSPF-6)") func background() {
        let log = Log<String>()
        let done = RLPermanentThread()
        let clerk = Clerk(log)
        clerk.performSelector(inBackground: .fileAndNotify, with: done)
        while log.entries.isEmpty {}
        #expect(log.entries == ["not on the main thread: true"])
        done.stop()
    }
}

private final class Player: RLObject {
    private let log: Log<String>
    private let logsEnd: Bool

    init(_ log: Log<String>, logsEnd: Bool = false) {
        self.log = log
        self.logsEnd = logsEnd
    }

    deinit {
        if logsEnd { log.add("player gone") }
    }

    func tick() {
        log.add("tick")
    }

    func play(_ song: String) {
        log.add(song)
    }

    func playRecord(_ record: Record) {
        log.add(record.song)
    }

    func keep(_ token: Token) {
        token.hold()
    }

    func meet(_ meddler: Meddler) {}
}

/// An argument that makes and cancels requests when it is released; all are equal.
private final class Meddler: Hashable {
    private let player: Player
    private let released: Log<Int>

    init(_ player: Player, _ released: Log<Int>) {
        self.player = player
        self.released = released
    }

    deinit {
        released.add(1)
        player.perform(.tick, afterDelay: 100)
        RLRunLoop.current.perform(.tick, target: player, order: 0, modes: ["other"])
        Player.cancelPreviousPerformRequests(withTarget: player, selector: .tick)
        RLRunLoop.current.cancelPerform(.tick, target: player)
    }

    static func == (first: Meddler, second: Meddler) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

/// An argument without equality.
private struct Record {
    let song: String
}

extension RLSelector where Target == Player {
    fileprivate static let tick = RLSelector("tick", Player.tick)
    fileprivate static let play = RLSelector("play:", Player.play)
    fileprivate static let playRecord = RLSelector("playRecord:", Player.playRecord)
    fileprivate static let keep = RLSelector("keep:", Player.keep)
    fileprivate static let meet = RLSelector("meet:", Player.meet)
}

private final class Canceller {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    func cancel() {
        action()
    }
}

extension RLSelector where Target == Canceller {
    fileprivate static let cancel = RLSelector("cancel", Canceller.cancel)
}

private final class Clerk: RLObject, Sendable {
    private let log: Log<String>

    init(_ log: Log<String>) {
        self.log = log
    }

    func file(_ number: Int) {
        log.add("\(number)")
    }

    func fileAndNotify(_ thread: RLPermanentThread) {
        log.add("not on the main thread: \(!RLThread.isMainThread)")
    }
}

extension RLSelector where Target == Clerk {
    fileprivate static let file = RLSelector("file:", Clerk.file)
    fileprivate static let fileAndNotify = RLSelector("fileAndNotify:", Clerk.fileAndNotify)
}
