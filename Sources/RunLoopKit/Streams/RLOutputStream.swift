import CRunLoop.Wrapping
public import CoreRunLoop
public import FoundationEssentials

/// A stream that is written.
///
/// Foundation: OutputStream.
open class RLOutputStream: RLStream, RLWriteStreamOwner {
    private let writer: RLWriteStreamRef

    /// Makes a stream from one of the engine's.
    ///
    /// When this object gets a delegate, that replaces the engine stream's client. When this object
    /// is deallocated, the engine's stream is closed.
    ///
    /// Foundation: a cast of a CFWriteStream.
    public init(_ stream: RLWriteStreamRef) {
        writer = stream
        super.init(EngineStream(stream))
    }

    /// Makes a stream that writes into memory of its own.
    ///
    /// The bytes are its property ``RLStream/PropertyKey/dataWrittenToMemoryStreamKey``.
    ///
    /// Foundation: OutputStream.init(toMemory:).
    public init(toMemory: ()) {
        let stream = RLWriteStreamCreateWithAllocatedBuffers(
            nil,
            nil
        )
        guard let stream else {
            stopProcess("RLOutputStream.init(toMemory:)", "no stream was made")
        }
        writer = stream
        super.init(EngineStream(stream))
    }

    /// Makes a stream that writes into memory of its own.
    ///
    /// Foundation: toMemory().
    open class func toMemory() -> RLOutputStream {
        RLOutputStream(toMemory: ())
    }

    /// Makes a stream that writes into the client's memory, which must outlive the stream.
    ///
    /// Writing more than fits fails with `ENOMEM`.
    ///
    /// Foundation: OutputStream.init(toBuffer:capacity:).
    ///
    /// - Parameters:
    ///   - buffer: The memory.
    ///   - capacity: The bytes that it holds; a negative number stops the process.
    public init(toBuffer buffer: UnsafeMutablePointer<UInt8>, capacity: Int) {
        let stream = RLWriteStreamCreateWithBuffer(nil, buffer, capacity)
        guard let stream else {
            stopProcess(
                "RLOutputStream.init(toBuffer:capacity:)",
                "argument `capacity` (\(capacity)) is negative"
            )
        }
        writer = stream
        super.init(EngineStream(stream))
    }

    /// Makes a stream that writes a regular file and creates it if it does not exist.
    ///
    /// Nil if the path is empty or contains a NUL character.
    ///
    /// Foundation: OutputStream.init(toFileAtPath:append:).
    ///
    /// - Parameters:
    ///   - path: The path; the file is opened when the stream is.
    ///   - shouldAppend: Whether to append to the file; otherwise it is truncated.
    public init?(toFileAtPath path: String, append shouldAppend: Bool) {
        guard let stream = Self.makeWriter(at: path, shouldAppend) else { return nil }
        writer = stream
        super.init(EngineStream(stream))
    }

    private static func makeWriter(at path: String, _ appends: Bool) -> RLWriteStreamRef? {
        let stream = makePath(path).flatMap { RLWriteStreamCreateWithPath(nil, $0) }
        guard let stream else { return nil }
        let appendToFile = RLStream.PropertyKey.appendToFileKey.rawValue
        return EngineStream(stream).setProperty(appends, appendToFile) ? stream : nil
    }

    /// Makes a stream that writes the regular file of a URL.
    ///
    /// Nil if it is not a file URL.
    ///
    /// Foundation: OutputStream.init(url:append:).
    public init?(url: URL, append shouldAppend: Bool) {
        if !url.isFileURL { hintAtURL(url, "RLOutputStream.init(url:append:)") }
        guard url.isFileURL, let stream = Self.makeWriter(at: url.path, shouldAppend) else {
            return nil
        }
        writer = stream
        super.init(EngineStream(stream))
    }

    /// Writes as many bytes as fit, and blocks if none do.
    ///
    /// If the peer, or the reader of a pipe, has closed, this is an error; SIGPIPE is not sent.
    ///
    /// Foundation: write(_:maxLength:).
    ///
    /// - Parameters:
    ///   - buffer: The bytes.
    ///   - len: The number of bytes.
    /// - Returns: The number of bytes written, at least 1 unless `len` is 0; -1 if the stream fails
    ///   or is not open.
    open func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        RLWriteStreamWrite(writer, buffer, len)
    }

    /// Half-closes the stream: the peer receives all bytes written so far and then EOF, and can
    /// still send.
    ///
    /// A socket sends a FIN, a TLS session a close_notify before it. Does not block a stream that
    /// was ever in a loop: the rest is sent there. Others block until all is sent. Then the status
    /// is ``RLStream/Status/atEnd``, and the delegate receives
    /// ``RLStream/Event/endEncountered``. A later write fails with `EPIPE`. Failures are events; a
    /// pipe fails with `ENOTSOCK`: close the stream instead.
    ///
    /// Ours; Foundation: URLSessionStreamTask.closeWrite().
    open func finishWriting() {
        _ = RLWriteStreamFinishWriting(writer)
    }

    /// Whether a write would not block.
    ///
    /// False unless the stream is open.
    ///
    /// Foundation: hasSpaceAvailable.
    open var hasSpaceAvailable: Bool {
        RLWriteStreamCanAcceptBytes(writer)
    }

    /// The engine's stream, which may be used from any thread.
    ///
    /// It is closed when this object is deallocated.
    ///
    /// If you schedule it on another thread through this reference, or give it a dispatch queue,
    /// the delegate must be made for that (``RLStream/delegate``). The first event for any other
    /// delegate stops the process with a message. `RLWriteStreamSetClient` takes a closure instead.
    public func getRLWriteStream() -> RLWriteStreamRef {
        writer
    }
}

// MARK: - Async

extension RLOutputStream {
    /// Writes all bytes, and suspends the task, instead of blocking, while the stream is full.
    ///
    /// ```swift
    /// try await connection.output.write(contentsOf: Array("hello\n".utf8))
    /// ```
    ///
    /// The stream is opened if necessary, and has no other delegate. If several tasks write, each
    /// call waits until the bytes of those before it are written. A peer who does not read keeps
    /// the task waiting: cancel it when you have waited long enough.
    ///
    /// Ours, no Foundation counterpart.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - loop: The loop that waits for room, of any thread; nil for the one that the calling
    ///     thread runs, as for an actor of that loop, else the main one.
    ///   - mode: The mode.
    /// - Throws: The error of the stream, after which some of the bytes may have been written;
    ///   `POSIXError(.ENOSPC)` if the buffer that it writes into is full; a `CancellationError` if
    ///   the stream is closed, the task is cancelled or the loop's thread ends while it waits.
    public nonisolated(nonsending) func write(
        contentsOf bytes: [UInt8],
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) async throws {
        let loop: RLRunLoopRef = loop ?? RLRunLoopGetRunningOrMain()
        let turns = makeTurns()
        try await turns.begin()
        defer { turns.end() }
        if streamStatus == .notOpen { open() }
        var rest = bytes[...]
        var readiness: StreamReadiness?
        while !rest.isEmpty {
            // A write at the end returns the error.
            if hasSpaceAvailable || streamStatus == .atEnd {
                rest = rest.dropFirst(try writeSome(rest))
            } else if [.error, .closed].contains(streamStatus) {
                throw streamError ?? CancellationError()
            } else if RLStreamIsFull(writer.unsafeTypeReference) {
                throw POSIXError(.ENOSPC)
            } else if let readiness {
                if await readiness.events.take() == nil { throw CancellationError() }
            } else {
                // A new wait misses earlier events: check again.
                readiness = turns.readiness(of: self, loop, mode.mode)
            }
        }
    }

    /// Half-closes the stream, and suspends the task until all bytes and EOF are sent.
    ///
    /// ```swift
    /// try await output.write(contentsOf: request)
    /// try await output.finishWriting()
    /// for try await line in input.lines() { print(line) }
    /// ```
    ///
    /// The call waits until the bytes of those before it are written. If it is cancelled in its
    /// wait for the peer, the end is still sent after the bytes.
    ///
    /// Ours; Foundation: URLSessionStreamTask.closeWrite().
    ///
    /// - Parameters:
    ///   - loop: The loop that sends the rest, of any thread; nil for the one that the calling
    ///     thread runs, as for an actor of that loop, else the main one.
    ///   - mode: The mode.
    /// - Throws: The error of the stream; or a `CancellationError` if the stream is closed, the
    ///   task is cancelled or the loop's thread ends while it waits.
    public nonisolated(nonsending) func finishWriting(
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) async throws {
        let loop: RLRunLoopRef = loop ?? RLRunLoopGetRunningOrMain()
        let turns = makeTurns()
        try await turns.begin()
        defer { turns.end() }
        if streamStatus == .notOpen { open() }
        // With the stream in a loop, the next call does not block.
        let end = turns.readiness(of: self, loop, mode.mode)
        finishNow()
        while streamStatus != .atEnd {
            if [.error, .closed].contains(streamStatus) {
                throw streamError ?? CancellationError()
            }
            if await end.events.take() == nil { throw CancellationError() }
        }
    }

    private func finishNow() {
        finishWriting()
    }

    private func writeSome(_ bytes: ArraySlice<UInt8>) throws -> Int {
        let count = bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { write($0, maxLength: buffer.count) } ?? 0
        }
        if count <= 0 { throw streamError ?? CancellationError() }
        return count
    }
}
