import CoreRunLoop
import Testing
import ThreadKit

@Suite("Two references")
struct IdentityTests {
    @Test("to one loop are equal and identical")
    func sameLoop() {
        let (first, second) = (RLRunLoopGetMain(), RLRunLoopGetMain())

        #expect(first == second)
        #expect(first === second)
        #expect(first?.hashValue == second?.hashValue)
    }

    @Test("to different timers are neither equal nor identical")
    func differentTimers() {
        let first = RLRunLoopTimerCreate(fireDate: 0) { _ in }
        let second = RLRunLoopTimerCreate(fireDate: 0) { _ in }

        #expect(first != second)
        #expect(first !== second)
    }

    @Test("to strings with the same characters are equal but not identical")
    func equalStrings() {
        let (first, second) = (RLStringCreate("tracking"), RLStringCreate("tracking"))

        #expect(first == second)
        #expect(first !== second)
        #expect(Set([first, second]).count == 1)
    }

    @Test("to sources with equal contexts are equal but not identical")
    func equalSources() {
        var context = RLRunLoopSourceContext()
        let first = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
        let second = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)

        #expect(first == second)
        #expect(first !== second)
    }

    @Test("that are both empty are identical")
    func bothEmpty() {
        let (first, second): (RLRunLoopRef?, RLRunLoopRef?) = (nil, nil)

        #expect(first === second)
        #expect(first !== RLRunLoopGetMain())
    }
}

@Suite("A reference as a key")
struct KeyTests {
    @Test("finds what was stored under it")
    func dictionary() {
        let timers = (0..<3).map { _ in RLRunLoopTimerCreate(fireDate: 0) { _ in } }

        let places = Dictionary(uniqueKeysWithValues: zip(timers, 0...))

        #expect(timers.map { places[$0] } == [0, 1, 2])
    }
}

@Suite("The functions for all objects")
struct AnyObjectTests {
    @Test("take every kind of object")
    func types() {
        let ids = [
            RLGetTypeID(RLRunLoopSourceCreate {}),
            RLGetTypeID(RLRunLoopTimerCreate(fireDate: 0) { _ in }),
            RLGetTypeID(RLRunLoopObserverCreate(activities: .entry) { _, _ in }),
            RLGetTypeID(RLStringCreate("")),
        ]

        #expect(
            ids == [
                RLRunLoopSourceGetTypeID(), RLRunLoopTimerGetTypeID(),
                RLRunLoopObserverGetTypeID(), RLStringGetTypeID(),
            ]
        )
        #expect(Set(ids).count == 4)
    }

    @Test("agree with the operators")
    func equality() {
        let string = RLStringCreate("mode")

        #expect(RLEqual(string, RLStringCreate("mode")))
        #expect(!RLEqual(string, RLRunLoopSourceCreate {}))
        #expect(RLHash(string) == RLHash(RLStringCreate("mode")))
    }
}

@Suite("A description")
struct DescriptionTests {
    @Test("of a loop names its modes and what is in them")
    func loop() {
        let text = onFreshThread {
            let loop = RLRunLoopGetCurrent()
            RLRunLoopAddSource(loop, RLRunLoopSourceCreate(order: -3) {}, "tracking")
            return loop?.description
        }

        #expect(text??.contains("RLRunLoop") == true)
        #expect(text??.contains("tracking") == true)
        #expect(text??.contains("order = -3") == true)
    }

    @Test("is what RLCopyDescription returns, and what a debugger shows")
    func same() {
        let observer = RLRunLoopObserverCreate(activities: .exit) { _, _ in }

        #expect(observer.description == String(RLCopyDescription(observer)))
        #expect(observer.debugDescription == observer.description)
        #expect("\(observer)" == observer.description)
    }

    @Test("of a string is its characters")
    func string() {
        #expect("\(RLStringCreate("Größe"))" == "Größe")
    }
}

@Suite("A string")
struct StringTests {
    @Test(
        "comes back from the engine as it went in",
        arguments: ["", "mode", "日本語", "👩‍👩‍👧", "\u{FEFF}mark"]
    )
    func roundTrip(text: String) {
        #expect(String(RLStringCreate(text)) == text)
    }

    @Test("counts UTF-16 code units")
    func length() {
        #expect(RLStringGetLength(RLStringCreate("aé👍")) == 4)
    }
}
