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

    /// Writes as much as there is room for, and blocks if there is none.
    ///
    /// If the peer has closed, this is an error; SIGPIPE is not sent.
    ///
    /// Foundation: write(_:maxLength:).
    ///
    /// - Parameters:
    ///   - buffer: The bytes.
    ///   - len: The number of bytes.
    /// - Returns: The number of bytes written, at least 1 unless `len` is 0; -1 if the stream fails
    ///   or is not open.
    open func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        checkThread("RLOutputStream.write(_:maxLength:)")
        return RLWriteStreamWrite(writer, buffer, len)
    }

    /// Whether a write would not block.
    ///
    /// False unless the stream is open.
    ///
    /// Foundation: hasSpaceAvailable.
    open var hasSpaceAvailable: Bool {
        checkThread("RLOutputStream.hasSpaceAvailable")
        return RLWriteStreamCanAcceptBytes(writer)
    }

    /// The engine's stream, which may be used from any thread.
    ///
    /// It is closed when this object is deallocated.
    ///
    /// If you schedule it on another thread through this reference, or give it a dispatch queue,
    /// the delegate must be made for that (``RLStream/delegate``). The first event for any other
    /// delegate stops the process with a line. `RLWriteStreamSetClient` takes a closure instead.
    public func getRLWriteStream() -> RLWriteStreamRef {
        writer
    }
}
