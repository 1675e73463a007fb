public import CoreRunLoop
public import FoundationEssentials
import Glibc

/// A stream that is read.
///
/// Foundation: InputStream.
open class RLInputStream: RLStream {
    private let reader: RLReadStreamRef

    /// Makes a stream of one of the engine's.
    ///
    /// It replaces that one's client when it gets a delegate, and closes it when it goes.
    ///
    /// Foundation: a cast of a CFReadStream.
    public init(_ stream: RLReadStreamRef) {
        reader = stream
        super.init(EngineStream(stream))
    }

    /// Makes a stream that reads a copy of some bytes.
    ///
    /// Foundation: InputStream.init(data:).
    public convenience init(data: Data) {
        let bytes = malloc(max(data.count, 1))
        guard let bytes else { stopProcess("RLInputStream.init(data:)", "no memory is left") }
        data.withUnsafeBytes { source in
            if let start = source.baseAddress { memcpy(bytes, start, source.count) }
        }
        // The stream frees the bytes.
        let stream = RLReadStreamCreateWithBytesNoCopy(
            kRLAllocatorDefault,
            bytes.assumingMemoryBound(to: UInt8.self),
            data.count,
            kRLAllocatorDefault
        )
        guard let stream else { stopProcess("RLInputStream.init(data:)", "no stream was made") }
        self.init(stream)
    }

    /// Makes a stream that reads a regular file, which is looked at when the stream is opened.
    ///
    /// Nil if the path is empty or has a NUL character in it.
    ///
    /// Foundation: InputStream.init(fileAtPath:).
    public convenience init?(fileAtPath path: String) {
        guard let name = makePath(path) else { return nil }
        guard let stream = RLReadStreamCreateWithPath(kRLAllocatorDefault, name) else { return nil }
        self.init(stream)
    }

    /// Makes a stream that reads the regular file of a URL.
    ///
    /// Nil if the URL is not of a file.
    ///
    /// Foundation: InputStream.init(url:).
    public convenience init?(url: URL) {
        guard url.isFileURL else { return nil }
        self.init(fileAtPath: url.path)
    }

    /// Reads what there is, and waits if there is nothing yet.
    ///
    /// Foundation: read(_:maxLength:).
    ///
    /// - Parameters:
    ///   - buffer: Where to put the bytes.
    ///   - len: How many fit in there.
    /// - Returns: How many bytes were read; 0 at the end; -1 if the stream fails or is not open.
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        RLReadStreamRead(reader, buffer, len)
    }

    /// Gives access to bytes that need not be copied: there never are any here.
    ///
    /// Foundation: getBuffer(_:length:).
    ///
    /// - Returns: False.
    open func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    /// Whether reading would not wait: there are bytes, the end, or an error.
    ///
    /// False unless the stream is open.
    ///
    /// Foundation: hasBytesAvailable.
    open var hasBytesAvailable: Bool {
        RLReadStreamHasBytesAvailable(reader)
    }

    /// The engine's stream, on which all functions may be called from any thread.
    ///
    /// It is closed when this object goes. The delegate of this object stays on its thread:
    /// scheduled by this reference elsewhere, or given a dispatch queue, the stream stops the
    /// process with a line when it has something to tell it. There, set a client of its own by
    /// `RLReadStreamSetClient`.
    public func getRLReadStream() -> RLReadStreamRef {
        reader
    }
}

/// The engine's string of a path; nil if there can be no such file.
func makePath(_ path: String) -> RLStringRef? {
    if path.isEmpty || path.utf8.contains(0) { return nil }
    return RLStringCreate(path)
}
