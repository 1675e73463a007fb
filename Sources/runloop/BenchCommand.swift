import ArgumentParser
import BenchKit
import RunLoopDiagnostics

/// `runloop bench`: how fast the loop is on this machine, beside one written by hand.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures the loop on this machine, beside a loop written by hand.",
        discussion: """
            The floor is epoll, an eventfd and a timerfd, with nothing around them. Each figure is \
            the median of the runs, and of a distribution its median. The last workload has both look \
            before they sleep, here by RLRunLoopSetBusyPollInterval, which is off unless asked \
            for. A dash stands for what needs more processors than there are. Build with -c release. Tests/Benchmarks compares with other loops too.
            """
    )

    @Option(help: "How often each workload runs on each of the two.")
    var runs = 3

    @Option(help: "Only workloads whose names contain this.")
    var only: String?

    @Flag(help: "Compare the loop while it is traced with itself, in place of the floor.")
    var traced = false

    @Flag(help: "Instead, what a stall monitor costs at 10,000 passes a second.")
    var monitor = false

    func run() throws {
        guard runs > 0 else { throw ValidationError("'--runs' is less than 1.") }
        if monitor { return MonitorBench(rounds: runs * 10).run() }
        let names = traced ? ("traced", "not traced") : ("ours", "floor")
        write(line("workload", "size", names.0, names.1, "ratio"))
        for workload in workloads
        where only.map({ String(cString: workload.name).contains($0) }) ?? true {
            for size in sizes(of: workload) { write(compared(workload, size)) }
        }
    }

    private var workloads: [workload] {
        Array(
            sequence(state: 0) { index in
                defer { index += 1 }
                return workload_at(index)?.pointee
            }
        )
    }

    /// The first size and those up to 10,000.
    private func sizes(of workload: workload) -> [Int] {
        let all = withUnsafeBytes(of: workload.sizes) { Array($0.bindMemory(to: Int.self)) }
        return all.enumerated().filter { $1 > 0 && ($0 == 0 || $1 <= 10_000) }.map(\.element)
    }

    /// The two take turns, so that what else the machine does falls on both.
    private func compared(_ workload: workload, _ size: Int) -> String {
        var first: [Double] = []
        var second: [Double] = []
        for _ in 0..<runs {
            first += traced ? tracing(workload, size) : measured(workload, engine_ours, size)
            second += measured(workload, traced ? engine_ours : engine_floor, size)
        }
        let unit = String(cString: workload.unit)
        return line(
            String(cString: workload.name),
            String(size),
            written(first, unit),
            written(second, unit),
            median(of: second) > 0 ? rounded(median(of: first) / median(of: second)) : "-"
        )
    }

    private func written(_ values: [Double], _ unit: String) -> String {
        values.isEmpty ? "-" : "\(rounded(median(of: values))) \(unit)"
    }

    private func tracing(_ workload: workload, _ size: Int) -> [Double] {
        let tracer = RLRunLoopTracer()
        tracer.startAll()
        defer { tracer.stop() }
        return measured(workload, engine_ours, size)
    }

    /// One figure, or none if the loop has no such thing.
    private func measured(_ workload: workload, _ engine: engine, _ size: Int) -> [Double] {
        var workload = workload
        var engine = engine
        var samples = samples()
        guard workload_fits(&workload, &engine) else { return [] }
        workload_run(&workload, &engine, size, &samples)
        defer { samples_free(&samples) }
        guard samples.count > 0 else { return [] }
        return [median(of: Array(UnsafeBufferPointer(start: samples.values, count: samples.count)))]
    }

    private func median(of values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    private func rounded(_ value: Double) -> String {
        value >= 100 ? String(Int(value)) : String((value * 100).rounded() / 100)
    }

    private func line(_ name: String, _ columns: String...) -> String {
        padded(name, to: 44) + columns.map { padded($0, to: 14) }.joined()
    }
}
