import CoreRunLoop
import Glibc
import Testing
import ThreadKit

@Suite("A message port")
struct MessagePortTests {
    /// A name that is unique to this run of the tests.
    private func name(_ suffix: String) -> String {
        "org.corerunloop.tests.\(getpid()).\(suffix)"
    }

    @Test("made from a closure answers")
    func answers() {
        let name = name("answers")
        onFreshThread {
            let local = RLMessagePortCreateLocal(name) { _, number, data in
                #expect([UInt8](data) == [1, 2, 3])
                return number == 1 ? RLDataCreate([4, 5]) : nil
            }
            let source = RLMessagePortCreateRunLoopSource(kRLAllocatorDefault, local, 0)
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            let remote = RLMessagePortCreateRemote(kRLAllocatorDefault, RLStringCreate(name))
            for (number, expected) in [(Int32(1), [UInt8(4), 5]), (2, [])] {
                var reply: RLDataRef?
                let result = RLMessagePortSendRequest(
                    remote,
                    number,
                    RLDataCreate([1, 2, 3]),
                    1,
                    10,
                    .defaultMode,
                    &reply
                )
                #expect(result == kRLMessagePortSuccess)
                #expect(reply.map { [UInt8]($0) } == expected)
            }
            RLMessagePortInvalidate(local)
            #expect(!RLMessagePortIsValid(remote))
        }
    }

    @Test("releases its closure when it is invalidated")
    func closure() {
        let name = name("closure")
        onFreshThread {
            final class Witness: Sendable {}
            weak var weakWitness: Witness?
            var local: RLMessagePortRef?
            do {
                let witness = Witness()
                weakWitness = witness
                local = RLMessagePortCreateLocal(name) { _, _, _ in
                    _ = witness
                    return nil
                }
            }
            #expect(weakWitness != nil)
            #expect(RLMessagePortCreateLocal(name) { _, _, _ in nil } == nil)
            RLMessagePortInvalidate(local)
            #expect(weakWitness == nil)
        }
    }

    @Test("hands a reply over to its variable, which releases it")
    func replies() {
        let name = name("replies")
        let references = onFreshThread {
            let local = RLMessagePortCreateLocal(name) { _, _, data in
                RLDataCreateMutableCopy(kRLAllocatorDefault, 0, data)
            }
            let source = RLMessagePortCreateRunLoopSource(kRLAllocatorDefault, local, 0)
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            let remote = RLMessagePortCreateRemote(kRLAllocatorDefault, RLStringCreate(name))
            var reply: RLDataRef?
            RLMessagePortSendRequest(
                remote,
                1,
                RLDataCreate([1]),
                1,
                10,
                .defaultMode,
                &reply
            )
            RLMessagePortInvalidate(local)
            // An extra reference, to count the others.
            let kept = reply?.unsafeRetained()
            reply = nil
            let references = RLGetRetainCount(kept)
            RLRelease(kept)
            return references
        }
        #expect(references == 1)
    }

    @Test("has Apple's spelling with a context")
    func spelling() {
        let name = name("spelling")
        onFreshThread {
            var shouldFreeInfo = true
            var context = RLMessagePortContext()
            let local = RLMessagePortCreateLocal(
                kRLAllocatorDefault,
                RLStringCreate(name),
                { _, _, data, _ in data?.unsafeRetained() },
                &context,
                &shouldFreeInfo
            )
            #expect(!shouldFreeInfo && !RLMessagePortIsRemote(local))
            #expect(RLMessagePortGetName(local) == RLStringCreate(name))
            RLMessagePortSetInvalidationCallBack(local) { port, info in
                #expect(port != nil && info == nil)
            }
            RLMessagePortInvalidate(local)
        }
    }
}
