public import RunLoopKit

/// Records the activity of run loops: passes, callbacks, sleeps and the reasons for wake-ups.
///
/// ```swift
/// let tracer = RLRunLoopTracer()
/// tracer.startAll()
/// …
/// tracer.stop()
/// write(tracer.snapshot().chromeJSON(), to: "trace.json")     // for ui.perfetto.dev
/// write(tracer.snapshot().svg(), to: "trace.svg")             // for any browser
/// ```
///
/// Each trace of a loop is one recording: a ring buffer that the loop's thread writes without a
/// lock. When the buffer is full, the oldest events are overwritten and counted. The cost for a
/// loop that is not traced is one comparison for each callback and each sleep.
///
/// A loop is traced by one tracer at a time. All methods are thread-safe, and may be called in
/// callbacks of the traced loops.
///
/// Foundation has no counterpart.
public final class RLRunLoopTracer: Sendable {
    /// The engine's tracer.
    ///
    /// This object owns the reference.
    public let reference: RLRunLoopTracerRef

    /// Creates a tracer that does not trace any loop yet.
    ///
    /// - Parameters:
    ///   - capacity: The number of events in each recording, rounded up to a power of two from 64
    ///     to 2^24. An event has 48 bytes. A pass with a sleep makes six events, a callback two.
    ///   - calloutsOnly: Whether to record only callbacks and runs, without activities, sleeps and
    ///     wake-ups. This costs the loop a fraction of the time.
    public init(capacity: Int = 16384, calloutsOnly: Bool = false) {
        reference =
            calloutsOnly
            ? RLRunLoopTracerCreateForCallouts(nil, capacity)
            : RLRunLoopTracerCreate(nil, capacity)
    }

    deinit {
        // Nothing else could stop the recordings of this tracer.
        RLRunLoopTracerStopAll(reference)
    }

    /// Begins to trace a loop of any thread, in a new recording.
    ///
    /// - Returns: Whether this tracer traces the loop now. False if another tracer traces the loop,
    ///   or if its thread has ended.
    @discardableResult
    public func start(_ loop: RLRunLoopRef) -> Bool {
        RLRunLoopTracerStart(reference, loop)
    }

    /// Begins to trace all existing and future loops.
    ///
    /// Loops that another tracer traces are omitted.
    ///
    /// - Returns: True; false, without an effect, if another tracer traces all loops.
    @discardableResult
    public func startAll() -> Bool {
        RLRunLoopTracerStartAll(reference)
    }

    /// Stops tracing a loop.
    ///
    /// The recording is kept.
    public func stop(_ loop: RLRunLoopRef) {
        RLRunLoopTracerStop(reference, loop)
    }

    /// Stops tracing all existing and future loops.
    ///
    /// The recordings are kept.
    public func stop() {
        RLRunLoopTracerStopAll(reference)
    }

    /// Returns a copy of the recordings up to now.
    ///
    /// Tracing continues.
    public func snapshot() -> RLRunLoopTrace {
        let recordings = [RLRunLoopRecordingRef](RLRunLoopTracerCopyRecordings(reference))
        return RLRunLoopTrace(
            recordings: recordings.map { RLRunLoopTrace.Recording($0) },
            droppedRecordings: Int(RLRunLoopTracerGetDroppedCount(reference))
        )
    }
}

extension RLRunLoopTracer: CustomStringConvertible {
    /// The address, and the number of recorded loops.
    public var description: String {
        let count = RLArrayGetCount(RLRunLoopTracerCopyRecordings(reference))
        let dropped = RLRunLoopTracerGetDroppedCount(reference)
        return describe(self, "\(count) loop(s) recorded, \(dropped) given up")
    }
}
