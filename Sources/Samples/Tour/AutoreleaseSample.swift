import RunLoopKit

/// Objects that a callback autoreleases live until the end of the pass, as in the main loop of an
/// app.
struct AutoreleaseSample: Sample {
    let name = "autorelease"
    let summary = "a pool for each pass: autoreleased objects live until the loop sleeps"

    func run(_ trace: Trace) throws {
        let loop = RLRunLoop.current
        loop.installAutoreleasePool()
        trace.remark("two observers: Entry at -2147483647, BeforeWaiting and Exit at 2147483647")
        loop.perform {
            RLAutorelease(Guest("a", trace))
            rlautoreleasepool { _ = RLAutorelease(Guest("b", trace)) }
            trace.event("the block is done, \(RLAutoreleasePool.count) object waits")
        }
        loop.observe(.beforeWaiting, repeats: false, order: 2_147_483_646) { _, _ in
            trace.event("at order 2147483646, \(RLAutoreleasePool.count) object waits")
        }
        loop.perform(afterDelay: 0.002) {
            RLAutorelease(Guest("c", trace))
            trace.event("a timer runs the loop in another run, with pools of its own")
            loop.perform(afterDelay: 0) { RLAutorelease(Guest("d", trace)) }
            loop.run(mode: .default, before: .distantPast)
            trace.event("the nested run is over, \(RLAutoreleasePool.count) object waits")
        }
        loop.run()
        trace.event("the run is over")

        trace.expect([
            "b goes",
            "the block is done, 1 object waits",
            "at order 2147483646, 1 object waits",
            "a goes",
            "a timer runs the loop in another run, with pools of its own",
            "d goes",
            "the nested run is over, 1 object waits",
            "c goes",
            "the run is over",
        ])
    }
}

private final class Guest {
    private let name: String
    private let trace: Trace

    init(_ name: String, _ trace: Trace) {
        self.name = name
        self.trace = trace
    }

    deinit {
        trace.event("\(name) goes")
    }
}
