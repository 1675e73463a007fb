// Reads bytes of a stream in async code. A loop waits for bytes, and the task reads them.

public import CoreRunLoop

extension RLInputStream {
    /// Waits for the next bytes of the stream.
    ///
    /// ```swift
    /// while let bytes = try await input.read(upToCount: 4096) {
    ///     try await output.write(contentsOf: bytes)
    /// }
    /// ```
    ///
    /// The stream may be of any kind, such as a file or a connection with TLS. The call opens the
    /// stream if necessary, and replaces the stream's delegate: use a delegate or tasks, not both.
    /// If several tasks read, each call waits until earlier calls have returned. A cancelled call
    /// has read no bytes. The stream is read only on request, so a slow reader causes
    /// back-pressure.
    ///
    /// Bytes that ``lines(maximumLength:on:mode:)`` has already read beyond its last line are not
    /// returned.
    ///
    /// The nearest counterpart in Foundation is FileHandle.read(upToCount:), which blocks.
    ///
    /// - Parameters:
    ///   - count: The maximum number of bytes. A number less than 1 stops the process. A call
    ///     returns at most 65,536 bytes.
    ///   - loop: The loop that waits for bytes; it may belong to any thread. Nil selects the loop
    ///     that the calling thread runs, for example in an actor on that loop, or else the main
    ///     loop.
    ///   - mode: The mode.
    /// - Returns: At least one byte, or nil at EOF or if the stream is closed.
    /// - Throws: The error of the stream. `CancellationError` if the task is cancelled or the
    ///   loop's thread ends during the wait.
    public nonisolated(nonsending) func read(
        upToCount count: Int,
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) async throws -> [UInt8]? {
        checkCount(count, "RLInputStream.read(upToCount:on:mode:)")
        let reading = StreamReading(self, loop, mode)
        var iterator = RLStreamChunks.Iterator(reading: reading, count: count)
        return try await iterator.next()
    }

    /// Returns the bytes of the stream in pieces, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await bytes in connection.input.chunks() { hash.update(bytes) }
    /// ```
    ///
    /// The sequence reads like ``read(upToCount:on:mode:)`` but waits at lower cost: the stream
    /// stays in the loop between two elements. After a `break`, a new iteration of the same
    /// sequence continues with the next bytes.
    ///
    /// - Parameters:
    ///   - count: The maximum number of bytes in a piece; the stream determines the actual number.
    ///     A number less than 1 stops the process. A piece has at most 65,536 bytes.
    ///   - loop: The loop that waits for bytes; it may belong to any thread. Nil selects the loop
    ///     that the calling thread runs, for example in an actor on that loop, or else the main
    ///     loop.
    ///   - mode: The mode.
    /// - Returns: The pieces. The sequence ends at EOF or when the stream is closed. It throws the
    ///   error of the stream, and `CancellationError` if the task is cancelled or the loop's thread
    ///   ends.
    public func chunks(
        upToCount count: Int = 65536,
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) -> RLStreamChunks {
        checkCount(count, "RLInputStream.chunks(upToCount:on:mode:)")
        return RLStreamChunks(reading: StreamReading(self, loop, mode), count: count)
    }

    private func checkCount(_ count: Int, _ call: StaticString) {
        if count < 1 { stopProcess("\(call)", "argument `count` (\(count)) must be at least 1") }
    }
}

extension RLConnection {
    /// Waits for the next bytes from the peer: calls ``RLInputStream/read(upToCount:on:mode:)`` of
    /// ``input``.
    public nonisolated(nonsending) func read(
        upToCount count: Int,
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) async throws -> [UInt8]? {
        try await input.read(upToCount: count, on: loop, mode: mode)
    }

    /// Returns the bytes from the peer in pieces: calls
    /// ``RLInputStream/chunks(upToCount:on:mode:)`` of ``input``.
    public func chunks(
        upToCount count: Int = 65536,
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) -> RLStreamChunks {
        input.chunks(upToCount: count, on: loop, mode: mode)
    }
}

/// The sequence that ``RLInputStream/chunks(upToCount:on:mode:)`` returns.
///
/// Foundation has no counterpart.
public struct RLStreamChunks: AsyncSequence {
    /// A piece of at least one byte.
    public typealias Element = [UInt8]
    /// The error of the stream, or a `CancellationError`.
    public typealias Failure = any Error

    fileprivate let reading: StreamReading
    fileprivate let count: Int

    /// Creates an iterator, which continues where earlier iterators stopped.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reading: reading, count: count)
    }

    /// An iterator over the pieces.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: StreamReading
        fileprivate let count: Int

        /// Waits for the next bytes, and returns nil at EOF or if the stream is closed.
        public mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws -> [UInt8]? {
            let turns = reading.turns
            try await turns.begin()
            defer { turns.end() }
            var bytes: [UInt8] = []
            let capacity = Swift.min(count, Self.greatestCount)
            // The bytes are copied, so that a few bytes do not retain a large allocation.
            let result = try await reading.read(upToCount: capacity) { stream in
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { chunk in
                    guard let start = chunk.baseAddress else { return 0 }
                    let count = stream.read(start, maxLength: capacity)
                    if count > 0 { bytes = Array(UnsafeBufferPointer(rebasing: chunk[..<count])) }
                    return count
                }
            }
            return result > 0 ? bytes : nil
        }

        private static let greatestCount = 65536
    }
}
