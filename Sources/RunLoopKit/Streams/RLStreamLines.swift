// The lines of a stream for async code. A loop waits for bytes; the task reads them where it runs.

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
        return RLStreamLines(reading: LineReading(self, buffer, loop ?? loopOfCaller(), mode.mode))
    }
}

/// The lines of a stream: ``RLInputStream/lines(maximumLength:on:mode:)``.
///
/// Ours, no Foundation counterpart.
public struct RLStreamLines: AsyncSequence {
    /// A line without its end.
    public typealias Element = String
    /// The error of the stream, a line that is too long, or the end of the task.
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
    private let stream: RLInputStream
    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode
    private var buffer: LineBuffer
    private var isAtEnd = false
    // The number of tasks that wait for bytes.
    private var waiters = 0
    // Made for the first line that is not there yet.
    private var readiness: StreamReadiness?

    init(
        _ stream: RLInputStream,
        _ buffer: LineBuffer,
        _ loop: RLRunLoopRef,
        _ mode: RLRunLoopMode
    ) {
        self.stream = stream
        self.buffer = buffer
        self.loop = loop
        self.mode = mode
    }

    func next(isolation: isolated (any Actor)? = #isolation) async throws -> String? {
        while true {
            if let line = try takeLine() {
                // The bytes that were read may have a line for another reader too.
                if waiters > 0 { readiness?.note() }
                return line
            }
            if isAtEnd { return try buffer.takeRest() }
            try await read()
        }
    }

    private func takeLine() throws -> String? {
        do throws(RLLineLengthError) {
            return try buffer.takeLine()
        } catch {
            // Nothing more can be read: the end of the line may never come.
            endReading()
            throw error
        }
    }

    private func endReading() {
        buffer = LineBuffer(maximumLength: 0, "")
        end()
    }

    /// Reads the available bytes, or waits for some.
    private func read(isolation: isolated (any Actor)? = #isolation) async throws {
        let readiness = readiness ?? StreamReadiness(of: stream, loop, mode)
        self.readiness = readiness
        if stream.streamStatus == .notOpen { stream.open() }
        if stream.hasBytesAvailable {
            switch buffer.read(from: stream) {
            case 0: end()
            case ..<0 where stream.streamStatus != .closed: throw failure()
            // Another thread has closed it meanwhile.
            case ..<0: endReading()
            default: break
            }
            return
        }
        switch stream.streamStatus {
        case .error: throw failure()
        case .closed: endReading()
        case .atEnd: end()
        default:
            waiters += 1
            let isReady = await readiness.wait()
            waiters -= 1
            if !isReady && !isAtEnd { throw CancellationError() }
        }
    }

    private func end() {
        isAtEnd = true
        // Other readers may wait.
        readiness?.endWaits()
        readiness = nil
    }

    private func failure() -> any Error {
        defer { endReading() }
        return stream.streamError ?? CancellationError()
    }
}
