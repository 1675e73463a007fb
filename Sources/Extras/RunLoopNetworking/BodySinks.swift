// Sinks for bodies, confined to the network thread.

import FoundationEssentials
import Glibc
import RunLoopKit

final class MemorySink: BodySink {
    private let limit: Int
    private var body = Data()

    init(limit: Int) {
        self.limit = limit
    }

    func begin(_ head: RLHTTPResponse) throws(RLHTTPError) {
        guard let text = head.value(forField: "Content-Length"), let length = Int(text) else {
            return
        }
        // Reserves at most 1 MiB: a server may announce much more than it sends.
        body.reserveCapacity(max(0, min(length, limit, 1 << 20)))
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(RLHTTPError) -> Bool {
        if bytes.count > limit - body.count { throw .limitExceeded("body") }
        body.append(contentsOf: bytes)
        return true
    }

    func end(_ response: RLHTTPResponse) throws(RLHTTPError) -> RLHTTPResponse {
        var response = response
        response.body = body
        return response
    }
}

/// Replaces the file at the path with the complete body, and keeps the file's mode.
final class FileSink: BodySink {
    private let path: String
    private var partialPath = ""
    private var descriptor: CInt = -1
    // A child of fork must not delete its parent's temporary file.
    private var process: pid_t = 0

    init(path: String) {
        self.path = path
    }

    /// Throws if the path is invalid, or is the path of a device, a pipe or a directory.
    static func check(_ path: String) throws(RLHTTPError) {
        if path.isEmpty || path.utf8.contains(0) { throw .fileFailed(POSIXError(.EINVAL)) }
        if let mode = mode(of: path), mode & S_IFMT != S_IFREG {
            throw .invalidRequest("the download's path is not that of a regular file")
        }
    }

    private static func mode(of path: String) -> mode_t? {
        var information = stat()
        return stat(path, &information) == 0 ? information.st_mode : nil
    }

    deinit {
        if descriptor < 0 { return }
        close(descriptor)
        if getpid() == process { unlink(partialPath) }
    }

    func begin(_ head: RLHTTPResponse) throws(RLHTTPError) {
        process = getpid()
        // The suffix is random, because other downloads may use the path. The file's name is
        // shortened, because names have at most 255 bytes.
        let scalars = path.unicodeScalars
        let begin = scalars.lastIndex(of: "/").map(scalars.index(after:)) ?? scalars.startIndex
        let start = path[..<begin] + String(scalars[begin...].prefix(50))
        let mode = Self.mode(of: path).map { $0 & 0o777 }
        repeat {
            partialPath = "\(start).\(String(UInt32.random(in: 0 ... .max), radix: 36)).part"
            // Passes the mode to `open`: a later chmod would leave the file readable for a moment.
            descriptor = open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666)
        } while descriptor < 0 && errno == EEXIST
        if descriptor < 0 { throw .lastFileError }
        if let mode, fchmod(descriptor, mode) != 0 { throw .lastFileError }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(RLHTTPError) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = write(descriptor, part.baseAddress, part.count)
            if count < 0 && errno != EINTR { throw .lastFileError }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    func end(_ response: RLHTTPResponse) throws(RLHTTPError) -> RLHTTPResponse {
        let isClosed = close(descriptor) == 0
        descriptor = -1
        // Some file systems report ENOSPC only in `close`.
        guard isClosed, rename(partialPath, path) == 0 else {
            let error = RLHTTPError.lastFileError
            unlink(partialPath)
            throw error
        }
        return response
    }
}

extension RLHTTPError {
    fileprivate static var lastFileError: RLHTTPError {
        .fileFailed(POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO))
    }
}
