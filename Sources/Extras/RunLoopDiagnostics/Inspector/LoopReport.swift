import Glibc
import RunLoopKit

struct LoopReport {
    static let mostLoops = 256
    private static let mostFunctions = 100
    private static let mostTimers = 100
    private static let mostItems = 500

    private let collector: LoopCollector
    private let now: RLRunLoopStatistics
    /// The time of `now`; each loop has its own time, because symbolizing takes long.
    private let time: Int64

    init(_ collector: LoopCollector) {
        self.collector = collector
        now = collector.loop.statistics
        time = nanoseconds()
        collector.timers.sample(collector.loop)
    }

    var json: JSONValue {
        let longest = collector.longest.map { collector.calls[$0] }
        return .object(
            [
                ("thread", .number(Int(now.threadID))),
                ("time", .number(Int(time))),
                ("name", .clipped(nameOfThread(now.threadID))),
                ("isMain", .flag(now.threadID == getpid())),
                ("isTraced", .flag(collector.isTraced)),
                ("lostEvents", .count(collector.lostEvents)),
                ("mode", .clipped(RLRunLoopCopyCurrentMode(collector.loop)?.description)),
                ("phase", .text(now.phase.name)),
                ("isInCallback", .flag(now.phase.isCallback)),
                ("nanosecondsInPhase", .count(now.nanosecondsInPhase)),
                ("callback", .clipped(callback?.name)),
                ("callbackAddress", .address(callback?.address)),
                ("longest", .count(longest?.longest ?? 0)),
                ("longestFunction", .clipped(longest.map(Self.name(of:)))),
                ("longestAddress", .address(longest.flatMap(Self.address(of:)))),
            ] + counters + [
                ("functions", .list(functions)), ("timers", .list(timers)),
            ]
        )
    }

    /// Describes the modes and items of a loop; `collector` finds the functions that the items
    /// call.
    static func modes(of loop: RLRunLoopRef, _ collector: LoopCollector?) -> [JSONValue] {
        [RLRunLoopMode](RLRunLoopCopyAllModes(loop)).prefix(64).map { mode in
            var items: [LoopItem] = []
            loop.visitItems(of: mode) { items.append(LoopItem($0)) }
            return .object([
                ("name", .clipped(mode.description)),
                ("items", .list(items.prefix(mostItems).map { json(of: $0, collector) })),
                ("omittedItems", .number(max(0, items.count - mostItems))),
            ])
        }
    }

    private var callback: (name: String, address: UInt?)? {
        guard now.phase.isCallback, let callout = now.callout else { return nil }
        if now.phase == kRLRunLoopPhaseMainQueue { return ("main queue", nil) }
        // If the trace contains the beginning of this callback, the client's closure is known.
        let known = collector.innermost
        let address = known?.function ?? collector.unseenCallback(now) ?? UInt(bitPattern: callout)
        // In a short callback, an adaptor of this package may not have called the client yet.
        let isLong = now.nanosecondsInPhase >= LoopCollector.longCallback
        if !isLong, TraceNames.shared.frame(at: address).isOfPackage { return nil }
        let name = known.map(Self.name(of:)) ?? TraceNames.shared.shortName(at: address)
        return (name, Self.address(address))
    }

    private var counters: [(String, JSONValue)] {
        [
            ("runs", .count(now.runs)),
            ("passes", .count(now.passes)),
            ("sleeps", .count(now.sleeps)),
            ("nanosecondsAsleep", .count(now.nanosecondsAsleep)),
            ("nanosecondsRunning", .count(now.nanosecondsRunning)),
            (
                "wakeUps",
                .object([
                    ("timer", .count(now.wakeUpsByTimer)),
                    ("descriptor", .count(now.wakeUpsByDescriptor)),
                    ("wakeUp", .count(now.wakeUpsByToken)),
                    ("mainQueue", .count(now.wakeUpsByMainQueue)),
                    ("timeout", .count(now.wakeUpsByTimeout)),
                ])
            ),
            (
                "callbacks",
                .object([
                    ("observer", .count(now.observerCallouts)),
                    ("block", .count(now.blockCallouts)),
                    ("source0", .count(now.source0Callouts)),
                    ("source1", .count(now.source1Callouts)),
                    ("timer", .count(now.timerCallouts)),
                    ("mainQueue", .count(now.mainQueueCallouts)),
                ])
            ),
        ]
    }

    private var functions: [JSONValue] {
        let most = collector.calls.filter { $0.count > 0 }
            .sorted { $0.nanoseconds > $1.nanoseconds }
        return most.prefix(Self.mostFunctions).map { calls in
            .object([
                ("name", .clipped(Self.name(of: calls))),
                ("address", .address(Self.address(of: calls))),
                ("kind", .text(kind(of: calls))),
                ("calls", .number(calls.count)),
                ("nanoseconds", .count(calls.nanoseconds)),
                ("longest", .count(calls.longest)),
            ])
        }
    }

    private var timers: [JSONValue] {
        let time = nanoseconds()
        let called = now.phase == kRLRunLoopPhaseTimer ? UInt(bitPattern: now.callout) : 0
        let next = collector.timers.all.sorted { ($0.due ?? .max) < ($1.due ?? .max) }
        return next.prefix(Self.mostTimers).map { timer in
            let left = timer.due.map { $0 - time }
            let isCalled = called != 0 && timer.function == called
            let target = collector.target(
                of: timer.address,
                timer.function,
                closure: timer.closure,
                calls: timer.calls
            )
            return .object([
                ("address", .text("0x" + String(timer.address, radix: 16))),
                ("name", .clipped(TraceNames.shared.shortName(at: target))),
                ("functionAddress", .address(Self.address(target))),
                ("modes", .list(timer.modes.prefix(8).map { .clipped($0) })),
                ("interval", .number(Int(timer.interval))),
                ("calls", .number(Int(timer.calls))),
                ("due", left.map { .number(Int($0)) } ?? .null),
                ("overdue", .number(isCalled ? 0 : Int(max(0, -(left ?? 0))))),
                ("firings", .number(timer.firings)),
                ("latenessTotal", .number(Int(timer.latenessTotal))),
                ("latenessWorst", .number(Int(timer.latenessWorst))),
            ])
        }
    }

    private static func name(of calls: LoopCollector.Calls) -> String {
        switch calls.phase {
        case kRLRunLoopPhaseMainQueue: "main queue"
        // Callbacks beyond the limit of functions, or whose beginning was not recorded.
        case kRLRunLoopPhaseIdle where calls.function == 0: "other functions"
        default: TraceNames.shared.shortName(at: calls.function)
        }
    }

    /// Returns nil for the main queue, whose function does not identify the client.
    private static func address(of calls: LoopCollector.Calls) -> UInt? {
        calls.phase == kRLRunLoopPhaseMainQueue ? nil : address(calls.function)
    }

    /// Returns nil if the function's place in the source does not identify the client.
    private static func address(_ function: UInt) -> UInt? {
        let hasPlace = function != 0 && TraceNames.shared.hasPlace(function)
        return hasPlace ? TraceNames.shared.source(of: function) : nil
    }

    private func kind(of calls: LoopCollector.Calls) -> String {
        RLRunLoopTrace.Callout(phase: calls.phase, function: 0, object: 0, captured: 0).kindName
    }

    private static func json(of item: LoopItem, _ collector: LoopCollector?) -> JSONValue {
        let target = collector?.target(
            of: item.address,
            item.callout,
            closure: item.closure,
            calls: item.callouts
        )
        let function = target ?? item.closure ?? item.callout
        let name = function == 0 ? nil : TraceNames.shared.shortName(at: function)
        return .object([
            ("kind", .text(item.kind.description)),
            ("name", .clipped(name)),
            ("functionAddress", .address(address(function))),
            ("descriptor", item.descriptor < 0 ? .null : .number(Int(item.descriptor))),
            ("calls", .number(Int(item.callouts))),
        ])
    }
}
