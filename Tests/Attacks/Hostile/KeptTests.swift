import CRunLoop.Wrapping
import FoundationEssentials
import Glibc
import RunLoopConcurrency
import RunLoopDisplay
import RunLoopKit
import RunLoopNetworking
import Testing
import ThreadKit

/// What other threads keep of a thread, with an object in it that is not `Sendable`.
private enum Kept: CaseIterable {
    case timer, removedTimer, timerInNoLoop, firedTimer, wrapper
    case observer, removedObserver
    case delayed, request, loop
    case idleQueue, idleSender, transaction, notificationQueue, link, removedLink
    case port, socketPort, stream, listener, lineReader, fileWatch, httpTask

    /// Gives the object to something of the calling thread, and returns what others keep of that.
    func arm(_ debt: Debt) -> Claim {
        let loop = RLRunLoop.current
        switch self {
        case .timer: return .timer(makeTimer(debt, isIn: loop).getRLRunLoopTimer())
        case .removedTimer:
            let timer = makeTimer(debt, isIn: loop)
            let claim = Claim.timer(timer.getRLRunLoopTimer())
            loop.remove(timer, forMode: .default)
            return claim
        case .timerInNoLoop: return .timer(makeTimer(debt, isIn: nil).getRLRunLoopTimer())
        case .firedTimer:
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
                debt.hold()
            }
            loop.run(mode: .default, before: Date(timeIntervalSinceNow: 60))
            return .timer(timer.getRLRunLoopTimer())
        case .wrapper: return .object(makeTimer(debt, isIn: loop))
        case .observer: return .observer(loop.observe(.exit, in: ["other"]) { _, _ in debt.hold() })
        case .removedObserver:
            let observer = loop.observe(.exit) { _, _ in debt.hold() }
            RLRunLoopRemoveObserver(loop.getRLRunLoop(), observer.reference, .commonModes)
            return .observer(observer)
        case .delayed: return .request(loop.perform(afterDelay: 1000) { debt.hold() })
        case .request:
            Clerk().perform(.file, with: debt, afterDelay: 1000)
            return .object(loop)
        case .loop:
            loop.perform(.file, target: Clerk(), argument: debt, modes: ["other"])
            return .object(loop)
        case .port: return armPort(RLPort(), debt)
        case .socketPort: return armPort(RLSocketPort(), debt)
        case .stream:
            let stream = RLInputStream(data: Data([1]))
            stream.delegate = ThreadReader(debt)
            stream.schedule(in: loop, forMode: .default)
            stream.open()
            return .stream(stream)
        case .listener:
            guard let listener = try? RLListener(host: "127.0.0.1", port: 0) else {
                return .object(loop)
            }
            listener.accept(in: loop) { _ in debt.hold() }
            return .listener(listener)
        case .lineReader:
            let reader = RLLineReader(RLInputStream(data: Data())) { _ in
                debt.hold()
            } whenOver: {
                _ in
            }
            return .object(reader)
        case .fileWatch:
            guard let watch = try? RLFileWatch(path: "/tmp/file") else { return .object(loop) }
            watch.observe(in: loop) { _ in debt.hold() }
            return .watch(watch)
        case .httpTask:
            guard let request = try? silentServer?.request() else { return .object(loop) }
            return .object(RLHTTPLoopClient().send(request) { _ in debt.hold() })
        default: return armEndOfPass(debt)
        }
    }

    private func armPort(_ port: RLPort, _ debt: Debt) -> Claim {
        port.setDelegate(ThreadReader(debt))
        RLRunLoop.current.add(port, forMode: .default)
        return .port(port)
    }

    private func makeTimer(_ debt: Debt, isIn loop: RLRunLoop?) -> RLTimer {
        let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in debt.hold() }
        loop?.add(timer, forMode: .default)
        return timer
    }

    private func armEndOfPass(_ debt: Debt) -> Claim {
        let loop = RLRunLoop.current
        switch self {
        case .idleQueue, .idleSender:
            let queue = RLIdleQueue(modes: ["other"])
            queue.add { debt.hold() }
            return self == .idleQueue ? .object(queue) : .sender(queue.sender)
        case .transaction:
            // Outside of a pass, in which nothing commits them.
            RLTransaction.current.setNeedsCommit(debt) {}
            return .object(RLTransaction.current)
        case .notificationQueue:
            let queue = RLNotificationQueue(notificationCenter: RLNotificationCenter())
            queue.enqueue(
                RLNotification(name: .init("late"), object: debt),
                postingStyle: .whenIdle,
                coalesceMask: .none,
                forModes: ["other"]
            )
            return .object(queue)
        default:
            let link = RLDisplayLink { _ in debt.hold() }
            link.isPaused = true
            link.add(to: loop, forMode: .default)
            if self == .removedLink { link.remove(from: loop, forMode: .default) }
            return .object(link)
        }
    }

    /// Whether it, and what it holds, goes with its last reference: on the thread that has it.
    var goesWithItsHolder: Bool { self == .removedLink }

    /// Whether a run in default mode performs it.
    var isPerformedByRuns: Bool { self == .transaction }
}

/// A reference that another thread has.
private enum Claim: @unchecked Sendable {
    // Proof: they are for any thread, except objects, which the other threads only release.
    case timer(RLRunLoopTimerRef)
    case observer(RLRunLoopObserver)
    case request(RLPerformRequest)
    case sender(RLIdleQueue.Sender)
    case port(RLPort)
    case stream(RLInputStream)
    case listener(RLListener)
    case watch(RLFileWatch)
    case object(AnyObject)

    /// Ends it, as any thread may.
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
        // Any thread may ask what is called, also when that has gone.
        case .timer(let timer): !timer.description.isEmpty
        default: true
        }
    }
}

private let silentServer = try? HostileServer { $0.waitForEnd() }

/// A delegate that its thread keeps until it ends, and only it.
private final class ThreadReader: RLPortDelegate, RLStreamDelegate {
    private let debt: Debt

    init(_ debt: Debt) {
        self.debt = debt
        RLThread.current.threadDictionary[ObjectIdentifier(debt)] = self
    }

    func handle(_ message: RLPortMessage) { debt.hold() }

    func stream(_ stream: RLStream, handle event: RLStream.Event) { debt.hold() }
}

private final class Clerk: RLObject {
    func file(_ debt: Debt) { debt.hold() }
}

extension RLSelector where Target == Clerk {
    fileprivate static let file = RLSelector("file:", Clerk.file)
}

/// What the objects of a thread share, without a lock.
private final class Ledger {
    var count = 0
}

/// Writes into the ledger of its thread where it goes.
private final class Debt {
    private let ledger: Ledger
    private let threads: Log<pthread_t>

    init(_ ledger: Ledger, _ threads: Log<pthread_t>) {
        self.ledger = ledger
        self.threads = threads
    }

    func hold() {}

    deinit {
        ledger.count += 1
        threads.add(pthread_self())
    }
}

/// When two other threads let go of what they keep.
private enum Moment: CaseIterable {
    case beforeTheEnd, atTheEnd, afterTheEnd, canceledBefore, canceledAtTheEnd
}

@Suite("Hostile keepers") struct HostileKeeperTests {
    /// The table of what is kept: each kind, let go of at each moment by two threads at once.
    @Test("let go of nothing on their own threads") func table() {
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
                // Passes, in which things are performed and released.
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

    @Test("let go of themselves in their own callbacks", arguments: Caller.allCases)
    func callers(_ caller: Caller) {
        let threads = Log<pthread_t>(), owner = Log<pthread_t>()
        let thread = RLThread {
            owner.add(pthread_self())
            // Without it, nothing would run for an observer.
            RLTimer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { _ in }
            caller.arm(Debt(Ledger(), threads))
            let end = ContinuousClock.now + .seconds(60)
            while threads.entries.isEmpty && .now < end {
                RLRunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
            }
            // Not only as the thread ends.
            #expect(threads.entries == owner.entries)
            // A repeating one would be called again.
            RLRunLoop.current.run(mode: .default, before: .distantPast)
        }
        thread.start()
        thread.join()
        #expect(threads.entries.count == 1)
    }

    /// What async code waits for, in the loop of a thread that ends.
    @Test("do not wait for a thread that has ended", arguments: AsyncWait.allCases)
    func waits(_ wait: AsyncWait) async {
        for _ in 0..<hostileRounds * 4 {
            let worker = RLPermanentThread(name: "ending")
            let waiter = Waiter(worker.runLoop)
            let task = Task { await waiter.wait(wait) }
            // Whichever comes first, the wait or the end.
            if Bool.random() { await Task.yield() }
            worker.stop()
            worker.join()
            await task.value
        }
    }
}

/// What has its last reference where its own callback lets go of it.
enum Caller: CaseIterable {
    case timer, observer, request, idleQueue, link, port, socketPort, stream

    fileprivate func arm(_ debt: Debt) {
        let loop = RLRunLoop.current
        let slot = Slot()
        func call() {
            debt.hold()
            slot.content = nil
        }
        switch self {
        case .timer:
            slot.content = RLTimer.scheduledTimer(withTimeInterval: 0, repeats: true) { timer in
                timer.invalidate()
                call()
            }
        case .observer:
            slot.content = loop.observe(.entry) { observer, _ in
                observer.invalidate()
                call()
            }
        case .request: slot.content = loop.perform(afterDelay: 0) { call() }
        case .idleQueue:
            let queue = RLIdleQueue()
            slot.content = queue
            queue.add { call() }
        case .link:
            let link = RLDisplayLink { link in
                link.invalidate()
                call()
            }
            slot.content = link
            link.add(to: loop, forMode: .default)
        case .port, .socketPort:
            let port = self == .port ? RLPort() : RLSocketPort()
            let reader = LastReader {
                loop.remove(port, forMode: .default)
                call()
            }
            port.setDelegate(reader)
            loop.add(port, forMode: .default)
            port.send(before: Date(timeIntervalSinceNow: 60), msgid: 1)
            slot.content = reader
        case .stream:
            let stream = RLInputStream(data: Data([1]))
            let reader = LastReader { [stream] in
                stream.close()
                call()
            }
            stream.delegate = reader
            stream.schedule(in: loop, forMode: .default)
            stream.open()
            slot.content = reader
        }
    }
}

private final class Slot {
    var content: Any?
}

private final class LastReader: RLPortDelegate, RLStreamDelegate {
    private let call: () -> Void

    init(_ call: @escaping () -> Void) {
        self.call = call
    }

    func handle(_ message: RLPortMessage) { call() }

    func stream(_ stream: RLStream, handle event: RLStream.Event) { call() }
}

@Sendable private func drop(_ claim: consuming Claim) {}

/// Two objects that share one.
private func arm(_ kept: Kept, _ threads: Log<pthread_t>, _ claims: Guarded<[Claim]>) {
    let ledger = Ledger()
    for _ in 0..<2 {
        let claim = kept.arm(Debt(ledger, threads))
        claims.withLock { $0.append(claim) }
    }
}

enum AsyncWait: CaseIterable {
    case timer, removedTimer, fires, activities, readiness, messages, sleep, connections
    case changes
}

private actor Waiter {
    private let loop: RLRunLoopRef
    nonisolated let executor: RLRunLoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ loop: RLRunLoopRef) {
        self.loop = loop
        executor = RLRunLoopExecutor(loop: loop, orphans: .runElsewhere)
    }

    func wait(_ wait: AsyncWait) async {
        switch wait {
        case .timer: _ = await makeTimer()?.nextFire()
        case .removedTimer:
            guard let timer = makeTimer() else { return }
            _ = timer.getRLRunLoopTimer()
            remove(timer)
            _ = await timer.nextFire()
        case .fires: for await _ in RLTimer.fires(every: .seconds(1000), on: loop) {}
        case .activities: for await _ in RLRunLoopActivities(loop, .exit) {}
        case .readiness:
            let pipe = PipeEnds()
            for await _ in RLDescriptorReadiness(pipe.reading, .read, on: loop) {}
            withExtendedLifetime(pipe) {}
        case .messages:
            guard let messages = makeMessages() else { return }
            for await _ in messages {}
        case .connections:
            guard let listener = try? RLListener(host: "127.0.0.1", port: 0) else { return }
            for await _ in listener.connections(on: loop) {}
        case .changes:
            guard let watch = try? RLFileWatch(path: "/tmp/file") else { return }
            for await _ in watch.changes(on: loop) {}
        // Time that never comes is the subject.
        case .sleep: try? await RLRunLoopClock(loop: loop).sleep(for: .seconds(1000))
        }
    }

    /// Nil if the loop's thread has ended, and the job runs elsewhere.
    private var own: RLRunLoop? {
        RLRunLoopIsCurrent(loop) ? RLRunLoop.current : nil
    }

    private func makeTimer() -> RLTimer? {
        guard let own else { return nil }
        let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in }
        own.add(timer, forMode: .default)
        return timer
    }

    private func remove(_ timer: RLTimer) {
        own?.remove(timer, forMode: .default)
    }

    private func makeMessages() -> RLEventSequence<RLPortLetter>? {
        guard let own else { return nil }
        return RLPort().messages(in: own)
    }
}
