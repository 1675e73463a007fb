import RunLoopKit

/// The activity of one loop while viewers are registered; confined to the inspector's thread.
///
/// The loop's thread writes a ring without a lock, and the collector reads the ring ten times a
/// second. Overwritten events count as lost; the loop's own counters are exact.
final class LoopCollector {
    enum Depth: Comparable {
        /// Callbacks and runs, which is enough for the counters.
        case callouts
        /// All events of a trace, in a ring of the given capacity.
        case everything(Int)

        /// The capacity of the ring.
        ///
        /// A ring for callbacks holds a tenth of a second of a very busy loop.
        var capacity: Int {
            if case .everything(let capacity) = self { capacity } else { 16384 }
        }
    }

    struct Calls {
        let phase: RLRunLoopPhase
        let function: UInt
        var count = 0
        /// The total duration, without nested runs.
        var nanoseconds: UInt64 = 0
        var longest: UInt64 = 0
    }

    private struct Key: Hashable {
        let phase: Int32
        let function: UInt
        let captured: UInt
    }

    private struct Memo {
        var key = Key(phase: -1, function: 0, captured: 0)
        var place = 0
    }

    private struct Open {
        var place: Int
        /// The address of the item, and the address of the function that the loop called.
        let object: UInt
        let function: UInt
        var nestedRuns: UInt64 = 0
    }

    private struct Target {
        /// The item's own function: an adaptor of this package, which calls `function`.
        let adaptor: UInt
        let function: UInt
    }

    /// The maximum number of functions with their own entries; further functions share one entry.
    private static let mostFunctions = 512
    private static let mostTargets = 4096
    // In nanoseconds. If the function of a longer callback is unknown, the callback is backtraced.
    static let longCallback: UInt64 = 250_000_000

    let loop: RLRunLoopRef
    let thread: Int32
    let began = nanoseconds()
    private(set) var calls: [Calls] = []
    private(set) var lostEvents: UInt64 = 0
    /// The index in `calls` of the longest call.
    private(set) var longest: Int?
    let timers = TimerPunctuality()

    /// The targets, by the addresses of the items.
    private var targets: [UInt: Target] = [:]
    private var tracer: RLRunLoopTracer
    private var recording: RLRunLoopRecordingRef?
    private var next: UInt64 = 0
    private var places: [Key: Int] = [:]
    // Functions that do not forward to a captured function.
    private var plain: Set<UInt> = []
    private var open: [Open] = []
    // The function of a callback whose beginning was not recorded.
    private var unseen: UInt?
    private var hasBacktracedUnseen = false
    private var depth: Depth
    private var entries = [RLRunLoopTraceEntry](repeating: RLRunLoopTraceEntry(), count: 256)
    // The last two results of `place(of:_:)`: loops mostly repeat calls.
    private var recent = (Memo(), Memo())

    init(_ loop: RLRunLoopRef, depth: Depth) {
        self.loop = loop
        self.depth = depth
        thread = loop.statistics.threadID
        tracer = RLRunLoopTracer(depth)
        begin()
    }

    /// Whether the loop is traced for viewers; false while the program itself traces the loop.
    var isTraced: Bool { recording != nil }

    // The client that the loop calls; nil if the beginning of the callback was not recorded. If an
    // adaptor of this package has not called the client yet, the client of the item's previous
    // call.
    var innermost: Calls? {
        guard let last = open.last else { return nil }
        let call = calls[last.place]
        // If the function is not an adaptor, the client is known. `targets` may be stale, because a
        // new item may reuse an address.
        guard TraceNames.shared.frame(at: call.function).isOfPackage else { return call }
        let target = target(of: last.object, last.function)
        return calls.first { $0.function == target } ?? call
    }

    // Returns the target of the item's last call, or else the item's closure, or else its own
    // function. A new item may reuse an address, so the item's target is unknown until its first
    // call.
    func target(
        of item: UInt,
        _ function: UInt,
        closure: UInt? = nil,
        calls: UInt32 = 1
    ) -> UInt {
        guard calls > 0, let known = targets[item], known.adaptor == function else {
            return closure ?? function
        }
        return known.function
    }

    // Returns the function of a long callback whose beginning was not recorded, from one backtrace;
    // nil for any other callback.
    func unseenCallback(_ now: RLRunLoopStatistics) -> UInt? {
        guard open.isEmpty, now.nanosecondsInPhase >= Self.longCallback else { return nil }
        if !hasBacktracedUnseen {
            hasBacktracedUnseen = true
            unseen = (try? RLBacktrace(ofThread: thread))?.callback?.address
        }
        return unseen
    }

    func stop() {
        tracer.stop()
    }

    func deepen(to depth: Depth) {
        guard depth > self.depth else { return }
        collect()
        tracer.stop()
        self.depth = depth
        tracer = RLRunLoopTracer(depth)
        begin()
    }

    func collect() {
        // Retry: the program's own tracer may have stopped.
        if recording == nil { begin() }
        guard let recording else { return }
        // The number of rounds is bounded, because the run loop may write faster than this thread
        // reads.
        for _ in 0...(depth.capacity / entries.count) {
            let count = RLRunLoopRecordingGetEntries(recording, next, &entries, entries.count)
            guard count > 0 else { return }
            for entry in entries[..<count] { take(entry) }
        }
    }

    /// Returns the events of a period; overwritten events are missing.
    func recording(from: UInt64, until: UInt64) -> RLRunLoopTrace.Recording? {
        recording.map { RLRunLoopTrace.Recording($0, from: from, until: until) }
    }

    private func begin() {
        next = 0
        open = []
        hasBacktracedUnseen = false
        recording = nil
        guard tracer.start(loop) else { return }
        recording = [RLRunLoopRecordingRef](RLRunLoopTracerCopyRecordings(tracer.reference)).last
    }

    private func take(_ entry: RLRunLoopTraceEntry) {
        if entry.number != next {
            lostEvents += entry.number - next
            open = []
            hasBacktracedUnseen = false
        }
        next = entry.number + 1
        switch entry.kind {
        case kRLRunLoopTraceCalloutBegin: beginCall(entry)
        case kRLRunLoopTraceCalloutFunction:
            guard let phase = open.last.map({ calls[$0.place].phase }) else { return }
            open[open.count - 1].place = place(of: entry, phase)
            let last = open[open.count - 1]
            if targets[last.object] != nil || targets.count < Self.mostTargets {
                targets[last.object] =
                    Target(adaptor: last.function, function: calls[last.place].function)
            }
        case kRLRunLoopTraceCalloutEnd: endCall(entry)
        case kRLRunLoopTraceRunEnd:
            if !open.isEmpty { open[open.count - 1].nestedRuns += entry.duration }
        default: break
        }
    }

    private func beginCall(_ entry: RLRunLoopTraceEntry) {
        let object = UInt(bitPattern: entry.object)
        let function = UInt(bitPattern: entry.function)
        open.append(
            Open(place: place(of: entry, entry.phase), object: object, function: function)
        )
        if entry.phase == kRLRunLoopPhaseTimer {
            timers.noteCall(of: object, at: Int64(entry.time))
        }
    }

    private func endCall(_ entry: RLRunLoopTraceEntry) {
        if open.isEmpty { hasBacktracedUnseen = false }
        // If the beginning was not recorded, count the function that the loop called.
        let call =
            open.popLast() ?? Open(place: place(of: entry, entry.phase), object: 0, function: 0)
        let taken = entry.duration - min(entry.duration, call.nestedRuns)
        calls[call.place].count += 1
        calls[call.place].nanoseconds += taken
        calls[call.place].longest = max(calls[call.place].longest, taken)
        if taken > longest.map({ calls[$0].longest }) ?? 0 || longest == call.place {
            longest = call.place
        }
    }

    private func place(of entry: RLRunLoopTraceEntry, _ phase: RLRunLoopPhase) -> Int {
        let key = Key(
            phase: phase.rawValue,
            function: UInt(bitPattern: entry.function),
            captured: UInt(bitPattern: entry.captured)
        )
        if recent.0.key == key { return recent.0.place }
        if recent.1.key == key { return recent.1.place }
        let place = findPlace(of: entry, phase)
        recent = (Memo(key: key, place: place), recent.0)
        return place
    }

    private func findPlace(of entry: RLRunLoopTraceEntry, _ phase: RLRunLoopPhase) -> Int {
        let function = UInt(bitPattern: entry.function)
        let captured = plain.contains(function) ? 0 : UInt(bitPattern: entry.captured)
        let key = Key(phase: phase.rawValue, function: function, captured: captured)
        if let known = places[key] { return known }
        let callout = RLRunLoopTrace.Callout(
            phase: phase,
            function: function,
            object: 0,
            captured: captured
        )
        let target = TraceNames.shared.target(of: callout)
        if target == function, captured != 0 {
            if plain.count < Self.mostFunctions { plain.insert(function) }
            return plain.contains(function) ? findPlace(of: entry, phase) : placeOfOthers()
        }
        guard places.count < Self.mostFunctions else { return placeOfOthers() }
        let place =
            calls.firstIndex { $0.phase == phase && $0.function == target } ?? calls.count
        if place == calls.count { calls.append(Calls(phase: phase, function: target)) }
        places[key] = place
        return place
    }

    private func placeOfOthers() -> Int {
        let known = calls.firstIndex { $0.phase == kRLRunLoopPhaseIdle && $0.function == 0 }
        if let known { return known }
        calls.append(Calls(phase: kRLRunLoopPhaseIdle, function: 0))
        return calls.count - 1
    }
}

extension RLRunLoopTracer {
    fileprivate convenience init(_ depth: LoopCollector.Depth) {
        self.init(capacity: depth.capacity, calloutsOnly: depth == .callouts)
    }
}
