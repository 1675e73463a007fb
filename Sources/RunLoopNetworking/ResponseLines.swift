// The lines of a response: the status line, fields, and the sizes of chunks.

enum ResponseLines {
    private static let versionPrefix = [UInt8]("HTTP/1.".utf8)

    /// Whether a line may become a status line.
    static func canBeStatusLine(_ partial: [UInt8]) -> Bool {
        partial.prefix(versionPrefix.count).elementsEqual(versionPrefix.prefix(partial.count))
    }

    /// Reads `HTTP/1.1 200 Words`; the words may be missing, the blank before them may not.
    static func response(ofStatusLine line: [UInt8]) throws(RLHTTPError) -> RLHTTPResponse {
        let start = versionPrefix.count
        guard canBeStatusLine(line), line.count >= start + 6, let minor = digit(line[start]),
            line[start + 1] == 32, line[start + 5] == 32,
            let code = number(line[(start + 2)..<(start + 5)], radix: 10), code >= 100
        else { throw .malformedResponse("the first line is no status line of HTTP/1") }
        let reason = line[(start + 6)...]
        guard reason.allSatisfy(HTTPCharacters.isText) else {
            throw .malformedResponse("the status line has a control character")
        }
        // A later minor version means what 1.1 does.
        return RLHTTPResponse(
            minorVersion: min(minor, 1),
            statusCode: code,
            reason: String(decoding: reason, as: UTF8.self),
            fields: []
        )
    }

    /// Reads `Name: value`.
    static func field(_ line: [UInt8]) throws(RLHTTPError) -> RLHTTPField {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(HTTPCharacters.isToken)
        else { throw .malformedResponse("a line of the head is no field") }
        let value = line[(colon + 1)...].trimmingBlanks()
        guard value.allSatisfy(HTTPCharacters.isText) else {
            throw .malformedResponse("a field has a control character")
        }
        return RLHTTPField(
            name: String(decoding: line[..<colon], as: UTF8.self),
            value: String(decoding: value, as: UTF8.self)
        )
    }

    /// Reads the hexadecimal size of a chunk, which extensions may follow.
    static func chunkSize(_ line: [UInt8]) throws(RLHTTPError) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }.trimmingBlanks()
        let extensions = line.drop { $0 != UInt8(ascii: ";") }
        guard line.first.map(HTTPCharacters.isBlank) == false,
            let size = number(digits, radix: 16), extensions.allSatisfy(HTTPCharacters.isText)
        else { throw .malformedResponse("a chunk has no size") }
        return size
    }

    /// Digits and nothing else; nil also for a number that is out of range.
    static func number(_ digits: some Collection<UInt8>, radix: Int) -> Int? {
        let text = String(decoding: digits, as: UTF8.self)
        // The initializer would take a sign too.
        guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        return Int(text, radix: radix)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        HTTPCharacters.isDigit(byte) ? Int(byte) - 48 : nil
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the blanks and tabs around them.
    func trimmingBlanks() -> ArraySlice<UInt8> {
        let front = drop(while: HTTPCharacters.isBlank)
        guard let last = front.lastIndex(where: { !HTTPCharacters.isBlank($0) }) else { return [] }
        return front[...last]
    }
}
