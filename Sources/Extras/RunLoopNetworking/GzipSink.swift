import CRunLoopNetworking
import RunLoopKit

// Decompresses a body for another sink. At most one decompressed piece is pending.
final class GzipSink: BodySink {
    private let sink: any BodySink
    private let gunzip: RLGunzip
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 1)
    // The length of the pending piece, which `sink` has not accepted yet.
    private var pieceLength = 0
    // The number of bytes that are decompressed already, and that libcurl repeats after a pause.
    private var usedCount = 0
    private var hasBegun = false

    init(_ sink: any BodySink) throws(RLHTTPError) {
        guard let gunzip = RLGunzipCreate() else { throw .noMemory }
        self.sink = sink
        self.gunzip = gunzip
    }

    deinit {
        RLGunzipDestroy(gunzip)
        buffer.deallocate()
    }

    func begin(_ head: RLHTTPResponse) throws(RLHTTPError) {
        try sink.begin(head)
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(RLHTTPError) -> Bool {
        hasBegun = true
        while true {
            let piece = UnsafeRawBufferPointer(rebasing: buffer[..<pieceLength])
            if !piece.isEmpty, try !sink.take(piece) { return false }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[usedCount...])
            if rest.isEmpty && pieceLength < buffer.count { break }
            var length = rest.count
            pieceLength = buffer.count
            guard
                RLGunzipRead(gunzip, rest.baseAddress, &length, buffer.baseAddress, &pieceLength)
            else { throw .malformedResponse("the body is not compressed by gzip") }
            usedCount += length
        }
        pieceLength = 0
        usedCount = 0
        return true
    }

    func end(_ response: RLHTTPResponse) throws(RLHTTPError) -> RLHTTPResponse {
        // Some servers label empty bodies as compressed.
        if RLGunzipIsInMember(gunzip) || !hasBegun && response.isDelimitedByClose {
            throw .malformedResponse("the compressed body has no end")
        }
        return try sink.end(response)
    }
}

extension RLHTTPResponse {
    fileprivate var isDelimitedByClose: Bool {
        majorVersion == 1 && value(forField: "Content-Length") == nil
            && value(forField: "Transfer-Encoding") == nil
    }
}
