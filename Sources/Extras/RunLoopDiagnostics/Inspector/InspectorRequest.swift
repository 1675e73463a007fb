/// A viewer's request: a line with a verb and values, such as `sample viewer=123`.
///
/// The request is the data of a message whose identifier is the version. The reply is a JSON object
/// with `version`. If the request was rejected, the only other field is `error`, a line of text.
/// Times are in nanoseconds of the monotonic clock.
///
/// `viewer` is an identifier that the viewer chooses, such as its process ID. Each request with
/// `viewer` keeps the viewer registered for four seconds; time in which the inspector's thread is
/// busy does not count.
///
/// The name of a function is followed by its address in hexadecimal digits: `address`,
/// `functionAddress`, `callbackAddress`, `longestAddress`. A line of `dump`, or of a report in
/// `stalls`, is an object with `text`. If the line ends with a function, the object also has
/// `function` and `address`. `isOnStack` marks the functions of a backtrace.
///
/// Requests come from other processes and are untrusted: unknown requests are rejected.
struct InspectorRequest {
    enum Verb: String {
        /// Replies with `process`, `name`, `program` and `time`; the number of `loops` and of
        /// `viewers`; `nanosecondsRunning`, the total time in which the loops were awake.
        case hello
        /// Replies with the `lines` of `RLRunLoopDump`.
        case dump
        /// Replies with `process`, `name`, `program`, `time`; `omittedLoops`; `loops`.
        ///
        /// Each loop has counters since its creation, and `functions`, `timers` and `longest` since
        /// the first viewer.
        case sample
        /// Replies with the `modes` of the loop of `thread`, each with `name`, `items` and
        /// `omittedItems`.
        case items
        /// With `capacity`, traces all loops from now on, in rings of at least this size, and
        /// replies with `time`.
        ///
        /// With the time `since`, replies with the `threads` that have recordings. With `since` and
        /// `thread`, replies with the recording up to the time `until`: `events`, `modes` and
        /// `functions`. An event is a row: the time since the first event, the duration, the index
        /// of the mode, the kind, and the data of the kind.
        case trace
        /// Replies with the `stacks` of the loops' threads since the viewer's first `stacks`
        /// request, each with `thread`, `count` and `frames`; the `functions` at the addresses of
        /// the frames; `lost`, the number of samples without a stack.
        case stacks
        /// Replies with the `reports`, from number `from` on, about callbacks that took `threshold`
        /// milliseconds, and the number of the `next` report.
        ///
        /// With `earlier=1`, the reply has `earlier`, the stalls that are in progress.
        case stalls
        /// Unregisters the viewer.
        ///
        /// The reply has no fields.
        case leave
    }

    // The identifier of the messages. Increase it when old viewers would misparse new replies.
    static let version: Int32 = 1

    static let mostBytes = 512

    let verb: Verb
    private let values: [Substring: Substring]

    init(version: Int32, bytes: some Collection<UInt8>) throws(InspectorRefusal) {
        guard version == Self.version else {
            throw InspectorRefusal("the process expects version \(Self.version)")
        }
        guard bytes.count <= Self.mostBytes, bytes.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw InspectorRefusal("a request is a line of \(Self.mostBytes) bytes at most")
        }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard let first = words.first, let verb = Verb(rawValue: String(first)) else {
            throw InspectorRefusal("no such request")
        }
        var values: [Substring: Substring] = [:]
        for word in words.dropFirst() {
            guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
                throw InspectorRefusal("a value has no name")
            }
            values[word[..<sign]] = word[word.index(after: sign)...]
        }
        self.verb = verb
        self.values = values
    }

    func viewer() throws(InspectorRefusal) -> String {
        guard let name = values["viewer"], 1...64 ~= name.utf8.count else {
            throw InspectorRefusal("viewer is missing")
        }
        return String(name)
    }

    func word(_ name: String) -> String? {
        values[name[...]].map(String.init)
    }

    func number(
        _ name: String,
        in limits: ClosedRange<Int>,
        default absent: Int? = nil
    ) throws(InspectorRefusal) -> Int {
        let given = values[name[...]].map { Int($0) } ?? absent
        guard let given, limits.contains(given) else {
            throw InspectorRefusal(
                "\(name) is no number from \(limits.lowerBound) to \(limits.upperBound)"
            )
        }
        return given
    }
}

/// The error of a rejected request; the reason is one line.
struct InspectorRefusal: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
