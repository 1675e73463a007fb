import CoreRunLoop
import Testing
import ThreadKit

// Infos are `Unmanaged` pointers, as in CF's samples in Swift.

@Suite("The info of a context")
struct ContextOwnershipTests {
    @Test("that was passed retained is released by the release callback, at invalidation")
    func passedRetained() {
        let log = Log<String>()
        var context = RLRunLoopTimerContext()
        context.info = Unmanaged.passRetained(Token(log)).toOpaque()
        context.release = { $0.map { Unmanaged<Token>.fromOpaque($0).release() } }
        let timer = RLRunLoopTimerCreate(kRLAllocatorDefault, 0, 0, 0, 0, { _, _ in }, &context)

        #expect(log.entries.isEmpty)
        RLRunLoopTimerInvalidate(timer)

        #expect(log.entries == ["released"])
    }

    @Test("is held by the retain callback as long as the observer is valid")
    func retainCallback() {
        let log = Log<String>()
        var token: Token? = Token(log)
        var context = RLRunLoopObserverContext()
        // The token lives until the observer has retained it.
        context.info = token.map { Unmanaged.passUnretained($0).toOpaque() }
        context.retain = { info in
            info.map { UnsafeRawPointer(Unmanaged<Token>.fromOpaque($0).retain().toOpaque()) }
        }
        context.release = { $0.map { Unmanaged<Token>.fromOpaque($0).release() } }
        let observer = withExtendedLifetime(token) {
            RLRunLoopObserverCreate(kRLAllocatorDefault, 1, true, 0, { _, _, _ in }, &context)
        }

        token = nil
        #expect(log.entries.isEmpty && token == nil)
        RLRunLoopObserverInvalidate(observer)

        #expect(log.entries == ["released"])
    }

    @Test("of a source is given up with the source")
    func sourceInfo() {
        let log = Log<String>()
        var context = RLRunLoopSourceContext()
        context.info = Unmanaged.passRetained(Token(log)).toOpaque()
        context.release = { $0.map { Unmanaged<Token>.fromOpaque($0).release() } }
        var source: RLRunLoopSourceRef? = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)

        RLRunLoopSourceInvalidate(source)
        #expect(log.entries.isEmpty)
        source = nil

        #expect(log.entries == ["released"] && source == nil)
    }

    @Test("reaches the callbacks of a source")
    func sourceCallbacks() {
        let log = Log<String>()

        onFreshThread {
            var context = RLRunLoopSourceContext()
            // The log outlives the thread and its source.
            context.info = Unmanaged.passUnretained(log).toOpaque()
            context.schedule = { info, loop, mode in
                add("schedule \(loop === RLRunLoopGetCurrent()) \(mode as Any)", to: info)
            }
            context.cancel = { info, _, mode in
                add("cancel \(mode.map(RLRunLoopMode.init(_:)) == "mode")", to: info)
            }
            context.perform = { add("perform", to: $0) }
            let source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, "mode")
            RLRunLoopSourceSignal(source)
            RLRunLoopRunInMode("mode", 0, true)
            RLRunLoopSourceInvalidate(source)
        }

        #expect(log.entries == ["schedule true Optional(mode)", "perform", "cancel true"])
    }

    @Test("is described by a string that the callback hands over")
    func description() {
        var context = RLRunLoopTimerContext()
        context.info = Unmanaged.passUnretained(described).toOpaque()
        context.copyDescription = { info in
            // The caller owns the returned reference.
            info.map { Unmanaged<RLStringRef>.fromOpaque($0).takeUnretainedValue() }
        }
        let timer = RLRunLoopTimerCreate(kRLAllocatorDefault, 0, 0, 0, 0, { _, _ in }, &context)
        let before = referencesToDescribed()

        let descriptions = (0..<10).map { _ in String(describing: timer as Any) }

        #expect(descriptions.allSatisfy { $0.contains("what the info is") })
        #expect(referencesToDescribed() == before)
    }
}

private let described = RLStringCreate("what the info is")

// Both readings use the same code: the caller may hold references of its own.
private func referencesToDescribed() -> RLIndex {
    RLGetRetainCount(described)
}

private func add(_ entry: String, to info: UnsafeMutableRawPointer?) {
    guard let info else { return }
    // The info is the test's log, which outlives this call.
    Unmanaged<Log<String>>.fromOpaque(info).takeUnretainedValue().add(entry)
}
