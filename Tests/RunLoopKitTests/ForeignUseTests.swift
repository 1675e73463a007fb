import FoundationEssentials
import ProcessKit
import RunLoopKit
import Testing
import ThreadKit

/// Each member that another thread may not use, and how often the others say that one did.
@Suite("A member of another thread's loop") struct ForeignUseTests {
    @Test("stops the process with a line if it cannot be safe", arguments: ForeignMember.allCases)
    func stops(_ member: ForeignMember) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [member = member as ForeignMember] in
            member.use()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RunLoopKit: \(member.rawValue): called on thread "), "\(output)")
        #expect(output.contains(": \(member.remedy), which may be called from"), "\(output)")
    }

    @Test("is done otherwise, and says so once in a debug build") func saysOnce() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            useFromAfar()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for call in [
            "RLRunLoop.add(_:forMode:)", "RLRunLoop.remove(_:forMode:)", "RLTimer.fireDate",
            "RLTimer.tolerance", "RLStream.schedule(in:forMode:)", "RLStream.remove(from:forMode:)",
            "RLRunLoop.observe(_:in:repeats:order:handler:)",
            "RLRunLoop.perform(afterDelay:inModes:block:)",
        ] {
            let lines = output.split(separator: "\n").filter {
                $0.hasPrefix("RunLoopKit: \(call): called on thread ")
            }
            #if DEBUG
                #expect(lines.count == 1, "\(call): \(output)")
            #else
                #expect(lines.isEmpty, "\(call): \(output)")
            #endif
        }
    }
}

/// Does several times what is done for another thread.
private func useFromAfar() {
    nonisolated(unsafe) let loop = RLRunLoop.current
    nonisolated(unsafe) let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in }
    let port = RLPort()
    nonisolated(unsafe) let input = RLInputStream(data: Data([1]))
    onFreshThread {
        for _ in 0..<3 {
            loop.add(timer, forMode: .default)
            timer.fireDate = .distantFuture
            timer.tolerance = 1
            loop.remove(timer, forMode: .default)
            loop.add(timer, forMode: .common)
            loop.add(port, forMode: .default)
            loop.remove(port, forMode: .default)
            input.schedule(in: loop, forMode: .default)
            input.remove(from: loop, forMode: .default)
            loop.observe(.exit) { _, _ in }
            loop.perform(afterDelay: 1000) {}
        }
    }
    precondition(timer.fireDate > Date(timeIntervalSinceNow: 1_000_000) && timer.tolerance == 1)
}

/// A member, by what the line says of it.
enum ForeignMember: String, CaseIterable, Codable {
    case run = "RLRunLoop.run()"
    case runUntil = "RLRunLoop.run(until:)"
    case runOnce = "RLRunLoop.run(mode:before:)"
    case runFor = "RLRunLoop.run(mode:for:)"
    case acceptInput = "RLRunLoop.acceptInput(forMode:before:)"
    case limitDate = "RLRunLoop.limitDate(forMode:)"
    case pump = "RLRunLoop.pump(for:mode:)"
    case serve = "RLRunLoop.serveInMainQueue(mode:)"
    case cancelPerform = "RLRunLoop.cancelPerform(_:target:argument:)"
    case cancelPerforms = "RLRunLoop.cancelPerformSelectors(withTarget:)"
    case fire = "RLTimer.fire()"
    case enqueue = "RLNotificationQueue.enqueue"
    case dequeue = "RLNotificationQueue.dequeueNotifications"
    case mark = "RLTransaction.setNeedsCommit"
    case isMarked = "RLTransaction.needsCommit"
    case complete = "RLTransaction.addCompletion"
    case flush = "RLTransaction.flush()"
    case addIdle = "RLIdleQueue.add(_:)"
    case countIdle = "RLIdleQueue.count"
    case removeIdle = "RLIdleQueue.removeAll()"

    func use() {
        nonisolated(unsafe) let loop = RLRunLoop.current
        nonisolated(unsafe) let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in }
        nonisolated(unsafe) let queue = RLNotificationQueue.default
        nonisolated(unsafe) let transaction = RLTransaction.current
        nonisolated(unsafe) let idle = RLIdleQueue()
        loop.add(timer, forMode: .default)
        onFreshThread {
            useRunning(loop)
            useOthers(loop, timer, queue)
            switch self {
            case .mark: transaction.setNeedsCommit(timer) {}
            case .isMarked: _ = transaction.needsCommit
            case .complete: transaction.addCompletion {}
            case .flush: transaction.flush()
            case .addIdle: idle.add {}
            case .countIdle: _ = idle.count
            case .removeIdle: idle.removeAll()
            default: break
            }
        }
    }

    /// What the line says that another thread can do, with what it has.
    var remedy: String {
        switch self {
        case .mark, .isMarked, .complete, .flush, .enqueue, .dequeue:
            "call it there, by RLRunLoopPerformBlock"
        case .addIdle, .countIdle, .removeIdle: "use its sender"
        case .fire: "use getRLRunLoopTimer() and the RLRunLoopTimer functions"
        default: "use getRLRunLoop() and the RLRunLoop functions"
        }
    }

    private func useRunning(_ loop: RLRunLoop) {
        switch self {
        case .run: loop.run()
        case .runUntil: loop.run(until: .distantPast)
        case .runOnce: loop.run(mode: .default, before: .distantPast)
        case .runFor: loop.run(mode: .default, for: .zero)
        case .acceptInput: loop.acceptInput(forMode: .default, before: .distantPast)
        case .limitDate: _ = loop.limitDate(forMode: .default)
        case .pump: loop.pump()
        case .serve: loop.serveInMainQueue()
        default: break
        }
    }

    private func useOthers(_ loop: RLRunLoop, _ timer: RLTimer, _ queue: RLNotificationQueue) {
        let note = RLNotification(name: .init("note"))
        switch self {
        case .cancelPerform: loop.cancelPerform(.nothing, target: Idler(), argument: nil)
        case .cancelPerforms: loop.cancelPerformSelectors(withTarget: timer)
        case .fire: timer.fire()
        case .enqueue: queue.enqueue(note, postingStyle: .whenIdle)
        case .dequeue: queue.dequeueNotifications(matching: note, coalesceMask: .onName)
        default: break
        }
    }
}

private final class Idler: RLObject, Sendable {
    func nothing() {}
}

extension RLSelector where Target == Idler {
    fileprivate static let nothing = RLSelector("nothing", Idler.nothing)
}
