// A request and its response, on the thread of the network.

import FoundationEssentials
import RunLoopKit

/// Sends a request and reads the response, by streams in the modes of the operation.
///
/// The thread keeps it until it is over.
final class HTTPExchange: RLStreamDelegate {
    private static let pieceLength = 65536

    private let input: RLInputStream
    private let output: RLOutputStream
    private let modes: [RLRunLoop.Mode]
    private let request: RLHTTPRequest
    private let started: ContinuousClock.Instant
    private var unsent: ArraySlice<UInt8>
    private var parser: ResponseParser
    private var timer: RLTimer?
    private var lastSign = ContinuousClock.now
    // Why nothing more can be sent: the response may be there all the same.
    private var failureToSend: RLHTTPError?
    private let report: (RLHTTPProgress) -> Void
    private let complete: (Result<RLHTTPResponse, RLHTTPError>) -> Void
    private var whenOver: (() -> Void)?

    init(
        _ request: RLHTTPRequest,
        started: ContinuousClock.Instant,
        modes: [RLRunLoop.Mode],
        report: @escaping (RLHTTPProgress) -> Void,
        complete: @escaping (Result<RLHTTPResponse, RLHTTPError>) -> Void
    ) throws(RLHTTPError) {
        let head = try RequestHead(request)
        if let time = request.timeoutIntervalForResource, started.duration(to: .now) >= time {
            throw .timedOut
        }
        var input: RLInputStream?
        var output: RLOutputStream?
        RLStream.getStreamsToHost(
            withName: head.host,
            port: head.port,
            inputStream: &input,
            outputStream: &output
        )
        guard let input, let output else { throw .connectionFailed(POSIXError(.EMFILE)) }
        if head.isSecured, !input.setProperty(request.security, forKey: .sslSettingsKey) {
            throw .connectionNotSecured(.unusable)
        }
        self.input = input
        self.output = output
        self.modes = modes
        self.request = request
        self.started = started
        self.report = report
        self.complete = complete
        unsent = head.bytes[...]
        parser = ResponseParser(limits: request.limits)
    }

    func begin(whenOver: @escaping () -> Void) {
        self.whenOver = whenOver
        startTimer()
        for stream in [input, output] {
            stream.delegate = self
            for mode in modes { stream.schedule(in: .current, forMode: mode) }
            stream.open()
        }
    }

    /// Closes the connection and says how it ended; once.
    func finish(_ result: Result<RLHTTPResponse, RLHTTPError>) {
        guard let whenOver else { return }
        self.whenOver = nil
        timer?.invalidate()
        for stream in [input, output] {
            stream.delegate = nil
            stream.close()
        }
        // It may be the last that keeps this object.
        withExtendedLifetime(self) {
            whenOver()
            complete(result)
        }
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        switch eventCode {
        case .hasBytesAvailable: takeResult { () throws(RLHTTPError) in try read() }
        case .hasSpaceAvailable: send()
        case .endEncountered: takeResult { () throws(RLHTTPError) in try end() }
        case .errorOccurred where aStream === input: finish(.failure(reason(input)))
        case .errorOccurred: failureToSend = reason(output)
        default: break
        }
    }

    /// Does a step, after which the response may be complete, or has failed.
    private func takeResult(_ step: () throws(RLHTTPError) -> Void) {
        do {
            try step()
            if parser.isComplete { finish(.success(parser.response)) }
        } catch {
            finish(.failure(error))
        }
    }

    private func read() throws(RLHTTPError) {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = max(input.read(start, maxLength: buffer.count), 0)
        }
        // An error or the end come as events of their own.
        if bytes.isEmpty { return }
        lastSign = .now
        let before = parser.response.body.count
        try parser.take(bytes)
        let received = parser.response.body.count
        if received == before { return }
        report(RLHTTPProgress(receivedLength: received, expectedLength: parser.expectedLength))
    }

    private func end() throws(RLHTTPError) {
        do throws(RLHTTPError) {
            try parser.takeEnd()
        } catch {
            throw failureToSend ?? error
        }
    }

    private func send() {
        guard !unsent.isEmpty else { return }
        let sent = output.write([UInt8](unsent), maxLength: unsent.count)
        unsent = unsent.dropFirst(max(sent, 0))
    }

    private func reason(_ stream: RLStream) -> RLHTTPError {
        if let error = stream.streamError as? RLStreamTLSError {
            return .connectionNotSecured(error)
        }
        return .connectionFailed(stream.streamError as? POSIXError ?? POSIXError(.EIO))
    }

    /// How long the exchange may still take if nothing comes; nil for ever.
    private var timeLeft: Duration? {
        let idle = request.timeoutIntervalForRequest.map { $0 - lastSign.duration(to: .now) }
        let total = request.timeoutIntervalForResource.map { $0 - started.duration(to: .now) }
        guard let idle, let total else { return idle ?? total }
        return min(idle, total)
    }

    /// Looks, when the time is over, whether there was a sign of life meanwhile.
    private func startTimer() {
        guard let first = timeLeft else { return }
        let timer = RLTimer(timeInterval: first, repeats: true) { [weak self] timer in
            guard let self, let left = timeLeft else { return timer.invalidate() }
            if left <= .zero { return finish(.failure(.timedOut)) }
            timer.fireDate = Date(
                timeIntervalSinceReferenceDate: RLAbsoluteTimeGetCurrent() + left.seconds
            )
        }
        for mode in modes { RLRunLoop.current.add(timer, forMode: mode) }
        self.timer = timer
    }
}

extension RLStreamTLSError {
    /// What the engine has said in a line: its library is missing, or the settings make no sense.
    fileprivate static let unusable = RLStreamTLSError(
        code: Int(kRLStreamErrorSSLBadConfiguration),
        description: "TLS cannot be had as asked; a line on standard error tells why."
    )
}
