// Writes the trace-event format of Perfetto and Chrome: an object with a list of events, in
// microseconds. Spans are pairs of B and E, which are nested on each thread. Activities and
// wake-ups without a sleep are instants.

import RunLoopKit

extension RLRunLoopTrace {
    /// The trace as JSON, for ui.perfetto.dev and chrome://tracing.
    ///
    /// Each thread is a track. Runs, callbacks and sleeps are slices, named after the mode, the
    /// function and the reason for the wake-up. Further details are arguments of the slices. Times
    /// count from the beginning of the first recording.
    public func chromeJSON() -> String {
        let start = recordings.map(\.began).min() ?? 0
        var lines = [
            metadata(
                "process_name",
                process,
                thread: process,
                ["name": .text(processName ?? "process")]
            )
        ]
        for (index, recording) in recordings.enumerated() {
            lines.append(
                metadata(
                    "thread_name",
                    process,
                    thread: recording.thread,
                    ["name": .text(recording.title)]
                )
            )
            lines.append(
                metadata(
                    "thread_sort_index",
                    process,
                    thread: recording.thread,
                    ["sort_index": .number(recording.isMain ? -1 : index)]
                )
            )
            lines += JSONRecording(recording, names, process: process, start: start).lines()
        }
        let body = lines.joined(separator: ",\n")
        return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n\(body)\n]}\n"
    }

    private func metadata(
        _ name: String,
        _ process: Int32,
        thread: Int32,
        _ arguments: [String: JSONValue]
    ) -> String {
        jsonObject([
            ("ph", .text("M")), ("pid", .number(Int(process))), ("tid", .number(Int(thread))),
            ("name", .text(name)), ("args", .object(arguments.map { ($0.key, $0.value) })),
        ])
    }
}

private struct JSONRecording {
    let recording: RLRunLoopTrace.Recording
    let names: TraceNames
    let process: Int32
    let start: UInt64

    init(
        _ recording: RLRunLoopTrace.Recording,
        _ names: TraceNames,
        process: Int32,
        start: UInt64
    ) {
        self.recording = recording
        self.names = names
        self.process = process
        self.start = start
    }

    /// The lines of all events by time; simultaneous events are in the order of recording.
    func lines() -> [String] {
        let slices = slices()
        let instants = instants()
        var lines: [String] = []
        var next = 0
        for slice in slices {
            while next < instants.count, instants[next].time < slice.time {
                lines.append(instants[next].line)
                next += 1
            }
            lines.append(slice.line)
        }
        return lines + instants[next...].map(\.line)
    }

    private func slices() -> [(time: UInt64, line: String)] {
        var lines: [(time: UInt64, line: String)] = []
        var open: [RLRunLoopTrace.Span] = []
        func endInnermost() {
            let span = open.removeLast()
            lines.append((span.ended, event("E", span.ended, [])))
        }
        for span in recording.spans {
            while open.count > span.depth { endInnermost() }
            lines.append((span.began, event("B", span.began, describe(span))))
            open.append(span)
        }
        while !open.isEmpty { endInnermost() }
        return lines
    }

    private func instants() -> [(time: UInt64, line: String)] {
        recording.events.compactMap { event in
            switch event.kind {
            case .activity(let activity):
                return instant(event, activity.description, "activity")
            case .wokeUp(let reason) where event.duration == 0:
                return instant(event, "found: \(reason)", "wake-up")
            case .threadEnded: return instant(event, "thread ended", "thread")
            default: return nil
            }
        }
    }

    private func instant(
        _ event: RLRunLoopTrace.Event,
        _ name: String,
        _ category: String
    ) -> (time: UInt64, line: String) {
        let mode = event.mode.map { [("mode", JSONValue.text($0.description))] } ?? []
        let fields: [(String, JSONValue)] = [
            ("s", .text("t")), ("name", .text(name)), ("cat", .text(category)),
            ("args", .object(mode)),
        ]
        return (event.time, self.event("i", event.time, fields))
    }

    private func event(
        _ phase: String,
        _ time: UInt64,
        _ fields: [(String, JSONValue)]
    ) -> String {
        jsonObject(
            [
                ("ph", .text(phase)), ("pid", .number(Int(process))),
                ("tid", .number(Int(recording.thread))),
                ("ts", .microseconds(time < start ? 0 : time - start)),
            ] + fields
        )
    }

    private func describe(_ span: RLRunLoopTrace.Span) -> [(String, JSONValue)] {
        var arguments: [(String, JSONValue)] = []
        if let mode = span.mode { arguments.append(("mode", .text(mode.description))) }
        if span.isCutAtStart { arguments.append(("began", .text("before it was traced"))) }
        if span.isCutAtEnd { arguments.append(("ended", .text("after it was traced"))) }
        switch span.kind {
        case .run:
            let name = "run in \(span.mode?.description ?? "an unknown mode")"
            return [("name", .text(name)), ("cat", .text("run")), ("args", .object(arguments))]
        case .sleep(let reason):
            arguments.append(("woken by", .text(reason?.description ?? "nothing yet")))
            return [
                ("name", .text("sleep")), ("cat", .text("sleep")), ("args", .object(arguments)),
            ]
        case .callout(let callout):
            arguments += describe(callout)
            return [
                ("name", .text(names.name(of: callout))), ("cat", .text(callout.kindName)),
                ("args", .object(arguments)),
            ]
        }
    }

    private func describe(_ callout: RLRunLoopTrace.Callout) -> [(String, JSONValue)] {
        let frame = names.frame(at: callout.function)
        var arguments: [(String, JSONValue)] = [
            ("address", .text("0x" + String(callout.function, radix: 16)))
        ]
        if let symbol = frame.symbol { arguments.append(("symbol", .text(symbol))) }
        if let image = frame.image { arguments.append(("image", .text(image))) }
        if let source = names.place(of: callout) { arguments.append(("source", .text(source))) }
        if callout.object != 0 {
            arguments.append(("object", .text("0x" + String(callout.object, radix: 16))))
        }
        return arguments
    }
}
