// Maps a request to options of libcurl.

import CRunLoopNetworking
import FoundationEssentials
import RunLoopKit

/// A validated request: no part contains a line break, which could inject a header line.
struct RequestOptions {
    private let request: RLHTTPRequest
    private let text: String
    private let host: String
    private let port: Int
    private let isSecured: Bool

    init(_ request: RLHTTPRequest) throws(RLHTTPError) {
        self.request = request
        let url = request.url
        let scheme = url.scheme ?? ""
        isSecured = scheme.isSame(as: "https")
        guard isSecured || scheme.isSame(as: "http") else { throw .unsupportedScheme(scheme) }
        guard let name = url.host(percentEncoded: false), !name.isEmpty else {
            throw .invalidRequest("the URL names no host")
        }
        host = name
        text = url.absoluteString
        guard name.utf8.allSatisfy(Self.isVisible), text.utf8.allSatisfy(Self.isVisible) else {
            throw .invalidRequest("the URL has a character that no URL has")
        }
        // Old versions of libcurl resolve invalid names.
        guard name.utf8.allSatisfy(Self.isOfHost) else {
            throw .invalidRequest("the host has a character that no host has")
        }
        if url.user() != nil || url.password() != nil {
            throw .invalidRequest("the URL names a user, for whom there are credentials")
        }
        port = url.port ?? (isSecured ? 443 : 80)
        guard (1...65535).contains(port) else {
            throw .invalidRequest("the port \(port) is not from 1 to 65535")
        }
        guard Self.isToken(request.method) else {
            throw .invalidRequest("'\(request.method)' is no method")
        }
        for field in request.fields { try Self.check(field) }
        // Libcurl would wait for the body that a response to HEAD announces.
        if request.method == "HEAD", request.body != nil {
            throw .invalidRequest("HEAD has no body")
        }
    }

    private static func check(_ field: RLHTTPField) throws(RLHTTPError) {
        if !isToken(field.name) {
            throw .invalidRequest("'\(field.name)' is no name of a field")
        }
        if !field.value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) {
            throw .invalidRequest("the value of '\(field.name)' has a control character")
        }
    }

    private static func isVisible(_ byte: UInt8) -> Bool {
        byte > 32 && byte != 127
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
        default: true
        }
    }

    /// Whether the text is a token of RFC 9110.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                isVisible(byte) && byte < 127 && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
    }

    var decompresses: Bool {
        request.decompresses && !has("Accept-Encoding") && RLGunzipIsAvailable()
    }

    func expectsContinue(_ body: BodyReader) -> Bool {
        (body.length ?? .max) >= 1 << 20
    }

    private func has(_ name: String) -> Bool {
        request.fields.contains { $0.isNamed(name) }
    }

    func apply(to transfer: RLTransfer, body: BodyReader?) throws(RLHTTPError) {
        let options = TransferOptions(transfer: transfer)
        try options.set(RL_CURLOPT_URL, text)
        setMethod(options, body)
        if !isIdempotent { RLTransferForbidRetry(transfer) }
        // `body` determines these fields, and a redirect may drop the body.
        let ownNames = ["Content-Length", "Transfer-Encoding", "Expect"]
        for field in request.fields where !ownNames.contains(where: field.isNamed) {
            // Libcurl removes a field without a value, unless it ends with a semicolon.
            let isBlank = field.value.utf8.allSatisfy { $0 == 32 || $0 == 9 }
            let line = isBlank ? "\(field.name);" : "\(field.name): \(field.value)"
            try options.add(line)
        }
        if decompresses { try options.add("Accept-Encoding: gzip") }
        options.set(RL_CURLOPT_FOLLOWLOCATION, request.redirectLimit > 0 ? 1 : 0)
        options.set(RL_CURLOPT_MAXREDIRS, max(0, min(request.redirectLimit, 1 << 20)))
        options.set(RL_CURLOPT_BUFFERSIZE, 61440)
        try setCredentials(options)
        // A redirect may lead from `http` to `https`.
        if isSecured || request.redirectLimit > 0 { try setSecurity(options) }
    }

    /// Whether the request is idempotent and so, by RFC 9110, may be sent again.
    private var isIdempotent: Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(request.method)
    }

    private func setMethod(_ options: TransferOptions, _ body: BodyReader?) {
        switch request.method {
        case "GET" where body == nil: return
        case "HEAD" where body == nil: return options.set(RL_CURLOPT_NOBODY, 1)
        case "POST":
            options.set(RL_CURLOPT_POST, 1)
            options.set(RL_CURLOPT_POSTFIELDSIZE_LARGE, body.map { $0.length ?? -1 } ?? 0)
            // Otherwise libcurl adds the content type of a form to every body.
            if !has("Content-Type") { try? options.add("Content-Type:") }
        default:
            if body != nil { options.set(RL_CURLOPT_UPLOAD, 1) }
            // Before 8.0, libcurl waits a second for the response to `Expect` even for a body of
            // one byte.
            if let body, !expectsContinue(body) { try? options.add("Expect:") }
            options.set(RL_CURLOPT_INFILESIZE_LARGE, body?.length ?? -1)
            try? options.set(RL_CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private func setCredentials(_ options: TransferOptions) throws(RLHTTPError) {
        func set(_ kind: Int, _ parts: [(Int, String)]) throws(RLHTTPError) {
            options.set(RL_CURLOPT_HTTPAUTH, kind)
            for (option, text) in parts {
                guard text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
                    throw .invalidRequest("the credentials have a control character")
                }
                try options.set(option, text)
            }
        }
        switch request.credentials {
        case nil: break
        case .basic(let user, let password):
            let parts = [(RL_CURLOPT_USERNAME, user), (RL_CURLOPT_PASSWORD, password)]
            try set(RL_CURLAUTH_BASIC, parts)
        case .digest(let user, let password):
            let parts = [(RL_CURLOPT_USERNAME, user), (RL_CURLOPT_PASSWORD, password)]
            try set(RL_CURLAUTH_DIGEST, parts)
        case .bearer(let token):
            try set(RL_CURLAUTH_BEARER, [(RL_CURLOPT_XOAUTH2_BEARER, token)])
        }
    }

    private func setSecurity(_ options: TransferOptions) throws(RLHTTPError) {
        let security = request.security
        if security.isServer { throw .connectionNotSecured(.unusable) }
        options.set(RL_CURLOPT_SSLVERSION, RL_CURL_SSLVERSION_TLSv1_2)
        // Waits for pending connections, as requests can share an HTTP/2 connection.
        if isSecured { options.set(RL_CURLOPT_PIPEWAIT, 1) }
        if !security.validatesCertificateChain { options.set(RL_CURLOPT_SSL_VERIFYPEER, 0) }
        if !security.authorities.isEmpty {
            try options.trust(security.authorities)
        }
        if !security.certificates.isEmpty {
            try options.set(RL_CURLOPT_SSLCERT_BLOB, security.certificates)
            try options.set(RL_CURLOPT_SSLKEY_BLOB, security.certificates)
        }
        switch security.peerName {
        case .host where security.validatesCertificateChain: break
        case .host, .any: options.set(RL_CURLOPT_SSL_VERIFYHOST, 0)
        case .named(let name): if isSecured { try connect(as: name, options) }
        }
    }

    /// Connects to the URL's host, but verifies the certificate against another name.
    private func connect(as name: String, _ options: TransferOptions) throws(RLHTTPError) {
        func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
        guard name.utf8.allSatisfy({ Self.isVisible($0) && $0 != UInt8(ascii: "/") }),
            var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        else { throw .connectionNotSecured(.unusable) }
        parts.host = bracketed(name)
        guard let other = parts.string,
            RLTransferConnectTo(
                options.transfer,
                "\(bracketed(name)):\(port):\(bracketed(host)):\(port)"
            )
        else { throw .connectionNotSecured(.unusable) }
        try options.set(RL_CURLOPT_URL, other)
        if has("Host") { return }
        try options.add("Host: \(bracketed(host))" + (request.url.port.map { ":\($0)" } ?? ""))
    }
}

private struct TransferOptions {
    let transfer: RLTransfer

    func set(_ option: Int, _ number: Int) {
        RLTransferSetNumber(transfer, CInt(option), Int64(number))
    }

    func set(_ option: Int, _ text: String) throws(RLHTTPError) {
        if !RLTransferSetText(transfer, CInt(option), text) { throw .noMemory }
    }

    /// Sets an option; throws if libcurl is older than 7.77.
    func set(_ option: Int, _ texts: [Data]) throws(RLHTTPError) {
        let bytes = [UInt8](texts.joined(separator: [10]))
        if !RLTransferSetBytes(transfer, CInt(option), bytes, bytes.count) {
            throw .connectionNotSecured(.needsNewerLibrary)
        }
    }

    func trust(_ authorities: [Data]) throws(RLHTTPError) {
        let bytes = [UInt8](authorities.joined(separator: [10]))
        if !RLTransferSetAuthorities(transfer, bytes, bytes.count) {
            throw .connectionNotSecured(.needsNewerLibrary)
        }
    }

    func add(_ line: String) throws(RLHTTPError) {
        if !RLTransferAddLine(transfer, line) { throw .noMemory }
    }
}

extension RLHTTPError {
    static let noMemory = connectionFailed(POSIXError(.ENOMEM))
}

extension RLStreamTLSError {
    fileprivate static let unusable = RLStreamTLSError(
        code: Int(kRLStreamErrorSSLBadConfiguration),
        description: "The settings make no sense for a client."
    )

    fileprivate static let needsNewerLibrary = RLStreamTLSError(
        code: Int(kRLStreamErrorSSLBadConfiguration),
        description: "Own authorities and certificates need libcurl 7.77 with OpenSSL."
    )
}
