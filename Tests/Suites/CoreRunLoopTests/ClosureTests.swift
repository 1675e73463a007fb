import CoreRunLoop
import Testing
import ThreadKit

@Suite("A block")
struct BlockModeTests {
    @Test("for several modes runs once, in the first of them that runs")
    func severalModes() {
        let log = Log<String>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            RLRunLoopPerformBlock(loop, ["a", "b"]) { log.add("block") }
            RLRunLoopPerformBlock(loop, "b") { log.add("other block") }
            log.add("b \(RLRunLoopRunInMode("b", 0, false))")
            log.add("a \(RLRunLoopRunInMode("a", 0, false))")
        }

        #expect(log.entries == ["block", "other block", "b timedOut", "a finished"])
    }

    @Test("takes a mode as an object of the engine too")
    func rawModes() {
        let log = Log<String>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            RLRunLoopPerformBlock(loop, RLRunLoopMode.defaultMode.rawValue) { log.add("string") }
            RLRunLoopPerformBlock(loop, RLRunLoopCopyAllModes(loop)) { log.add("array") }
            RLRunLoopRunInMode(.defaultMode, 0, false)
        }

        #expect(log.entries == ["string", "array"])
    }

    @Test("for no mode never runs")
    func noMode() {
        let log = Log<String>()

        onFreshThread {
            RLRunLoopPerformBlock(RLRunLoopGetCurrent(), []) { log.add("block") }
            log.add("\(RLRunLoopRunInMode(.defaultMode, 0, false))")
        }

        #expect(log.entries == ["finished"])
    }
}

@Suite("A source made from closures")
struct ClosureSourceTests {
    @Test("is notified when it enters and leaves a mode, and when it is signalled")
    func signalSource() {
        let log = Log<String>()

        onFreshThread {
            let loop = RLRunLoopGetCurrent()
            let source = RLRunLoopSourceCreate(
                order: 7,
                schedule: { log.add("schedule \($1) \($0 === loop)") },
                cancel: { log.add("cancel \($1) \($0 === loop)") },
                perform: { log.add("perform") }
            )
            RLRunLoopAddSource(loop, source, "mode")
            log.add("contained \(RLRunLoopContainsSource(loop, source, "mode"))")
            RLRunLoopSourceSignal(source)
            RLRunLoopRunInMode("mode", 0, false)
            RLRunLoopRemoveSource(loop, source, "mode")
            log.add("order \(RLRunLoopSourceGetOrder(source))")
        }

        #expect(
            log.entries == [
                "schedule mode true", "contained true", "perform", "cancel mode true", "order 7",
            ]
        )
    }

    @Test("on a descriptor receives the ready events")
    func descriptorSource() throws {
        let log = Log<RLRunLoopDescriptorEvents>()
        let pipe = try Pipe()
        defer { pipe.close() }

        let result = onFreshThread {
            let loop = RLRunLoopGetCurrent()
            let writer = RLRunLoopSourceCreate(descriptor: pipe.writeEnd, events: { .write }) {
                log.add($0)
                pipe.write()
            }
            RLRunLoopAddSource(loop, writer, "write")
            RLRunLoopRunInMode("write", 10, true)
            let reader = RLRunLoopSourceCreate(descriptor: pipe.readEnd) {
                log.add($0)
                pipe.read()
            }
            RLRunLoopAddSource(loop, reader, "read")
            return RLRunLoopRunInMode("read", 10, true)
        }

        #expect(log.entries == [.write, .read])
        #expect(result == .handledSource)
    }

    @Test("on a pipe's end as a port is performed while there is something to read")
    func portSource() throws {
        let log = Log<String>()
        let pipe = try Pipe()
        defer { pipe.close() }

        onFreshThread {
            let source = RLRunLoopSourceCreate(port: pipe.readEnd) { log.add(pipe.read()) }
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, "mode")
            pipe.write()
            log.add("\(RLRunLoopRunInMode("mode", 10, true))")
            log.add("\(RLRunLoopRunInMode("mode", 0, true))")
        }

        #expect(log.entries == ["x", "handledSource", "timedOut"])
    }
}

@Suite("A context structure")
struct ContextTests {
    @Test("of version 1 needs no cast")
    func versionOne() {
        var context = RLRunLoopSourceContext1()
        context.version = 1
        context.getPort = { _ in -1 }

        let source = RLRunLoopSourceCreate(kRLAllocatorDefault, 3, &context)

        #expect(RLRunLoopSourceGetOrder(source) == 3)
    }

    @Test("of version 2 needs no cast")
    func versionTwo() {
        var context = RLRunLoopSourceContext2()
        context.version = 2
        context.getDescriptor = { _ in -1 }

        let source = RLRunLoopSourceCreate(kRLAllocatorDefault, 4, &context)

        #expect(RLRunLoopSourceGetOrder(source) == 4)
    }
}
