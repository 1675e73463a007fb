import CFCompatibility
import FoundationEssentials
import Testing

@Suite("The Swift compatibility module")
struct CompatibilityTests {
    private let mode = CFRunLoopMode("com.example.compatibility" as CFString)

    @Test("makes strings of literals instead of casts")
    func strings() {
        let string = "grüße" as CFString

        #expect(CFStringGetLength(string) == 5)
        #expect(CFEqual(string, "grüße" as CFString))
        #expect(!CFEqual(string, "grusse" as CFString))
        #expect(CFRunLoopMode("a" as CFString) == CFRunLoopMode(rawValue: "a" as CFString))
        #expect(String(string) == "grüße")
    }

    @Test("converts strings and data by initializers instead of casts")
    func conversions() {
        let text = ["grüße", "an alle"].joined(separator: ", ")
        let bytes = Data(0...255)

        #expect(String(CFString(text)) == text)
        #expect(CFGetTypeID(CFString("literal")) == CFStringGetTypeID())
        #expect(Data(CFData(bytes)) == bytes)
        #expect([UInt8](CFData([1, 2])) == [1, 2])
        #expect([UInt8](CFData([])).isEmpty)
    }

    @Test("has truth values of one byte")
    func truthValues() {
        let yes: DarwinBoolean = true

        #expect(yes.boolValue && yes == DarwinBoolean(true) && yes != false)
        #expect(MemoryLayout<DarwinBoolean>.size == 1)
    }

    @Test("makes arrays of literals instead of casts, which retain their elements")
    func arrays() {
        let array = ["first" as CFString, CFRunLoopMode.commonModes.rawValue] as CFArray

        #expect(CFArrayGetCount(array) == 2)
        #expect(
            CFEqual(array, ["first" as CFString, "kRLRunLoopCommonModes" as CFString] as CFArray)
        )
        #expect(CFArrayGetCount([] as CFArray) == 0)
    }

    @Test("takes any object where CF does")
    func anyObject() throws {
        let loop = try #require(CFRunLoopGetCurrent())
        let objects: [CFTypeRef] = [loop, "string" as CFString, [] as CFArray]

        #expect(objects.map(CFGetTypeID).first == CFRunLoopGetTypeID())
        #expect(Set(objects.map(CFGetTypeID)).count == 3)
        #expect(!CFEqual(objects[0], objects[1]))
        #expect(CFHash(objects[1]) == CFHash("string" as CFString))
        #expect(CFCopyDescription(objects[0]).map { String($0).contains("RLRunLoop") } == true)
    }

    @Test("calls closures that capture variables, which need not be Sendable")
    func closures() {
        var events: [String] = []
        let observer = CFRunLoopObserverCreateWithHandler(
            nil,
            CFRunLoopActivity.entry.rawValue,
            true,
            0
        ) { _, activity in
            events.append("\(activity)")
        }
        let timer = CFRunLoopTimerCreateWithHandler(nil, 0, 0, 0, 0) { _ in
            events.append("timer")
        }
        CFRunLoopAddObserver(CFRunLoopGetCurrent(), observer, mode)
        CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, mode)
        CFRunLoopPerformBlock(CFRunLoopGetCurrent(), mode.rawValue) { events.append("name") }
        CFRunLoopPerformBlock(CFRunLoopGetCurrent(), mode) { events.append("mode") }
        CFRunLoopPerformBlock(
            CFRunLoopGetCurrent(),
            ["other" as CFString, mode.rawValue] as CFArray
        ) {
            events.append("array")
        }

        let result = CFRunLoopRunInMode(mode, 60, false)
        CFRunLoopObserverInvalidate(observer)

        #expect(result == .finished)
        #expect(events == ["entry", "name", "mode", "array", "timer"])
    }

    @Test("releases a closure when its item is invalid")
    func release() {
        final class Probe {}
        weak var probe: Probe?
        var timer: CFRunLoopTimer?
        do {
            let captured = Probe()
            probe = captured
            timer = CFRunLoopTimerCreateWithHandler(nil, 0, 0, 0, 0) { _ in _ = captured }
        }
        #expect(probe != nil)

        CFRunLoopTimerInvalidate(timer)

        #expect(probe == nil)
    }

    @Test("performs no closure if there is none")
    func noClosure() {
        CFRunLoopPerformBlock(CFRunLoopGetCurrent(), mode.rawValue, nil)

        #expect(CFRunLoopRunInMode(mode, 60, false) == .finished)
    }
}

@Suite("Basic objects in CF's spelling")
struct BasicObjectTests {
    @Test("are bytes that grow")
    func data() throws {
        let data = try #require(CFDataCreateMutable(kCFAllocatorDefault, 0))
        CFDataAppendBytes(data, [1, 2, 3], 3)
        CFDataDeleteBytes(data, CFRangeMake(0, 1))
        var copy = [UInt8](repeating: 0, count: 2)
        CFDataGetBytes(data, CFRange(location: 0, length: 2), &copy)

        #expect(CFDataGetLength(data) == 2)
        #expect(copy == [2, 3])
        #expect(CFEqual(data, try #require(CFDataCreate(nil, [2, 3], 2))))
    }

    @Test("are arrays that change")
    func arrays() throws {
        var callBacks = kCFTypeArrayCallBacks
        let array = try #require(CFArrayCreateMutable(nil, 0, &callBacks))
        let value = "value" as CFString
        withExtendedLifetime(value) {
            CFArrayAppendValue(array, unsafeBitCast(value, to: UnsafeRawPointer.self))
        }

        // The array retains its elements; the cast adds a reference.
        let first = unsafeBitCast(CFArrayGetValueAtIndex(array, 0), to: CFString.self)
        #expect(first == value)
        CFArrayRemoveAllValues(array)
        #expect(CFEqual(array, [] as CFArray))
    }
}

@Suite("What Apple's systems have beside CF's functions") struct BesideTests {
    @Test("Glibc's constants make a socket") func socketConstants() {
        let socket = CFSocketCreate(nil, AF_INET, SOCK_DGRAM, IPPROTO_UDP, 0, nil, nil)
        #expect(CFSocketIsValid(socket))
        CFSocketInvalidate(socket)
    }

    @Test("a Boolean that C sets is Darwin's or Swift's") func booleans() {
        var darwin: DarwinBoolean = true
        var swift = true
        let port = CFMachPortCreate(nil, nil, nil, &darwin)
        let other = CFMachPortCreate(nil, nil, nil, &swift)
        #expect(!darwin.boolValue && !swift)
        CFMachPortInvalidate(port)
        CFMachPortInvalidate(other)
    }

    @Test("bytes are swapped") func byteOrder() {
        #expect(CFSwapInt16HostToBig(0x1234) == 0x3412)
        #expect(CFSwapInt32BigToHost(0x1234_5678) == 0x7856_3412)
        #expect(CFSwapInt64(CFSwapInt64(7)) == 7 && CFSwapInt32HostToLittle(7) == 7)
    }
}
