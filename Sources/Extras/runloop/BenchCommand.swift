import ArgumentParser
import BenchKit
import RunLoopDiagnostics

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures the loop on this machine, beside a loop written by hand.",
        discussion: """
            The floor is epoll, an eventfd and a timerfd, with nothing around them. The loop is \
            measured on a thread of its own and on the main thread, where it serves the main \
            queue too. Each figure is a median, and the ratio that of the first column to the last. In the last workload both loops poll for a while before they sleep, as ours \
            does after RLRunLoopSetBusyPollInterval. A dash means that the workload needs more \
            processors than there are. Build with -c release. Tests/Costs/Benchmarks compares with other \
            loops too.
            """
    )

    @Option(help: .init("How often to run each workload on each loop.", valueName: "count"))
    var runs = 3

    @Option(help: .init("Run only the workloads whose names contain this.", valueName: "text"))
    var only: String?

    @Option(
        help: .init("Leave out sizes above this, but the first of a workload.", valueName: "size")
    )
    var largest = 10_000

    @Flag(help: "Compare the loop with itself while it is traced, not with the floor.")
    var traced = false

    @Flag(help: "Measure the cost of a stall monitor at 10,000 passes a second instead.")
    var monitor = false

    @Flag(help: "Measure the cost of 'runloop top' at 10,000 passes a second instead.")
    var viewer = false

    @Flag(help: "Write JSON instead of a table.")
    var json = false

    func validate() throws {
        if runs <= 0 { throw ValidationError("'--runs' must be at least 1.") }
        if monitor && (json || traced || viewer || only != nil) {
            throw ValidationError("'--monitor' can only be combined with '--runs'.")
        }
        if viewer && (json || traced || only != nil) {
            throw ValidationError("'--viewer' can only be combined with '--runs'.")
        }
        if chosen.isEmpty {
            let names = workloads.map { "  \(String(cString: $0.name))" }.joined(separator: "\n")
            throw ValidationError(
                "No workload's name contains '\(only ?? "")'. There are:\n\(names)"
            )
        }
    }

    func run() throws {
        warnOfDebugBuild()
        if monitor { return try MonitorBench(subject: .monitor, rounds: runs * 10).run() }
        if viewer { return try MonitorBench(subject: .viewer, rounds: runs).run() }
        if json { return try writeJSON(Table(rows: rows.map { $0 })) }
        write(line("workload", "size", columns + ["ratio"]))
        for row in rows { write(written(row)) }
    }

    private struct Table: Encodable {
        #if DEBUG
            var build = "debug"
        #else
            var build = "release"
        #endif
        let rows: [Row]
    }

    // The medians of a workload with one size. A column that cannot be measured has no value.
    private struct Row: Encodable {
        let workload: String
        let size: Int
        let unit: String
        let figures: [String: Double]
        let ratio: Double?
        var skipped: String?
    }

    /// A column of the table.
    ///
    /// The ratio divides the first column by the last column.
    private typealias Column = (name: String, measure: (workload, Int) -> [Double])

    private var subjects: [Column] {
        let ours: Column = ("ours", { measured($0, engine_ours, $1) })
        if traced { return [("traced", tracing), ("not traced", ours.measure)] }
        return [ours, ("on main", measuredOnMain), ("floor", { measured($0, engine_floor, $1) })]
    }

    private var columns: [String] { subjects.map(\.name) }

    private var chosen: [workload] {
        workloads.filter { workload in
            only.map { String(cString: workload.name).contains($0) } ?? true
        }
    }

    /// The rows, which are lazy so that each row is measured when it is printed.
    private var rows: some Sequence<Row> {
        chosen.lazy.flatMap { workload in
            sizes(of: workload).lazy.map { compared(workload, $0) }
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

    private func sizes(of workload: workload) -> [Int] {
        let all = withUnsafeBytes(of: workload.sizes) { Array($0.bindMemory(to: Int.self)) }
        return all.enumerated().filter { $1 > 0 && ($0 == 0 || $1 <= largest) }.map(\.element)
    }

    /// Measures the columns alternately, so that other programs affect all columns alike.
    private func compared(_ workload: workload, _ size: Int) -> Row {
        if let reason = lack(of: workload, size) {
            return Row(
                workload: String(cString: workload.name),
                size: size,
                unit: String(cString: workload.unit),
                figures: [:],
                ratio: nil,
                skipped: reason
            )
        }
        var samples: [String: [Double]] = [:]
        for _ in 0..<runs {
            for subject in subjects {
                samples[subject.name, default: []] += subject.measure(workload, size)
            }
        }
        let figures = samples.filter { !$0.value.isEmpty }.mapValues(median)
        let first = figures[columns[0]] ?? 0
        let last = figures[columns[columns.count - 1]] ?? 0
        return Row(
            workload: String(cString: workload.name),
            size: size,
            unit: String(cString: workload.unit),
            figures: figures,
            ratio: last > 0 ? first / last : nil
        )
    }

    private func lack(of workload: workload, _ size: Int) -> String? {
        var workload = workload
        let (needed, limit) = (workload_descriptors(&workload, size), raise_descriptor_limit())
        return needed > limit
            ? "needs \(needed) descriptors, and the limit is \(limit): see `ulimit -n`" : nil
    }

    private func written(_ row: Row) -> String {
        if let reason = row.skipped { return line(row.workload, String(row.size), [reason]) }
        let cells = columns.map { column in
            row.figures[column].map { "\(rounded($0)) \(row.unit)" } ?? "-"
        }
        return line(row.workload, String(row.size), cells + [row.ratio.map(rounded) ?? "-"])
    }

    private func tracing(_ workload: workload, _ size: Int) -> [Double] {
        let tracer = RLRunLoopTracer()
        tracer.startAll()
        defer { tracer.stop() }
        return measured(workload, engine_ours, size)
    }

    /// Measures the main loop, without allocations, because it allocates like any other loop.
    private func measuredOnMain(_ workload: workload, _ size: Int) -> [Double] {
        guard String(cString: workload.unit) == "ns" else { return [] }
        var engine = engine_ours
        engine.is_on_main = true
        return measured(workload, engine, size)
    }

    /// Measures a workload; returns an empty array if the engine lacks the operation.
    private func measured(_ workload: workload, _ engine: engine, _ size: Int) -> [Double] {
        var workload = workload
        var engine = engine
        engine.is_used_again = true
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

    private func line(_ name: String, _ size: String, _ columns: [String]) -> String {
        padded(name, to: 44) + ([size] + columns).map { padded($0, to: 14) }.joined()
    }
}
