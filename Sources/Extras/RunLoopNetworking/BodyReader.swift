import CRunLoopNetworking
import FoundationEssentials
import Glibc
import RunLoopKit

/// Reads a body for libcurl, on the request's thread.
final class BodyReader: RLStreamDelegate {
    /// The number of bytes of the body; nil if it is unknown.
    let length: Int?
    /// The number of bytes since the last rewind.
    private(set) var sentLength = 0
    private let makeStream: () -> RLInputStream?
    private let modes: [RLRunLoop.Mode]
    private let whenReady: () -> Void
    private var stream: RLInputStream?
    private var isWaiting = false

    /// Creates a reader, which calls `whenReady` when bytes are available after a pause.
    init(
        _ body: RLHTTPBody,
        modes: [RLRunLoop.Mode],
        whenReady: @escaping () -> Void
    ) throws(RLHTTPError) {
        switch body {
        case .data(let data):
            length = data.count
            makeStream = { RLInputStream(data: data) }
        case .file(let path):
            length = try Self.length(ofFile: path)
            makeStream = { RLInputStream(fileAtPath: path) }
        case .stream(let body):
            length = body.length
            if let length, length < 0 {
                throw .invalidRequest("the length of the body is negative")
            }
            makeStream = body.open
        }
        self.modes = modes
        self.whenReady = whenReady
        guard rewind() else { throw .invalidRequest("there is no stream for the body") }
    }

    deinit {
        close()
    }

    private static func length(ofFile path: String) throws(RLHTTPError) -> Int {
        var information = stat()
        guard stat(path, &information) == 0 else {
            throw .bodyFailed(POSIXError(.init(rawValue: errno) ?? .EIO))
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw .invalidRequest("the body's path is not that of a regular file")
        }
        return Int(information.st_size)
    }

    /// Opens a new stream; returns false if the body provides no stream.
    func rewind() -> Bool {
        // Opening a stream must not call `whenReady`: the caller may be libcurl.
        let wasWaiting = isWaiting
        isWaiting = false
        defer { isWaiting = wasWaiting }
        close()
        sentLength = 0
        stream = makeStream()
        guard let stream else { return false }
        stream.delegate = self
        for mode in modes { stream.schedule(in: .current, forMode: mode) }
        stream.open()
        return true
    }

    func close() {
        stream?.delegate = nil
        stream?.close()
        stream = nil
    }

    /// Implements CURLOPT_READFUNCTION.
    func read(_ buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
        guard let stream else { return Int(RL_CURL_READFUNC_ABORT) }
        // The server would parse bytes beyond the announced length as another request.
        let maxLength = length.map { min(capacity, $0 - sentLength) } ?? capacity
        if maxLength == 0 { return 0 }
        let resultAtEnd = length == nil ? 0 : Int(RL_CURL_READFUNC_ABORT)
        switch stream.streamStatus {
        case .atEnd: return resultAtEnd
        case .error, .closed: return Int(RL_CURL_READFUNC_ABORT)
        default: break
        }
        guard stream.hasBytesAvailable else {
            isWaiting = true
            return Int(RL_CURL_READFUNC_PAUSE)
        }
        let count = buffer.withMemoryRebound(to: UInt8.self, capacity: capacity) {
            stream.read($0, maxLength: maxLength)
        }
        if count < 0 { return Int(RL_CURL_READFUNC_ABORT) }
        if count == 0 { return resultAtEnd }
        sentLength += count
        return count
    }

    var error: POSIXError? {
        stream?.streamError as? POSIXError
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        if !isWaiting || eventCode == .openCompleted { return }
        isWaiting = false
        whenReady()
    }
}
