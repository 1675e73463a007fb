// Converts the engine's recordings to events, and events to spans.

import Glibc
import RunLoopKit

extension RLRunLoopTrace.Recording {
    // Reads a part of a recording. The loop may continue to write the recording.
    init(_ recording: RLRunLoopRecordingRef, from: UInt64 = 0, until: UInt64 = .max) {
        let read = RecordingReader(recording).entries(from: from, until: until)
        // The info is read after the entries, so the end is not before the last entry.
        var info = RLRunLoopRecordingInfo()
        RLRunLoopRecordingGetInfo(recording, &info)
        let isOver = info.ended != 0 && info.ended <= until
        let last = read.entries.last?.time ?? 0
        var modes: [Int32: RLRunLoopMode] = [:]
        self.init(
            thread: info.threadID,
            isMain: info.isMain,
            threadName: withUnsafeBytes(of: info.threadName) { name(in: $0) }
                ?? nameOfThread(info.threadID),
            began: max(info.began, from),
            ended: max(last, isOver ? info.ended : min(UInt64(nanoseconds()), until)),
            isOver: isOver,
            events: read.entries.map { entry in
                let mode = modes[entry.mode] ?? modeName(entry.mode, in: recording)
                modes[entry.mode] = mode
                return RLRunLoopTrace.Event(entry, mode)
            },
            lostEvents: read.lost
        )
    }

    init(
        thread: Int32,
        isMain: Bool,
        threadName: String?,
        began: UInt64,
        ended: UInt64,
        isOver: Bool,
        events: [RLRunLoopTrace.Event],
        lostEvents: Int
    ) {
        // Without lost events, the recording is complete from its beginning.
        let start = lostEvents > 0 ? events.first?.time ?? began : began
        self.init(
            thread: thread,
            isMain: isMain,
            threadName: threadName,
            began: began,
            ended: ended,
            isOver: isOver,
            events: events,
            lostEvents: lostEvents,
            spans: SpanBuilder(start: start, end: ended).spans(of: events)
        )
    }
}

private func name(in bytes: UnsafeRawBufferPointer) -> String? {
    let characters = bytes.prefix { $0 != 0 }
    return characters.isEmpty ? nil : String(decoding: characters, as: UTF8.self)
}

private func modeName(_ number: Int32, in recording: RLRunLoopRecordingRef) -> RLRunLoopMode? {
    guard number != 0 else { return nil }
    let name: RLStringRef? = RLRunLoopRecordingCopyModeName(recording, number)
    return name.map { RLRunLoopMode($0) }
}

/// Reads a ring while its loop writes it.
private struct RecordingReader {
    let recording: RLRunLoopRecordingRef

    init(_ recording: RLRunLoopRecordingRef) {
        self.recording = recording
    }

    /// Returns contiguous entries, and the number of lost entries before the first entry.
    func entries(from: UInt64, until: UInt64) -> (entries: [RLRunLoopTraceEntry], lost: Int) {
        var info = RLRunLoopRecordingInfo()
        RLRunLoopRecordingGetInfo(recording, &info)
        // Entries that are written during the read belong to the next snapshot.
        let end = info.entryCount
        let capacity = Int(min(end, UInt64(info.capacity)))
        // With 0, the initializer would write to the empty array, which all threads share.
        guard capacity > 0 else { return ([], 0) }
        var entries = [RLRunLoopTraceEntry](unsafeUninitializedCapacity: capacity) {
            buffer,
            count in
            let first = end - UInt64(capacity)
            count = RLRunLoopRecordingGetEntries(recording, first, buffer.baseAddress, capacity)
        }
        entries.removeAll { $0.number >= end }
        // The loop may overwrite entries during the read: entries before a gap are dropped.
        let numbers = entries.indices.dropFirst()
        let gap = numbers.last { entries[$0].number != entries[$0 - 1].number + 1 }
        if let gap { entries.removeSubrange(..<gap) }
        let first = Int(entries.first?.number ?? end)
        let kept = entries.drop { $0.time < from }
        // Entries before `from` do not count as lost.
        return (Array(kept.prefix { $0.time <= until }), kept.count < entries.count ? 0 : first)
    }
}

extension RLRunLoopTrace.Event {
    fileprivate init(_ entry: RLRunLoopTraceEntry, _ mode: RLRunLoopMode?) {
        number = Int(entry.number)
        time = entry.time
        duration = entry.duration
        self.mode = mode
        let callout = RLRunLoopTrace.Callout(
            phase: entry.phase,
            function: UInt(bitPattern: entry.function),
            object: UInt(bitPattern: entry.object),
            captured: UInt(bitPattern: entry.captured)
        )
        switch entry.kind {
        case kRLRunLoopTraceRunBegin: kind = .runBegan
        case kRLRunLoopTraceRunEnd: kind = .runEnded
        case kRLRunLoopTraceActivity: kind = .activity(entry.activity)
        case kRLRunLoopTraceCalloutBegin: kind = .calloutBegan(callout)
        case kRLRunLoopTraceCalloutEnd: kind = .calloutEnded(callout)
        case kRLRunLoopTraceCalloutFunction:
            kind = .calloutFunction(TraceNames.shared.target(of: callout))
        case kRLRunLoopTraceSleep: kind = .fellAsleep
        case kRLRunLoopTraceWakeUp: kind = .wokeUp(.init(entry))
        default: kind = .threadEnded
        }
    }
}

extension RLRunLoopTrace.WakeReason {
    fileprivate init(_ entry: RLRunLoopTraceEntry) {
        switch entry.reason {
        case kRLRunLoopWakeReasonToken: self = .wakeUp
        case kRLRunLoopWakeReasonTimer: self = .timer
        case kRLRunLoopWakeReasonMainQueue: self = .mainQueue
        case kRLRunLoopWakeReasonDescriptor: self = .descriptor(entry.descriptor)
        case kRLRunLoopWakeReasonHost: self = .host
        default: self = .timeout
        }
    }
}

/// Builds spans from events.
///
/// A span without a beginning began before the recording; a span without an end outlasted the
/// recording.
private struct SpanBuilder {
    typealias Span = RLRunLoopTrace.Span

    let start: UInt64
    let end: UInt64
    private var spans: [Span] = []
    // The indices of unfinished spans, innermost last.
    private var open: [Int] = []
    // The spans without a recorded beginning, innermost first.
    private var earlier: [Span] = []
    // The mode of an unfinished run whose beginning was not recorded.
    private var unseenRun: RLRunLoopMode?

    init(start: UInt64, end: UInt64) {
        self.start = start
        self.end = end
    }

    func spans(of events: [RLRunLoopTrace.Event]) -> [Span] {
        var copy = self
        for event in events { copy.take(event) }
        copy.closeAll(at: end, isCut: true)
        if let mode = copy.unseenRun { copy.addEarlier(.run, mode, until: end, isCutAtEnd: true) }
        // A span without a recorded beginning encloses all spans that ended before its end.
        var result = copy.spans
        for span in copy.earlier {
            for place in result.indices where result[place].ended <= span.ended {
                result[place].depth += 1
            }
            result.insert(span, at: 0)
        }
        return result
    }

    private mutating func take(_ event: RLRunLoopTrace.Event) {
        switch event.kind {
        case .runBegan: begin(.run, event)
        case .runEnded:
            if open.isEmpty { unseenRun = nil }
            endInnermost(as: .run, event) { $0 == .run }
        case .calloutBegan(let callout):
            noteRun(event)
            var named = callout
            named.function = TraceNames.shared.target(of: callout)
            begin(.callout(named), event)
        case .calloutEnded(let callout):
            noteRun(event)
            endInnermost(as: .callout(callout), event) { $0.isCallout }
        case .calloutFunction(let function): rename(function)
        case .fellAsleep: begin(.sleep(nil), event)
        case .wokeUp(let reason): wake(reason, event)
        case .threadEnded:
            closeAll(at: event.time, isCut: false)
            if let mode = unseenRun { addEarlier(.run, mode, until: event.time) }
            unseenRun = nil
        case .activity: noteRun(event)
        }
    }

    /// Infers a run that began before the recording, from an event that only occurs in runs.
    private mutating func noteRun(_ event: RLRunLoopTrace.Event) {
        let isInRun = open.contains { spans[$0].kind == .run }
        if !isInRun, let mode = event.mode { unseenRun = mode }
    }

    private mutating func begin(_ kind: Span.Kind, _ event: RLRunLoopTrace.Event) {
        open.append(spans.count)
        spans.append(
            Span(
                kind: kind,
                began: event.time,
                ended: event.time,
                depth: open.count - 1,
                mode: event.mode,
                isCutAtStart: false,
                isCutAtEnd: false
            )
        )
    }

    private mutating func endInnermost(
        as kind: Span.Kind,
        _ event: RLRunLoopTrace.Event,
        where isMeant: (Span.Kind) -> Bool
    ) {
        if let place = open.last, isMeant(spans[place].kind) {
            spans[place].ended = event.time
            open.removeLast()
        } else if open.isEmpty {
            addEarlier(kind, event.mode, until: event.time)
        }
    }

    private mutating func wake(_ reason: RLRunLoopTrace.WakeReason, _ event: RLRunLoopTrace.Event) {
        if let place = open.last, spans[place].kind == .sleep(nil) {
            spans[place].kind = .sleep(reason)
            spans[place].ended = event.time
            open.removeLast()
        } else if open.isEmpty, event.duration > 0 {
            // The loop was already asleep when tracing began.
            addEarlier(.sleep(reason), event.mode, until: event.time)
        }
    }

    private mutating func addEarlier(
        _ kind: Span.Kind,
        _ mode: RLRunLoopMode?,
        until time: UInt64,
        isCutAtEnd: Bool = false
    ) {
        earlier.append(
            Span(
                kind: kind,
                began: start,
                ended: time,
                depth: 0,
                mode: mode,
                isCutAtStart: true,
                isCutAtEnd: isCutAtEnd
            )
        )
    }

    private mutating func rename(_ function: UInt) {
        guard let place = open.last, case .callout(var callout) = spans[place].kind else { return }
        callout.function = function
        spans[place].kind = .callout(callout)
    }

    private mutating func closeAll(at time: UInt64, isCut: Bool) {
        for place in open.reversed() {
            spans[place].ended = time
            spans[place].isCutAtEnd = isCut
        }
        open = []
    }
}
