import RunLoopKit
import Testing
import ThreadKit

@Suite("An autorelease pool") struct AutoreleaseTests {
    private struct Failure: Error {}

    @Test("releases when its closure returns or throws") func scope() {
        onFreshThread {
            let log = Log<String>()
            let result = rlautoreleasepool { () -> Int in
                RLAutorelease(Token(log))
                #expect(RLAutoreleasePool.count == 1)
                log.add("still there")
                return 7
            }
            #expect(result == 7)
            #expect(throws: Failure.self) {
                try rlautoreleasepool {
                    RLAutorelease(Token(log))
                    throw Failure()
                }
            }
            #expect(log.entries == ["still there", "released", "released"])
            #expect(RLAutoreleasePool.count == 0)
        }
    }

    @Test("takes a reference of its own to an object of the engine") func references() {
        onFreshThread {
            let string = RLStringCreate("some string that is no constant")
            let count = RLGetRetainCount(string)
            rlautoreleasepool {
                #expect(RLAutorelease(string) === string)
                #expect(RLGetRetainCount(string) > count)
            }
            #expect(RLGetRetainCount(string) == count)
        }
    }

    @Test("ends when it is drained, once, or with its last reference") func object() {
        onFreshThread {
            let log = Log<String>()
            let pool = RLAutoreleasePool()
            do {
                let inner = RLAutoreleasePool()
                RLAutorelease(Token(log))
                withExtendedLifetime(inner) { log.add("inner ends") }
            }
            RLAutorelease(Token(log))
            log.add("draining")
            pool.drain()
            pool.drain()
            #expect(log.entries == ["inner ends", "released", "draining", "released"])
        }
    }

    @Test("of a pass keeps what a callback autoreleases until the loop sleeps (NSAP-2)")
    func pass() {
        let log = Log<String>()
        onFreshThread {
            let loop = RLRunLoop.current
            loop.installAutoreleasePool()
            loop.installAutoreleasePool()
            loop.observe(.beforeWaiting, order: 2_147_483_646) { _, _ in log.add("last observer") }
            loop.perform(afterDelay: 0) {
                RLAutorelease(Token(log))
                loop.perform(afterDelay: 0.002) {
                    RLAutorelease(Token(log))
                    log.add("second pass")
                }
            }
            loop.run()
        }
        #expect(
            log.entries == [
                "last observer", "last observer", "released", "second pass", "released",
            ]
        )
    }

    @Test("lives no longer than its thread") func threadEnd() {
        let log = Log<String>()
        onFreshThread {
            RLAutoreleasePoolPush()
            RLAutorelease(Token(log))
            RLRunLoop.current.installAutoreleasePool()
            RLRunLoop.current.perform(afterDelay: 0) {
                RLAutorelease(Token(log))
                RLAutoreleasePoolPush()
            }
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            log.add("end")
        }
        #expect(log.entries == ["released", "end", "released"])
    }
}
