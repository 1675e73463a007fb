import CFCompatibility
import Testing

/// Files with a branch for Linux, whose own CoreFoundation has modes as strings.
@Suite("Code for Linux's CoreFoundation")
struct LinuxShapeTests {
    @Test("finds the names of modes, and passes them on")
    func constants() {
        var events: [String] = []
        let loop = CFRunLoopGetCurrent()
        let timer = CFRunLoopTimerCreateWithHandler(nil, 0, 0, 0, 0) { _ in events.append("timer") }
        CFRunLoopAddTimer(loop, timer, kCFRunLoopCommonModes)
        #expect(CFRunLoopContainsTimer(loop, timer, kCFRunLoopDefaultMode))
        CFRunLoopPerformBlock(loop, kCFRunLoopDefaultMode) { events.append("block") }
        CFRunLoopPerformBlock(loop, kCFRunLoopDefaultMode as CFTypeRef) { events.append("object") }
        CFRunLoopPerformBlock(loop, CFRunLoopMode.commonModes as CFTypeRef) {
            events.append("common")
        }
        #expect(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false) == .finished)
        #expect(events == ["block", "object", "common", "timer"])
    }

    @Test("names modes by strings")
    func strings() {
        let loop = CFRunLoopGetCurrent()
        let name: CFString = "com.example.linux" as CFString
        let observer = CFRunLoopObserverCreateWithHandler(nil, 1, true, 0) { _, _ in }
        let timer = CFRunLoopTimerCreateWithHandler(nil, 1, 0, 0, 0) { _ in }
        CFRunLoopAddObserver(loop, observer, name)
        CFRunLoopAddTimer(loop, timer, name)
        #expect(CFRunLoopContainsObserver(loop, observer, name))
        #expect(CFRunLoopGetNextTimerFireDate(loop, name) != 0)
        #expect(CFRunLoopRunInMode(name, 60, false) == .finished)
        CFRunLoopRemoveObserver(loop, observer, name)
        #expect(!CFRunLoopContainsObserver(loop, observer, CFRunLoopMode(name)))
    }

    @Test("takes modes where any object will do")
    func objects() {
        let mode: CFTypeRef = CFRunLoopMode.defaultMode as CFTypeRef
        #expect(CFEqual(mode, kCFRunLoopDefaultMode))
        #expect(CFGetTypeID(mode) == CFStringGetTypeID())
        #expect(CFHash(mode) == CFHash(CFRunLoopMode.defaultMode.rawValue))
        let both = [CFRunLoopMode.defaultMode, CFRunLoopMode.commonModes] as CFArray
        #expect(CFArrayGetCount(both) == 2)
    }

    @Test("has Mach ports and the names of secured streams")
    func names() throws {
        let ignore: CFMachPortCallBack = { _, _, _, _ in }
        let port = try #require(CFMachPortCreate(nil, ignore, nil, nil))
        let name: mach_port_t = CFMachPortGetPort(port)
        #expect(name >= 0 && CFMachPortIsValid(port))
        #expect(CFGetTypeID(port) == CFMachPortGetTypeID())
        CFMachPortInvalidate(port)
        #expect(!CFMachPortIsValid(port))
        let level: CFString = kCFStreamSocketSecurityLevelNegotiatedSSL
        let stream = CFWriteStreamCreateWithAllocatedBuffers(nil, nil)
        #expect(!CFWriteStreamSetProperty(stream, kCFStreamPropertySocketSecurityLevel, level))
    }
}
