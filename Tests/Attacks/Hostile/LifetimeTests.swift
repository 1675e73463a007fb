import FoundationEssentials
import Glibc
import RunLoopKit
import Testing
import ThreadKit

/// The objects that an ending thread leaves behind, each with a captured object.
private enum Holder: CaseIterable {
    case timer, commonTimer, observer, block, source, delayed, request, ordered, threadRequest
    case notification, commit, completion, idlePiece, dictionary, autoreleased

    func leave(_ will: LastWill) {
        let loop = RLRunLoop.current
        switch self {
        case .timer:
            RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: true) { _ in will.hold() }
        case .commonTimer:
            let timer = RLTimer(timeInterval: 1000, repeats: false) { _ in will.hold() }
            for mode in [.default, .common, "other"] as [RLRunLoop.Mode] {
                loop.add(timer, forMode: mode)
            }
        case .observer: loop.observe(.exit) { _, _ in will.hold() }
        case .block: loop.perform { will.hold() }
        case .source:
            let source = RLRunLoopSourceCreate { will.hold() }
            RLRunLoopAddSource(loop.getRLRunLoop(), source, .defaultMode)
        case .delayed: loop.perform(afterDelay: 1000) { will.hold() }
        case .request: Clerk().perform(.file, with: will, afterDelay: 1000)
        case .ordered:
            loop.perform(.file, target: Clerk(), argument: will, modes: [.default])
        case .threadRequest: RLThread.current.perform { will.hold() }
        case .notification:
            RLNotificationQueue.default.enqueue(
                RLNotification(name: .init("late"), object: will),
                postingStyle: .whenIdle
            )
        case .commit: RLTransaction.current.setNeedsCommit(will) {}
        case .completion: RLTransaction.current.addCompletion { will.hold() }
        case .idlePiece:
            let queue = RLIdleQueue()
            queue.add { will.hold() }
            loop.observe(.exit) { _, _ in withExtendedLifetime(queue) {} }
        case .dictionary: RLThread.current.threadDictionary["will"] = will
        case .autoreleased:
            loop.installAutoreleasePool()
            RLAutorelease(will)
        }
    }
}

/// The call that the object makes in `deinit`.
private enum Deed: CaseIterable {
    case asks, schedules, observes, performs, delays, requests, cancels, removes, runs, notifies
    case commits, idles, remembers, addsPort, autoreleases

    func act() {
        let loop = RLRunLoop.current
        switch self {
        case .asks: _ = (loop.description, loop.currentMode, RLRunLoop.current === loop)
        case .schedules: RLTimer.scheduledTimer(withTimeInterval: 0, repeats: true) { _ in }
        case .observes: loop.observe(.allActivities, in: [.default, .common]) { _, _ in }
        case .performs: loop.perform(inModes: [.default, .common]) {}
        case .delays: loop.perform(afterDelay: 0) {}
        case .requests: RLThread.current.perform {}
        case .cancels: Clerk.cancelPreviousPerformRequests(withTarget: Clerk())
        case .removes: loop.cancelPerformSelectors(withTarget: Clerk())
        case .runs: loop.run(mode: .default, before: .distantPast)
        case .notifies:
            RLNotificationQueue.default.enqueue(
                RLNotification(name: .init("too late")),
                postingStyle: .asap
            )
        case .commits: RLTransaction.current.setNeedsCommit(Clerk()) {}
        case .idles: RLIdleQueue().add {}
        case .remembers: RLThread.current.threadDictionary["deed"] = "done"
        case .addsPort: loop.add(RLPort(), forMode: .common)
        case .autoreleases: RLAutorelease(Clerk())
        }
    }
}

private final class Clerk: RLObject {
    func file(_ will: LastWill) { will.hold() }
}

extension RLSelector where Target == Clerk {
    fileprivate static let file = RLSelector("file:", Clerk.file)
}

/// Makes a call in `deinit`, and records the thread.
private final class LastWill: Sendable {
    private let deed: Deed
    private let threads: Log<pthread_t>

    init(_ deed: Deed, _ threads: Log<pthread_t>) {
        self.deed = deed
        self.threads = threads
    }

    func hold() {}

    deinit {
        deed.act()
        threads.add(pthread_self())
    }
}

@Suite("Hostile ends of threads") struct HostileLifetimeTests {
    /// The table of lifetimes: each kind of holder with each call.
    @Test("release each thing once, on the thread, whatever its deinit does")
    func table() {
        onFreshThreads(
            (0..<4).map { number in
                { for round in 0..<hostileRounds { endThreads(round * 4 + number) } }
            }
        )
    }
}

/// Runs a quarter of the table in each round of each of four threads.
@Sendable private func endThreads(_ turn: Int) {
    let pairs = Holder.allCases.flatMap { holder in Deed.allCases.map { (holder, $0) } }
    for (number, pair) in pairs.enumerated() where number % 4 == turn % 4 {
        let (holder, deed) = pair
        let threads = Log<pthread_t>(), owners = Log<pthread_t>()
        let thread = RLThread {
            owners.add(pthread_self())
            holder.leave(LastWill(deed, threads))
            if turn / 4 % 2 == 1 { RLRunLoop.current.run(mode: "other", before: .distantPast) }
        }
        thread.start()
        thread.join()
        #expect(threads.entries == owners.entries, "\(holder) \(deed)")
    }
}
