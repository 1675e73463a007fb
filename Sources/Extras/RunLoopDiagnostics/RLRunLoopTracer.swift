public import RunLoopKit

/// Records the activity of run loops: passes, callbacks, sleeps and the reasons of wake-ups.
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
/// Each trace of a loop is one recording: a ring buffer, which the loop's thread writes without a
/// lock. When it is full, the oldest events are overwritten and counted. A loop that is not traced
/// makes one comparison for each callback and each sleep.
///
/// A loop is traced by one tracer at a time. All methods may be called from any thread, callbacks
/// of the traced loops included.
///
/// Ours, no Foundation counterpart.
public final class RLRunLoopTracer: Sendable {
    /// The engine's tracer.
    ///
    /// The object owns it.
    public let reference: RLRunLoopTracerRef

    /// Creates a tracer, which traces no loop yet.
    ///
    /// - Parameters:
    ///   - capacity: The number of events in each recording, of 48 bytes each. Rounded up to a
    ///     power of two, from 64 to 2^24. A pass with a sleep makes six, a callback two.
    ///   - calloutsOnly: Whether to record callbacks and runs only, and not activities, sleeps and
    ///     wake-ups. That costs the loop a fraction.
    public init(capacity: Int = 16384, calloutsOnly: Bool = false) {
        reference =
            calloutsOnly
            ? RLRunLoopTracerCreateForCallouts(nil, capacity)
            : RLRunLoopTracerCreate(nil, capacity)
    }

    deinit {
        // Without the tracer, nothing could stop its recordings.
        RLRunLoopTracerStopAll(reference)
    }

    /// Begins to trace a loop, of any thread, in a new recording.
    ///
    /// - Returns: Whether this tracer traces it now. False if another one does, or if the loop's
    ///   thread has ended.
    @discardableResult
    public func start(_ loop: RLRunLoopRef) -> Bool {
        RLRunLoopTracerStart(reference, loop)
    }

    /// Begins to trace all loops, existing and future ones.
    ///
    /// Loops that another tracer traces are left to it.
    ///
    /// - Returns: False, with nothing done, if another tracer traces all loops.
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

    /// Stops tracing all loops, and does not trace new ones.
    ///
    /// The recordings are kept.
    public func stop() {
        RLRunLoopTracerStopAll(reference)
    }

    /// Copies the recordings up to now.
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
