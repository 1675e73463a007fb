// The bytes of a stream for async code. A loop waits for bytes, and the task reads them.

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
    /// The stream may be of any kind, such as a file or a connection with TLS. It is opened if
    /// necessary, and has no other delegate during the call. If several tasks read, each call waits
    /// until those before it have returned. A cancelled call has read nothing. Back-pressure: the
    /// stream is read only on request.
    ///
    /// The call does not return bytes that ``lines(maximumLength:on:mode:)`` has read beyond its
    /// last line.
    ///
    /// Ours; Foundation: FileHandle.read(upToCount:), which blocks.
    ///
    /// - Parameters:
    ///   - count: The greatest number of bytes; less than 1 stops the process. A call returns at
    ///     most 65,536.
    ///   - loop: The loop that waits for bytes, of any thread; nil for the one that the calling
    ///     thread runs, as for an actor of that loop, else the main one.
    ///   - mode: The mode.
    /// - Returns: At least one byte; nil at the end of the stream, also if it is closed.
    /// - Throws: The error of the stream; or a `CancellationError` if the task is cancelled or the
    ///   loop's thread ends while the call waits.
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

    /// The bytes of the stream in pieces, as a sequence for async code.
    ///
    /// ```swift
    /// for try await bytes in connection.input.chunks() { hash.update(bytes) }
    /// ```
    ///
    /// The sequence reads as ``read(upToCount:on:mode:)`` does, and waits at lower cost: between
    /// two elements the stream stays in the loop. After a `break` the same sequence continues with
    /// the next bytes.
    ///
    /// - Parameters:
    ///   - count: The greatest number of bytes in a piece, of which the stream decides; less than 1
    ///     stops the process. No piece has more than 65,536.
    ///   - loop: The loop that waits for bytes, of any thread; nil for the one that the calling
    ///     thread runs, as for an actor of that loop, else the main one.
    ///   - mode: The mode.
    /// - Returns: The pieces, which end with the stream, also if it is closed. They throw the error
    ///   of the stream, and a `CancellationError` if the task is cancelled or the loop's thread
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
        if count < 1 { stopProcess("\(call)", "argument `count` (\(count)) is less than 1") }
    }
}

extension RLConnection {
    /// Waits for the next bytes of the peer: ``RLInputStream/read(upToCount:on:mode:)`` of
    /// ``input``.
    public nonisolated(nonsending) func read(
        upToCount count: Int,
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) async throws -> [UInt8]? {
        try await input.read(upToCount: count, on: loop, mode: mode)
    }

    /// The bytes of the peer in pieces: ``RLInputStream/chunks(upToCount:on:mode:)`` of ``input``.
    public func chunks(
        upToCount count: Int = 65536,
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) -> RLStreamChunks {
        input.chunks(upToCount: count, on: loop, mode: mode)
    }
}

/// The bytes of a stream in pieces: ``RLInputStream/chunks(upToCount:on:mode:)``.
///
/// Ours, no Foundation counterpart.
public struct RLStreamChunks: AsyncSequence {
    /// A piece of at least one byte.
    public typealias Element = [UInt8]
    /// The error of the stream, or a `CancellationError`.
    public typealias Failure = any Error

    fileprivate let reading: StreamReading
    fileprivate let count: Int

    /// Makes an iterator, which continues where others have stopped.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reading: reading, count: count)
    }

    /// One reader.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: StreamReading
        fileprivate let count: Int

        /// Waits for the next bytes; nil at the end of the stream.
        public mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws -> [UInt8]? {
            let turns = reading.turns
            try await turns.begin()
            defer { turns.end() }
            var bytes: [UInt8] = []
            let capacity = Swift.min(count, Self.greatestCount)
            // Copied, so that a few bytes do not retain a large allocation.
            let result = try await reading.read(upToCount: capacity) { stream in
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { chunk in
                    guard let start = chunk.baseAddress else { return 0 }
                    let count = stream.read(start, maxLength: capacity)
                    if count > 0 { bytes = Array(chunk[..<count]) }
                    return count
                }
            }
            return result > 0 ? bytes : nil
        }

        private static let greatestCount = 65536
    }
}
