// The activity of a process's loops between two readings, for `top` and its JSON. The readings are
// untrusted: sums wrap, because an overflow trap would end the viewer.
struct Rates: Encodable {
    let process: Int32
    let name: String
    let seconds: Double
    /// The share of one processor for which the loops were awake.
    let load: Double
    let loops: [Loop]
    let omittedLoops: Int

    struct Loop: Encodable {
        let thread: Int32
        let name: String
        let isMain: Bool
        // Whether callbacks and timers are known; false while the program traces the loop itself.
        let isTraced: Bool
        let lostEvents: UInt64
        /// Nil outside of runs.
        let mode: String?
        let phase: String
        let isInCallback: Bool
        let secondsInPhase: Double
        let callback: String?
        let callbackPlace: Place?
        /// Shares of the time; the remainder is outside of runs.
        let busy: Double
        let asleep: Double
        let passesPerSecond: Double
        let sleepsPerSecond: Double
        let wakeUpsPerSecond: WakeUps<Double>
        /// The longest callback since the tracing began, or the current callback, in seconds.
        let longest: Double
        let longestFunction: String?
        let longestPlace: Place?
        /// The reason for spinning; nil if the loop does not spin.
        let spin: String?
        let spinPlace: Place?
        let functions: [Function]
        let timers: [Timer]
    }

    struct Place: Encodable, Hashable {
        let file: String
        let line: Int
    }

    /// Resolves a text and an address from the process to a name and a place.
    typealias Places = (_ text: String?, _ address: String?) -> (text: String?, place: Place?)

    struct Function: Encodable {
        let name: String
        let place: Place?
        let kind: String
        let share: Double
        let callsPerSecond: Double
        /// The longest call in seconds since the tracing began.
        let longest: Double
    }

    struct Timer: Encodable {
        let name: String
        let place: Place?
        let modes: [String]
        /// The interval in seconds; 0 if the timer fires once.
        let interval: Double
        /// The seconds until the timer is due, negative if the timer is overdue; nil if unknown.
        let due: Double?
        let callsPerSecond: Double
        /// The lateness in seconds since the tracing began; nil if no firing was observed.
        let meanLateness: Double?
        let worstLateness: Double?
    }
}

extension Rates {
    /// Computes the rates; a loop that is only in the second reading is new.
    init(from before: Readings, to after: Readings, places: Places = { text, _ in (text, nil) }) {
        let seconds = max(1e-9, Double(after.time &- before.time) / 1e9)
        let earlier = Dictionary(before.loops.map { ($0.thread, $0) }) { first, _ in first }
        process = after.process
        name = after.name ?? "?"
        self.seconds = seconds
        loops = after.loops.map { Loop(from: earlier[$0.thread], to: $0, seconds, places) }
        load = loops.map(\.busy).reduce(0, +)
        omittedLoops = after.omittedLoops
    }
}

extension Rates.Loop {
    /// Computes the rates of a loop, which is new if the first reading is nil.
    init(
        from before: Readings.Loop?,
        to after: Readings.Loop,
        _ processSeconds: Double,
        _ places: Rates.Places
    ) {
        let seconds =
            before.map { max(1e-9, Double(after.time &- $0.time) / 1e9) } ?? processSeconds
        func rate(_ field: KeyPath<Readings.Loop, UInt64>) -> Double {
            increase(from: before?[keyPath: field], to: after[keyPath: field]) / seconds
        }
        thread = after.thread
        name = after.name ?? "?"
        isMain = after.isMain
        isTraced = after.isTraced
        lostEvents = after.lostEvents
        mode = after.mode
        phase = after.phase
        isInCallback = after.isInCallback
        secondsInPhase = Double(after.nanosecondsInPhase) / 1e9
        (callback, callbackPlace) = places(after.callback, after.callbackAddress)
        busy = min(1, rate(\.nanosecondsRunning) / 1e9)
        asleep = min(1, rate(\.nanosecondsAsleep) / 1e9)
        passesPerSecond = rate(\.passes)
        sleepsPerSecond = rate(\.sleeps)
        wakeUpsPerSecond = WakeUps(
            timer: rate(\.wakeUps.timer),
            descriptor: rate(\.wakeUps.descriptor),
            wakeUp: rate(\.wakeUps.wakeUp),
            mainQueue: rate(\.wakeUps.mainQueue),
            timeout: rate(\.wakeUps.timeout)
        )
        let isLongest = after.isInCallback && after.nanosecondsInPhase > after.longest
        longest = Double(isLongest ? after.nanosecondsInPhase : after.longest) / 1e9
        (longestFunction, longestPlace) =
            isLongest
            ? (callback, callbackPlace) : places(after.longestFunction, after.longestAddress)
        functions = Self.functions(from: before, to: after, seconds, places)
        let isAwake = asleep < 0.5 || asleep / passesPerSecond < Self.shortestSleep
        let isSpinning =
            passesPerSecond >= Self.leastPasses && isAwake
            && busy / passesPerSecond < Self.longestPass
        let ready =
            isSpinning
            ? Self.ready(passesPerSecond, functions) { rate($0) } : nil
        spin = ready.map { $0.text + ($0.function.map { " in " + $0.name } ?? "") }
        spinPlace = ready?.function?.place
        let earlier = Dictionary((before?.timers ?? []).map { ($0.address, $0) }) { one, _ in one }
        timers = after.timers.map { timer in
            Rates.Timer(from: earlier[timer.address], to: timer, seconds, places)
        }
    }

    // A loop spins if it makes at least `leastPasses` passes per second, sleeps for less than half
    // of the time, and its passes are shorter than `longestPass` seconds. Longer passes do work.
    // Sleeps shorter than `shortestSleep` seconds are system calls that return at once.
    private static let leastPasses = 500.0
    private static let longestPass = 0.0002
    private static let shortestSleep = 0.000005

    /// Describes the kind of item that is ready in at least every second pass, and the most
    /// called function of this kind.
    private static func ready(
        _ passes: Double,
        _ functions: [Rates.Function],
        _ rate: (KeyPath<Readings.Loop, UInt64>) -> Double
    ) -> (text: String, function: Rates.Function?) {
        let counts: [(KeyPath<Readings.Loop, UInt64>, kind: String?, text: String)] = [
            (\.callbacks.source1, "port or descriptor", "a port or descriptor is always ready"),
            (\.callbacks.source0, "source 0", "a source is signalled again and again"),
            (\.callbacks.timer, "timer", "a timer is always due"),
            (\.callbacks.block, "block", "blocks are added again and again"),
            (\.callbacks.mainQueue, "main queue", "the main queue always has work"),
            (\.wakeUps.wakeUp, nil, "woken again and again for nothing"),
            (\.runs, nil, "run again and again without a sleep"),
        ]
        guard let most = counts.first(where: { rate($0.0) * 2 >= passes }) else {
            return ("does not come to sleep", nil)
        }
        let called = functions.filter { $0.kind == most.kind && $0.callsPerSecond > 0 }
        return (most.text, called.max { $0.callsPerSecond < $1.callsPerSecond })
    }

    private static func functions(
        from before: Readings.Loop?,
        to after: Readings.Loop,
        _ seconds: Double,
        _ places: Rates.Places
    ) -> [Rates.Function] {
        let earlier = Totals(before?.functions ?? [], places)
        return Totals(after.functions, places).all.map { key, function in
            let known = earlier.all[key]
            return Rates.Function(
                name: key.name,
                place: key.place,
                kind: function.kind,
                share: increase(from: known?.nanoseconds, to: function.nanoseconds) / seconds / 1e9,
                callsPerSecond: increase(from: known?.calls, to: function.calls) / seconds,
                longest: Double(function.longest) / 1e9
            )
        }.sorted { ($0.share, $1.name) > ($1.share, $0.name) }
    }
}

/// Sums by kind, name and place: specializations of a generic function share one entry.
private struct Totals {
    struct Key: Hashable {
        let kind: String
        let name: String
        let place: Rates.Place?
    }

    private(set) var all: [Key: Readings.Function] = [:]

    init(_ functions: [Readings.Function], _ places: Rates.Places) {
        for function in functions {
            let (name, place) = places(function.name, function.address)
            let key = Key(kind: function.kind, name: name ?? function.name, place: place)
            let known = all[key]
            all[key] = Readings.Function(
                name: function.name,
                address: function.address,
                kind: function.kind,
                calls: function.calls &+ (known?.calls ?? 0),
                nanoseconds: function.nanoseconds &+ (known?.nanoseconds ?? 0),
                longest: max(function.longest, known?.longest ?? 0)
            )
        }
    }
}

extension Rates.Timer {
    init(
        from before: Readings.Timer?,
        to after: Readings.Timer,
        _ seconds: Double,
        _ places: Rates.Places
    ) {
        let (name, place) = places(after.name, after.functionAddress)
        self.name = name ?? after.name
        self.place = place
        modes = after.modes
        interval = Double(after.interval) / 1e9
        due = after.overdue > 0 ? -Double(after.overdue) / 1e9 : after.due.map { Double($0) / 1e9 }
        // A timer without an earlier reading may have been called before that reading.
        callsPerSecond = before.map { increase(from: $0.calls, to: after.calls) / seconds } ?? 0
        meanLateness =
            after.firings > 0 ? Double(after.latenessTotal) / Double(after.firings) / 1e9 : nil
        worstLateness = after.firings > 0 ? Double(after.latenessWorst) / 1e9 : nil
    }
}

/// Returns the increase of a counter, or 0 if the counter was reset.
private func increase(from before: UInt64?, to after: UInt64) -> Double {
    let before = before ?? 0
    return after >= before ? Double(after - before) : 0
}
