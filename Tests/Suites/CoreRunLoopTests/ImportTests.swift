import CoreRunLoop
import Testing
import ThreadKit

// `.ci/surface` compares the type of every function, constant and member with CF's. These tests
// call functions that need more of the importer than a type.

@Suite("C's API in Swift:")
struct ImportTests {
    @Test("objects can be compared, hashed, described and asked for their type")
    func objects() {
        let loop: RLRunLoopRef = RLRunLoopGetMain()

        #expect(RLEqual(loop, RLRunLoopGetMain()))
        #expect(RLHash(loop) == RLHash(RLRunLoopGetMain()))
        #expect(RLGetTypeID(loop) == RLRunLoopGetTypeID())
        #expect(String(RLCopyDescription(loop)).hasPrefix("<RLRunLoop"))
        #expect(RLGetRetainCount(loop) > 0)
    }

    @Test("functions that take any object take a bare pointer too")
    func pointers() {
        let string = RLStringCreate("a")
        let pointer: RLTypeRef = string.unsafeTypeReference

        #expect(RLRetain(pointer) == pointer)
        #expect(RLGetRetainCount(string) == 2)
        RLRelease(pointer)
        #expect(RLGetRetainCount(string) == 1)
        #expect(RLGetTypeID(pointer) == RLStringGetTypeID())
    }

    @Test("a mode is made from strings of both kinds, and known by its constants")
    func modes() {
        let literal: RLRunLoopMode = "mode"
        let made = [RLRunLoopMode("mo" + "de"), RLRunLoopMode(literal.rawValue)]

        #expect(Set(made + [RLRunLoopMode(rawValue: literal.rawValue), literal]) == ["mode"])
        #expect(RLRunLoopMode.defaultMode.description == "kRLRunLoopDefaultMode")
        #expect(RLRunLoopMode.commonModes.description == "kRLRunLoopCommonModes")
    }

    @Test("a null mode needs no type, and C's constants are modes")
    func nullModeAndConstants() {
        let timer = RLRunLoopTimerCreate(fireDate: .infinity) { _ in }
        let log = Log<String>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            log.add("\(RLRunLoopRunInMode(nil, 0, false))")
            RLRunLoopPerformBlock(loop, nil) { log.add("performed for no mode") }
            RLRunLoopAddTimer(loop, timer, kRLRunLoopCommonModes)
            log.add("\(RLRunLoopContainsTimer(loop, timer, kRLRunLoopDefaultMode))")
            log.add("\([RLRunLoopMode](RLRunLoopCopyAllModes(loop)).count)")
            log.add("\(RLRunLoopCopyCurrentMode(loop) as RLRunLoopMode? as Any)")
        }

        #expect(log.entries == ["finished", "true", "1", "nil"])
    }

    @Test("a function and a block are called in their mode, whatever the mode's type")
    func performing() {
        let log = Log<String>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            RLRunLoopPerformBlock(loop, "mode") { log.add("block") }
            RLRunLoopPerformBlock(loop, RLStringCreate("mode")) { log.add("block for an object") }
            let info = Unmanaged.passUnretained(log).toOpaque()
            RLRunLoopPerformFunction(
                loop,
                "mode",
                { info in
                    guard let info else { return }
                    // Held by the test.
                    Unmanaged<Log<String>>.fromOpaque(info).takeUnretainedValue().add("function")
                },
                info
            )
            RLRunLoopPerformFunction(loop, "mode", nil, info)
            log.add("\(RLRunLoopRunInMode("mode", 0, false))")
        }

        #expect(log.entries == ["block", "block for an object", "function", "timedOut"])
    }

    @Test("sources, observers and timers give their contexts back")
    func contexts() {
        let info = UnsafeMutableRawPointer(bitPattern: 8)
        var source = RLRunLoopSourceContext()
        source.info = info
        source.schedule = { (_: UnsafeMutableRawPointer?, _: RLRunLoopRef?, _: RLStringRef?) in }
        var sourceCopy = RLRunLoopSourceContext()
        RLRunLoopSourceGetContext(RLRunLoopSourceCreate(nil, 5, &source), &sourceCopy)

        var observer = RLRunLoopObserverContext()
        observer.info = info
        var observerCopy = RLRunLoopObserverContext()
        let observed = RLRunLoopObserverCreate(nil, 1, false, 7, { _, _, _ in }, &observer)
        RLRunLoopObserverGetContext(observed, &observerCopy)

        var timer = RLRunLoopTimerContext()
        timer.info = info
        var timerCopy = RLRunLoopTimerContext()
        let timed = RLRunLoopTimerCreate(nil, 1, 2, 0, 7, { _, _ in }, &timer)
        RLRunLoopTimerGetContext(timed, &timerCopy)

        #expect([sourceCopy.info, observerCopy.info, timerCopy.info] == [info, info, info])
    }

    @Test("a port source is made from a context of version 1, as on Apple's systems")
    func portSource() {
        var context = RLRunLoopSourceContext1()
        context.version = 1
        context.info = UnsafeMutableRawPointer(bitPattern: 8)
        context.getPort = { (_: UnsafeMutableRawPointer?) -> RLRunLoopPort in -1 }
        // One function takes both versions there.
        let source: RLRunLoopSourceRef = withUnsafeMutablePointer(to: &context) { pointer in
            pointer.withMemoryRebound(to: RLRunLoopSourceContext.self, capacity: 1) {
                RLRunLoopSourceCreate(kRLAllocatorDefault, 0, $0)
            }
        }
        var copy = RLRunLoopSourceContext1()
        copy.version = 1
        RLRunLoopSourceGetContext(source, &copy)

        #expect(copy.info == context.info)
        #expect(copy.getPort(nil) == -1)
    }

    @Test("a source is signalled and woken at once, and an observer and a timer take a closure")
    func signallingAndHandlers() {
        let source = RLRunLoopSourceCreate {}
        RLRunLoopSourceSignalAndWakeUp(source, RLRunLoopGetMain())
        RLRunLoopSourceUpdateEvents(source)
        let timer: RLRunLoopTimerRef? = RLRunLoopTimerCreateWithHandler(nil, 1, 0, 0, 0) {
            (_: RLRunLoopTimerRef?) in
        }
        let observer = RLRunLoopObserverCreateWithHandler(
            kRLAllocatorDefault,
            RLRunLoopActivity.allActivities.rawValue,
            true,
            0
        ) { (_: RLRunLoopObserverRef?, _: RLRunLoopActivity) in }

        #expect(RLRunLoopSourceIsSignalled(source))
        #expect(!RLRunLoopTimerDoesRepeat(timer))
        #expect(RLRunLoopObserverDoesRepeat(observer))
        #expect(kRLAbsoluteTimeIntervalSince1970 == 978_307_200)
    }
}
