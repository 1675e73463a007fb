// Reads lines of a stream in async code. A loop waits for bytes, and the task reads them.

public import CoreRunLoop

extension RLInputStream {
    /// Returns the lines of the stream as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await line in connection.input.lines() { print(line) }
    /// ```
    ///
    /// The stream may be of any kind, such as a file or a connection with TLS. The first request
    /// for a line opens the stream if necessary, and replaces the stream's delegate: use a delegate
    /// or tasks, not both. A line ends with `\n` or `\r\n`, which are removed; the last line may
    /// lack this end. Bytes that are not UTF-8 become U+FFFD, the replacement character.
    ///
    /// The stream is read only on request, so a slow reader causes back-pressure. After a `break`,
    /// a new iteration of the same sequence continues with the next line.
    ///
    /// - Parameters:
    ///   - maximumLength: The maximum number of bytes in a line without its end. For a longer line,
    ///     the sequence throws an ``RLLineLengthError``. A negative number stops the process.
    ///   - loop: The loop that waits for bytes; it may belong to any thread. Nil selects the loop
    ///     that the calling thread runs, for example in an actor on that loop, or else the main
    ///     loop.
    ///   - mode: The mode.
    /// - Returns: The lines. The sequence ends at EOF or when the stream is closed. It throws the
    ///   error of the stream, and `CancellationError` if the task is cancelled or the loop's thread
    ///   ends.
    public func lines(
        maximumLength: Int = 65536,
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) -> RLStreamLines {
        let call: StaticString = "RLInputStream.lines(maximumLength:on:mode:)"
        let buffer = LineBuffer(maximumLength: maximumLength, call)
        return RLStreamLines(reading: LineReading(StreamReading(self, loop, mode), buffer))
    }
}

/// The sequence that ``RLInputStream/lines(maximumLength:on:mode:)`` returns.
///
/// Foundation has no counterpart.
public struct RLStreamLines: AsyncSequence {
    /// A line without its end.
    public typealias Element = String
    /// The error of the stream, an ``RLLineLengthError``, or a `CancellationError`.
    public typealias Failure = any Error

    fileprivate let reading: LineReading

    /// Creates an iterator, which continues where earlier iterators stopped.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reading: reading)
    }

    /// An iterator over the lines.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: LineReading

        /// Waits for the next line, and returns nil at EOF or if the stream is closed.
        public mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws -> String? {
            try await reading.next()
        }
    }
}

private final class LineReading {
    private let reading: StreamReading
    private var buffer: LineBuffer
    private var isAtEnd = false

    init(_ reading: StreamReading, _ buffer: LineBuffer) {
        self.reading = reading
        self.buffer = buffer
    }

    @inline(__always)
    func next(isolation: isolated (any Actor)? = #isolation) async throws -> String? {
        if let line = try takeLine() { return line }
        let turns = reading.turns
        try await turns.begin()
        defer { turns.end() }
        while true {
            // The previous task may have read more bytes than its line.
            if let line = try takeLine() { return line }
            if isAtEnd { return try buffer.takeRest() }
            try await read()
        }
    }

    private func takeLine() throws -> String? {
        do throws(RLLineLengthError) {
            return try buffer.takeLine()
        } catch {
            // Reading cannot continue, because the line's end might never arrive.
            endReading()
            throw error
        }
    }

    private func endReading() {
        buffer = LineBuffer(maximumLength: 0, "")
        isAtEnd = true
    }

    @inline(__always)
    private func read(isolation: isolated (any Actor)? = #isolation) async throws {
        do {
            let count = try await reading.read(upToCount: LineBuffer.chunkSize) {
                LineBuffer.readChunk(of: $0) { buffer.append($0) }
            }
            if count > 0 { return }
            isAtEnd = true
            if reading.stream.streamStatus == .closed { endReading() }
        } catch {
            if reading.stream.streamStatus == .error { endReading() }
            throw error
        }
    }
}
