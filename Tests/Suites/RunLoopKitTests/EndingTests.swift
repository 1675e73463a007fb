import FoundationEssentials
import Glibc
import RunLoopKit
import Testing
import ThreadKit

/// Releases of objects whose deinitializers use the releasing object.
@Suite("An object that goes") struct EndingTests {
    @Test("may remove an observer when its own one was removed") func observers() async {
        // In its own process: a deadlock would block forever.
        await #expect(processExitsWith: .success) {
            let log = Log<String>()
            let center = RLNotificationCenter()
            let other = center.addObserver(forName: nil) { _ in log.add("other") }
            let token = center.addObserver(forName: nil) {
                [last = LastWill { center.removeObserver(other) }] _ in last.hold()
            }
            center.removeObserver(token)
            center.post(name: .init("any"), object: nil)
            _exit(log.entries.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("may use the port whose message it was in") func ports() async {
        await #expect(processExitsWith: .success) {
            let log = Log<String>()
            let port = RLPort()
            port.send(
                before: .distantPast,
                components: [LastWill { [weak port] in log.add("\(port?.isValid ?? true)") }]
            )
            port.invalidate()
            _exit(log.entries == ["false"] ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("may cancel requests when one that held it was cancelled (NSRL-15)") func requests() {
        onFreshThread {
            let log = Log<String>()
            let clerk = Clerk(), loop = RLRunLoop.current
            let last = {
                Mourner {
                    loop.cancelPerformSelectors(withTarget: clerk)
                    log.add("gone")
                }
            }
            loop.perform(.file, target: clerk, argument: last(), modes: [.default])
            loop.cancelPerformSelectors(withTarget: clerk)
            #expect(log.entries == ["gone"])
            #expect(!loop.run(mode: .default, before: .distantPast))
        }
    }

    @Test("may drop notifications when one of its own was dropped (NSNQ-7)")
    func notifications() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLNotificationQueue { log.add($0.name.rawValue) }
            func drop(_ name: String) {
                queue.dequeueNotifications(
                    matching: RLNotification(name: .init(name)),
                    coalesceMask: .onName
                )
            }
            queue.enqueue(RLNotification(name: .init("other")), postingStyle: .asap)
            queue.enqueue(
                RLNotification(name: .init("own"), object: Mourner { drop("other") }),
                postingStyle: .asap
            )
            drop("own")
            RLRunLoop.current.perform {}
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(log.entries.isEmpty)
        }
    }

    @Test("may mark changes when a commit that held it is replaced") func commits() {
        onFreshThread {
            let log = Log<String>()
            let thing = Clerk(), other = Clerk()
            let last = {
                Mourner { RLTransaction.current.setNeedsCommit(other) { log.add("other") } }
            }
            RLTransaction.current.setNeedsCommit(thing) { [last = last()] in last.hold() }
            RLTransaction.current.setNeedsCommit(thing) { log.add("thing") }
            RLTransaction.current.flush()
            #expect(log.entries == ["thing", "other"])
        }
    }
}

private final class Clerk {
    func file(_ paper: Mourner) {
        paper.hold()
    }
}

extension RLSelector where Target == Clerk {
    fileprivate static let file = RLSelector("file:", Clerk.file)
}
