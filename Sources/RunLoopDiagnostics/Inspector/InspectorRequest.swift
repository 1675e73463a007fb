/// A viewer's request: a line of a verb and values, such as `sample viewer=123`.
///
/// It comes from another process, and is read with care: it has 512 bytes at most, of ASCII, and
/// what is not known is refused.
struct InspectorRequest {
    enum Verb: String {
        case hello, dump, sample, items, trace, stacks, stalls, leave
    }

    /// The number of the messages, which changes when old viewers would misunderstand new answers.
    static let version: Int32 = 1

    static let mostBytes = 512

    let verb: Verb
    private let values: [Substring: Substring]

    init(version: Int32, bytes: some Collection<UInt8>) throws(InspectorRefusal) {
        guard version == Self.version else {
            throw InspectorRefusal("the process speaks version \(Self.version)")
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

    /// The sender: a word that the viewer has made up for itself.
    func viewer() throws(InspectorRefusal) -> String {
        guard let name = values["viewer"], 1...64 ~= name.utf8.count else {
            throw InspectorRefusal("viewer is missing")
        }
        return String(name)
    }

    /// A word, or nil.
    func word(_ name: String) -> String? {
        values[name[...]].map(String.init)
    }

    /// A number within limits, or what stands for it if it is missing.
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

/// Why a request is not answered, in a line.
struct InspectorRefusal: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
