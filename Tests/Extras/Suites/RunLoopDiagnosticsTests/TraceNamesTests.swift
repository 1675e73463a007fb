import Testing

@testable import RunLoopDiagnostics

@Suite("The name of a function in a trace") struct TraceNamesTests {
    @Test(
        "has no modules, no arguments and no additions of the compiler",
        arguments: [
            ("main", "main"),
            ("__main_block_invoke", "__main_block_invoke"),
            ("app.Model.load(from: Swift.String) -> ()", "Model.load"),
            ("static app.Model.shared() -> app.Model", "Model.shared"),
            ("app.Box.open<A where A: app.Key>(A) throws -> A.Value", "Box.open"),
            (
                "closure #1 @Sendable (A.B) -> () in app.Model.load() -> ()",
                "closure #1 in Model.load"
            ),
            (
                "closure #2 @Sendable () -> () in closure #1 (A.T) -> () in app.run() throws -> ()",
                "closure #2 in closure #1 in run"
            ),
            (
                "partial apply forwarder for closure #1 () -> () in app.(Ticker in _8A20).init(Swift.Int)"
                    + " -> app.(Ticker in _8A20)",
                "closure #1 in Ticker.init"
            ),
            (
                "closure #1 () -> () in app.Queue.(in _8A20).init(app.Loop) -> app.Queue",
                "closure #1 in Queue.init"
            ),
            ("app.(parse in _8A20)() -> ()", "parse"),
            (
                "function signature specialization <Arg[0] = Dead> of closure #1 () -> () in "
                    + "app.Queue.stop() -> ()",
                "closure #1 in Queue.stop"
            ),
            (
                "merged generic specialization <Swift.Int> of app.Box.open<A>(A) -> ()",
                "Box.open"
            ),
            (
                "protocol witness for Kit.Delegate.read(_: Kit.Stream, handle: Kit.Event) -> () in "
                    + "conformance app.(Reader in _8A20) : Kit.Delegate in app",
                "Reader.read"
            ),
            (
                "protocol witness for Swift.Collection.formIndex(after: inout A.Index) -> () in conformance "
                    + "< where A: Swift.Strideable> Swift.Range<A> : Swift.Collection in Swift",
                "Range.formIndex"
            ),
            ("(extension in app):Swift.Array.sorted(by: app.Key) -> [A]", "Array.sorted"),
            (
                "closure #1 (A) -> B in static (extension in app):app.Box< where A: ~Swift.Copyable>.use<A>"
                    + "(A) -> A1",
                "closure #1 in Box.use"
            ),
            ("type metadata for app.(Reader in _8A20)", "Reader"),
            ("full type metadata for app.Reader", "Reader"),
        ]
    )
    func short(symbol: String, expected: String) {
        #expect(TraceNames.shortened(symbol) == expected)
    }

    @Test("is cached for a limited number of addresses") func bound() {
        let names = TraceNames()
        for address in 1...UInt(TraceNames.most) + 1 { _ = names.frame(at: address) }
        #expect(names.count == 1)
    }
}
