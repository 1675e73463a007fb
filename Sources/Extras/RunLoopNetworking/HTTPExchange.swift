// A request and its response, on the thread of the network.

import CRunLoopNetworking
import FoundationEssentials
import Glibc
import RunLoopKit

/// Takes a body; on the thread of the network.
protocol BodySink: AnyObject {
    /// The head has come, and a body may follow. It is called before anything else.
    func begin(_ head: RLHTTPResponse) throws(RLHTTPError)
    /// Takes bytes; false if they should come again after a pause.
    func take(_ bytes: UnsafeRawBufferPointer) throws(RLHTTPError) -> Bool
    /// All of it has come; makes the response.
    func end(_ response: RLHTTPResponse) throws(RLHTTPError) -> RLHTTPResponse
}

/// The owner of the request that an exchange makes; on the thread of the network.
protocol ExchangeOwner: AnyObject {
    var pauseState: PauseState { get }
    func report(_ progress: RLHTTPProgress)
    /// The request is over.
    func complete(_ result: Result<RLHTTPResponse, RLHTTPError>)
}

/// Whether the client has paused a request, and when the last pause has ended.
struct PauseState {
    var isOn = false
    var end: ContinuousClock.Instant?
}

/// Sends a request and reads the response, by libcurl in the modes of the connections.
///
/// Its connections keep it until it is over.
final class HTTPExchange {
    let request: RLHTTPRequest
    let owner: any ExchangeOwner
    private let started: ContinuousClock.Instant
    private let options: RequestOptions
    // Nil when it is over.
    private var sink: (any BodySink)?
    // Nil before it was added to connections, and when it is over.
    private var connections: Connections?
    private(set) var turn = 0
    private var transfer: RLTransfer?
    private var body: BodyReader?
    private var head: ResponseHead
    private var hasBegunBody = false
    private var isPaused = false
    private var progress = RLHTTPProgress(receivedLength: 0)
    // When something came or was sent; nil while it waits for other requests.
    private var lastSign: ContinuousClock.Instant?
    // After how many redirects it has had a connection; nil if libcurl does not say that.
    private var connectedHop: Int64? = 0
    // Why a function that libcurl called has refused to go on.
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

    /// Waits for its turn among the requests of connections.
    func wait(for connections: Connections, turn: Int) {
        self.connections = connections
        self.turn = turn
    }

    func begin(in group: RLTransferGroup, modes: [RLRunLoop.Mode]) throws(RLHTTPError) {
        let info = Unmanaged.passUnretained(self).toOpaque()
        // The transfer calls nothing once it has ended, which `finish` sees to.
        var functions = Self.functions
        guard let transfer = RLTransferCreate(group, &functions, info) else { throw .noMemory }
        self.transfer = transfer
        if let content = request.body {
            // The body may end the transfer, and this object with it, when it is resumed.
            body = try BodyReader(content, modes: modes) { RLTransferResume(transfer) }
            progress.expectedSentLength = body?.length
        }
        try options.apply(to: transfer, body: body)
        // By HTTP/2 libcurl takes 30 MiB that nobody wants yet.
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

    /// Closes the connection, unless the response is complete, and says how it ended; once.
    func finish(_ result: Result<RLHTTPResponse, RLHTTPError>) {
        guard let connections else { return }
        self.connections = nil
        if let transfer { RLTransferEnd(transfer) }
        transfer = nil
        body?.close()
        // A file that was begun goes before its owner is told.
        sink = nil
        // The connections may be the last that keep this object.
        withExtendedLifetime(self) {
            connections.remove(self)
            owner.complete(result)
        }
    }

    /// Whether the client has it read and send nothing, and not begin.
    var isHeld: Bool { owner.pauseState.isOn }

    /// Goes on after a pause.
    func resume() {
        let isToGoOn = isPaused
        if isToGoOn { lastSign = .now }
        isPaused = false
        connections?.watch(self)
        if isToGoOn, let transfer { RLTransferResume(transfer) }
    }

    /// Whether it has had a connection, since a redirect another one, as far as libcurl says that.
    private var isConnected: Bool {
        lastSign != nil && connectedHop.map { $0 == hop } ?? true
    }

    /// The number of redirects it has followed.
    private var hop: Int64 {
        transfer.map { RLTransferGetNumber($0, CInt(RL_CURLINFO_REDIRECT_COUNT)) } ?? 0
    }

    /// When the time will be over if nothing comes; nil for never.
    var deadline: ContinuousClock.Instant? {
        let deadline = request.timeoutIntervalForResource.map { started + $0 }
        let pause = owner.pauseState
        // Nothing can come while nobody takes what has come.
        guard !isPaused, !pause.isOn, isConnected, let lastSign,
            let time = request.timeoutIntervalForRequest
        else { return deadline }
        let idle = max(lastSign, pause.end ?? lastSign) + time
        return min(idle, deadline ?? idle)
    }
}

// The functions that libcurl calls.
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
        guard let info else { fatalError("libcurl has lost a request") }
        // It lives as long as its transfer, which it ends.
        return Unmanaged<HTTPExchange>.fromOpaque(info).takeUnretainedValue()
    }

    /// Has the time of silence begin.
    private func connect() {
        if isConnected { return }
        if connectedHop != nil { connectedHop = hop }
        lastSign = .now
        connections?.watch(self)
    }

    /// Does a step; an error ends the transfer.
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
        // Libcurl follows a redirect whose head was cut.
        if head.isInFields, mayBeFollowed, ResponseHead.isFirst(line) { throw .closedEarly }
        let isLast = try head.take(line, mayBeFirst: !hasBegunBody)
        if head.response.fields.isEmpty, !mayRedirect, let transfer {
            RLTransferSetNumber(transfer, CInt(RL_CURLOPT_FOLLOWLOCATION), 0)
        }
        if !isLast { return }
        if head.response.statusCode == 303 { followWithGet() }
        // Libcurl sent `Expect: 100-continue`, then the body after a second, and would go on there.
        if head.response.statusCode == 417, let body, body.sentLength > 0,
            options.expectsContinue(body)
        {
            throw .bodyFailed(POSIXError(.ESPIPE))
        }
        if !mayBeFollowed { try beginBody() }
    }

    /// Has libcurl forget the method, which it would keep; versions before 7.70 the body too.
    private func followWithGet() {
        guard let transfer, request.method != "HEAD" else { return }
        RLTransferSetText(transfer, CInt(RL_CURLOPT_CUSTOMREQUEST), nil)
        RLTransferSetNumber(transfer, CInt(RL_CURLOPT_UPLOAD), 0)
    }

    /// Whether libcurl may go on with another request or wait for another head.
    private var mayBeFollowed: Bool {
        switch head.response.statusCode {
        case 100..<200: true
        case 300..<400:
            mayRedirect && request.redirectLimit > 0
                && head.response.value(forField: "Location") != nil
        // The last one for `Expect: 100-continue`, without which the body is sent again.
        case 401, 407, 417: true
        default: false
        }
    }

    /// Whether a Location of the response is a place to go to; libcurl goes there with any 3xx.
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
            // For libcurl a connection may end in a head, or after one that is no response.
            guard head.isComplete else { throw .closedEarly }
            try beginBody()
            guard let sink else { return }
            finish(.success(try sink.end(head.response)))
        } catch {
            finish(.failure(error))
        }
    }
}
