import RunLoopTesting
import Testing
import ThreadKit

extension RLNotification.Name {
    fileprivate static let one = RLNotification.Name("one")
    fileprivate static let two = RLNotification.Name("two")
    fileprivate static let three = RLNotification.Name("three")
}

@Suite("A notification queue") struct NotificationQueueTests {
    @Test("is one per thread (NSNQ-1)") func identity() {
        onFreshThread { #expect(RLNotificationQueue.default === RLNotificationQueue.default) }
    }

    @Test("posts asap at the end of a pass, idle before the sleep, in order (NSNQ-5, NSNQ-6)")
    func styles() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLNotificationQueue { log.add($0.name.rawValue) }
            let source = RLRunLoopSourceCreate { log.add("source") }
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            RLRunLoopSourceSignal(source)
            func post(_ name: String, _ style: RLNotificationQueue.PostingStyle) {
                queue.enqueue(RLNotification(name: .init(name)), postingStyle: style)
            }
            post("idle 1", .whenIdle)
            post("asap 1", .asap)
            post("idle 2", .whenIdle)
            post("asap 2", .asap)
            #expect(log.entries.isEmpty)
            RLRunLoop.current.perform { log.add("block") }
            // After the pass with the source comes another: virtual time stands still.
            let clock = RLTestClock(isAutomatic: true)
            RLRunLoopRunInMode(.defaultMode, 1, false)
            clock.end()
            #expect(
                log.entries == ["block", "source", "asap 1", "asap 2", "idle 1", "idle 2"]
            )
        }
    }

    @Test("posts asap before idle where a pass ends in idleness (NSNQ-5, NSNQ-6)")
    func stylesAtRest() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLNotificationQueue { log.add($0.name.rawValue) }
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, .defaultMode)
            func post(_ name: String, _ style: RLNotificationQueue.PostingStyle) {
                queue.enqueue(RLNotification(name: .init(name)), postingStyle: style)
            }
            post("idle 1", .whenIdle)
            post("asap 1", .asap)
            post("idle 2", .whenIdle)
            post("asap 2", .asap)
            RLRunLoopRunInMode(.defaultMode, 0.001, false)
            #expect(log.entries == ["asap 1", "asap 2", "idle 1", "idle 2"])
        }
    }

    @Test(
        "does not let the loop sleep on what observers of notifications enqueue (NSNQ-5)",
        arguments: [RLNotificationQueue.PostingStyle.asap, .whenIdle]
    )
    func enqueuingAtRest(style: RLNotificationQueue.PostingStyle) {
        onFreshThread {
            let log = Log<String>()
            weak var known: RLNotificationQueue?
            let queue = RLNotificationQueue { notification in
                log.add(notification.name.rawValue)
                if notification.name == .one {
                    known?.enqueue(.init(name: .two), postingStyle: style)
                } else {
                    RLRunLoopStop(RLRunLoopGetCurrent())
                }
            }
            known = queue
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, .defaultMode)
            // Enqueues when the loop sleeps and nothing else wakes it.
            RLRunLoop.current.perform(afterDelay: 0) {
                queue.enqueue(.init(name: .one), postingStyle: .whenIdle)
            }
            #expect(RLRunLoopRunInMode(.defaultMode, 60, false) == .stopped)
            #expect(log.entries == ["one", "two"])
        }
    }

    @Test("merges notifications with the same name and sender (NSNQ-2, NSNQ-3)") func coalescing() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLNotificationQueue {
                log.add("\($0.name.rawValue) \($0.userInfo?["n"] ?? "")")
            }
            let a = Sender(), b = Sender()
            func post(
                _ name: RLNotification.Name,
                _ object: Sender?,
                _ number: Int,
                _ mask: RLNotificationQueue.NotificationCoalescing
            ) {
                queue.enqueue(
                    RLNotification(name: name, object: object, userInfo: ["n": number]),
                    postingStyle: .asap,
                    coalesceMask: mask,
                    forModes: nil
                )
            }
            post(.one, a, 1, .none)
            post(.one, a, 2, .none)
            post(.one, b, 3, [.onName, .onSender])
            post(.two, b, 4, .onSender)
            post(.one, a, 5, [.onName, .onSender])
            post(.two, a, 6, .none)
            post(.two, nil, 7, .onName)
            queue.dequeueNotifications(matching: RLNotification(name: .two), coalesceMask: .none)
            RLRunLoop.current.perform {}
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(log.entries == ["one 5", "two 7"])
        }
    }

    @Test("drops notifications that an earlier one of the same pass removes (NSNQ-3, NSNQ-7)")
    func droppedInPass() {
        onFreshThread {
            let log = Log<String>()
            weak var known: RLNotificationQueue?
            let queue = RLNotificationQueue { notification in
                log.add("\(notification.name.rawValue) \(notification.userInfo?["n"] ?? "")")
                if notification.name != .one { return }
                known?.dequeueNotifications(matching: .init(name: .two), coalesceMask: .onName)
                known?.enqueue(.init(name: .three, userInfo: ["n": 2]), postingStyle: .asap)
            }
            known = queue
            for name: RLNotification.Name in [.one, .two, .three] {
                queue.enqueue(.init(name: name, userInfo: ["n": 1]), postingStyle: .asap)
            }
            for _ in 0..<2 {
                RLRunLoop.current.perform {}
                RLRunLoop.current.run(mode: .default, before: .distantPast)
            }
            #expect(log.entries == ["one 1", "three 2"])
        }
    }

    @Test("posts now if the loop does not run, or in a mode given by its name, else drops (NSNQ-4)")
    func now() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLNotificationQueue { log.add($0.name.rawValue) }
            func post(_ name: String, _ modes: [RLRunLoop.Mode]?) {
                queue.enqueue(
                    RLNotification(name: .init(name)),
                    postingStyle: .now,
                    coalesceMask: [.onName, .onSender],
                    forModes: modes
                )
            }
            post("idle", nil)
            post("idle, common", [.common])
            post("idle, not listed", ["other"])
            RLRunLoop.current.perform(afterDelay: 0) {
                post("no modes", nil)
                post("listed", [.default])
                post("not listed", ["other"])
                post("common", [.common])
                post("both", [.common, .default])
            }
            RLRunLoop.current.run()
            #expect(
                log.entries == [
                    "idle", "idle, common", "idle, not listed", "no modes", "listed", "both",
                ]
            )
        }
    }

    @Test("posts in the modes given only, common ones included (NSNQ-6)") func modes() {
        onFreshThread {
            let log = Log<String>()
            let queue = RLNotificationQueue { log.add($0.name.rawValue) }
            RLRunLoopAddCommonMode(RLRunLoopGetCurrent(), "shared")
            func post(_ name: String, _ modes: [RLRunLoop.Mode]) {
                queue.enqueue(
                    RLNotification(name: .init(name)),
                    postingStyle: .whenIdle,
                    coalesceMask: .none,
                    forModes: modes
                )
            }
            post("custom", ["custom"])
            post("common", [.common])
            for mode: RLRunLoop.Mode in ["custom", "shared"] {
                log.add("in \(mode)")
                RLRunLoop.current.perform(inModes: [mode]) {}
                RLRunLoopRunInMode(mode.mode, 0.001, false)
                RLRunLoopAddSource(RLRunLoopGetCurrent(), RLRunLoopSourceCreate {}, mode.mode)
                RLRunLoopRunInMode(mode.mode, 0.001, false)
            }
            #expect(log.entries == ["in custom", "custom", "in shared", "common"])
        }
    }

    @Test("posts to its center, whose observers choose by name and object") func center() {
        onFreshThread {
            let log = Log<String>()
            let center = RLNotificationCenter()
            let queue = RLNotificationQueue(notificationCenter: center)
            let sender = Sender()
            center.addObserver(forName: .one, object: nil) { _ in log.add("one of all") }
            let token = center.addObserver(forName: .one, object: sender) { _ in log.add("mine") }
            center.addObserver(forName: nil) { log.add("all: \($0.name.rawValue)") }
            queue.enqueue(RLNotification(name: .one, object: sender), postingStyle: .now)
            center.removeObserver(token)
            center.post(name: .two, object: sender)
            #expect(log.entries == ["one of all", "mine", "all: one", "all: two"])
        }
    }

    @Test("posts in the order of adding, whatever name and object an observer was added for")
    func centerOrder() {
        let log = Log<Int>()
        let center = RLNotificationCenter()
        let (sender, other) = (Sender(), Sender())
        let choices: [(RLNotification.Name?, Sender?)] = [
            (.one, sender), (nil, nil), (.two, sender), (nil, sender), (.one, nil), (nil, other),
            (.one, nil), (nil, sender), (nil, nil), (.one, sender), (.one, other),
        ]
        let tokens = choices.enumerated().map { number, choice in
            center.addObserver(forName: choice.0, object: choice.1) { _ in log.add(number) }
        }
        center.post(name: .one, object: sender)
        #expect(log.entries == [0, 1, 3, 4, 6, 7, 8, 9])
        for number in [0, 3, 4, 8] { center.removeObserver(tokens[number]) }
        RLNotificationCenter().removeObserver(tokens[9])
        center.post(name: .one, object: sender)
        #expect(log.entries.dropFirst(8) == [1, 6, 7, 9])
        center.post(name: .one, object: nil)
        #expect(log.entries.dropFirst(12) == [1, 6])
        #expect(center.description.contains("7 observer(s)"))
    }

    @Test("posts to no observer that an earlier one has removed") func removedObserver() {
        let log = Log<String>()
        let center = RLNotificationCenter()
        let tokens = Log<RLNotificationCenter.Token>()
        center.addObserver(forName: .one) { [weak center] _ in
            log.add("first")
            for token in tokens.entries { center?.removeObserver(token) }
        }
        tokens.add(center.addObserver(forName: .one) { _ in log.add("second") })
        center.addObserver(forName: .one) { _ in log.add("third") }
        center.post(name: .one, object: nil)
        #expect(log.entries == ["first", "third"])
    }
}

private final class Sender {}
