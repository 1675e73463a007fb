import Testing

@testable import RunLoopDiagnostics

@Suite("A function in a backtrace") struct BacktraceNamesTests {
    @Test(
        "is not the client's if this package or the compiler made it",
        arguments: [
            "static RunLoopKit.RLThread.sleep(forTimeInterval: Swift.Double) -> ()",
            "function signature specialization <Arg[1] = Dead> of static RunLoopKit.RLThread.sleep("
                + "forTimeInterval: Swift.Double) -> ()",
            "generic specialization <Swift.Int> of RunLoopKit.Locked.withLock<A>() -> A1",
            "merged RunLoopKit.RLTimer.fireDate.getter : FoundationEssentials.Date",
            "closure #1 @Sendable (Swift.OpaquePointer) -> () in RunLoopKit.RLTimer.init() -> ()",
            "(extension in CoreRunLoop):__C.RLRunLoopRef.run() -> ()",
            "reabstraction thunk helper from @escaping () -> () to @escaping () -> ()",
            "_dispatch_client_callout",
        ]
    )
    func between(symbol: String) {
        #expect(RLBacktrace.Frame.onlyPassesOn(symbol))
    }

    @Test(
        "is the client's even if the optimizer has specialized it",
        arguments: [
            "app.Model.load(from: RunLoopKit.RLThread) -> ()",
            "generic specialization <Swift.Int> of app.sort<A where A: Swift.Comparable>([A]) -> [A]",
            "function signature specialization <Arg[0] = Owned To Guaranteed> of generic specialization "
                + "<Swift.Int> of app.Model.load() -> ()",
            "closure #1 (RunLoopKit.RLTimer) -> () in app.main() -> ()",
            "parse_document",
        ]
    )
    func clients(symbol: String) {
        #expect(!RLBacktrace.Frame.onlyPassesOn(symbol) && !RLBacktrace.Frame.isOfRuntime(symbol))
    }

    @Test(
        "is the client's even if the optimizer has inlined it into its forwarding function",
        arguments: [
            (
                "protocol witness for RunLoopKit.RLPortDelegate.handle(RunLoopKit.RLPortMessage) -> "
                    + "() in conformance app.(Reader in _8A20) : RunLoopKit.RLPortDelegate in app",
                "app.(Reader in _8A20).handle(RunLoopKit.RLPortMessage) -> ()"
            ),
            (
                "partial apply forwarder for closure #1 @Sendable () -> () in app.main() -> ()",
                "function signature specialization <Arg[0] = Dead> of closure #1 @Sendable () -> () "
                    + "in app.main() -> ()"
            ),
            (
                "merged @objc closure #1 (Swift.OpaquePointer) -> () in app.main() -> ()",
                "closure #1 (Swift.OpaquePointer) -> () in app.main() -> ()"
            ),
        ]
    )
    func inlined(forwarder: String, target: String) {
        #expect(RLBacktrace.Frame.onlyPassesOn(forwarder))
        #expect(!RLBacktrace.Frame.hasInlined(forwarder, butCalls: target))
        #expect(RLBacktrace.Frame.hasInlined(forwarder, butCalls: "usleep"))
        #expect(RLBacktrace.Frame.hasInlined(forwarder, butCalls: nil))
    }

    @Test(
        "is not inlined into forwarding functions to this package, or to the compiler's functions",
        arguments: [
            "protocol witness for RunLoopKit.RLPortDelegate.handle(RunLoopKit.RLPortMessage) -> () "
                + "in conformance RunLoopConcurrency.(PortReader in _2F12) : RunLoopKit.RLPortDelegate "
                + "in RunLoopConcurrency",
            "partial apply forwarder for reabstraction thunk helper from @escaping () -> () to () -> ()",
            "@objc closure #1 (Swift.OpaquePointer) -> () in CoreRunLoop.RLRunLoopTimerCreate() -> ()",
            "closure #1 (RunLoopKit.RLTimer) -> () in app.main() -> ()",
        ]
    )
    func notInlined(symbol: String) {
        #expect(!RLBacktrace.Frame.hasInlined(symbol, butCalls: "usleep"))
    }

    @Test(
        "is Swift's library's even if it was compiled into the program",
        arguments: [
            "Swift.Array.append(A) -> ()",
            "generic specialization <Swift.Int> of Swift.Array.append(A) -> ()",
            "generic specialization <[Swift.Int], Swift.Int> of (extension in Swift):Swift.Sequence.sorted()",
            "swift_retain",
            "merged static FoundationEssentials.Date.timeIntervalSinceReferenceDate.getter : Swift.Double",
            "(extension in FoundationEssentials):Swift.String.data(using: A) -> B",
        ]
    )
    func runtime(symbol: String) {
        #expect(RLBacktrace.Frame.isOfRuntime(symbol))
    }
}
