import CoreRunLoop
import Testing
import ThreadKit

@Suite("A timer's closure")
struct TimerClosureTests {
    @Test("is held while the timer is")
    func held() {
        let log = Log<String>()
        let timer = makeTimer(log)

        #expect(log.entries.isEmpty)
        withExtendedLifetime(timer) {}
    }

    @Test("is released when the timer is invalidated")
    func invalidated() {
        let log = Log<String>()
        let timer = makeTimer(log)

        RLRunLoopTimerInvalidate(timer)

        #expect(log.entries == ["released"])
        #expect(!RLRunLoopTimerIsValid(timer))
    }

    @Test("is released with the last reference to the timer")
    func destroyed() {
        let log = Log<String>()
        var timer: RLRunLoopTimerRef? = makeTimer(log)

        #expect(timer != nil)
        timer = nil

        #expect(log.entries == ["released"])
    }

    @Test("is released after the one call of a timer that does not repeat")
    func fired() {
        let log = Log<String>()

        let result = onFreshThread {
            RLRunLoopAddTimer(RLRunLoopGetCurrent(), makeTimer(log, fireDate: 0), "mode")
            return RLRunLoopRunInMode("mode", 10, false)
        }

        #expect(log.entries == ["called", "released"])
        #expect(result == .finished)
    }

    @Test("is released after the call in which the timer is invalidated, by whatever thread")
    func invalidatedInCall() {
        for isElsewhere in [false, true] {
            let log = Log<String>()

            onFreshThread {
                let token = Token(log)
                let timer = RLRunLoopTimerCreate(fireDate: 0, interval: 1) { timer in
                    if isElsewhere {
                        onFreshThread { RLRunLoopTimerInvalidate(timer) }
                    } else {
                        RLRunLoopTimerInvalidate(timer)
                    }
                    log.add("invalidated")
                    token.hold()
                }
                RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, "mode")
                RLRunLoopRunInMode("mode", 10, false)
            }

            #expect(log.entries == ["invalidated", "released"])
        }
    }

    @Test("is released when the thread of its loop ends")
    func threadEnded() {
        let log = Log<String>()

        onFreshThread {
            RLRunLoopAddTimer(RLRunLoopGetCurrent(), makeTimer(log), "mode")
            log.add("added")
        }

        #expect(log.entries == ["added", "released"])
    }

    private func makeTimer(
        _ log: Log<String>,
        fireDate: RLAbsoluteTime = .infinity
    ) -> RLRunLoopTimerRef {
        let token = Token(log)
        return RLRunLoopTimerCreate(fireDate: fireDate) { _ in
            token.hold()
            log.add("called")
        }
    }
}

@Suite("An observer's closure")
struct ObserverClosureTests {
    @Test("is released when the observer is invalidated")
    func invalidated() {
        let log = Log<String>()
        let observer = makeObserver(log)

        RLRunLoopObserverInvalidate(observer)

        #expect(log.entries == ["released"])
    }

    @Test("is released with the last reference to the observer")
    func destroyed() {
        let log = Log<String>()
        var observer: RLRunLoopObserverRef? = makeObserver(log)

        #expect(observer != nil)
        observer = nil

        #expect(log.entries == ["released"])
    }

    @Test("is released after the one call of an observer that does not repeat")
    func called() {
        let log = Log<String>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            RLRunLoopAddObserver(loop, makeObserver(log), "mode")
            RLRunLoopPerformBlock(loop, "mode") { log.add("block") }
            RLRunLoopRunInMode("mode", 0, false)
        }

        #expect(log.entries == ["called", "released", "block"])
    }

    private func makeObserver(_ log: Log<String>) -> RLRunLoopObserverRef {
        let token = Token(log)
        return RLRunLoopObserverCreate(activities: .entry, repeats: false) { _, _ in
            token.hold()
            log.add("called")
        }
    }
}

@Suite("A source's closure")
struct SourceClosureTests {
    @Test("is held by a source that is invalid")
    func invalidated() {
        let log = Log<String>()
        let source = makeSource(log)

        RLRunLoopSourceInvalidate(source)

        #expect(log.entries.isEmpty)
        withExtendedLifetime(source) {}
    }

    @Test("is released with the last reference to the source")
    func destroyed() {
        let log = Log<String>()
        var source: RLRunLoopSourceRef? = makeSource(log)

        #expect(source != nil)
        source = nil

        #expect(log.entries == ["released"])
    }

    @Test("is held by the loop that the source is in")
    func added() {
        let log = Log<String>()

        onFreshThread {
            RLRunLoopAddSource(RLRunLoopGetCurrent(), makeSource(log), "mode")
            log.add("added")
        }

        #expect(log.entries == ["added", "released"])
    }

    private func makeSource(_ log: Log<String>) -> RLRunLoopSourceRef {
        let token = Token(log)
        return RLRunLoopSourceCreate { token.hold() }
    }
}

@Suite("A block")
struct BlockTests {
    @Test("is released as soon as it was called, before the next one is")
    func called() {
        let log = Log<String>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            perform(log, on: loop, in: RLStringCreate("mode"))
            perform(log, on: loop, in: RLStringCreate("mode"))
            RLRunLoopRunInMode("mode", 0, false)
        }

        #expect(log.entries == ["called", "released", "called", "released"])
    }

    @Test("for an invalid mode is released at once")
    func refused() {
        let log = Log<String>()

        onFreshThread {
            perform(log, on: RLRunLoopGetCurrent(), in: RLNumberCreate(1))
            log.add("refused")
        }

        #expect(log.entries == ["released", "refused"])
    }

    @Test("that was never called is released when the thread of its loop ends")
    func neverCalled() {
        let log = Log<String>()

        onFreshThread {
            perform(log, on: RLRunLoopGetCurrent(), in: RLStringCreate("mode"))
            log.add("queued")
        }

        #expect(log.entries == ["queued", "released"])
    }

    private func perform(
        _ log: Log<String>,
        on loop: RLRunLoopRef?,
        in mode: some RLReference
    ) {
        let token = Token(log)
        RLRunLoopPerformBlock(loop, mode) {
            token.hold()
            log.add("called")
        }
    }
}

@Suite("A reference")
struct ReferenceCountTests {
    @Test("adds one to the object's count for as long as it is held")
    func counted() {
        let source = RLRunLoopSourceCreate {}
        let alone = RLGetRetainCount(source)
        var others = [source, source]

        let together = RLGetRetainCount(source)
        others.removeAll()

        #expect(together == alone + 2)
        #expect(RLGetRetainCount(source) == alone)
    }

    @Test("keeps a loop after its thread ended")
    func outlivesThread() throws {
        let loop = try #require(onFreshThread { RLRunLoopGetCurrent() } ?? nil)

        RLRunLoopWakeUp(loop)

        #expect(!RLRunLoopIsWaiting(loop))
        #expect(RLGetRetainCount(loop) == 1)
    }

    @Test("can be sent to tasks that use it at the same time")
    func tasks() async {
        let source = RLRunLoopSourceCreate {}
        let timer = RLRunLoopTimerCreate(fireDate: .infinity) { _ in }
        let alone = (RLGetRetainCount(source), RLGetRetainCount(timer))

        let descriptions = await withTaskGroup(of: String.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    RLRunLoopSourceSignal(source)
                    RLRunLoopTimerSetNextFireDate(timer, .infinity)
                    return "\(RLRunLoopSourceIsSignalled(source)) \(RLRunLoopTimerIsValid(timer))"
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(descriptions == ["true true"])
        #expect(RLGetRetainCount(source) == alone.0)
        #expect(RLGetRetainCount(timer) == alone.1)
    }

    @Test("travels through optionals, arrays, dictionaries and closures without a leak")
    func travels() {
        let log = Log<String>()

        do {
            let token = Token(log)
            let source: RLRunLoopSourceRef? = RLRunLoopSourceCreate { token.hold() }
            let list = [source, nil, source]
            let byName = ["one": list, "two": list.reversed()]
            let closure = { byName["one"]?.compactMap { $0 } ?? [] }
            #expect(closure().count == 2)
            #expect(log.entries.isEmpty)
        }

        #expect(log.entries == ["released"])
    }

    // An optimizing compiler releases a temporary at once if only its pointer is passed.
    @Test("keeps a new object until a collection has retained it")
    func temporaries() {
        let log = Log<String>()

        do {
            var list = kRLTypeArrayCallBacks
            var (keys, values) = (kRLTypeDictionaryKeyCallBacks, kRLTypeDictionaryValueCallBacks)
            var elements = kRLTypeSetCallBacks
            let array: RLMutableArrayRef = RLArrayCreateMutable(nil, 0, &list)
            let dictionary: RLMutableDictionaryRef = RLDictionaryCreateMutable(
                nil,
                0,
                &keys,
                &values
            )
            let set: RLMutableSetRef = RLSetCreateMutable(nil, 0, &elements)
            RLArrayAppendValue(array, source(holding: Token(log)))
            RLDictionarySetValue(
                dictionary,
                source(holding: Token(log)),
                source(holding: Token(log))
            )
            RLSetAddValue(set, source(holding: Token(log)))
            #expect(log.entries.isEmpty)
            withExtendedLifetime((array, dictionary, set)) {}
        }

        #expect(log.entries == Array(repeating: "released", count: 4))
    }

    @Test("keeps a new object while a closure has its pointer, and adds one for a pointer to keep")
    func pointers() {
        let log = Log<String>()

        source(holding: Token(log)).withTypeReference { _ in #expect(log.entries.isEmpty) }
        #expect(log.entries == ["released"])

        let retained = source(holding: Token(log)).unsafeRetained()
        #expect(log.entries == ["released"])
        RLRelease(retained)
        #expect(log.entries == ["released", "released"])
    }
}

private func source(holding token: Token) -> RLRunLoopSourceRef {
    RLRunLoopSourceCreate { token.hold() }
}
