// Parses the heads of a response line by line.

import FoundationEssentials

/// Collects the last head before the body, and the trailers.
struct ResponseHead {
    private let limits: RLHTTPLimits
    private var length = 0
    private var trailerLength = 0
    /// Whether a head has begun and not ended.
    private(set) var isInFields = false
    private(set) var response = RLHTTPResponse(
        minorVersion: 1,
        statusCode: 0,
        reason: "",
        fields: []
    )

    init(limits: RLHTTPLimits) {
        self.limits = limits
    }

    var isComplete: Bool { !isInFields && response.statusCode >= 200 }

    static func isFirst(_ line: UnsafeRawBufferPointer) -> Bool {
        line.starts(with: "HTTP/".utf8)
    }

    // Parses a line with its terminator. After a body, `mayBeFirst` is false: a status line is
    // then a trailer. Returns whether the line ends a head.
    mutating func take(
        _ line: UnsafeRawBufferPointer,
        mayBeFirst: Bool
    ) throws(RLHTTPError) -> Bool {
        // New versions of libcurl deliver a line even if EOF truncates it.
        if line.last != 10 { throw .closedEarly }
        let text = line.dropLast(while: { $0 == 13 || $0 == 10 })
        if mayBeFirst, !isInFields, Self.isFirst(line) {
            // Interim heads count towards the limits of the response that follows.
            if isComplete { (length, trailerLength) = (0, 0) }
            try count(line, &length, "head")
            isInFields = true
            return try begin(text)
        }
        if isInFields {
            try count(line, &length, "head")
            isInFields = !text.isEmpty
            if isInFields {
                try Self.add(text, to: &response.fields, limits)
            } else {
                try checkBody()
            }
            return !isInFields
        }
        try count(line, &trailerLength, "trailers")
        if !text.isEmpty { try Self.add(text, to: &response.trailers, limits) }
        return false
    }

    // Throws if the length of the body is ambiguous. Libcurl parses `0x5` as 0, picks one of two
    // lengths, and decompresses transfer codings that it did not request.
    private func checkBody() throws(RLHTTPError) {
        let coding = response.value(forField: "Transfer-Encoding") ?? "chunked"
        guard coding.isSame(as: "chunked") || coding.isSame(as: "identity") else {
            throw .malformedResponse("'\(coding)' is no known Transfer-Encoding")
        }
        guard let text = response.value(forField: "Content-Length") else { return }
        let numbers = text.replacing(", ", with: ",").split(
            separator: ",",
            omittingEmptySubsequences: false
        )
        guard let number = numbers.first, numbers.allSatisfy({ $0 == number }),
            number.utf8.allSatisfy({ (48...57).contains($0) }), Int(number) != nil
        else { throw .malformedResponse("'\(text)' is no Content-Length") }
    }

    private func count(
        _ line: UnsafeRawBufferPointer,
        _ length: inout Int,
        _ what: String
    ) throws(RLHTTPError) {
        length += line.count
        if length > limits.headLength { throw .limitExceeded(what) }
    }

    /// Parses `HTTP/1.1 200 Reason`; the reason phrase is optional.
    private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) throws(RLHTTPError) -> Bool {
        var rest = line.dropFirst(5)
        let major = Self.takeNumber(of: &rest)
        let minor = rest.first == 46 ? Self.takeNumber(of: &rest) : nil
        let code = Self.takeNumber(of: &rest)
        guard let major, let code, rest.isEmpty || rest.first == 32 else {
            throw .malformedResponse("the first line is no status line")
        }
        response = RLHTTPResponse(
            majorVersion: major,
            minorVersion: min(minor ?? 0, 1),
            statusCode: code,
            reason: String(decoding: rest.dropFirst(), as: UTF8.self),
            fields: []
        )
        return false
    }

    /// Takes a number, after an optional blank or dot.
    private static func takeNumber(of text: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        if text.first == 32 || text.first == 46 { text = text.dropFirst() }
        let digits = text.prefix { (48...57).contains($0) }
        text = text.dropFirst(digits.count)
        if digits.isEmpty || digits.count > 9 { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    /// Parses `Name: value`, or a continuation of the previous value.
    private static func add(
        _ line: Slice<UnsafeRawBufferPointer>,
        to list: inout [RLHTTPField],
        _ limits: RLHTTPLimits
    ) throws(RLHTTPError) {
        let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
        if let first = line.first, isBlank(first), let last = list.indices.last {
            let more = line.drop(while: isBlank).dropLast(while: isBlank)
            list[last].value += " \(String(decoding: more, as: UTF8.self))"
            return
        }
        guard let colon = line.firstIndex(of: 58), colon > line.startIndex,
            line[..<colon].allSatisfy({ $0 > 32 })
        else {
            throw .malformedResponse("a line of the head is no field")
        }
        guard list.count < limits.fieldCount else {
            throw .limitExceeded("number of fields")
        }
        let value = line[(colon + 1)...].drop(while: isBlank).dropLast(while: isBlank)
        list.append(
            RLHTTPField(
                name: String(decoding: line[..<colon], as: UTF8.self),
                value: String(decoding: value, as: UTF8.self)
            )
        )
    }
}

extension BidirectionalCollection where SubSequence == Self {
    fileprivate func dropLast(while predicate: (Element) -> Bool) -> SubSequence {
        var rest = self
        while let last = rest.last, predicate(last) { rest = rest.dropLast() }
        return rest
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func dropLast(while predicate: (Element) -> Bool) -> Slice<Self> {
        self[...].dropLast(while: predicate)
    }
}
