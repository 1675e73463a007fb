public import CoreRunLoop
public import FoundationEssentials
import Glibc

/// A stream from which a program reads bytes.
///
/// Foundation: InputStream.
open class RLInputStream: RLStream, RLReadStreamOwner {
    private let reader: RLReadStreamRef

    /// Creates a stream from a stream of the engine.
    ///
    /// Setting this object's delegate replaces the client of the engine's stream. When this object
    /// is deallocated, the engine's stream is closed.
    ///
    /// Foundation: a cast from CFReadStream.
    public init(_ stream: RLReadStreamRef) {
        reader = stream
        super.init(EngineStream(stream))
    }

    /// Creates a stream that reads a copy of some bytes.
    ///
    /// Foundation: InputStream.init(data:).
    public init(data: Data) {
        reader = Self.makeReader(of: data)
        super.init(EngineStream(reader))
    }

    private static func makeReader(of data: Data) -> RLReadStreamRef {
        let bytes = malloc(max(data.count, 1))
        guard let bytes else {
            stopProcess(
                "RLInputStream.init(data:)",
                "no memory for the data: raise the memory limit of the process, or use less "
                    + "memory"
            )
        }
        data.withUnsafeBytes { source in
            if let start = source.baseAddress { memcpy(bytes, start, source.count) }
        }
        // The stream frees the bytes.
        let stream = RLReadStreamCreateWithBytesNoCopy(
            nil,
            bytes.assumingMemoryBound(to: UInt8.self),
            data.count,
            nil
        )
        guard let stream else {
            stopProcess(
                "RLInputStream.init(data:)",
                "internal error: no stream was created: please report it"
            )
        }
        return stream
    }

    private static func makeReader(at path: String) -> RLReadStreamRef? {
        makePath(path).flatMap { RLReadStreamCreateWithPath(nil, $0) }
    }

    /// Creates a stream that reads a regular file.
    ///
    /// Opening the stream opens the file. Returns nil if the path is empty or contains a NUL
    /// character.
    ///
    /// Foundation: InputStream.init(fileAtPath:).
    public init?(fileAtPath path: String) {
        guard let stream = Self.makeReader(at: path) else { return nil }
        reader = stream
        super.init(EngineStream(stream))
    }

    /// Creates a stream that reads the regular file of a URL.
    ///
    /// Returns nil if the URL is not a file URL.
    ///
    /// Foundation: InputStream.init(url:).
    public init?(url: URL) {
        if !url.isFileURL { hintAtURL(url, "RLInputStream.init(url:)") }
        guard url.isFileURL, let stream = Self.makeReader(at: url.path) else { return nil }
        reader = stream
        super.init(EngineStream(stream))
    }

    /// Reads the available bytes; if no bytes are available, blocks.
    ///
    /// Foundation: read(_:maxLength:).
    ///
    /// - Parameters:
    ///   - buffer: The memory for the bytes.
    ///   - len: The size of the memory.
    /// - Returns: The number of bytes read; 0 at the end; -1 if the stream fails or is not open.
    open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        RLReadStreamRead(reader, buffer, len)
    }

    /// Returns false: streams of this library cannot provide bytes without a copy.
    ///
    /// Foundation: getBuffer(_:length:).
    open func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    /// Whether a read would not block, because bytes, EOF or an error are available.
    ///
    /// False unless the stream is open.
    ///
    /// Foundation: hasBytesAvailable.
    open var hasBytesAvailable: Bool {
        RLReadStreamHasBytesAvailable(reader)
    }

    /// Returns the engine's stream, which any thread may use.
    ///
    /// The engine's stream is closed when this object is deallocated.
    ///
    /// If you use this reference to schedule the stream on another thread or to set a dispatch
    /// queue, the delegate must support that: see ``RLStream/delegate``. The first event for any
    /// other delegate stops the process with a message. To receive events with a closure instead,
    /// use `RLReadStreamSetClient`.
    public func getRLReadStream() -> RLReadStreamRef {
        reader
    }
}

/// Converts a path for the engine; returns nil if the path is empty or contains NUL.
func makePath(_ path: String) -> RLStringRef? {
    guard path.isEmpty || path.utf8.contains(0) else { return RLStringCreate(path) }
    hint(
        "RLStream.init",
        "the stream is nil, as the path is empty or contains NUL: pass the path of a file"
    )
    return nil
}

func hintAtURL(_ url: URL, _ call: StaticString) {
    hint(
        call,
        "the stream is nil, as \(url) is not a file URL: use RunLoopNetworking for URLs of "
            + "servers"
    )
}
