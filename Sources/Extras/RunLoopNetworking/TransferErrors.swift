// Maps errors of libcurl to `RLHTTPError`.

import CRunLoopNetworking
import FoundationEssentials
import RunLoopKit

extension RLHTTPError {
    init(code: Int, of transfer: RLTransfer, inBody isInBody: Bool) {
        // Old versions of libcurl append a line feed.
        var words = String(cString: RLTransferGetError(transfer)).filter { $0 != "\n" }
        if let reason = Self.proxyReason(code: code, of: transfer, words) {
            self = .proxyFailed(reason)
            return
        }
        // Messages about a proxy may contain its password.
        if words.isEmpty || words.contains("roxy") && words.contains("'") {
            words = String(cString: RLTransferGetWords(CInt(code)))
        }
        let isSent = RLTransferGetNumber(transfer, CInt(RL_CURLINFO_REQUEST_SIZE)) > 0
        switch code {
        case RL_CURLE_COULDNT_RESOLVE_HOST: self = .hostNotFound
        case RL_CURLE_OPERATION_TIMEDOUT: self = .connectionFailed(POSIXError(.ETIMEDOUT))
        case RL_CURLE_GOT_NOTHING, RL_CURLE_PARTIAL_FILE: self = .closedEarly
        case RL_CURLE_TOO_MANY_REDIRECTS: self = .tooManyRedirects
        // A line exceeds libcurl's own limit; older versions report that as "out of memory".
        case RL_CURLE_TOO_LARGE where isSent, RL_CURLE_OUT_OF_MEMORY where isSent:
            self = .limitExceeded(isInBody ? "trailers" : "head")
        case RL_CURLE_SEND_FAIL_REWIND: self = .bodyFailed(POSIXError(.ESPIPE))
        case RL_CURLE_OUT_OF_MEMORY: self = .noMemory
        case RL_CURLE_COULDNT_CONNECT, RL_CURLE_SEND_ERROR:
            self = .connectionFailed(Self.systemError(of: transfer) ?? POSIXError(.EIO))
        case RL_CURLE_RECV_ERROR where words.hasPrefix("Too large response headers"):
            self = .limitExceeded("head")
        case RL_CURLE_RECV_ERROR where words.hasPrefix("Out of memory"):
            self = .limitExceeded("trailers")
        // EOF without close_notify, or a failed send after EOF.
        case RL_CURLE_RECV_ERROR where words.hasSuffix("SSL_ERROR_SYSCALL, errno 0"),
            RL_CURLE_RECV_ERROR where words.hasPrefix("Send failure"),
            RL_CURLE_RECV_ERROR where words.contains("unexpected eof"),
            // By GnuTLS.
            RL_CURLE_RECV_ERROR where words.contains("(-110)"):
            self = .closedEarly
        case RL_CURLE_URL_MALFORMAT
        where RLTransferGetNumber(transfer, CInt(RL_CURLINFO_REDIRECT_COUNT)) == 0:
            self = .invalidRequest(words)
        case RL_CURLE_RECV_ERROR:
            // With malformed chunks, the system's error number is stale.
            let isOfSystem = words.contains("ecv failure") || words.contains("errno")
            let error = isOfSystem ? Self.systemError(of: transfer) : nil
            self = error.map { .connectionFailed($0) } ?? .malformedResponse(words)
        case RL_CURLE_SSL_CONNECT_ERROR, RL_CURLE_SSL_CERTPROBLEM, RL_CURLE_SSL_CIPHER,
            RL_CURLE_PEER_FAILED_VERIFICATION, RL_CURLE_SSL_CACERT_BADFILE:
            self = .connectionNotSecured(RLStreamTLSError(code: code, of: transfer, words))
        default: self = .malformedResponse(words)
        }
    }

    /// Returns the reason without the proxy's URL, which may contain a password.
    private static func proxyReason(
        code: Int,
        of transfer: RLTransfer,
        _ words: String
    ) -> String? {
        let status = RLTransferGetNumber(transfer, CInt(RL_CURLINFO_HTTP_CONNECTCODE))
        return switch code {
        case RL_CURLE_COULDNT_RESOLVE_PROXY where words.hasPrefix("Unsupported proxy"),
            RL_CURLE_COULDNT_CONNECT where words.hasPrefix("Unsupported proxy"):
            "its URL is invalid"
        case RL_CURLE_COULDNT_RESOLVE_PROXY: "its host was not found"
        case RL_CURLE_RECV_ERROR where status >= 300: "it answered with status \(status)"
        case RL_CURLE_RECV_ERROR where words.hasPrefix("Proxy CONNECT aborted"):
            "it closed the connection"
        default: nil
        }
    }

    private static func systemError(of transfer: RLTransfer) -> POSIXError? {
        let number = RLTransferGetSystemError(transfer)
        return number == 0 ? nil : POSIXError.Code(rawValue: number).map { POSIXError($0) }
    }
}

extension RLStreamTLSError {
    fileprivate init(code: Int, of transfer: RLTransfer, _ words: String) {
        switch code {
        case RL_CURLE_PEER_FAILED_VERIFICATION:
            self.init(
                verifyResult: Int(
                    RLTransferGetNumber(transfer, CInt(RL_CURLINFO_SSL_VERIFYRESULT))
                ),
                words
            )
        case RL_CURLE_SSL_CERTPROBLEM, RL_CURLE_SSL_CACERT_BADFILE, RL_CURLE_SSL_CIPHER:
            self.init(
                code: Int(kRLStreamErrorSSLBadConfiguration),
                description: "The settings cannot be used: \(words)."
            )
        default:
            self.init(
                code: Int(kRLStreamErrorSSLProtocol),
                description: "The connection could not be secured: \(words)."
            )
        }
    }

    /// Creates an error; a result of 0, or libcurl's initial 1, means that only the name does not
    /// match.
    private init(verifyResult: Int, _ words: String) {
        switch verifyResult {
        case 0, 1:
            self.init(
                code: Int(kRLStreamErrorSSLHostNameMismatch),
                description: "The peer's certificate is for another name than the one that was "
                    + "connected to."
            )
        case 9:
            self.init(
                code: Int(kRLStreamErrorSSLCertNotYetValid),
                description: "The peer's certificate is not valid yet."
            )
        case 10:
            self.init(
                code: Int(kRLStreamErrorSSLCertExpired),
                description: "The peer's certificate has expired."
            )
        case 2, 18, 19, 20, 21:
            self.init(
                code: Int(kRLStreamErrorSSLNoRootCert),
                description: "The peer's certificate is signed by an unknown authority."
            )
        default:
            self.init(
                code: Int(kRLStreamErrorSSLXCertChainInvalid),
                description: "The peer's certificate is not trusted: \(words)."
            )
        }
    }
}
