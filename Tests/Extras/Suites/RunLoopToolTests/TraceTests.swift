import Testing

@testable import RunLoopSamples

@Suite("A sample")
struct SampleTests {
    @Test("that behaves as it should is as expected")
    func good() {
        #expect(run(Example(happening: ["a", "b"])))
    }

    @Test(
        "whose events differ is not as expected",
        arguments: [["a"], ["b", "a"], ["a", "b", "c"]]
    )
    func different(events: [String]) {
        #expect(!run(Example(happening: events)))
    }

    @Test("that ends early is not as expected")
    func thrown() {
        #expect(!run(Example(happening: ["a", "b"], error: Example.Failure())))
    }

    @Test("can be found by a name that no other has")
    func names() {
        let names = Samples.all.map(\.name)

        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { Samples.named($0)?.name == $0 })
        #expect(Samples.named("nonsense") == nil)
    }

    private func run(_ sample: Example) -> Bool {
        Samples.run(sample) { print($0) }
    }

    private struct Example: Sample {
        struct Failure: Error {}

        let name = "example"
        let summary = "events that are expected to be a and b"
        let events: [String]
        let error: Failure?

        init(happening events: [String], error: Failure? = nil) {
            self.events = events
            self.error = error
        }

        func run(_ trace: Trace) throws {
            events.forEach(trace.event)
            trace.expect(["a", "b"])
            if let error { throw error }
        }
    }
}

@Suite("The difference of two lists of events")
struct DifferenceTests {
    @Test("is nothing if they are the same")
    func same() {
        #expect(Trace.difference(expected: ["a", "b"], happened: ["a", "b"]) == nil)
        #expect(Trace.difference(expected: [], happened: []) == nil)
    }

    @Test("names the first event that differs")
    func other() {
        let text = Trace.difference(expected: ["a", "b", "c"], happened: ["a", "x", "c"])

        #expect(text == "event 2 should be 'b' but is 'x'")
    }

    @Test("reports a missing event")
    func missing() {
        let text = Trace.difference(expected: ["a", "b"], happened: ["a"])

        #expect(text == "event 2 should be 'b' but is nothing more")
    }

    @Test("reports an unexpected event")
    func extra() {
        let text = Trace.difference(expected: ["a"], happened: ["a", "b"])

        #expect(text == "event 2 should be nothing more but is 'b'")
    }
}
