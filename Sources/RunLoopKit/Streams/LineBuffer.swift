import Glibc

/// An error: a line of a stream is longer than the limit.
///
/// Foundation has no counterpart.
public struct RLLineLengthError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The limit in bytes.
    public let maximumLength: Int

    /// Creates an error from the limit.
    public init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// A description that contains the limit.
    public var description: String { "a line is longer than \(maximumLength) bytes" }
}

/// A buffer that splits a stream's bytes into lines, which end with `\n` or `\r\n`.
///
/// The buffer holds at most a line of the maximum length and one chunk.
struct LineBuffer {
    static let chunkSize = 8192

    private let maximumLength: Int
    private var bytes: [UInt8] = []
    // The start of the next line, and the position up to which the line has no newline.
    private var begin = 0
    private var searched = 0

    init(maximumLength: Int, _ call: StaticString) {
        if maximumLength < 0 {
            stopProcess(
                "\(call)",
                "argument `maximumLength` (\(maximumLength)) must not be negative"
            )
        }
        self.maximumLength = maximumLength
    }

    typealias Chunk = Slice<UnsafeMutableBufferPointer<UInt8>>

    /// Reads a chunk of a stream, and returns the result of `read`.
    ///
    /// No buffer is in use during the read: a subclass's `read` may run the loop, which reads, too.
    static func readChunk(of stream: RLInputStream, _ body: (Chunk) -> Void) -> Int {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: chunkSize) { chunk in
            guard let start = chunk.baseAddress else { return 0 }
            let count = stream.read(start, maxLength: chunk.count)
            if count > 0 { body(chunk[..<count]) }
            return count
        }
    }

    mutating func append(_ chunk: Chunk) {
        bytes.removeSubrange(..<begin)
        searched -= begin
        begin = 0
        bytes.append(contentsOf: chunk)
    }

    /// Takes the next line; returns nil if no line is complete.
    mutating func takeLine() throws(RLLineLengthError) -> String? {
        guard let newline = findNewline() else {
            searched = bytes.count
            // A carriage return at the end may belong to the line's end.
            try check(bytes.count - begin - (bytes.last == Self.carriageReturn ? 1 : 0))
            return nil
        }
        var end = newline
        if end > begin && bytes[end - 1] == Self.carriageReturn { end -= 1 }
        try check(end - begin)
        defer {
            begin = newline + 1
            searched = begin
        }
        return String(decoding: bytes[begin..<end], as: UTF8.self)
    }

    /// Returns the incomplete last line; call this after taking all complete lines.
    mutating func takeRest() throws(RLLineLengthError) -> String? {
        if begin == bytes.count { return nil }
        try check(bytes.count - begin)
        defer { begin = bytes.count }
        return String(decoding: bytes[begin...], as: UTF8.self)
    }

    private static let carriageReturn = UInt8(ascii: "\r")

    private func findNewline() -> Int? {
        bytes.withUnsafeBytes { all in
            let rest = UnsafeRawBufferPointer(rebasing: all[searched...])
            guard let start = rest.baseAddress,
                let found = memchr(start, CInt(UInt8(ascii: "\n")), rest.count)
            else { return nil }
            return searched + (UnsafeRawPointer(found) - start)
        }
    }

    private func check(_ length: Int) throws(RLLineLengthError) {
        if length > maximumLength { throw RLLineLengthError(maximumLength: maximumLength) }
    }
}
