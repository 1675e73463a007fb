import Glibc
import RunLoopKit
import Testing
import ThreadKit

@Suite("The description of an item names the client's closure") struct ClosureNameTests {
    @Test("of C-style items [DESC-3 DESC-4 DESC-5]", arguments: cStyleItems.keys.sorted())
    func cStyle(_ kind: String) throws {
        let describe = try #require(cStyleItems[kind])
        let text = describe()
        #expect(text.contains("closure #1 in RunLoopKitTests.\(kind)"), "\(text)")
    }

    @Test("of items that a loop's object makes") func objects() throws {
        let text = try #require(
            onFreshThread {
                let loop = RLRunLoop.current
                let timer = timerOfLoop(loop)
                let observer = observerOfLoop(loop)
                delayOnLoop(loop)
                defer {
                    timer.invalidate()
                    observer.invalidate()
                }
                return loop.debugDescription
            }
        )
        for name in ["timerOfLoop", "observerOfLoop", "delayOnLoop"] {
            #expect(text.contains("closure #1 in RunLoopKitTests.\(name)"), "\(name): \(text)")
        }
    }

    @Test("not when the timer is over, whose closure is gone") func gone() throws {
        let text = try #require(
            onFreshThread {
                let timer = timerOfLoop(RLRunLoop.current)
                timer.invalidate()
                return String(describing: timer.getRLRunLoopTimer())
            }
        )
        #expect(!text.contains("closure #1 in RunLoopKitTests.timerOfLoop"), "\(text)")
    }
}

private let cStyleItems: [String: @Sendable () -> String] = [
    "sourceOfVersion0": sourceOfVersion0,
    "sourceOfVersion1": sourceOfVersion1,
    "sourceOfVersion2": sourceOfVersion2,
    "signalSource": signalSource,
    "timer": timer,
    "observer": observer,
]

@Sendable private func sourceOfVersion0() -> String {
    String(describing: RLRunLoopSourceCreate { touch() })
}

@Sendable private func sourceOfVersion1() -> String {
    String(describing: RLRunLoopSourceCreate(port: 0) { touch() })
}

@Sendable private func sourceOfVersion2() -> String {
    String(describing: RLRunLoopSourceCreate(descriptor: 0) { _ in touch() })
}

@Sendable private func signalSource() -> String {
    let source = RLSignalSourceCreate(signals: [SIGWINCH]) { _, _ in touch() }
    defer { RLRunLoopSourceInvalidate(source) }
    return String(describing: source)
}

@Sendable private func timer() -> String {
    String(describing: RLRunLoopTimerCreate(fireDate: 0) { _ in touch() })
}

@Sendable private func observer() -> String {
    String(describing: RLRunLoopObserverCreate(activities: .exit) { _, _ in touch() })
}

@Sendable private func timerOfLoop(_ loop: RLRunLoop) -> RLTimer {
    let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in touch() }
    loop.add(timer, forMode: .default)
    return timer
}

@Sendable private func observerOfLoop(_ loop: RLRunLoop) -> RLRunLoopObserver {
    loop.observe(.exit) { _, _ in touch() }
}

@Sendable private func delayOnLoop(_ loop: RLRunLoop) {
    loop.perform(afterDelay: 1000) { touch() }
}

/// Keeps the code of closures distinct: identical code may be merged.
@inline(never) private func touch() {
    withExtendedLifetime(0) {}
}
