// What is measured.

import Engines

/// An event loop among those that are compared.
struct Subject {
    let name: String
    let measure: (workload, Int) -> [Double]

    /// The floor and ours come first, then CF, the peers, and the Swift layers: CoreRunLoop with
    /// C's contexts, and with closures.
    ///
    /// Ours and CF's are there on the main thread too.
    static var all: [Subject] {
        [
            Subject("floor", engine_floor),
            Subject("ours", engine_ours),
            Subject("ours on main", engine_ours, isOnMain: true),
            Subject("CF", engine_cf),
            Subject("CF on main", engine_cf, isOnMain: true),
            Subject("GLib", engine_glib),
            Subject("libuv", engine_libuv),
            Subject("libev", engine_libev),
            Subject("libevent", engine_libevent),
            Subject("sd-event", engine_sd_event),
            Subject("contexts", contextsEngine()),
            Subject("CoreRunLoop", coreRunLoopEngine()),
            Subject("RunLoopKit", runLoopKitEngine()),
            Subject("Foundation", foundationEngine()),
            Subject(name: "NIO") { measureNIO(String(cString: $0.name), size: $1) },
        ].compactMap { $0 }
    }

    /// The columns of RESULTS.md: of the peers only the best one, in a ratio.
    static let brief = [
        "floor", "ours", "ours on main", "contexts", "CoreRunLoop", "RunLoopKit", "CF",
        "CF on main", "Foundation", "NIO",
    ]

    /// The loops in C other than ours, CF's and the floor.
    static let peers = ["GLib", "libuv", "libev", "libevent", "sd-event"]

    init(name: String, measure: @escaping (workload, Int) -> [Double]) {
        self.name = name
        self.measure = measure
    }

    /// Nothing if the library is not installed.
    private init?(_ name: String, _ engine: engine, isOnMain: Bool = false) {
        guard engine.open != nil else { return nil }
        self.init(name: name) { workload, size in
            var workload = workload
            var engine = engine
            engine.is_on_main = isOnMain
            var samples = samples()
            guard workload_fits(&workload, &engine) else { return [] }
            workload_run(&workload, &engine, size, &samples)
            defer { samples_free(&samples) }
            return Array(UnsafeBufferPointer(start: samples.values, count: samples.count))
        }
    }
}

/// The workloads in C, under names for Swift.
enum Workloads {
    static var all: [workload] {
        Array(
            sequence(state: 0) { index in
                defer { index += 1 }
                return workload_at(index)?.pointee
            }
        )
    }
}

extension workload {
    var title: String { String(cString: name) }

    /// Whether it uses what loops do only if asked.
    var isOptIn: Bool { need == NEEDS_LOOKING }

    /// The sizes up to the first that is 0.
    var allSizes: [Int] {
        withUnsafeBytes(of: sizes) { Array($0.bindMemory(to: Int.self).prefix { $0 > 0 }) }
    }
}
