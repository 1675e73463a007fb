import RunLoopKit

/// The viewers and the collectors that serve them; confined to the inspector's thread.
///
/// The first viewer starts the tracing of all loops and the timer that reads the traces; when the
/// last viewer leaves, both end.
final class InspectorViewers {
    /// The ticks after which a silent viewer is unregistered.
    ///
    /// No ticks occur while the process is stopped, when no requests can arrive.
    static let patience = 40

    static let most = 64

    /// The maximum capacity of a ring, which uses 12 MB for each loop.
    static let mostCapacity = 1 << 18

    /// The ticks until a viewer is unregistered, unless it sends a request.
    private var ticksLeft: [String: Int] = [:]
    private(set) var collectors: [LoopCollector] = []
    private var depth = LoopCollector.Depth.callouts
    private var timer: RLRunLoopTimerRef?
    private var stalls: [String: StallWatcher] = [:]
    /// The sampler of at most one viewer, because each sample interrupts a thread.
    private var sampler: (viewer: String, sampler: StackSampler)?

    var count: Int { ticksLeft.count }

    /// Registers a viewer, or restarts its countdown.
    func welcome(
        _ viewer: String,
        depth: LoopCollector.Depth = .callouts,
        onTick: @escaping @Sendable () -> Void
    ) throws(InspectorRefusal) {
        guard ticksLeft[viewer] != nil || ticksLeft.count < Self.most else {
            throw InspectorRefusal("\(Self.most) viewers watch already")
        }
        ticksLeft[viewer] = Self.patience
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

    // A viewer's first call creates the watcher. The threshold is in milliseconds.
    func stallWatcher(
        of viewer: String,
        threshold: Int
    ) throws(InspectorRefusal) -> StallWatcher {
        if let known = stalls[viewer] { return known }
        guard stalls.count < StallWatcher.most else {
            throw InspectorRefusal("\(StallWatcher.most) viewers watch for stalls already")
        }
        let watcher = StallWatcher(threshold: .milliseconds(threshold))
        for collector in collectors { watcher.watch(collector.loop) }
        stalls[viewer] = watcher
        return watcher
    }

    /// The first call starts the sampler.
    func sampler(of viewer: String) throws(InspectorRefusal) -> StackSampler {
        if let sampler {
            guard sampler.viewer == viewer else {
                throw InspectorRefusal("another viewer samples stacks already")
            }
            return sampler.sampler
        }
        let made = StackSampler()
        made.watch(collectors.map(\.loop))
        sampler = (viewer, made)
        return made
    }

    func tick() {
        for (viewer, left) in ticksLeft {
            ticksLeft[viewer] = left - 1
            if left <= 1 { dismiss(viewer) }
        }
        if timer != nil { collect() }
    }

    func dismiss(_ viewer: String) {
        stalls.removeValue(forKey: viewer)?.stop()
        if sampler?.viewer == viewer {
            sampler?.sampler.stop()
            sampler = nil
        }
        guard ticksLeft.removeValue(forKey: viewer) != nil, ticksLeft.isEmpty else { return }
        timer.map { RLRunLoopTimerInvalidate($0) }
        timer = nil
        for collector in collectors { collector.stop() }
        collectors = []
        depth = .callouts
    }

    func dismissAll() {
        for viewer in ticksLeft.keys { dismiss(viewer) }
    }

    func stalledCallbacks(of duration: Duration) -> [JSONValue] {
        collectors.compactMap { collector in
            let now = collector.loop.statistics
            guard now.phase.isCallback, now.nanosecondsInPhase >= duration.nanoseconds else {
                return nil
            }
            return RunningStall(now).json
        }
    }

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
