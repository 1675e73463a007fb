// Lines that come in pieces.

/// Collects the bytes of one line after the other, each of which ends with CR and LF.
struct LineCollector {
    private static let carriageReturn: UInt8 = 13
    private static let lineFeed: UInt8 = 10

    /// What there is of a line.
    private(set) var partial: [UInt8] = []
    private var isAtReturn = false

    /// Takes the rest of a line off the front of some bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - budget: How many may be taken; those that were are subtracted.
    ///   - what: What has a limit, for the error.
    /// - Returns: The line without its end, or nil if that has not come.
    /// - Throws: If the budget is used up, or a line does not end as it should.
    mutating func take(
        from bytes: inout ArraySlice<UInt8>,
        budget: inout Int,
        of what: String
    ) throws(RLHTTPError) -> [UInt8]? {
        while let byte = bytes.popFirst() {
            budget -= 1
            guard budget >= 0 else { throw .limitExceeded(what) }
            if isAtReturn {
                guard byte == Self.lineFeed else {
                    throw .malformedResponse("a carriage return does not end a line")
                }
                defer { partial = [] }
                isAtReturn = false
                return partial
            }
            switch byte {
            case Self.carriageReturn: isAtReturn = true
            case Self.lineFeed:
                throw .malformedResponse("a line ends without a carriage return")
            default: partial.append(byte)
            }
        }
        return nil
    }
}
