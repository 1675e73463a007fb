import CRunLoopDiagnostics
import Glibc
import RunLoopKit

/// What a loop that spins is busy with, found out in a few hundredths of a second.
struct SpinDiagnosis {
    private enum Limits {
        /// How often a descriptor is looked at: often enough to notice that somebody reads it now
        /// and then.
        static let samples = 20
        static let pause: useconds_t = 2000
        static let backtraces = 60
    }

    /// What was seen of one item.
    private struct Evidence {
        var item: LoopItem
        var calls: UInt32 = 0
        var isConsumed = false
        var bytes: CInt?
    }

    /// What does it.
    struct Culprit: Equatable {
        let cause: RLSpinReport.Cause
        /// The address of the item, or 0.
        let item: UInt
    }

    let culprit: Culprit

    private let loop: RLRunLoopRef
    private let thread: Int32
    private let mode: RLRunLoopMode?
    private let busiest: Evidence?
    private let passesPerSecond: Int
    private let callsPerSecond: Int

    /// Looks at what a loop is busy with; nil if that is work, or if it has stopped.
    init?(_ loop: RLRunLoopRef, _ configuration: RLSpinDetector.Configuration) {
        let mode = Self.mode(of: loop)
        var evidence: [UInt: Evidence] = [:]
        var mostIdleWork = idleWorkLeft(of: loop)
        var isIdleWorkDone = false
        let sample = {
            if let mode { Self.sample(loop.items(of: mode), &evidence) }
            let left = idleWorkLeft(of: loop)
            // A piece that adds itself again counts twice for a moment, and is never done.
            if left == 0 ? mostIdleWork > 0 : left + 1 < mostIdleWork { isIdleWorkDone = true }
            mostIdleWork = max(mostIdleWork, left)
        }
        sample()
        // Passes are counted for a shorter time than calls, however long this thread has to wait
        // for a processor in between.
        let before = loop.statistics
        let began = nanoseconds()
        var looksInCallbacks = 0
        for _ in 0..<Limits.samples {
            usleep(Limits.pause)
            sample()
            if loop.statistics.phase.isCallback { looksInCallbacks += 1 }
        }
        let after = loop.statistics
        let took = nanoseconds() - began
        sample()
        let passes = after.passes - before.passes
        guard passes >= 10, after.hasHardlySlept(since: before, for: took) else { return nil }
        let most = evidence.values.max { $0.calls < $1.calls }
        busiest = most.flatMap { UInt64($0.calls) * 2 >= passes ? $0 : nil }
        // Of one descriptor, or of many that take turns.
        let consumed = evidence.values.filter(\.isConsumed).map { UInt64($0.calls) }
        if consumed.reduce(0, +) * 2 >= passes { return nil }
        if busiest == nil && isIdleWorkDone { return nil }
        let share = Double(looksInCallbacks) / Double(Limits.samples)
        let isWorking =
            share >= 0.5
            && share * Double(took) / Double(passes)
                >= Double(configuration.workDuration.nanoseconds)
        // A callback that works and leaves a descriptor ready will never be done.
        if isWorking, busiest.map({ $0.item.descriptor < 0 }) ?? true { return nil }
        let (cause, calls) = Self.cause(busiest, before, after)
        culprit = Culprit(cause: cause, item: busiest?.item.address ?? 0)
        self.loop = loop
        self.mode = mode
        thread = after.threadID
        let seconds = Double(took) / 1e9
        passesPerSecond = Int(Double(passes) / seconds)
        callsPerSecond = Int(Double(calls) / seconds)
    }

    /// What clients are told.
    func report(findsPlaces: Bool) -> RLSpinReport {
        RLSpinReport(
            cause: culprit.cause,
            loop: loop,
            thread: thread,
            mode: mode,
            passesPerSecond: passesPerSecond,
            callsPerSecond: callsPerSecond,
            item: mode.flatMap { loop.describeItem(culprit.item, of: $0) },
            busyItem: busiest?.item,
            descriptor: busiest.flatMap(describeDescriptor),
            callback: callback(findsPlaces: findsPlaces)
        )
    }

    /// The mode in which it runs; between runs there is none.
    private static func mode(of loop: RLRunLoopRef) -> RLRunLoopMode? {
        for _ in 0..<Limits.samples {
            if let mode = RLRunLoopCopyCurrentMode(loop) { return mode }
            usleep(Limits.pause)
        }
        return nil
    }

    /// Looks at the items of a mode once.
    private static func sample(_ items: [LoopItem], _ evidence: inout [UInt: Evidence]) {
        for item in items where item.kind != kRLRunLoopItemObserver {
            var seen = evidence[item.address] ?? Evidence(item: item)
            // It counts from when it was seen first, and wraps around.
            seen.calls = item.callouts &- seen.item.callouts
            if item.descriptor >= 0 { look(at: item, &seen) }
            evidence[item.address] = seen
        }
    }

    /// Whether the descriptor is still ready, with as many bytes as before.
    private static func look(at item: LoopItem, _ seen: inout Evidence) {
        var descriptor = pollfd(fd: item.descriptor, events: item.pollEvents, revents: 0)
        if poll(&descriptor, 1, 0) < 1 { seen.isConsumed = true }
        var bytes: CInt = 0
        guard ioctl(item.descriptor, UInt(FIONREAD), &bytes) == 0 else { return }
        if let before = seen.bytes, bytes < before { seen.isConsumed = true }
        seen.bytes = bytes
    }

    /// What it is, and how often it was called.
    private static func cause(
        _ item: Evidence?,
        _ before: RLRunLoopStatistics,
        _ after: RLRunLoopStatistics
    ) -> (RLSpinReport.Cause, UInt64) {
        if let item {
            let calls = UInt64(item.calls)
            switch item.item.kind {
            case kRLRunLoopItemSource0: return (.source, calls)
            case kRLRunLoopItemTimer: return (.timer, calls)
            default: return (.descriptor(item.item.descriptor), calls)
            }
        }
        let counts: [(RLSpinReport.Cause, UInt64)] = [
            (.blocks, after.blockCallouts - before.blockCallouts),
            (.mainQueue, after.mainQueueCallouts - before.mainQueueCallouts),
            (.wakeUps, after.wakeUpsByToken - before.wakeUpsByToken),
            (.runs, after.runs - before.runs),
        ]
        return counts.first { $0.1 * 2 >= after.passes - before.passes } ?? (.unknown, 0)
    }

    /// As in `7: pipe:[1234], 1 byte waiting`.
    private func describeDescriptor(_ evidence: Evidence) -> String? {
        guard evidence.item.descriptor >= 0 else { return nil }
        var name = [CChar](repeating: 0, count: 256)
        let length = readlink("/proc/self/fd/\(evidence.item.descriptor)", &name, name.count - 1)
        let characters = name.prefix(max(0, length)).map(UInt8.init(bitPattern:))
        let file = length > 0 ? String(decoding: characters, as: UTF8.self) : "closed"
        let bytes = evidence.bytes.map { ", \($0) bytes waiting" } ?? ""
        return "\(evidence.item.descriptor): \(file)\(bytes)"
    }

    /// The client's function: what the item calls, or, if that only passes calls on, what is seen
    /// at work.
    private func callback(findsPlaces: Bool) -> RLBacktrace.Frame? {
        let function = busiest?.item.callout ?? 0
        let direct = RLBacktrace.Frame(naming: function)
        var fallback = function == 0 || direct.isOfPackage ? nil : direct
        if findsPlaces { fallback = fallback?.located().last }
        if fallback != nil && !direct.onlyPassesOn { return fallback }
        var names: [UInt: RLBacktrace.Frame] = [:]
        let hold = BacktraceSignalHold()
        defer { withExtendedLifetime(hold) {} }
        for _ in 0..<Limits.backtraces {
            let timeout = Duration.milliseconds(200)
            guard let addresses = try? RLBacktrace.addresses(ofThread: thread, timeout) else {
                return fallback
            }
            let frames = addresses.map { address in
                let frame = names[address] ?? RLBacktrace.Frame(naming: address)
                names[address] = frame
                return frame
            }
            let backtrace = RLBacktrace(frames: frames)
            guard let callback = backtrace.callback else { continue }
            let found = findsPlaces ? backtrace.located().callback : callback
            // What has no name may be a stub of the linker, in what only passes calls on.
            if callback.symbol != nil { return found }
            fallback = fallback ?? found
        }
        return fallback
    }
}
