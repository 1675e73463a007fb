import Glibc
import RunLoopKit
import Testing
import ThreadKit

@Suite("A thread's dictionary") struct ThreadDictionaryTests {
    @Test("is the same object for all callers") func reference() {
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

    @Test("may be used in the deinit of an object that was in it") func reentry() {
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

    @Test("stops a later thread that has the pthread_t of its own (NSTH-2)") func reused() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            nonisolated(unsafe) var leaked: RLThreadDictionary?
            // Two threads with the same stack have the same `pthread_t`.
            onSameStack(
                first: { leaked = RLThread.current.threadDictionary },
                second: { leaked?["key"] = 1 }
            )
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RunLoopKit: RLThreadDictionary: called on thread "), "\(output)")
    }
}

/// Runs two functions on successive threads with the same `pthread_t`.
private func onSameStack(first: @escaping () -> Void, second: @escaping () -> Void) {
    let size = 1 << 20
    let stack = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1 << 16)
    var handles: [pthread_t] = []
    for function in [first, second] {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstack(&attributes, stack, size)
        let box = Unmanaged.passRetained(Function(function))
        var handle = pthread_t()
        let failure = pthread_create(
            &handle,
            &attributes,
            { info in
                // Balances the retain above.
                if let info { Unmanaged<Function>.fromOpaque(info).takeRetainedValue().call() }
                return nil
            },
            box.toOpaque()
        )
        precondition(failure == 0, "A thread cannot be started: error \(failure).")
        pthread_join(handle, nil)
        handles.append(handle)
    }
    precondition(handles[0] == handles[1], "The threads have different descriptors.")
}

private final class Function {
    let call: () -> Void

    init(_ call: @escaping () -> Void) {
        self.call = call
    }
}

/// Reads its thread's dictionary in `deinit`.
private final class Reader {
    private let log: Log<String>

    init(_ log: Log<String>) {
        self.log = log
    }

    deinit {
        log.add("\(RLThread.current.threadDictionary.count) left")
    }
}
