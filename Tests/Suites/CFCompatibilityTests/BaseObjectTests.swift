// The base objects in CF's spelling, as Swift code for Apple's systems uses them.

import CFCompatibility
import Testing

@Suite("In CF's spellings there are")
struct BaseObjectTests {
    @Test("strings that can be changed")
    func mutableStrings() {
        let string = CFStringCreateMutable(kCFAllocatorDefault, 0)!
        CFStringAppend(string, "lines" as CFString)
        CFStringAppendCString(string, " of code", CFStringBuiltInEncodings.UTF8.rawValue)
        CFStringInsert(string, 0, "some " as CFString)
        let count = CFStringFindAndReplace(
            string,
            "o" as CFString,
            "0" as CFString,
            CFRangeMake(0, CFStringGetLength(string)),
            .compareCaseInsensitive
        )
        CFStringUppercase(string, nil)

        #expect(count == 3)
        #expect(String(string) == "S0ME LINES 0F C0DE")
        #expect(CFStringFind(string, "code" as CFString, []).location == kCFNotFound)
        #expect(CFStringFind(string, "LINES" as CFString, .compareBackwards).location == 5)
    }

    @Test("the code units and bytes of strings")
    func unitsOfStrings() {
        let units: [UniChar] = [0x61, 0xD83D, 0xDE00, 0]
        let string = CFStringCreateWithCharacters(nil, units, units.count)!
        var copy = [UniChar](repeating: 1, count: 4)
        var bytes = [UInt8](repeating: 1, count: 16)
        var used = 0
        CFStringGetCharacters(string, CFRangeMake(0, 4), &copy)
        let converted = CFStringGetBytes(
            string,
            CFRangeMake(0, 4),
            CFStringBuiltInEncodings.UTF16LE.rawValue,
            0,
            false,
            &bytes,
            bytes.count,
            &used
        )

        #expect(copy == units)
        #expect(String(string) == "a\u{1F600}\0")
        #expect((converted, used) == (4, 8))
        #expect(Array(bytes[..<8]) == [0x61, 0, 0x3D, 0xD8, 0, 0xDE, 0, 0])
        #expect(CFStringGetDoubleValue("1.5x" as CFString) == 1.5)
    }

    @Test("strings with half a pair of surrogates, which Swift's cannot have")
    func halfPairs() {
        let half = CFStringCreateWithCharacters(nil, [0xD83D], 1)!

        #expect(CFStringGetLength(half) == 1)
        #expect(String(half) == "\u{FFFD}")
    }

    @Test("allocators")
    func allocators() {
        var context = CFAllocatorContext()
        context.allocate = { size, _, _ in
            UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        }
        context.deallocate = { memory, _ in memory?.deallocate() }
        var releases = 0
        context.release = { info in
            UnsafeMutablePointer(mutating: info!.assumingMemoryBound(to: Int.self)).pointee += 1
        }
        withUnsafeMutablePointer(to: &releases) { count in
            context.info = UnsafeMutableRawPointer(count)
            let allocator: CFAllocator = CFAllocatorCreate(nil, &context)!
            let copy: CFTypeRef = allocator
            let memory = CFAllocatorAllocate(allocator, 16, 0)
            #expect(memory != nil && CFEqual(copy, allocator) && count.pointee == 0)
            #expect(CFGetTypeID(copy) == CFAllocatorGetTypeID())
            CFAllocatorDeallocate(allocator, memory)
        }
        #expect(releases == 1)
        #expect(CFAllocatorGetDefault() == kCFAllocatorSystemDefault)
        #expect(CFGetAllocator("text" as CFString) == kCFAllocatorSystemDefault)
    }

    @Test("dates and errors")
    func datesAndErrors() {
        let date = CFDateCreate(nil, 1.5)!
        let later = CFDateCreate(nil, 2)!
        let error = CFErrorCreate(nil, kCFErrorDomainPOSIX, 2, nil)!

        #expect(CFDateGetTimeIntervalSinceDate(later, date) == 0.5)
        #expect(CFDateCompare(date, later, nil) == .compareLessThan)
        #expect(date == CFDateCreate(nil, 1.5))
        #expect(CFErrorGetCode(error) == 2)
        #expect(CFErrorGetDomain(error) == kCFErrorDomainPOSIX)
        #expect(String(CFErrorCopyFailureReason(error)) == "No such file or directory")
    }

    @Test("searches in data and arrays")
    func searches() {
        let data = CFDataCreate(nil, [1, 2, 3, 1, 2], 5)!
        let part = CFDataCreate(nil, [1, 2], 2)!

        #expect(CFDataFind(data, part, CFRangeMake(0, 5), .backwards).location == 3)
    }

    @Test("bound streams and the URLs of files")
    func streams() {
        var reader: CFReadStream?
        var writer: CFWriteStream?
        var bytes = [UInt8](repeating: 0, count: 8)
        CFStreamCreateBoundPair(nil, &reader, &writer, 4)

        #expect(CFReadStreamOpen(reader) && CFWriteStreamOpen(writer))
        #expect(CFWriteStreamWrite(writer, [1, 2, 3, 4, 5], 5) == 4)
        #expect(CFReadStreamRead(reader, &bytes, 8) == 4)
        #expect(CFReadStreamCopyError(reader) == nil)
        let url = CFURLCreateWithFileSystemPath(
            nil,
            "/nonexistent/x" as CFString,
            .cfurlposixPathStyle,
            false
        )
        let file = CFReadStreamCreateWithFile(nil, url)
        #expect(!CFReadStreamOpen(file))
        #expect(CFErrorGetCode(CFReadStreamCopyError(file)) == 2)
    }
}
