import FoundationEssentials
import RunLoopKit

/// The objects of a thread to which other threads hold references, with a captured object that is
/// not `Sendable`.
enum Kept: CaseIterable {
    case timer, removedTimer, timerInNoLoop, firedTimer, wrapper
    case observer, removedObserver
    case delayed, request, loop
    case idleQueue, idleSender, transaction, notificationQueue
    case port, socketPort, stream, listener, lineReader, fileWatch

    /// Passes the object to an object of the calling thread, and returns the reference for other
    /// threads.
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
        switch self {
        case .idleQueue, .idleSender:
            let queue = RLIdleQueue(modes: ["other"])
            queue.add { debt.hold() }
            return self == .idleQueue ? .object(queue) : .sender(queue.sender)
        case .transaction:
            // Outside of a pass, so that nothing commits it.
            RLTransaction.current.setNeedsCommit(debt) {}
            return .object(RLTransaction.current)
        default:
            let queue = RLNotificationQueue(notificationCenter: RLNotificationCenter())
            queue.enqueue(
                RLNotification(name: .init("late"), object: debt),
                postingStyle: .whenIdle,
                coalesceMask: .none,
                forModes: ["other"]
            )
            return .object(queue)
        }
    }

    /// Whether the last reference deallocates it with its captured object, on the thread that
    /// releases it.
    var goesWithItsHolder: Bool { false }

    var isPerformedByRuns: Bool { self == .transaction }
}

/// A delegate that only its thread retains, until the thread ends.
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

/// Objects whose own callback releases the last reference.
enum Caller: CaseIterable {
    case timer, observer, request, idleQueue, port, socketPort, stream

    func arm(_ debt: Debt) {
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
