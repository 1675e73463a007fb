// Runs one request with libcurl, confined to the network thread.

import CRunLoopNetworking
import FoundationEssentials
import Glibc
import RunLoopKit

/// Consumes a body, on the network thread.
protocol BodySink: AnyObject {
    /// Takes the head; called before all other functions.
    func begin(_ head: RLHTTPResponse) throws(RLHTTPError)
    /// Takes bytes; returns false if libcurl should pause and pass the same bytes again later.
    func take(_ bytes: UnsafeRawBufferPointer) throws(RLHTTPError) -> Bool
    func end(_ response: RLHTTPResponse) throws(RLHTTPError) -> RLHTTPResponse
}

protocol ExchangeOwner: AnyObject {
    var pauseState: PauseState { get }
    func report(_ progress: RLHTTPProgress)
    func complete(_ result: Result<RLHTTPResponse, RLHTTPError>)
}

/// Whether the client has paused a request, and the time at which the last pause ended.
struct PauseState {
    var isOn = false
    var end: ContinuousClock.Instant?
}

/// A request in progress, whose connections retain the exchange until it has finished.
///
/// The exchange runs in the modes of the connections.
final class HTTPExchange {
    let request: RLHTTPRequest
    let owner: any ExchangeOwner
    private let started: ContinuousClock.Instant
    private let options: RequestOptions
    // Nil after `finish`.
    private var sink: (any BodySink)?
    // Nil before the exchange is added to connections, and after `finish`.
    private var connections: Connections?
    private(set) var queueIndex = 0
    private var transfer: RLTransfer?
    private var body: BodyReader?
    private var head: ResponseHead
    private var hasBegunBody = false
    private var isPaused = false
    private var progress = RLHTTPProgress(receivedLength: 0)
    // The time of the last data in either direction; nil while the request is queued.
    private var lastSign: ContinuousClock.Instant?
    // The redirect count at the last connection; nil if libcurl does not report connections.
    private var connectedHop: Int64? = 0
    // The error with which a callback of libcurl aborted the transfer.
    private var failure: RLHTTPError?

    init(
        _ request: RLHTTPRequest,
        of owner: any ExchangeOwner,
        started: ContinuousClock.Instant,
        sink: any BodySink
    ) throws(RLHTTPError) {
        self.request = request
        self.owner = owner
        self.started = started
        self.sink = sink
        options = try RequestOptions(request)
        head = ResponseHead(limits: request.limits)
        if let time = request.timeoutIntervalForResource, started.duration(to: .now) >= time {
            throw .timedOut
        }
    }

    func wait(for connections: Connections, at queueIndex: Int) {
        self.connections = connections
        self.queueIndex = queueIndex
    }

    func begin(in group: RLTransferGroup, modes: [RLRunLoop.Mode]) throws(RLHTTPError) {
        let info = Unmanaged.passUnretained(self).toOpaque()
        // Unretained: `finish` destroys the transfer, so no callback follows.
        var functions = Self.functions
        guard let transfer = RLTransferCreate(group, &functions, info) else { throw .noMemory }
        self.transfer = transfer
        if let content = request.body {
            // The closure does not use `self`: resuming may end the transfer and release this
            // object.
            body = try BodyReader(content, modes: modes) { RLTransferResume(transfer) }
            progress.expectedSentLength = body?.length
        }
        try options.apply(to: transfer, body: body)
        // Disables HTTP/2, with which libcurl reads 30 MiB ahead.
        if sink is PartSink {
            RLTransferSetNumber(
                transfer,
                CInt(RL_CURLOPT_HTTP_VERSION),
                Int64(RL_CURL_HTTP_VERSION_1_1)
            )
        }
        if !RLTransferStart(transfer) { throw .noMemory }
        if lastSign != nil { connectedHop = nil }
    }

    // Only the first call has an effect. If the response is incomplete, the call closes the
    // connection. A request without a result belongs to the parent of a forked child.
    func finish(_ result: Result<RLHTTPResponse, RLHTTPError>?) {
        guard let connections else { return }
        self.connections = nil
        if let transfer { RLTransferEnd(transfer) }
        transfer = nil
        body?.close()
        // Deletes a partial file before the owner receives the result.
        sink = nil
        // The connections may hold the last reference to this object.
        withExtendedLifetime(self) {
            connections.remove(self)
            if let result { owner.complete(result) }
        }
    }

    /// A paused request neither starts nor transfers data.
    var isHeld: Bool { owner.pauseState.isOn }

    func resume() {
        let resumes = isPaused
        if resumes { lastSign = .now }
        isPaused = false
        connections?.watch(self)
        if resumes, let transfer { RLTransferResume(transfer) }
    }

    /// Whether the request has a connection.
    ///
    /// If libcurl does not report connections, transferred data imply a connection.
    private var isConnected: Bool {
        lastSign != nil && connectedHop.map { $0 == hop } ?? true
    }

    /// The number of redirects that libcurl has followed.
    private var hop: Int64 {
        transfer.map { RLTransferGetNumber($0, CInt(RL_CURLINFO_REDIRECT_COUNT)) } ?? 0
    }

    /// The time at which the request times out if no data arrives; nil for never.
    var deadline: ContinuousClock.Instant? {
        let deadline = request.timeoutIntervalForResource.map { started + $0 }
        let pause = owner.pauseState
        // The idle time-out applies only while the request is connected and not paused.
        guard !isPaused, !pause.isOn, isConnected, let lastSign,
            let time = request.timeoutIntervalForRequest
        else { return deadline }
        let idle = max(lastSign, pause.end ?? lastSign) + time
        return min(idle, deadline ?? idle)
    }
}

extension HTTPExchange {
    private static let functions = RLTransferFunctions(
        connecting: { info in exchange(info).connect() },
        header: { bytes, size, count, info in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return exchange(info).refusing { exchange throws(RLHTTPError) in
                try exchange.takeLine(line)
                return line.count
            } ?? 0
        },
        body: { bytes, size, count, info in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return exchange(info).refusing { exchange throws(RLHTTPError) in
                try exchange.takeBody(bytes) ? bytes.count : Int(RL_CURL_WRITEFUNC_PAUSE)
            } ?? 0
        },
        read: { buffer, size, count, info in
            guard let buffer else { return 0 }
            return exchange(info).read(buffer, size * count)
        },
        seek: { info, offset, _ in
            offset == 0 && exchange(info).body?.rewind() == true ? 0 : 1
        },
        ended: { info, code in exchange(info).end(Int(code)) }
    )

    private static func exchange(_ info: UnsafeMutableRawPointer?) -> HTTPExchange {
        guard let info else {
            fatalError("internal error: libcurl has lost a request: please report it")
        }
        // The exchange destroys its transfer, and so outlives the transfer.
        return Unmanaged<HTTPExchange>.fromOpaque(info).takeUnretainedValue()
    }

    /// Starts the idle time-out.
    private func connect() {
        if isConnected { return }
        if connectedHop != nil { connectedHop = hop }
        lastSign = .now
        connections?.watch(self)
    }

    /// Performs a step of a callback; an error aborts the transfer.
    private func refusing(_ step: (HTTPExchange) throws(RLHTTPError) -> Int) -> Int? {
        lastSign = .now
        do throws(RLHTTPError) {
            return try step(self)
        } catch {
            failure = error
            return nil
        }
    }

    private func takeLine(_ line: UnsafeRawBufferPointer) throws(RLHTTPError) {
        // Libcurl follows a redirect even if its head is truncated.
        if head.isInFields, mayBeFollowed, ResponseHead.isFirst(line) { throw .closedEarly }
        let isLast = try head.take(line, mayBeFirst: !hasBegunBody)
        if head.response.fields.isEmpty, !mayRedirect, let transfer {
            RLTransferSetNumber(transfer, CInt(RL_CURLOPT_FOLLOWLOCATION), 0)
        }
        if !isLast { return }
        if head.response.statusCode == 303 { followWithGet() }
        // If `Expect: 100-continue` has no response within a second, libcurl sends the body, and
        // would not rewind it here.
        if head.response.statusCode == 417, let body, body.sentLength > 0,
            options.expectsContinue(body)
        {
            throw .bodyFailed(POSIXError(.ESPIPE))
        }
        if !mayBeFollowed { try beginBody() }
    }

    /// Follows a 303 with a GET without a body, unless the method is HEAD.
    ///
    /// Otherwise libcurl would repeat the method and, before version 7.70, the body.
    private func followWithGet() {
        guard let transfer, request.method != "HEAD" else { return }
        RLTransferSetText(transfer, CInt(RL_CURLOPT_CUSTOMREQUEST), nil)
        RLTransferSetNumber(transfer, CInt(RL_CURLOPT_UPLOAD), 0)
    }

    /// Whether libcurl may send another request or read another head.
    private var mayBeFollowed: Bool {
        switch head.response.statusCode {
        case 100..<200: true
        case 300..<400:
            mayRedirect && request.redirectLimit > 0
                && head.response.value(forField: "Location") != nil
        // 417 rejects `Expect: 100-continue`; libcurl then repeats the request without this field.
        case 401, 407, 417: true
        default: false
        }
    }

    // False for a 3xx code that is not followed. libcurl would follow every 3xx with a Location.
    private var mayRedirect: Bool {
        let code = head.response.statusCode
        return !(300..<400).contains(code) || [301, 302, 303, 307, 308].contains(code)
    }

    private func beginBody() throws(RLHTTPError) {
        if hasBegunBody { return }
        hasBegunBody = true
        progress.expectedLength = head.response.value(forField: "Content-Length").flatMap {
            Int($0)
        }
        if options.decompresses, hasBody { sink = try sink.map(decompressing) }
        try sink?.begin(head.response)
    }

    private var hasBody: Bool {
        request.method != "HEAD" && ![204, 304].contains(head.response.statusCode)
    }

    private func decompressing(_ sink: any BodySink) throws(RLHTTPError) -> any BodySink {
        switch head.response.value(forField: "Content-Encoding")?.lowercased() ?? "" {
        case "", "identity": return sink
        case "gzip", "x-gzip": return try GzipSink(sink)
        case let coding:
            throw .malformedResponse("the body is compressed by '\(coding)', and not by gzip")
        }
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) throws(RLHTTPError) -> Bool {
        try beginBody()
        guard let sink, isHeld ? false : try sink.take(bytes) else {
            isPaused = true
            return false
        }
        progress.receivedLength += bytes.count
        owner.report(progress)
        return true
    }

    private func read(_ buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
        guard let body else { return 0 }
        if isHeld {
            isPaused = true
            return Int(RL_CURL_READFUNC_PAUSE)
        }
        lastSign = .now
        let count = body.read(buffer, capacity)
        if count == Int(RL_CURL_READFUNC_ABORT) {
            failure = .bodyFailed(body.error ?? POSIXError(.EIO))
        }
        reportSent()
        return count
    }

    private func reportSent() {
        guard let body, body.sentLength != progress.sentLength else { return }
        progress.sentLength = body.sentLength
        owner.report(progress)
    }

    private func end(_ code: Int) {
        do throws(RLHTTPError) {
            if let failure { throw failure }
            if code != RL_CURLE_OK, let transfer {
                throw RLHTTPError(code: code, of: transfer, inBody: hasBegunBody)
            }
            // Libcurl also reports success for an incomplete head and for a server without HTTP.
            guard head.isComplete else { throw .closedEarly }
            try beginBody()
            guard let sink else { return }
            finish(.success(try sink.end(head.response)))
        } catch {
            finish(.failure(error))
        }
    }
}
