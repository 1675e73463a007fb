// From the bytes of a connection to a response, strictly by RFC 9112.

import FoundationEssentials

/// Reads one response to a GET request, in whatever pieces it comes.
///
/// What follows the response is ignored: the connection is used once.
struct ResponseParser {
    private enum Phase {
        case statusLine, fields
        /// A body of known length, or a chunk; how much of it is missing.
        case body(Int), chunk(Int)
        case chunkSize, chunkEnd, trailers
        case bodyUntilEnd
        case complete
    }

    // The digits of a size and the end of its line.
    private static let longestChunkSize = 2 * MemoryLayout<Int>.size + 2

    private let limits: RLHTTPLimits
    private var phase = Phase.statusLine
    private var lines = LineCollector()
    // How many more bytes the lines of this part may have, and what is left for extensions of
    // chunks.
    private var lineBudget: Int
    private var extensionBudget: Int
    private var fields: [RLHTTPField] = []
    private(set) var response = RLHTTPResponse(
        minorVersion: 1,
        statusCode: 0,
        reason: "",
        fields: []
    )
    /// The bytes of the whole body, as soon as they are known.
    private(set) var expectedLength: Int?

    init(limits: RLHTTPLimits) {
        self.limits = limits
        lineBudget = limits.headLength
        // With room for the digits beside it.
        extensionBudget = min(limits.chunkExtensionLength, .max - Self.longestChunkSize)
    }

    var isComplete: Bool {
        if case .complete = phase { true } else { false }
    }

    /// Reads what has come.
    mutating func take(_ bytes: [UInt8]) throws(RLHTTPError) {
        var rest = bytes[...]
        while !rest.isEmpty && !isComplete { try takeSome(&rest) }
    }

    /// The server has closed the connection.
    mutating func takeEnd() throws(RLHTTPError) {
        guard case .bodyUntilEnd = phase else { throw .closedEarly }
        phase = .complete
    }

    private mutating func takeSome(_ rest: inout ArraySlice<UInt8>) throws(RLHTTPError) {
        switch phase {
        case .complete: break
        case .body(let missing):
            let left = missing - takeBody(&rest, missing)
            phase = left == 0 ? .complete : .body(left)
        case .chunk(let missing):
            let left = missing - takeBody(&rest, missing)
            phase = left == 0 ? .chunkEnd : .chunk(left)
        case .bodyUntilEnd:
            try checkBody(adding: rest.count)
            _ = takeBody(&rest, rest.count)
        case .statusLine, .fields, .chunkSize, .chunkEnd, .trailers:
            let line = try lines.take(from: &rest, budget: &lineBudget, of: nameOfPart)
            if let line { try takeLine(line) } else { try check(partial: lines.partial) }
        }
    }

    /// What has the limit of the line, for the error.
    private var nameOfPart: String {
        switch phase {
        case .chunkSize: "chunk extensions"
        case .trailers: "trailers"
        default: "head"
        }
    }

    /// What is wrong already with a line that has not come whole.
    private func check(partial: [UInt8]) throws(RLHTTPError) {
        if case .statusLine = phase, !ResponseLines.canBeStatusLine(partial) {
            throw .malformedResponse("it does not begin with HTTP/1")
        }
        if case .chunkEnd = phase, !partial.isEmpty {
            throw .malformedResponse("a chunk is longer than its size")
        }
    }

    private mutating func takeBody(_ rest: inout ArraySlice<UInt8>, _ most: Int) -> Int {
        let piece = rest.prefix(most)
        response.body.append(contentsOf: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    private func checkBody(adding length: Int) throws(RLHTTPError) {
        if length > limits.bodyLength - response.body.count { throw .limitExceeded("body") }
    }

    private mutating func takeLine(_ line: [UInt8]) throws(RLHTTPError) {
        switch phase {
        case .statusLine:
            response = try ResponseLines.response(ofStatusLine: line)
            phase = .fields
        case .fields:
            if line.isEmpty { try endHead() } else { try addField(line) }
        case .chunkSize:
            try beginChunk(line)
        case .chunkEnd:
            guard line.isEmpty else { throw .malformedResponse("a chunk is longer than its size") }
            expectChunk()
        case .trailers:
            guard line.isEmpty else { return try addField(line) }
            response.trailers = fields
            phase = .complete
        default:
            break
        }
    }

    private mutating func addField(_ line: [UInt8]) throws(RLHTTPError) {
        guard fields.count < limits.fieldCount else { throw .limitExceeded("number of fields") }
        fields.append(try ResponseLines.field(line))
    }

    /// The digits do not add up, as the body has a limit; what else is in the lines does.
    private mutating func expectChunk() {
        phase = .chunkSize
        lineBudget = Self.longestChunkSize + extensionBudget
    }

    private mutating func beginChunk(_ line: [UInt8]) throws(RLHTTPError) {
        let size = try ResponseLines.chunkSize(line)
        let digitCount = max(1, (Int.bitWidth - size.leadingZeroBitCount + 3) / 4)
        extensionBudget -= line.count - digitCount
        guard extensionBudget >= 0 else { throw .limitExceeded("chunk extensions") }
        try checkBody(adding: size)
        phase = size == 0 ? .trailers : .chunk(size)
        lineBudget = limits.headLength
    }

    /// Finds out how the body ends.
    private mutating func endHead() throws(RLHTTPError) {
        response.fields = fields
        fields = []
        switch response.statusCode {
        case 101:
            throw .malformedResponse("the server switches to a protocol that was not asked for")
        case 100..<200:
            // The response is still to come; together the heads keep to the limit.
            phase = .statusLine
            return
        case 204, 304:
            phase = .complete
            return
        default:
            break
        }
        phase = try phaseOfBody()
        if case .body(0) = phase { phase = .complete }
        if case .chunkSize = phase { expectChunk() }
    }

    private mutating func phaseOfBody() throws(RLHTTPError) -> Phase {
        let length = response.value(forField: "Content-Length")
        if let coding = response.value(forField: "Transfer-Encoding") {
            guard length == nil, response.minorVersion == 1 else {
                throw .malformedResponse("the head says in two ways how the body ends")
            }
            guard coding.lowercased() == "chunked" else {
                throw .malformedResponse("the transfer coding '\(coding)' was not asked for")
            }
            return .chunkSize
        }
        guard let length else { return .bodyUntilEnd }
        // The same number several times is allowed.
        let values = Set(
            length.utf8.split(separator: UInt8(ascii: ",")).map { part in
                ResponseLines.number([UInt8](part)[...].trimmingBlanks(), radix: 10)
            }
        )
        guard values.count == 1, let number = values.first ?? nil else {
            throw .malformedResponse("Content-Length is no number")
        }
        try checkBody(adding: number)
        expectedLength = number
        return .body(number)
    }
}
