/// A viewer's request: a line of a verb and values, such as `sample viewer=123`.
///
/// It is the data of a message whose identifier is the version. The reply is a JSON object with
/// `version`. If the request was refused, the only other field is `error`, a line of text. Times
/// are nanoseconds of the monotonic clock.
///
/// `viewer` is a word that a viewer chooses, such as its process ID. Each request with it keeps the
/// viewer for four seconds, in which the inspector's thread is not busy with others.
///
/// A function has its address beside its name, in hexadecimal digits: `address`,
/// `functionAddress`, `callbackAddress`, `longestAddress`. A line of `dump`, or of a report in
/// `stalls`, is an object: its `text`, and for a line that ends with a function, the `function` and
/// the `address`. `isOnStack` marks those of a backtrace.
///
/// Requests come from other processes and are not trusted: unknown ones are refused.
struct InspectorRequest {
    enum Verb: String {
        /// `process`, `name`, `program`, `time`; `loops`, their number; `nanosecondsRunning`, their
        /// total time awake; `viewers`, their number.
        case hello
        /// `lines`, as of `RLRunLoopDump`.
        case dump
        /// For `viewer`: `process`, `name`, `program`, `time`; `omittedLoops`; `loops`, each with
        /// counters since it was made, and `functions`, `timers` and `longest` since the first
        /// viewer.
        case sample
        /// Of the loop of a `thread`: `modes`, each with `name`, `items` and `omittedItems`.
        case items
        /// With `capacity`, traces all loops from now on, in rings of at least that size, and
        /// replies `time`. With `since`, a time: `threads` that have recordings. With `thread` too:
        /// the recording `until` a time: `events`, each a row of its time since the first one, its
        /// duration, the index of its mode, its kind and the data of that; `modes`, `functions`.
        case trace
        /// `stacks` of the loops' threads since the first such request of `viewer`, with `thread`,
        /// `count` and `frames`; the `functions` at these addresses; `lost`, samples without a
        /// stack.
        case stacks
        /// `reports` from number `from` on of callbacks that took `threshold` milliseconds, and
        /// `next`, the next number. With `earlier=1`, current stalls are in `earlier`.
        case stalls
        /// Nothing: the viewer has left.
        case leave
    }

    /// The identifier of the messages.
    ///
    /// Changes when old viewers would misparse new replies.
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

    /// The sender's self-chosen identifier.
    func viewer() throws(InspectorRefusal) -> String {
        guard let name = values["viewer"], 1...64 ~= name.utf8.count else {
            throw InspectorRefusal("viewer is missing")
        }
        return String(name)
    }

    func word(_ name: String) -> String? {
        values[name[...]].map(String.init)
    }

    /// Returns a number within limits, or a default if the value is missing.
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

/// The reason for a refused request, in one line.
struct InspectorRefusal: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
