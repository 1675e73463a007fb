import Glibc
import RunLoopKit

/// Replies to requests; confined to the inspector's thread.
struct InspectorService {
    /// Called by a timer while viewers are registered; must call `tick`.
    var onTick: @Sendable () -> Void = {}

    private let viewers = InspectorViewers()

    func answer(_ version: Int32, _ bytes: [UInt8]) -> [UInt8] {
        do throws(InspectorRefusal) {
            let request = try InspectorRequest(version: version, bytes: bytes)
            return InspectorReply.bytes(try answer(request))
        } catch {
            return InspectorReply.refusal(error.reason)
        }
    }

    func tick() {
        viewers.tick()
    }

    func close() {
        viewers.dismissAll()
    }

    private func answer(
        _ request: InspectorRequest
    ) throws(InspectorRefusal) -> [(String, JSONValue)] {
        switch request.verb {
        case .hello: return hello()
        case .dump: return [("lines", .list(RLRunLoopDump.lines().map(\.json)))]
        case .sample: return try sample(request)
        case .items: return try items(request)
        case .trace: return try trace(request)
        case .stacks: return try stacks(request)
        case .stalls: return try stalls(request)
        case .leave:
            viewers.dismiss(try request.viewer())
            return []
        }
    }

    private func hello() -> [(String, JSONValue)] {
        let loops = inspectedLoops().map(\.statistics)
        let running = loops.reduce(0) { $0 &+ $1.nanosecondsRunning }
        return ProcessCard.fields + [
            ("time", .number(Int(nanoseconds()))),
            ("loops", .number(loops.count)),
            ("nanosecondsRunning", .count(running)),
            ("viewers", .number(viewers.count)),
        ]
    }

    private func sample(
        _ request: InspectorRequest
    ) throws(InspectorRefusal) -> [(String, JSONValue)] {
        try viewers.welcome(try request.viewer(), onTick: onTick)
        viewers.collect()
        let collectors = viewers.collectors
        let reports = collectors.prefix(LoopReport.mostLoops).map { collector in
            LoopReport(collector).json
        }
        return ProcessCard.fields + [
            ("time", .number(Int(nanoseconds()))),
            ("loops", .list(reports)),
            ("omittedLoops", .number(collectors.count - reports.count)),
        ]
    }

    private func items(
        _ request: InspectorRequest
    ) throws(InspectorRefusal) -> [(String, JSONValue)] {
        let thread = try request.number("thread", in: 1...Int(Int32.max))
        let loop = inspectedLoops().first { $0.statistics.threadID == thread }
        guard let loop else { throw InspectorRefusal("thread \(thread) has no loop") }
        let collector = viewers.collectors.first { $0.loop === loop }
        return [("modes", .list(LoopReport.modes(of: loop, collector)))]
    }

    private func trace(
        _ request: InspectorRequest
    ) throws(InspectorRefusal) -> [(String, JSONValue)] {
        let limits = 64...InspectorViewers.mostCapacity
        let capacity = try request.number("capacity", in: limits, default: 65536)
        let viewer = try request.viewer()
        try viewers.welcome(viewer, depth: .everything(capacity), onTick: onTick)
        guard request.word("since") != nil else {
            return [("time", .number(Int(nanoseconds())))]
        }
        let since = UInt64(try request.number("since", in: 0...Int.max))
        let until = UInt64(try request.number("until", in: 0...Int.max, default: Int.max))
        guard request.word("thread") != nil else {
            let threads = viewers.collectors.map { Int($0.loop.statistics.threadID) }
            return ProcessCard.fields + [("threads", .list(threads.map { .number($0) }))]
        }
        let thread = try request.number("thread", in: 1...Int(Int32.max))
        let collector = viewers.collectors.first { $0.loop.statistics.threadID == thread }
        guard let recording = collector?.recording(from: since, until: until) else {
            throw InspectorRefusal("thread \(thread) has no recording")
        }
        return recording.json
    }

    private func stacks(
        _ request: InspectorRequest
    ) throws(InspectorRefusal) -> [(String, JSONValue)] {
        let viewer = try request.viewer()
        try viewers.welcome(viewer, onTick: onTick)
        return try viewers.sampler(of: viewer).json
    }

    private func stalls(
        _ request: InspectorRequest
    ) throws(InspectorRefusal) -> [(String, JSONValue)] {
        let viewer = try request.viewer()
        let threshold = try request.number("threshold", in: 5...60_000, default: 250)
        let from = try request.number("from", in: 0...Int.max, default: 0)
        try viewers.welcome(viewer, onTick: onTick)
        let watcher = try viewers.stallWatcher(of: viewer, threshold: threshold)
        let (reports, next) = watcher.reports(from: from)
        // A monitor misses callbacks that were running when the monitor started.
        let isAsked = request.word("earlier") != nil
        let earlier = isAsked ? viewers.stalledCallbacks(of: .milliseconds(threshold)) : []
        return [
            ("next", .number(next)),
            ("earlier", .list(earlier)),
            ("reports", .list(reports.map(\.json))),
        ]
    }
}

enum ProcessCard {
    static var fields: [(String, JSONValue)] {
        [
            ("process", .number(Int(getpid()))),
            ("name", .clipped(nameOfThread(getpid()))),
            ("program", .clipped(programPath)),
        ]
    }

    private static var programPath: String? {
        guard let path = realpath("/proc/thread-self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}

// All loops except the inspector's own. Call this on the inspector's thread.
func inspectedLoops() -> [RLRunLoopRef] {
    let own = RLRunLoopGetCurrent()
    return livingLoops().filter { $0 !== own }
}

extension RLStallReport {
    fileprivate var json: JSONValue {
        let isOver = if case .over = stage { true } else { false }
        return .object([
            ("id", .number(id)),
            ("isOver", .flag(isOver)),
            ("thread", .number(Int(thread))),
            ("nanoseconds", .number(Int(duration.nanoseconds))),
            ("function", .clipped(guiltyFunction)),
            ("lines", .list(lines.map(\.json))),
        ])
    }
}
