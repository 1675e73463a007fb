import CoreRunLoop
import Testing
import ThreadKit

@Suite("The loop's API is complete:")
struct LoopCompletenessTests {
    @Test("a loop is found, and says what it is")
    func finding() {
        let type: @Sendable () -> RLTypeID = RLRunLoopGetTypeID
        let current: @Sendable () -> RLRunLoopRef? = RLRunLoopGetCurrent
        let main: @Sendable () -> RLRunLoopRef? = RLRunLoopGetMain
        let isWaiting: @Sendable (RLRunLoopRef?) -> Bool = RLRunLoopIsWaiting
        let unwrapped: RLRunLoopRef = RLRunLoopGetMain()

        #expect(main() === unwrapped)
        #expect(current().map(RLGetTypeID) == type())
        #expect(onFreshThread { !isWaiting(current()) && current() != main() } == true)
    }

    @Test("a loop tells its modes")
    func modes() {
        let currentMode: @Sendable (RLRunLoopRef?) -> RLRunLoopMode? = RLRunLoopCopyCurrentMode
        let allModes: @Sendable (RLRunLoopRef?) -> RLArrayRef? = RLRunLoopCopyAllModes
        let addCommon: @Sendable (RLRunLoopRef?, RLRunLoopMode?) -> Void = RLRunLoopAddCommonMode
        let nextDate: @Sendable (RLRunLoopRef?, RLRunLoopMode?) -> RLAbsoluteTime =
            RLRunLoopGetNextTimerFireDate

        let summary = onFreshThread {
            let loop = RLRunLoopGetCurrent()
            addCommon(loop, "mode")
            RLRunLoopAddTimer(loop, RLRunLoopTimerCreate(fireDate: 123) { _ in }, .commonModes)
            let names: RLArrayRef = RLRunLoopCopyAllModes(loop)
            return "\(currentMode(loop) as Any) \(nextDate(loop, "mode"))"
                + " \([RLRunLoopMode](names).count) \(allModes(loop).map(RLArrayGetCount) ?? 0)"
        }

        #expect(summary == "nil 123.0 2 2")
    }

    @Test("a loop is run, woken, stopped and given blocks")
    func running() {
        let run: @Sendable () -> Void = RLRunLoopRun
        let runInMode: @Sendable (RLRunLoopMode?, RLTimeInterval, Bool) -> RLRunLoopRunResult =
            RLRunLoopRunInMode
        let wakeUp: @Sendable (RLRunLoopRef?) -> Void = RLRunLoopWakeUp
        let stop: @Sendable (RLRunLoopRef?) -> Void = RLRunLoopStop
        let perform: @Sendable (RLRunLoopRef?, RLRunLoopMode?, (@Sendable () -> Void)?) -> Void =
            RLRunLoopPerformBlock
        let performFunction:
            @Sendable (
                RLRunLoopRef?, RLRunLoopMode?, (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
                UnsafeMutableRawPointer?
            ) -> Void = RLRunLoopPerformFunction
        let performForObject:
            @Sendable (RLRunLoopRef?, RLStringRef, (@Sendable () -> Void)?) -> Void =
                RLRunLoopPerformBlock
        let log = Log<String>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            wakeUp(loop)
            stop(loop)
            run()
            perform(loop, "mode") { log.add("block") }
            performForObject(loop, RLStringCreate("mode")) { log.add("block for an object") }
            let info = Unmanaged.passUnretained(log).toOpaque()
            performFunction(
                loop,
                "mode",
                { info in
                    guard let info else { return }
                    // Held by the test.
                    Unmanaged<Log<String>>.fromOpaque(info).takeUnretainedValue().add("function")
                },
                info
            )
            performFunction(loop, "mode", nil, info)
            log.add("\(runInMode("mode", 0, false))")
        }

        #expect(log.entries == ["block", "block for an object", "function", "timedOut"])
    }

    @Test("sources enter and leave modes")
    func sources() {
        let contains: @Sendable (RLRunLoopRef?, RLRunLoopSourceRef?, RLRunLoopMode?) -> Bool =
            RLRunLoopContainsSource
        let add: @Sendable (RLRunLoopRef?, RLRunLoopSourceRef?, RLRunLoopMode?) -> Void =
            RLRunLoopAddSource
        let remove: @Sendable (RLRunLoopRef?, RLRunLoopSourceRef?, RLRunLoopMode?) -> Void =
            RLRunLoopRemoveSource
        let source = RLRunLoopSourceCreate {}

        #expect(onFreshThread { contained(source, add, contains, remove) } == [true, false])
    }

    @Test("observers enter and leave modes")
    func observers() {
        let contains: @Sendable (RLRunLoopRef?, RLRunLoopObserverRef?, RLRunLoopMode?) -> Bool =
            RLRunLoopContainsObserver
        let add: @Sendable (RLRunLoopRef?, RLRunLoopObserverRef?, RLRunLoopMode?) -> Void =
            RLRunLoopAddObserver
        let remove: @Sendable (RLRunLoopRef?, RLRunLoopObserverRef?, RLRunLoopMode?) -> Void =
            RLRunLoopRemoveObserver
        let observer = RLRunLoopObserverCreate(activities: .exit) { _, _ in }

        #expect(onFreshThread { contained(observer, add, contains, remove) } == [true, false])
    }

    @Test("timers enter and leave modes")
    func timers() {
        let contains: @Sendable (RLRunLoopRef?, RLRunLoopTimerRef?, RLRunLoopMode?) -> Bool =
            RLRunLoopContainsTimer
        let add: @Sendable (RLRunLoopRef?, RLRunLoopTimerRef?, RLRunLoopMode?) -> Void =
            RLRunLoopAddTimer
        let remove: @Sendable (RLRunLoopRef?, RLRunLoopTimerRef?, RLRunLoopMode?) -> Void =
            RLRunLoopRemoveTimer
        let timer = RLRunLoopTimerCreate(fireDate: .infinity) { _ in }

        #expect(onFreshThread { contained(timer, add, contains, remove) } == [true, false])
    }

    @Test("a null mode needs no type")
    func nullMode() {
        let log = Log<String>()

        onFreshThread { log.add("\(RLRunLoopRunInMode(nil, 0, false))") }
        RLRunLoopPerformBlock(RLRunLoopGetMain(), nil) { log.add("performed for no mode") }

        #expect(log.entries == ["finished"])
    }

    @Test("the constants of C can be passed for modes")
    func constantsOfC() {
        let timer = RLRunLoopTimerCreate(fireDate: .infinity) { _ in }

        let isCommon = onFreshThread {
            let loop = RLRunLoopGetCurrent()
            RLRunLoopAddTimer(loop, timer, kRLRunLoopCommonModes)
            return RLRunLoopContainsTimer(loop, timer, kRLRunLoopDefaultMode)
        }

        #expect(isCommon == true)
    }

    /// Whether the calling thread's loop contains an item after it was added, and after it was
    /// removed.
    private func contained<Item>(
        _ item: Item,
        _ add: (RLRunLoopRef?, Item?, RLRunLoopMode?) -> Void,
        _ contains: (RLRunLoopRef?, Item?, RLRunLoopMode?) -> Bool,
        _ remove: (RLRunLoopRef?, Item?, RLRunLoopMode?) -> Void
    ) -> [Bool] {
        let loop = RLRunLoopGetCurrent()
        add(loop, item, .commonModes)
        let isThere = contains(loop, item, .defaultMode)
        remove(loop, item, .commonModes)
        return [isThere, contains(loop, item, .defaultMode)]
    }
}
