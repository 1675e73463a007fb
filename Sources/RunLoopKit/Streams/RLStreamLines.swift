// The lines of a stream for async code. A loop waits for bytes, and the task reads them.

public import CoreRunLoop

extension RLInputStream {
    /// The lines of the stream, as a sequence for async code.
    ///
    /// ```swift
    /// for try await line in connection.input.lines() { print(line) }
    /// ```
    ///
    /// The stream may be of any kind, such as a file or a connection with TLS. It is opened if
    /// necessary, and has no other delegate from the first line on. A line ends with `\n` or
    /// `\r\n`, which are removed; the last line needs no end. Bytes that are not UTF-8 become
    /// U+FFFD, the replacement character.
    ///
    /// Back-pressure: the stream is read only on request, so that peers wait while the reader is
    /// busy. After a `break` the same sequence continues with the next line.
    ///
    /// - Parameters:
    ///   - maximumLength: The greatest number of bytes in a line, without its end; a longer one
    ///     throws an ``RLLineLengthError``. A negative number stops the process.
    ///   - loop: The loop that waits for bytes, of any thread; nil for the one that the calling
    ///     thread runs, as for an actor of that loop, else the main one.
    ///   - mode: The mode.
    /// - Returns: The lines, which end with the stream, also if it is closed. They throw the error
    ///   of the stream, and a `CancellationError` if the task is cancelled or the loop's thread
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

/// The lines of a stream: ``RLInputStream/lines(maximumLength:on:mode:)``.
///
/// Ours, no Foundation counterpart.
public struct RLStreamLines: AsyncSequence {
    /// A line without its end.
    public typealias Element = String
    /// The error of the stream, an ``RLLineLengthError``, or a `CancellationError`.
    public typealias Failure = any Error

    fileprivate let reading: LineReading

    /// Makes an iterator, which continues where others have stopped.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reading: reading)
    }

    /// One reader.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: LineReading

        /// Waits for the next line; nil at the end of the stream.
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

    nonisolated(nonsending) func next() async throws -> String? {
        if let line = try takeLine() { return line }
        let turns = reading.turns
        try await turns.begin()
        defer { turns.end() }
        while true {
            // The previous task may have read more than its line.
            if let line = try takeLine() { return line }
            if isAtEnd { return try buffer.takeRest() }
            try await read()
        }
    }

    private func takeLine() throws -> String? {
        do throws(RLLineLengthError) {
            return try buffer.takeLine()
        } catch {
            // Reading is impossible: the end of the line would never come.
            endReading()
            throw error
        }
    }

    private func endReading() {
        buffer = LineBuffer(maximumLength: 0, "")
        isAtEnd = true
    }

    /// Reads available bytes, or waits for some.
    nonisolated(nonsending) private func read() async throws {
        do {
            let count = try await reading.read(upToCount: LineBuffer.chunkSize) {
                buffer.read(from: $0)
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
