// Encodes recordings for a viewer: rows of numbers for events, and names of functions.

import Glibc
import RunLoopKit

extension RLRunLoopTrace.Recording {
    /// The fields of the reply to `trace`.
    var json: [(String, JSONValue)] {
        var modes: [RLRunLoopMode] = []
        var functions: Set<UInt> = []
        let rows = events.map { event -> JSONValue in
            var mode = -1
            if let name = event.mode {
                mode = modes.firstIndex(of: name) ?? modes.count
                if mode == modes.count { modes.append(name) }
            }
            let words = event.kind.words
            if let function = event.kind.function { functions.insert(function) }
            let time = Int(event.time - (events.first?.time ?? 0))
            return .list(([time, Int(event.duration), mode] + words).map { .number($0) })
        }
        return [
            ("thread", .number(Int(thread))), ("isMain", .flag(isMain)),
            ("threadName", .clipped(threadName)), ("began", .count(began)),
            ("ended", .count(ended)), ("isOver", .flag(isOver)),
            ("lostEvents", .number(lostEvents)), ("number", .number(events.first?.number ?? 0)),
            ("time", .count(events.first?.time ?? 0)),
            ("modes", .list(modes.map { .clipped($0.description) })), ("events", .list(rows)),
            ("functions", .list(functions.map(functionJSON))),
        ]
    }
}

private func functionJSON(_ function: UInt) -> JSONValue {
    let frame = TraceNames.shared.frame(at: function)
    let source = TraceNames.shared.source(of: function)
    return .object([
        ("address", .number(Int(bitPattern: function))),
        ("source", .number(Int(bitPattern: source))),
        ("symbol", .clipped(frame.symbol, to: 4000)), ("image", .clipped(frame.image)),
        ("offset", .count(frame.offset)),
    ])
}

extension RLRunLoopTrace.Kind {
    /// The kind as a number, followed by its arguments.
    fileprivate var words: [Int] {
        switch self {
        case .runBegan: [0]
        case .runEnded: [1]
        case .activity(let activity): [2, Int(activity.rawValue)]
        case .calloutBegan(let callout): [3] + callout.words
        case .calloutEnded(let callout): [4] + callout.words
        case .calloutFunction(let function): [5, Int(bitPattern: function)]
        case .fellAsleep: [6]
        case .wokeUp(let reason): [7] + reason.words
        case .threadEnded: [8]
        }
    }

    fileprivate init?(_ words: ArraySlice<Int>) {
        func word(_ index: Int) -> Int { words.dropFirst(index).first ?? 0 }
        switch word(0) {
        case 0: self = .runBegan
        case 1: self = .runEnded
        case 2: self = .activity(RLRunLoopActivity(rawValue: UInt(bitPattern: word(1))))
        case 3: self = .calloutBegan(.init(word(1), word(2), word(3)))
        case 4: self = .calloutEnded(.init(word(1), word(2), word(3)))
        case 5: self = .calloutFunction(UInt(bitPattern: word(1)))
        case 6: self = .fellAsleep
        case 7: self = .wokeUp(.init(word(1), Int32(truncatingIfNeeded: word(2))))
        case 8: self = .threadEnded
        default: return nil
        }
    }

    fileprivate var function: UInt? {
        switch self {
        case .calloutBegan(let callout), .calloutEnded(let callout):
            TraceNames.shared.target(of: callout)
        case .calloutFunction(let function): function
        default: nil
        }
    }
}

extension RLRunLoopTrace.Callout {
    fileprivate var words: [Int] {
        let function = TraceNames.shared.target(of: self)
        return [Int(phase.rawValue), Int(bitPattern: function), Int(bitPattern: object)]
    }

    fileprivate init(_ phase: Int, _ function: Int, _ object: Int) {
        self.init(
            phase: RLRunLoopPhase(rawValue: Int32(truncatingIfNeeded: phase)),
            function: UInt(bitPattern: function),
            object: UInt(bitPattern: object),
            captured: 0
        )
    }
}

extension RLRunLoopTrace.WakeReason {
    fileprivate var words: [Int] {
        switch self {
        case .timeout: [0]
        case .wakeUp: [1]
        case .timer: [2]
        case .mainQueue: [3]
        case .descriptor(let descriptor): [4, Int(descriptor)]
        case .host: [5]
        }
    }

    fileprivate init(_ number: Int, _ descriptor: Int32) {
        switch number {
        case 1: self = .wakeUp
        case 2: self = .timer
        case 3: self = .mainQueue
        case 4: self = .descriptor(descriptor)
        case 5: self = .host
        default: self = .timeout
        }
    }
}

// MARK: In the viewer

/// A recording of another process.
package struct SentRecording: Decodable {
    struct Function: Decodable {
        let address: Int
        /// The address whose file and line are shown for the function.
        let source: Int
        let symbol: String?
        let image: String?
        let offset: UInt64
    }

    let thread: Int32
    let isMain: Bool
    let threadName: String?
    let began: UInt64
    let ended: UInt64
    let isOver: Bool
    let lostEvents: Int
    let number: Int
    let time: UInt64
    let modes: [String]
    let events: [[Int]]
    let functions: [Function]
}

extension RLRunLoopTrace {
    package init(of process: Int32, named name: String?, _ recordings: [SentRecording]) {
        var frames: [UInt: RLBacktrace.Frame] = [:]
        var sources: [UInt: UInt] = [:]
        for function in recordings.flatMap(\.functions) {
            let address = UInt(bitPattern: function.address)
            sources[address] = UInt(bitPattern: function.source)
            frames[address] = RLBacktrace.Frame(
                address: address,
                symbol: function.symbol,
                offset: function.offset,
                image: function.image
            )
        }
        self.init(
            recordings: recordings.map(Recording.init),
            droppedRecordings: 0,
            names: TraceNames(frames, sources: sources),
            process: process,
            processName: name
        )
    }
}

extension RLRunLoopTrace.Recording {
    fileprivate init(_ sent: SentRecording) {
        let modes = sent.modes.map { RLRunLoopMode($0) }
        // The data are untrusted: times are put in order, and limited to 13 days.
        let began = min(sent.began, 1 << 60)
        var last = max(began, min(sent.time, 1 << 60))
        let (first, latest) = (last, began + (1 << 50))
        let events = sent.events.enumerated().compactMap { index, row -> RLRunLoopTrace.Event? in
            guard row.count > 3, let kind = RLRunLoopTrace.Kind(row[3...]) else { return nil }
            last = max(last, min(first &+ UInt64(max(0, row[0])), latest))
            return RLRunLoopTrace.Event(
                number: sent.number &+ index,
                time: last,
                mode: modes.indices.contains(row[2]) ? modes[row[2]] : nil,
                kind: kind,
                duration: UInt64(max(0, row[1]))
            )
        }
        self.init(
            thread: sent.thread,
            isMain: sent.isMain,
            threadName: sent.threadName,
            began: began,
            ended: max(last, min(sent.ended, latest)),
            isOver: sent.isOver,
            events: events,
            lostEvents: max(0, min(sent.lostEvents, 1 << 40))
        )
    }
}
