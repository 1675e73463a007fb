import CoreRunLoop
import Testing

@Suite("The items' API is complete:")
struct ItemCompletenessTests {
    @Test("a source is made from a context, and gives it back")
    func source() {
        let type: () -> RLTypeID = RLRunLoopSourceGetTypeID
        let create:
            (RLAllocatorRef?, RLIndex, UnsafeMutablePointer<RLRunLoopSourceContext>?) ->
                RLRunLoopSourceRef? = RLRunLoopSourceCreate
        let order: (RLRunLoopSourceRef?) -> RLIndex = RLRunLoopSourceGetOrder
        let invalidate: (RLRunLoopSourceRef?) -> Void = RLRunLoopSourceInvalidate
        let isValid: (RLRunLoopSourceRef?) -> Bool = RLRunLoopSourceIsValid
        let getContext:
            (RLRunLoopSourceRef?, UnsafeMutablePointer<RLRunLoopSourceContext>?) -> Void =
                RLRunLoopSourceGetContext
        let signal: (RLRunLoopSourceRef?) -> Void = RLRunLoopSourceSignal
        let signalAndWakeUp: (RLRunLoopSourceRef?, RLRunLoopRef?) -> Void =
            RLRunLoopSourceSignalAndWakeUp
        let isSignalled: (RLRunLoopSourceRef?) -> Bool = RLRunLoopSourceIsSignalled
        let update: (RLRunLoopSourceRef?) -> Void = RLRunLoopSourceUpdateEvents

        var context = RLRunLoopSourceContext(
            version: 0,
            info: UnsafeMutableRawPointer(bitPattern: 8),
            retain: { $0 },
            release: { _ in },
            copyDescription: { _ in RLStringCreate("info") },
            equal: { $0 == $1 },
            hash: { RLHashCode(bitPattern: $0?.hashValue ?? 0) },
            schedule: { (_: UnsafeMutableRawPointer?, _: RLRunLoopRef?, _: RLStringRef?) in },
            cancel: { (_: UnsafeMutableRawPointer?, _: RLRunLoopRef?, _: RLStringRef?) in },
            perform: { (_: UnsafeMutableRawPointer?) in }
        )
        let source: RLRunLoopSourceRef = RLRunLoopSourceCreate(nil, 5, &context)
        var copy = RLRunLoopSourceContext()
        getContext(source, &copy)
        signal(source)
        signalAndWakeUp(source, RLRunLoopGetCurrent())
        update(source)

        #expect(create(nil, 5, &context) == source)
        #expect(RLGetTypeID(source) == type())
        #expect(order(source) == 5)
        #expect(copy.info == context.info)
        #expect(isSignalled(source))
        invalidate(source)
        #expect(!isValid(source))
    }

    @Test("a port source is made from a context of version 1, and gives it back")
    func portSource() {
        var context = RLRunLoopSourceContext1(
            version: 1,
            info: UnsafeMutableRawPointer(bitPattern: 8),
            retain: nil,
            release: nil,
            copyDescription: nil,
            equal: nil,
            hash: nil,
            getPort: { (_: UnsafeMutableRawPointer?) -> RLRunLoopPort in -1 },
            perform: { (_: UnsafeMutableRawPointer?) in }
        )
        // As written on Apple's systems, where there is one function for both versions.
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

    @Test("an observer is made from a context or a handler")
    func observer() {
        let type: () -> RLTypeID = RLRunLoopObserverGetTypeID
        let create:
            (
                RLAllocatorRef?, RLOptionFlags, Bool, RLIndex, RLRunLoopObserverCallBack?,
                UnsafeMutablePointer<RLRunLoopObserverContext>?
            ) -> RLRunLoopObserverRef? = RLRunLoopObserverCreate
        let createWithHandler:
            (
                RLAllocatorRef?, RLOptionFlags, Bool, RLIndex,
                (@Sendable (RLRunLoopObserverRef?, RLRunLoopActivity) -> Void)?
            ) -> RLRunLoopObserverRef? = RLRunLoopObserverCreateWithHandler
        let activities: (RLRunLoopObserverRef?) -> RLOptionFlags = RLRunLoopObserverGetActivities
        let doesRepeat: (RLRunLoopObserverRef?) -> Bool = RLRunLoopObserverDoesRepeat
        let order: (RLRunLoopObserverRef?) -> RLIndex = RLRunLoopObserverGetOrder
        let invalidate: (RLRunLoopObserverRef?) -> Void = RLRunLoopObserverInvalidate
        let isValid: (RLRunLoopObserverRef?) -> Bool = RLRunLoopObserverIsValid
        let getContext:
            (RLRunLoopObserverRef?, UnsafeMutablePointer<RLRunLoopObserverContext>?) -> Void =
                RLRunLoopObserverGetContext
        let callBack:
            @convention(c) (RLRunLoopObserverRef?, RLRunLoopActivity, UnsafeMutableRawPointer?) ->
                Void = { _, _, _ in }

        var context = RLRunLoopObserverContext(
            version: 0,
            info: UnsafeMutableRawPointer(bitPattern: 8),
            retain: nil,
            release: nil,
            copyDescription: { _ in RLStringCreate("info") }
        )
        var copy = RLRunLoopObserverContext()
        let observer = create(nil, 1, false, 7, callBack, &context)
        getContext(observer, &copy)
        let handled: RLRunLoopObserverRef = RLRunLoopObserverCreateWithHandler(
            kRLAllocatorDefault,
            RLRunLoopActivity.allActivities.rawValue,
            true,
            0
        ) { (_: RLRunLoopObserverRef?, _: RLRunLoopActivity) in }

        #expect(observer.map(RLGetTypeID) == type())
        #expect(activities(observer) == 1)
        #expect(!doesRepeat(observer))
        #expect(order(observer) == 7)
        #expect(copy.info == context.info)
        #expect(doesRepeat(handled) && isValid(createWithHandler(nil, 1, true, 0) { _, _ in }))
        invalidate(observer)
        #expect(!isValid(observer))
    }

    @Test("a timer is made from a context or a handler")
    func timer() {
        let type: () -> RLTypeID = RLRunLoopTimerGetTypeID
        let create:
            (
                RLAllocatorRef?, RLAbsoluteTime, RLTimeInterval, RLOptionFlags, RLIndex,
                RLRunLoopTimerCallBack?, UnsafeMutablePointer<RLRunLoopTimerContext>?
            ) -> RLRunLoopTimerRef? = RLRunLoopTimerCreate
        let createWithHandler:
            (
                RLAllocatorRef?, RLAbsoluteTime, RLTimeInterval, RLOptionFlags, RLIndex,
                (@Sendable (RLRunLoopTimerRef?) -> Void)?
            ) -> RLRunLoopTimerRef? = RLRunLoopTimerCreateWithHandler
        let order: (RLRunLoopTimerRef?) -> RLIndex = RLRunLoopTimerGetOrder
        let getContext: (RLRunLoopTimerRef?, UnsafeMutablePointer<RLRunLoopTimerContext>?) -> Void =
            RLRunLoopTimerGetContext
        let callBack: @convention(c) (RLRunLoopTimerRef?, UnsafeMutableRawPointer?) -> Void = {
            _,
            _ in
        }

        var context = RLRunLoopTimerContext(
            version: 0,
            info: UnsafeMutableRawPointer(bitPattern: 8),
            retain: nil,
            release: nil,
            copyDescription: { _ in RLStringCreate("info") }
        )
        var copy = RLRunLoopTimerContext()
        let timer = create(nil, 1, 2, 0, 7, callBack, &context)
        getContext(timer, &copy)
        let handled: RLRunLoopTimerRef = RLRunLoopTimerCreateWithHandler(nil, 1, 0, 0, 0) {
            (_: RLRunLoopTimerRef?) in
        }

        #expect(timer.map(RLGetTypeID) == type())
        #expect(order(timer) == 7)
        #expect(copy.info == context.info)
        #expect(!RLRunLoopTimerDoesRepeat(handled))
        #expect(createWithHandler(nil, 1, 2, 0, 0) { _ in } != nil)
    }

    @Test("a timer's dates can be asked for and changed")
    func timerDates() {
        let date: (RLRunLoopTimerRef?) -> RLAbsoluteTime = RLRunLoopTimerGetNextFireDate
        let setDate: (RLRunLoopTimerRef?, RLAbsoluteTime) -> Void = RLRunLoopTimerSetNextFireDate
        let interval: (RLRunLoopTimerRef?) -> RLTimeInterval = RLRunLoopTimerGetInterval
        let doesRepeat: (RLRunLoopTimerRef?) -> Bool = RLRunLoopTimerDoesRepeat
        let invalidate: (RLRunLoopTimerRef?) -> Void = RLRunLoopTimerInvalidate
        let isValid: (RLRunLoopTimerRef?) -> Bool = RLRunLoopTimerIsValid
        let tolerance: (RLRunLoopTimerRef?) -> RLTimeInterval = RLRunLoopTimerGetTolerance
        let setTolerance: (RLRunLoopTimerRef?, RLTimeInterval) -> Void = RLRunLoopTimerSetTolerance
        let timer: RLRunLoopTimerRef? = RLRunLoopTimerCreate(fireDate: 1, interval: 2) { _ in }

        setDate(timer, 5)
        setTolerance(timer, 0.25)

        #expect(date(timer) == 5)
        #expect(interval(timer) == 2)
        #expect(doesRepeat(timer))
        #expect(tolerance(timer) == 0.25)
        invalidate(timer)
        #expect(!isValid(timer))
    }
}
