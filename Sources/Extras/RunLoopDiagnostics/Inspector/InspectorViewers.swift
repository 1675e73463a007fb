import RunLoopKit

/// The viewers, and the collectors that are installed for them; on the inspector's thread.
///
/// Each request of a viewer counts for some seconds. With the first viewer, all loops are traced,
/// and a timer of the inspector's own loop reads what the traces say; with the last one, all of
/// that is taken away.
final class InspectorViewers {
    /// For how many looks at the traces a viewer may be silent: four seconds.
    ///
    /// Not for how long: while the thread makes another viewer's dump, or the process is stopped,
    /// nobody can be heard.
    static let patience = 40

    /// The most viewers at a time.
    static let most = 64

    /// The most events of a ring, 12 MB for each loop.
    static let mostCapacity = 1 << 18

    /// The number of looks for which each viewer may still be silent.
    private var looksLeft: [String: Int] = [:]
    private(set) var collectors: [LoopCollector] = []
    private var depth = LoopCollector.Depth.callouts
    private var timer: RLRunLoopTimerRef?
    private var stalls: [String: StallWatcher] = [:]
    /// Of one viewer: each look interrupts a thread.
    private var sampler: (viewer: String, sampler: StackSampler)?

    var count: Int { looksLeft.count }

    /// Counts a viewer as present, from now on for some seconds.
    func welcome(
        _ viewer: String,
        depth: LoopCollector.Depth = .callouts,
        onTick: @escaping @Sendable () -> Void
    ) throws(InspectorRefusal) {
        guard looksLeft[viewer] != nil || looksLeft.count < Self.most else {
            throw InspectorRefusal("\(Self.most) viewers watch already")
        }
        looksLeft[viewer] = Self.patience
        self.depth = max(self.depth, depth)
        for collector in collectors { collector.deepen(to: self.depth) }
        guard timer == nil else { return }
        let timer = RLRunLoopTimerCreate(
            fireDate: RLAbsoluteTimeGetCurrent() + 0.1,
            interval: 0.1
        ) { _ in onTick() }
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, .defaultMode)
        self.timer = timer
        collect()
    }

    /// A viewer's watcher of stalls; the threshold, in milliseconds, counts the first time.
    func stallWatcher(
        of viewer: String,
        threshold: Int
    ) throws(InspectorRefusal) -> StallWatcher {
        if let known = stalls[viewer] { return known }
        guard stalls.count < StallWatcher.most else {
            throw InspectorRefusal("\(StallWatcher.most) viewers look for stalls already")
        }
        let watcher = StallWatcher(threshold: .milliseconds(threshold))
        for collector in collectors { watcher.watch(collector.loop) }
        stalls[viewer] = watcher
        return watcher
    }

    /// A viewer's sampler of stacks; it begins the first time.
    func sampler(of viewer: String) throws(InspectorRefusal) -> StackSampler {
        if let sampler {
            guard sampler.viewer == viewer else {
                throw InspectorRefusal("another viewer looks at stacks already")
            }
            return sampler.sampler
        }
        let made = StackSampler()
        made.watch(collectors.map(\.loop))
        sampler = (viewer, made)
        return made
    }

    /// Looks who is still there, and reads the traces.
    func tick() {
        for (viewer, left) in looksLeft {
            looksLeft[viewer] = left - 1
            if left <= 1 { dismiss(viewer) }
        }
        if timer != nil { collect() }
    }

    /// Notes that a viewer has gone.
    func dismiss(_ viewer: String) {
        stalls.removeValue(forKey: viewer)?.stop()
        if sampler?.viewer == viewer {
            sampler?.sampler.stop()
            sampler = nil
        }
        guard looksLeft.removeValue(forKey: viewer) != nil, looksLeft.isEmpty else { return }
        timer.map { RLRunLoopTimerInvalidate($0) }
        timer = nil
        for collector in collectors { collector.stop() }
        collectors = []
        depth = .callouts
    }

    func dismissAll() {
        for viewer in looksLeft.keys { dismiss(viewer) }
    }

    /// The callbacks that loops have been in for so long, with backtraces.
    func stalledCallbacks(of duration: Duration) -> [JSONValue] {
        collectors.compactMap { collector in
            let now = collector.loop.statistics
            guard now.phase.isCallback, now.nanosecondsInPhase >= duration.nanoseconds else {
                return nil
            }
            return RunningStall(now).json
        }
    }

    /// Takes up new loops, lets go of those that have ended, and reads the traces.
    func collect() {
        let loops = inspectedLoops()
        for collector in collectors where !loops.contains(where: { $0 === collector.loop }) {
            collector.stop()
        }
        collectors.removeAll { collector in !loops.contains { $0 === collector.loop } }
        for loop in loops where !collectors.contains(where: { $0.loop === loop }) {
            collectors.append(LoopCollector(loop, depth: depth))
            for watcher in stalls.values { watcher.watch(loop) }
        }
        sampler?.sampler.watch(collectors.map(\.loop))
        for collector in collectors { collector.collect() }
    }
}
