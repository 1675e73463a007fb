import Glibc
import RunLoopKit
import Testing
import ThreadKit

@Suite("A thread's dictionary") struct ThreadDictionaryTests {
    @Test("is the same for all who have asked for it") func reference() {
        onFreshThread {
            let log = Log<String>()
            let dictionary = RLThread.current.threadDictionary
            dictionary["ThreadShouldExitNow"] = false
            RLRunLoop.current.perform(afterDelay: 0) {
                RLThread.current.threadDictionary.setValue(true, forKey: "ThreadShouldExitNow")
            }
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, .defaultMode)
            for _ in 0..<3 where dictionary["ThreadShouldExitNow"] as? Bool == false {
                log.add("run")
                RLRunLoopRunInMode(.defaultMode, 0.001, false)
            }
            #expect(dictionary["ThreadShouldExitNow"] as? Bool == true && log.entries == ["run"])
        }
    }

    @Test("has values by keys") func values() {
        onFreshThread {
            let dictionary = RLThread.current.threadDictionary
            dictionary["one"] = 1
            dictionary[2] = "two"
            dictionary.setObject(3, forKey: "three")
            #expect(dictionary.count == 3)
            #expect(Set(dictionary.allKeys) == ["one", 2, "three"])
            #expect(dictionary.allValues.count == 3)
            #expect(dictionary.object(forKey: 2) as? String == "two")
            #expect(dictionary.value(forKey: "three") as? Int == 3)
            dictionary.setValue(nil, forKey: "one")
            dictionary.removeObject(forKey: 2)
            dictionary.removeObject(forKey: "never there")
            #expect(dictionary["one"] == nil && dictionary.allKeys == ["three"])
            dictionary.removeAllObjects()
            #expect(dictionary.count == 0)
        }
    }

    @Test("may be used at the end of what was in it") func reentry() {
        onFreshThread {
            let log = Log<String>()
            let dictionary = RLThread.current.threadDictionary
            dictionary["a"] = Reader(log)
            dictionary["a"] = nil
            dictionary["b"] = Reader(log)
            dictionary["b"] = 1
            dictionary["c"] = Reader(log)
            dictionary.removeAllObjects()
            #expect(log.entries == ["0 left", "1 left", "0 left"])
        }
    }

    @Test("is emptied on its thread, after the notification of the end (NSTH-2)") func end() {
        let log = Log<String>()
        let thread = RLThread {
            RLThread.current.threadDictionary["pool"] = RLAutoreleasePool()
            RLThread.current.threadDictionary["token"] = Token(log)
        }
        let token = RLNotificationCenter.default.addObserver(
            forName: RLThread.willExitNotification,
            object: thread
        ) { _ in log.add("exits with \(RLThread.current.threadDictionary.count)") }
        thread.start()
        thread.join()
        RLNotificationCenter.default.removeObserver(token)
        #expect(log.entries == ["exits with 2", "released"])
        withExtendedLifetime(thread) {}
    }

    @Test("is emptied on a thread that was not made here") func foreign() {
        let log = Log<String>()
        let threads = Log<RLThread>()
        onFreshThread {
            threads.add(.current)
            RLThread.current.threadDictionary["token"] = Token(log)
        }
        #expect(log.entries == ["released"] && threads.entries.count == 1)
    }
}

/// Looks into its thread's dictionary when it goes.
private final class Reader {
    private let log: Log<String>

    init(_ log: Log<String>) {
        self.log = log
    }

    deinit {
        log.add("\(RLThread.current.threadDictionary.count) left")
    }
}
