import CRunLoop.Wrapping
public import CoreRunLoop
public import FoundationEssentials

/// A stream to which a program writes bytes.
///
/// Foundation: OutputStream.
open class RLOutputStream: RLStream, RLWriteStreamOwner {
    private let writer: RLWriteStreamRef

    /// Creates a stream from a stream of the engine.
    ///
    /// Setting this object's delegate replaces the client of the engine's stream. When this object
    /// is deallocated, the engine's stream is closed.
    ///
    /// Foundation: a cast from CFWriteStream.
    public init(_ stream: RLWriteStreamRef) {
        writer = stream
        super.init(EngineStream(stream))
    }

    /// Creates a stream that writes into memory that the stream allocates.
    ///
    /// The property ``RLStream/PropertyKey/dataWrittenToMemoryStreamKey`` returns the bytes.
    ///
    /// Foundation: OutputStream.init(toMemory:).
    public init(toMemory: ()) {
        let stream = RLWriteStreamCreateWithAllocatedBuffers(
            nil,
            nil
        )
        guard let stream else {
            stopProcess(
                "RLOutputStream.init(toMemory:)",
                "internal error: no stream was created: please report it"
            )
        }
        writer = stream
        super.init(EngineStream(stream))
    }

    /// Creates a stream that writes into memory that the stream allocates.
    ///
    /// Foundation: toMemory().
    open class func toMemory() -> RLOutputStream {
        RLOutputStream(toMemory: ())
    }

    /// Creates a stream that writes into the client's memory, which must outlive the stream.
    ///
    /// Writing more bytes than the memory can hold fails with `ENOMEM`.
    ///
    /// Foundation: OutputStream.init(toBuffer:capacity:).
    ///
    /// - Parameters:
    ///   - buffer: The memory.
    ///   - capacity: The size of the memory in bytes. A negative number stops the process.
    public init(toBuffer buffer: UnsafeMutablePointer<UInt8>, capacity: Int) {
        let stream = RLWriteStreamCreateWithBuffer(nil, buffer, capacity)
        guard let stream else {
            stopProcess(
                "RLOutputStream.init(toBuffer:capacity:)",
                "argument `capacity` (\(capacity)) must not be negative"
            )
        }
        writer = stream
        super.init(EngineStream(stream))
    }

    /// Creates a stream that writes a regular file.
    ///
    /// The file is created if it does not exist. Returns nil if the path is empty or contains a NUL
    /// character.
    ///
    /// Foundation: OutputStream.init(toFileAtPath:append:).
    ///
    /// - Parameters:
    ///   - path: The path. Opening the stream opens the file.
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

    /// Creates a stream that writes the regular file of a URL.
    ///
    /// Returns nil if the URL is not a file URL.
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

    /// Writes as many bytes as possible, and blocks only until at least one byte can be written.
    ///
    /// If the peer or the reader of a pipe has closed its end, or a file has the size of
    /// `RLIMIT_FSIZE`, the write fails. Neither SIGPIPE nor SIGXFSZ is raised.
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
    /// The socket sends a FIN; a TLS session first sends a close_notify. If the stream was ever
    /// scheduled in a loop, the call does not block, and the loop sends the remaining bytes.
    /// Otherwise the call blocks until all bytes are sent. Then the status becomes
    /// ``RLStream/Status/atEnd``, and the delegate receives ``RLStream/Event/endEncountered``. A
    /// later write fails with `EPIPE`. The stream reports a failure as an event. A pipe fails with
    /// `ENOTSOCK`: close the stream instead.
    ///
    /// The nearest counterpart in Foundation is URLSessionStreamTask.closeWrite().
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

    /// Returns the engine's stream, which any thread may use.
    ///
    /// The engine's stream is closed when this object is deallocated.
    ///
    /// If you use this reference to schedule the stream on another thread or to set a dispatch
    /// queue, the delegate must support that: see ``RLStream/delegate``. The first event for any
    /// other delegate stops the process with a message. To receive events with a closure instead,
    /// use `RLWriteStreamSetClient`.
    public func getRLWriteStream() -> RLWriteStreamRef {
        writer
    }
}

// MARK: - Async

extension RLOutputStream {
    /// Writes all bytes.
    ///
    /// While the stream is full, the task is suspended and no thread blocks.
    ///
    /// ```swift
    /// try await connection.output.write(contentsOf: Array("hello\n".utf8))
    /// ```
    ///
    /// The call opens the stream if necessary, and replaces the stream's delegate: use a delegate
    /// or tasks, not both. If several tasks write, each call waits until the bytes of earlier calls
    /// are written. While the peer does not read, the task waits: cancel the task after a time-out
    /// of your own.
    ///
    /// Foundation has no counterpart.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - loop: The loop that waits for space; it may belong to any thread. Nil selects the loop
    ///     that the calling thread runs, for example in an actor on that loop, or else the main
    ///     loop.
    ///   - mode: The mode.
    /// - Throws: The error of the stream; some of the bytes may have been written.
    ///   `POSIXError(.ENOSPC)` if the stream writes into a buffer that is full. `CancellationError`
    ///   if the stream is closed, the task is cancelled or the loop's thread ends during the wait.
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
            // After `finishWriting()`, a write fails and returns the error.
            if hasSpaceAvailable || streamStatus == .atEnd {
                rest = rest.dropFirst(try writeSome(rest))
            } else if [.error, .closed].contains(streamStatus) {
                throw streamError ?? CancellationError()
            } else if RLStreamIsFull(writer.unsafeTypeReference) {
                throw POSIXError(.ENOSPC)
            } else if let readiness, !readiness.isOver {
                if await readiness.events.take() == nil { throw CancellationError() }
            } else {
                // A new wait misses earlier events, so check the stream again.
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
    /// The call waits until the bytes of earlier calls are written. If the task is cancelled while
    /// it waits for the peer, the stream stays in the loop, which sends EOF after the bytes unless
    /// the stream is closed or released first.
    ///
    /// The nearest counterpart in Foundation is URLSessionStreamTask.closeWrite().
    ///
    /// - Parameters:
    ///   - loop: The loop that sends the remaining bytes; it may belong to any thread. Nil selects
    ///     the loop that the calling thread runs, for example in an actor on that loop, or else the
    ///     main loop.
    ///   - mode: The mode.
    /// - Throws: The error of the stream. `CancellationError` if the stream is closed, the task is
    ///   cancelled or the loop's thread ends during the wait.
    public nonisolated(nonsending) func finishWriting(
        on loop: RLRunLoopRef? = nil,
        mode: RLRunLoop.Mode = .common
    ) async throws {
        let loop: RLRunLoopRef = loop ?? RLRunLoopGetRunningOrMain()
        let turns = makeTurns()
        try await turns.begin()
        defer { turns.end() }
        if streamStatus == .notOpen { open() }
        // Schedules the stream in a loop, so that the next call does not block. If the task is
        // cancelled, the stream stays in the loop, which sends the rest.
        var end = turns.readiness(of: self, loop, mode.mode)
        turns.keep(end)
        finishNow()
        var status = streamStatus
        while ![.atEnd, .error, .closed].contains(status) {
            if end.isOver {
                // A new wait misses earlier events, so check the stream again.
                end = turns.readiness(of: self, loop, mode.mode)
                turns.keep(end)
            } else if await end.events.take() == nil {
                throw CancellationError()
            }
            status = streamStatus
        }
        turns.keep(nil)
        if status != .atEnd { throw streamError ?? CancellationError() }
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
