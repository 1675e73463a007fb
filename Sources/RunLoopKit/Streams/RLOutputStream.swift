public import CoreRunLoop
public import FoundationEssentials

/// A stream that is written.
///
/// Foundation: OutputStream.
open class RLOutputStream: RLStream {
    private let writer: RLWriteStreamRef

    /// Makes a stream of one of the engine's.
    ///
    /// It replaces that one's client when it gets a delegate, and closes it when it goes.
    ///
    /// Foundation: a cast of a CFWriteStream.
    public init(_ stream: RLWriteStreamRef) {
        writer = stream
        super.init(EngineStream(stream))
    }

    /// Makes a stream that writes into memory of its own, which is its property
    /// ``RLStream/PropertyKey/dataWrittenToMemoryStreamKey``.
    ///
    /// Foundation: OutputStream.init(toMemory:).
    public convenience init(toMemory: ()) {
        let stream = RLWriteStreamCreateWithAllocatedBuffers(
            kRLAllocatorDefault,
            kRLAllocatorDefault
        )
        guard let stream else {
            stopProcess("RLOutputStream.init(toMemory:)", "no stream was made")
        }
        self.init(stream)
    }

    /// Makes a stream that writes into memory of its own.
    ///
    /// Foundation: toMemory().
    public class func toMemory() -> RLOutputStream {
        RLOutputStream(toMemory: ())
    }

    /// Makes a stream that fills memory of the client's, which outlives it.
    ///
    /// Writing more than it holds is the error `ENOMEM`.
    ///
    /// Foundation: OutputStream.init(toBuffer:capacity:).
    ///
    /// - Parameters:
    ///   - buffer: The memory.
    ///   - capacity: The bytes that it holds; a negative number stops the process.
    public convenience init(toBuffer buffer: UnsafeMutablePointer<UInt8>, capacity: Int) {
        let stream = RLWriteStreamCreateWithBuffer(kRLAllocatorDefault, buffer, capacity)
        guard let stream else {
            stopProcess(
                "RLOutputStream.init(toBuffer:capacity:)",
                "argument `capacity` (\(capacity)) is negative"
            )
        }
        self.init(stream)
    }

    /// Makes a stream that writes a regular file, which is made if it does not exist.
    ///
    /// Nil if the path is empty or has a NUL character in it.
    ///
    /// Foundation: OutputStream.init(toFileAtPath:append:).
    ///
    /// - Parameters:
    ///   - path: The path, which is looked at when the stream is opened.
    ///   - shouldAppend: Whether the file keeps what it has; otherwise it is emptied.
    public convenience init?(toFileAtPath path: String, append shouldAppend: Bool) {
        guard let name = makePath(path) else { return nil }
        guard let stream = RLWriteStreamCreateWithPath(kRLAllocatorDefault, name) else {
            return nil
        }
        self.init(stream)
        setProperty(shouldAppend, forKey: .appendToFileKey)
    }

    /// Makes a stream that writes the regular file of a URL.
    ///
    /// Nil if the URL is not of a file.
    ///
    /// Foundation: OutputStream.init(url:append:).
    public convenience init?(url: URL, append shouldAppend: Bool) {
        guard url.isFileURL else { return nil }
        self.init(toFileAtPath: url.path, append: shouldAppend)
    }

    /// Writes as much as there is room for, and waits if there is none.
    ///
    /// A peer that is gone is an error and no signal.
    ///
    /// Foundation: write(_:maxLength:).
    ///
    /// - Parameters:
    ///   - buffer: The bytes.
    ///   - len: How many there are.
    /// - Returns: How many were written, at least 1 unless `len` is 0; -1 if the stream fails or is
    ///   not open.
    open func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        RLWriteStreamWrite(writer, buffer, len)
    }

    /// Whether writing would not wait.
    ///
    /// False unless the stream is open.
    ///
    /// Foundation: hasSpaceAvailable.
    open var hasSpaceAvailable: Bool {
        RLWriteStreamCanAcceptBytes(writer)
    }

    /// The engine's stream, on which all functions may be called from any thread.
    ///
    /// It is closed when this object goes. The delegate of this object stays on its thread:
    /// scheduled by this reference elsewhere, or given a dispatch queue, the stream stops the
    /// process with a line when it has something to tell it. There, set a client of its own by
    /// `RLWriteStreamSetClient`.
    public func getRLWriteStream() -> RLWriteStreamRef {
        writer
    }
}
