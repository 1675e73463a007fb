import CoreRunLoop
import Testing

// These files name every function, type and constant that CF's run loop has, each bound to a
// variable of the type that it has in Swift on Apple's systems after the rename. If one is missing
// or has another type, they do not compile; if one does not work, they fail. An implicitly
// unwrapped type is `Optional` in a function's type: parameters that accept it are at least as
// wide, and `let x: T = f()` compiles only if the result is unwrapped implicitly.
//
// `.ci/names` does the same for C.

@Suite("The API's base is complete:")
struct BaseCompletenessTests {
    @Test("scalars are the same types as CF's")
    func scalars() {
        let index: Int = RLIndex(-1)
        let flags: UInt = RLOptionFlags(1)
        let hash: UInt = RLHashCode(2)
        let type: UInt = RLTypeID(3)
        let interval: Double = RLTimeInterval(0.5)
        let date: Double = RLAbsoluteTime(1.5)

        #expect((index, flags, hash) == (-1, 1, 2))
        #expect((type, interval, date) == (3, 0.5, 1.5))
    }

    @Test("the clock and its epoch are there")
    func clock() {
        let now: () -> RLAbsoluteTime = RLAbsoluteTimeGetCurrent
        let epoch: RLTimeInterval = kRLAbsoluteTimeIntervalSince1970

        #expect(epoch == 978_307_200)
        #expect(now() > 0)
    }

    @Test("the allocators are there, null as in CF")
    func allocators() {
        let allocators: [RLAllocatorRef?] = [kRLAllocatorDefault, kRLAllocatorSystemDefault]

        #expect(allocators.first == .some(nil))
    }

    @Test("objects can be compared, hashed, described and asked for their type")
    func objects() {
        let equal: (RLRunLoopRef, RLRunLoopRef) -> Bool = RLEqual
        let hash: (RLRunLoopRef) -> RLHashCode = RLHash
        let type: (RLRunLoopRef) -> RLTypeID = RLGetTypeID
        let describe: (RLRunLoopRef) -> RLStringRef = RLCopyDescription
        let show: (RLRunLoopRef) -> Void = RLShow
        let count: (RLRunLoopRef) -> RLIndex = RLGetRetainCount
        let loop: RLRunLoopRef = RLRunLoopGetMain()

        #expect(equal(loop, RLRunLoopGetMain()))
        #expect(hash(loop) == hash(RLRunLoopGetMain()))
        #expect(type(loop) == RLRunLoopGetTypeID())
        #expect(String(describe(loop)).hasPrefix("<RLRunLoop"))
        #expect(count(loop) > 0)
        withExtendedLifetime(show) {}
    }

    @Test("functions that take any object take a bare pointer too")
    func pointers() {
        let string = RLStringCreate("a")
        let retain: (RLTypeRef?) -> RLTypeRef? = RLRetain
        let release: (RLTypeRef?) -> Void = RLRelease
        let type: (RLTypeRef?) -> RLTypeID = RLGetTypeID

        #expect(retain(string.unsafeTypeReference) == string.unsafeTypeReference)
        #expect(RLGetRetainCount(string) == 2)
        release(string.unsafeTypeReference)
        #expect(RLGetRetainCount(string) == 1)
        #expect(type(string.unsafeTypeReference) == RLStringGetTypeID())
    }

    @Test("a mode is made from strings of both kinds, and known by its constants")
    func modes() {
        let make: (String) -> RLRunLoopMode = RLRunLoopMode.init(_:)
        let makeOfObject: (RLStringRef) -> RLRunLoopMode = RLRunLoopMode.init(_:)
        let makeOfRawValue: (RLStringRef) -> RLRunLoopMode = RLRunLoopMode.init(rawValue:)
        let literal: RLRunLoopMode = "mode"
        let rawValue: RLStringRef = literal.rawValue
        let constants: [RLRunLoopMode] = [.defaultMode, .commonModes]
        let perhaps: RLRunLoopMode? = RLRunLoopMode.defaultMode

        #expect(
            Set([make("mode"), makeOfObject(rawValue), makeOfRawValue(rawValue), literal]) == [
                "mode"
            ]
        )
        #expect(constants.map(\.description) == ["kRLRunLoopDefaultMode", "kRLRunLoopCommonModes"])
        #expect(perhaps == .defaultMode)
    }
}
