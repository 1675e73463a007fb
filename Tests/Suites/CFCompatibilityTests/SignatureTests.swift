// Each function of CFRunLoop.h with the type that Apple's importer gives it. Compiling this file is
// the test.

import CFCompatibility
import Testing

private typealias Loop = CFRunLoop
private typealias Mode = CFRunLoopMode
private typealias Source = CFRunLoopSource
private typealias Observer = CFRunLoopObserver
private typealias Timer = CFRunLoopTimer

@Suite("In Apple's types there are")
struct SignatureTests {
    @Test("the functions of loops")
    func loops() {
        let _: () -> CFTypeID = CFRunLoopGetTypeID
        let _: () -> Loop? = CFRunLoopGetCurrent
        let _: () -> Loop? = CFRunLoopGetMain
        let _: (Loop?) -> Mode? = CFRunLoopCopyCurrentMode
        let _: (Loop?) -> CFArray? = CFRunLoopCopyAllModes
        let _: (Loop?, Mode?) -> Void = CFRunLoopAddCommonMode
        let _: (Loop?, Mode?) -> CFAbsoluteTime = CFRunLoopGetNextTimerFireDate
        let _: () -> Void = CFRunLoopRun
        let _: (Mode?, CFTimeInterval, Bool) -> CFRunLoopRunResult = CFRunLoopRunInMode
        let _: (Loop?) -> Bool = CFRunLoopIsWaiting
        let _: (Loop?) -> Void = CFRunLoopWakeUp
        let _: (Loop?) -> Void = CFRunLoopStop
        let _: (Loop?, CFTypeRef?, (() -> Void)?) -> Void = CFRunLoopPerformBlock
    }

    @Test("the functions of loops and their items")
    func membership() {
        let _: (Loop?, Source?, Mode?) -> Bool = CFRunLoopContainsSource
        let _: (Loop?, Source?, Mode?) -> Void = CFRunLoopAddSource
        let _: (Loop?, Source?, Mode?) -> Void = CFRunLoopRemoveSource
        let _: (Loop?, Observer?, Mode?) -> Bool = CFRunLoopContainsObserver
        let _: (Loop?, Observer?, Mode?) -> Void = CFRunLoopAddObserver
        let _: (Loop?, Observer?, Mode?) -> Void = CFRunLoopRemoveObserver
        let _: (Loop?, Timer?, Mode?) -> Bool = CFRunLoopContainsTimer
        let _: (Loop?, Timer?, Mode?) -> Void = CFRunLoopAddTimer
        let _: (Loop?, Timer?, Mode?) -> Void = CFRunLoopRemoveTimer
    }

    @Test("the functions of sources")
    func sources() {
        typealias Context = UnsafeMutablePointer<CFRunLoopSourceContext>
        let _: () -> CFTypeID = CFRunLoopSourceGetTypeID
        let _: (CFAllocator?, CFIndex, Context?) -> Source? = CFRunLoopSourceCreate
        let _: (Source?) -> CFIndex = CFRunLoopSourceGetOrder
        let _: (Source?) -> Void = CFRunLoopSourceInvalidate
        let _: (Source?) -> Bool = CFRunLoopSourceIsValid
        let _: (Source?, Context?) -> Void = CFRunLoopSourceGetContext
        let _: (Source?) -> Void = CFRunLoopSourceSignal
    }

    @Test("the functions of observers")
    func observers() {
        typealias Context = UnsafeMutablePointer<CFRunLoopObserverContext>
        typealias Handler = (Observer?, CFRunLoopActivity) -> Void
        let _: () -> CFTypeID = CFRunLoopObserverGetTypeID
        let _:
            (CFAllocator?, CFOptionFlags, Bool, CFIndex, CFRunLoopObserverCallBack?, Context?)
                -> Observer? = CFRunLoopObserverCreate
        let _: (CFAllocator?, CFOptionFlags, Bool, CFIndex, Handler?) -> Observer? =
            CFRunLoopObserverCreateWithHandler
        let _: (Observer?) -> CFOptionFlags = CFRunLoopObserverGetActivities
        let _: (Observer?) -> Bool = CFRunLoopObserverDoesRepeat
        let _: (Observer?) -> CFIndex = CFRunLoopObserverGetOrder
        let _: (Observer?) -> Void = CFRunLoopObserverInvalidate
        let _: (Observer?) -> Bool = CFRunLoopObserverIsValid
        let _: (Observer?, Context?) -> Void = CFRunLoopObserverGetContext
    }

    @Test("the functions of timers")
    func timers() {
        typealias Context = UnsafeMutablePointer<CFRunLoopTimerContext>
        typealias Handler = (Timer?) -> Void
        let _: () -> CFTypeID = CFRunLoopTimerGetTypeID
        let _:
            (
                CFAllocator?, CFAbsoluteTime, CFTimeInterval, CFOptionFlags, CFIndex,
                CFRunLoopTimerCallBack?, Context?
            ) -> Timer? = CFRunLoopTimerCreate
        let _:
            (
                CFAllocator?, CFAbsoluteTime, CFTimeInterval, CFOptionFlags, CFIndex, Handler?
            ) -> Timer? = CFRunLoopTimerCreateWithHandler
        let _: (Timer?) -> CFAbsoluteTime = CFRunLoopTimerGetNextFireDate
        let _: (Timer?, CFAbsoluteTime) -> Void = CFRunLoopTimerSetNextFireDate
        let _: (Timer?) -> CFTimeInterval = CFRunLoopTimerGetInterval
        let _: (Timer?) -> Bool = CFRunLoopTimerDoesRepeat
        let _: (Timer?) -> CFIndex = CFRunLoopTimerGetOrder
        let _: (Timer?) -> Void = CFRunLoopTimerInvalidate
        let _: (Timer?) -> Bool = CFRunLoopTimerIsValid
        let _: (Timer?, Context?) -> Void = CFRunLoopTimerGetContext
        let _: (Timer?) -> CFTimeInterval = CFRunLoopTimerGetTolerance
        let _: (Timer?, CFTimeInterval) -> Void = CFRunLoopTimerSetTolerance
    }

    @Test("the functions of all objects")
    func objects() {
        let _: (CFTypeRef, CFTypeRef) -> Bool = CFEqual
        let _: (CFTypeRef) -> CFHashCode = CFHash
        let _: (CFTypeRef) -> CFTypeID = CFGetTypeID
        let _: (CFTypeRef) -> CFString? = CFCopyDescription
        let _: (CFTypeRef?) -> Void = CFShow
        let _: () -> CFAbsoluteTime = CFAbsoluteTimeGetCurrent
    }

    @Test("the constants, with CF's values")
    func constants() {
        #expect(kCFAllocatorDefault == nil)
        #expect(kCFAllocatorSystemDefault == kRLAllocatorSystemDefault)
        #expect(kCFAbsoluteTimeIntervalSince1970 == 978_307_200)
        #expect(CFStringBuiltInEncodings.UTF8.rawValue == 0x0800_0100)
        let results: [CFRunLoopRunResult] = [.finished, .stopped, .timedOut, .handledSource]
        #expect(results.map(\.rawValue) == [1, 2, 3, 4])
        let activities: [CFRunLoopActivity] = [
            .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit,
        ]
        #expect(activities.map(\.rawValue) == [1, 2, 4, 32, 64, 128])
        #expect(CFRunLoopActivity.allActivities.rawValue == 0x0FFF_FFFF)
    }
}
