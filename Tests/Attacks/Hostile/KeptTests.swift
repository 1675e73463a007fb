import CRunLoop.Wrapping
import FoundationEssentials
import Glibc
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

/// A reference that another thread holds.
enum Claim: @unchecked Sendable {
    // Proof: the values are thread-safe, except objects, which other threads only release.
    case timer(RLRunLoopTimerRef)
    case observer(RLRunLoopObserver)
    case request(RLPerformRequest)
    case sender(RLIdleQueue.Sender)
    case port(RLPort)
    case stream(RLInputStream)
    case listener(RLListener)
    case watch(RLFileWatch)
    case object(AnyObject)

    /// Cancels or invalidates it, which any thread may do.
    func cancel() {
        switch self {
        case .timer(let timer): RLRunLoopTimerInvalidate(timer)
        case .observer(let observer): observer.invalidate()
        case .request(let request): request.cancel()
        case .sender(let sender): sender.add {}
        case .port(let port): port.invalidate()
        case .stream(let stream): RLReadStreamClose(stream.getRLReadStream())
        case .listener(let listener): listener.invalidate()
        case .watch(let watch): watch.invalidate()
        case .object: break
        }
    }

    var isOver: Bool {
        switch self {
        case .request(let request): !request.isPending
        case .sender(let sender): !sender.add {}
        case .listener(let listener): !listener.isValid
        case .watch(let watch): !watch.isValid
        // Any thread may ask for a description, also after the end.
        case .timer(let timer): !timer.description.isEmpty
        default: true
        }
    }
}

/// The shared state of a thread's objects, without a lock.
private final class Ledger {
    var count = 0
}

/// Writes to its thread's ledger in `deinit`.
final class Debt {
    private let ledger: Ledger
    private let threads: Log<pthread_t>

    fileprivate init(_ ledger: Ledger, _ threads: Log<pthread_t>) {
        self.ledger = ledger
        self.threads = threads
    }

    func hold() {}

    deinit {
        ledger.count += 1
        threads.add(pthread_self())
    }
}

/// The time at which two other threads release their references.
private enum Moment: CaseIterable {
    case beforeTheEnd, atTheEnd, afterTheEnd, canceledBefore, canceledAtTheEnd
}

@Suite("Hostile keepers") struct HostileKeeperTests {
    /// The table of references: each kind, released at each time by two threads at once.
    @Test("release nothing on their own threads") func table() {
        for _ in 0..<hostileRounds * 4 {
            for kept in Kept.allCases {
                for moment in Moment.allCases { keep(kept, moment) }
            }
        }
    }

    private func keep(_ kept: Kept, _ moment: Moment) {
        let threads = Log<pthread_t>(), owner = Log<pthread_t>()
        let claims = Guarded<[Claim]>([])
        let isArmed = Gate(), mayDrop = Gate()
        let dropped = Guarded(0)
        let thread = RLThread {
            owner.add(pthread_self())
            arm(kept, threads, claims)
            isArmed.open()
            if moment == .beforeTheEnd || moment == .canceledBefore {
                mayDrop.open()
                // Passes perform and release objects.
                while dropped.withLock({ $0 }) < 2 {
                    let mode: RLRunLoop.Mode = kept.isPerformedByRuns ? "third" : .default
                    RLRunLoop.current.run(mode: mode, before: Date(timeIntervalSinceNow: 0.001))
                }
            }
            if moment == .atTheEnd || moment == .canceledAtTheEnd { mayDrop.open() }
        }
        let keepers = (0..<2).map { _ in
            RLThread {
                isArmed.wait()
                mayDrop.wait()
                let claim = claims.withLock { $0.removeLast() }
                if moment == .canceledBefore || moment == .canceledAtTheEnd { claim.cancel() }
                drop(claim)
                dropped.withLock { $0 += 1 }
            }
        }
        thread.start()
        for keeper in keepers { keeper.start() }
        if moment == .afterTheEnd {
            thread.join()
            if !kept.goesWithItsHolder {
                #expect(threads.entries == owner.entries + owner.entries, "\(kept)")
                for claim in claims.withLock({ $0 }) { #expect(claim.isOver, "\(kept)") }
            }
            mayDrop.open()
        }
        for keeper in keepers { keeper.join() }
        thread.join()
        #expect(threads.entries.count == 2, "\(kept) \(moment)")
        if !kept.goesWithItsHolder {
            #expect(threads.entries == owner.entries + owner.entries, "\(kept) \(moment)")
        }
    }

    @Test("release themselves in their own callbacks", arguments: Caller.allCases)
    func callers(_ caller: Caller) {
        let threads = Log<pthread_t>(), owner = Log<pthread_t>()
        let thread = RLThread {
            owner.add(pthread_self())
            // An empty loop would call no observer.
            RLTimer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { _ in }
            caller.arm(Debt(Ledger(), threads))
            let end = ContinuousClock.now + .seconds(60)
            while threads.entries.isEmpty && .now < end {
                RLRunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
            }
            // Released before the end of the thread.
            #expect(threads.entries == owner.entries)
            // A repeating object would be called again.
            RLRunLoop.current.run(mode: .default, before: .distantPast)
        }
        thread.start()
        thread.join()
        #expect(threads.entries.count == 1)
    }
}

@Sendable private func drop(_ claim: consuming Claim) {}

/// Arms two objects that share one.
private func arm(_ kept: Kept, _ threads: Log<pthread_t>, _ claims: Guarded<[Claim]>) {
    let ledger = Ledger()
    for _ in 0..<2 {
        let claim = kept.arm(Debt(ledger, threads))
        claims.withLock { $0.append(claim) }
    }
}
