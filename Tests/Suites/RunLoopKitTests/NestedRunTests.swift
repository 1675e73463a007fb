import FoundationEssentials
import RunLoopKit
import Testing
import ThreadKit

/// The ways to queue two closures that are due in one pass.
///
/// A loop's blocks are missing: as in CF, a pass performs all queued ones.
enum Batch: CaseIterable {
    case thread, delayed, ordered, port, notifications, idle, commits, commitAndMark
    case completionAndMark

    fileprivate func queue(_ first: @escaping () -> Void, _ second: @escaping () -> Void) {
        let loop = RLRunLoop.current
        // Both closures stay on this thread.
        nonisolated(unsafe) let first = first, second = second
        switch self {
        case .thread:
            RLThread.current.perform { first() }
            RLThread.current.perform { second() }
        case .delayed:
            loop.perform(afterDelay: 0) { first() }
            loop.perform(afterDelay: 0) { second() }
        case .ordered:
            for action in [first, second] {
                loop.perform(.act, target: Actor(action), modes: [.default])
            }
        case .port:
            let reader = Reader([first, second]), port = RLPort()
            port.setDelegate(reader)
            loop.add(port, forMode: .default)
            for number: UInt32 in 0..<2 { port.send(before: .distantPast, msgid: number) }
            RLThread.current.threadDictionary["reader"] = reader
        default: queueForEndOfPass(first, second)
        }
    }

    private func queueForEndOfPass(
        _ first: @escaping () -> Void,
        _ second: @escaping () -> Void
    ) {
        let dictionary = RLThread.current.threadDictionary
        let transaction = RLTransaction.current
        switch self {
        case .notifications:
            let queue = RLNotificationQueue { $0.name.rawValue == "first" ? first() : second() }
            for name in ["first", "second"] {
                queue.enqueue(RLNotification(name: .init(name)), postingStyle: .asap)
            }
            dictionary["queue"] = queue
        case .idle:
            let queue = RLIdleQueue()
            queue.add(first)
            queue.add(second)
            dictionary["queue"] = queue
        case .commits:
            transaction.setNeedsCommit(Actor(first), by: first)
            transaction.setNeedsCommit(Actor(second), by: second)
        case .commitAndMark:
            let marker = Actor { transaction.setNeedsCommit(Actor(second), by: second) }
            transaction.setNeedsCommit(marker) {
                RLRunLoop.current.perform(.act, target: marker, modes: [.default])
                first()
            }
        default:
            let marker = Actor { transaction.setNeedsCommit(Actor(second), by: second) }
            transaction.addCompletion {
                RLRunLoop.current.perform(.act, target: marker, modes: [.default])
                first()
            }
        }
    }
}

private final class Actor {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    func act() { action() }
}

extension RLSelector where Target == Actor {
    fileprivate static let act = RLSelector("act", Actor.act)
}

private final class Reader: RLPortDelegate {
    private let actions: [() -> Void]

    init(_ actions: [() -> Void]) { self.actions = actions }

    func handle(_ message: RLPortMessage) { actions[Int(message.msgid)]() }
}

@Suite("A run that a callback makes, as a modal panel does") struct NestedRunTests {
    @Test("serves what is due with the callback", arguments: Batch.allCases)
    func servesTheRest(_ batch: Batch) {
        onFreshThread {
            var entries: [String] = []
            var isServed = false
            batch.queue(
                {
                    entries.append("first")
                    for _ in 0..<300 where !isServed {
                        RLRunLoop.current.run(mode: .default, for: .milliseconds(10))
                    }
                    entries.append("first ends")
                },
                {
                    isServed = true
                    entries.append("second")
                }
            )
            RLRunLoop.current.perform(afterDelay: 1000) {}
            for _ in 0..<300 where entries.count < 3 {
                RLRunLoop.current.run(mode: .default, for: .milliseconds(10))
            }
            #expect(entries == ["first", "second", "first ends"], "\(batch)")
        }
    }

    @Test("leaves what is due in other modes only", arguments: [Batch.thread, .ordered])
    func leavesOtherModes(_ batch: Batch) {
        onFreshThread {
            var entries: [String] = []
            batch.queue(
                {
                    RLRunLoop.current.perform(afterDelay: 0, inModes: ["panel"]) {}
                    // Requests to a thread are in the common modes; this mode is not common.
                    RLRunLoop.current.run(mode: "panel", for: .seconds(60))
                    entries.append("first ends")
                },
                { entries.append("second") }
            )
            while entries.count < 2 { RLRunLoop.current.run(mode: .default, for: .seconds(60)) }
            #expect(entries == ["first ends", "second"])
        }
    }
}
