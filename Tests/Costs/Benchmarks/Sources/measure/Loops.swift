// The loops in C.

import Engines

extension Program {
    /// The workloads on all loops whose libraries are installed.
    static var loops: [Program] {
        let workloads = sequence(state: 0) { index in
            defer { index += 1 }
            return workload_at(index)?.pointee
        }
        return workloads.map { workload in
            Program(
                title: String(cString: workload.name),
                units: [String(cString: workload.unit)],
                figures: workload.is_distribution ? ["p50", "p99"] : [""],
                sizes: withUnsafeBytes(of: workload.sizes) {
                    Array($0.bindMemory(to: Int.self).prefix { $0 > 0 })
                },
                ways: engines.map { name, engine in
                    Way(name: name) { measure(workload, engine, size: $0) }
                }
            )
        }
    }

    private static var engines: [(name: String, engine: engine)] {
        [
            ("floor", engine_floor), ("ours", engine_ours), ("CF", engine_cf),
            ("GLib", engine_glib), ("libuv", engine_libuv), ("libev", engine_libev),
            ("libevent", engine_libevent), ("sd-event", engine_sd_event),
        ].filter { $0.1.open != nil }
    }

    private static func measure(_ workload: workload, _ engine: engine, size: Int) -> [Double] {
        var (workload, engine, samples) = (workload, engine, samples())
        guard workload_fits(&workload, &engine) else { return [] }
        workload_run(&workload, &engine, size, &samples)
        let values = UnsafeBufferPointer(start: samples.values, count: samples.count)
        return workload.is_distribution ? percentiles(of: values, [50, 99]) : Array(values)
    }
}
