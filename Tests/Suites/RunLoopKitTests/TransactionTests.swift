import RunLoopKit
import Testing
import ThreadKit

@Suite("A transaction") struct TransactionTests {
    @Test("commits a thing once, however often it was changed, before the loop sleeps")
    func coalescing() {
        onFreshThread {
            let log = Log<String>()
            let first = Part("first", log), second = Part("second", log)
            RLRunLoop.current.perform(afterDelay: 0) {
                second.change(1)
                for value in 1...100 { first.change(value) }
                second.change(2)
                RLRunLoop.current.perform(afterDelay: 0.002) { first.change(0) }
            }
            RLRunLoop.current.observe(.afterWaiting) { _, _ in log.add("awake") }
            RLRunLoop.current.run()
            #expect(
                log.entries == ["awake", "second: 2", "first: 100", "awake", "first: 0"]
            )
        }
    }

    @Test("commits after observers of a lower order, in the same pass") func order() {
        onFreshThread {
            let log = Log<String>()
            let part = Part("part", log)
            let loop = RLRunLoop.current
            loop.observe(.beforeWaiting, order: RLTransaction.order + 1) { _, _ in log.add("after")
            }
            loop.observe(.beforeWaiting, order: 0) { _, _ in
                log.add("recognizer")
                part.change(5)
            }
            RLTransaction.current.flush()
            RLRunLoopRunInMode(.defaultMode, 0, false)
            RLRunLoopAddSource(loop.getRLRunLoop(), RLRunLoopSourceCreate {}, .defaultMode)
            RLRunLoopRunInMode(.defaultMode, 0.001, false)
            #expect(log.entries == ["recognizer", "part: 5", "after"])
        }
    }

    @Test("commits objects that commits mark, then calls the completions") func rounds() {
        onFreshThread {
            let log = Log<String>()
            let child = Part("child", log), parent = Part("parent", log)
            parent.whenCommitted = { [unowned parent] in
                if parent.value > 0 { parent.change(parent.value - 1) }
                child.change(parent.value)
            }
            let transaction = RLTransaction.current
            transaction.addCompletion {
                log.add("completed")
                child.change(-1)
            }
            parent.change(2)
            RLRunLoop.current.perform {}
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(
                log.entries == [
                    "parent: 2", "parent: 1", "child: 0", "parent: 0", "child: 0", "child: 0",
                    "completed", "child: -1",
                ]
            )
            #expect(!transaction.needsCommit)
        }
    }

    @Test("defers endless changes to the next pass, and does not sleep before it")
    func bound() {
        onFreshThread {
            let log = Log<Int>()
            let rests = Log<Int>()
            let object = Part("endless", Log<String>())
            let loop = RLRunLoop.current
            object.whenCommitted = { [unowned object] in
                log.add(1)
                object.change(0)
            }
            loop.observe(.beforeWaiting, order: .max) { _, _ in
                rests.add(log.entries.count)
                if rests.entries.count == 3 { RLRunLoopStop(RLRunLoopGetCurrent()) }
            }
            loop.perform(afterDelay: 1000) {}
            object.change(0)
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .stopped)
            let limit = RLTransaction.roundLimit
            #expect(rests.entries == [limit, 2 * limit, 3 * limit])
            #expect(log.entries.count == 4 * limit)
            object.whenCommitted = {}
            RLTransaction.current.flush()
        }
    }

    @Test("does not let the loop sleep when later observers mark objects") func late() {
        onFreshThread {
            let log = Log<String>()
            let part = Part("part", log)
            let loop = RLRunLoop.current
            loop.observe(.beforeWaiting, repeats: false, order: .max) { _, _ in part.change(1) }
            loop.observe(.beforeWaiting, order: .max) { _, _ in
                log.add("rest")
                if log.entries.count > 2 { RLRunLoopStop(RLRunLoopGetCurrent()) }
            }
            loop.perform(afterDelay: 1000) {}
            #expect(RLRunLoopRunInMode(.defaultMode, 1000, false) == .stopped)
            #expect(log.entries == ["rest", "part: 1", "rest"])
            RLTransaction.current.flush()
        }
    }

    @Test("commits when a run ends, also one that never sleeps") func exit() {
        onFreshThread {
            let log = Log<String>()
            let part = Part("part", log)
            RLRunLoop.current.perform(afterDelay: 0) {
                part.change(1)
                log.add("timer")
            }
            RLRunLoopRunInMode(.defaultMode, 0, false)
            log.add("over")
            #expect(log.entries == ["timer", "part: 1", "over"])
        }
    }

    @Test("commits in a nested run the changes made outside of it") func nested() {
        onFreshThread {
            let log = Log<String>()
            let part = Part("part", log)
            RLRunLoop.current.perform(afterDelay: 0) {
                part.change(1)
                RLRunLoop.current.perform {}
                RLRunLoopRunInMode(.defaultMode, 0, false)
                log.add("nested run over")
                part.change(2)
            }
            RLRunLoop.current.run()
            #expect(log.entries == ["part: 1", "nested run over", "part: 2"])
        }
    }

    @Test("can be flushed, and takes closures") func flush() {
        onFreshThread {
            let log = Log<String>()
            let part = Part("part", log)
            let transaction = RLTransaction.current
            #expect(transaction === RLTransaction.current)
            part.change(1)
            transaction.setNeedsCommit(part) { log.add("closure") }
            part.whenCommitted = { transaction.flush() }
            transaction.flush()
            transaction.flush()
            part.change(2)
            transaction.flush()
            #expect(log.entries == ["closure", "part: 2"])
        }
    }

    @Test("releases the objects that it has committed") func release() {
        let log = Log<String>()
        onFreshThread {
            RLTransaction.current.setNeedsCommit(Token(log)) { log.add("committed") }
            RLTransaction.current.flush()
            log.add("flushed")
        }
        #expect(log.entries == ["committed", "released", "flushed"])
    }
}

/// An object that logs its name when it is committed.
private final class Part: RLCommitting {
    let name: String
    let log: Log<String>
    var value = 0
    var whenCommitted: () -> Void = {}

    init(_ name: String, _ log: Log<String>) {
        self.name = name
        self.log = log
    }

    func change(_ value: Int) {
        self.value = value
        RLTransaction.current.setNeedsCommit(self)
    }

    func commitChanges() {
        log.add("\(name): \(value)")
        whenCommitted()
    }
}
