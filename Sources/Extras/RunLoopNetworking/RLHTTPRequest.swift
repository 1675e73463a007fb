public import FoundationEssentials
public import RunLoopKit

/// A header field of a request or a response.
///
/// Foundation: an entry of URLRequest.allHTTPHeaderFields.
public struct RLHTTPField: Hashable, Sendable {
    /// The name, whose case does not matter.
    public var name: String
    /// The value, without the blanks around it.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    func isNamed(_ other: String) -> Bool {
        name.isSame(as: other)
    }
}

extension RLHTTPField: CustomStringConvertible, CustomReflectable {
    /// The line, without the values of credentials, such as `Authorization` and `Cookie`.
    public var description: String { "\(name): \(shownValue)" }

    /// The name, and the value as in ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue])
    }

    private var shownValue: String {
        let secrets = ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"]
        return secrets.contains(where: isNamed) ? "…" : value
    }
}

extension String {
    /// Compares names with ASCII case ignored.
    func isSame(as other: String) -> Bool {
        if self == other { return true }
        return utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { mine, others in
                mine == others || mine ^ others == 32 && (97...122).contains(mine | 32)
            }
    }
}

/// Credentials for authentication.
///
/// They are not sent to another host that a redirect names.
///
/// Foundation: URLCredential.
public enum RLHTTPCredentials: Hashable, Sendable {
    /// Basic authentication: a name and a password in clear text, with the first request.
    case basic(user: String, password: String)
    /// Digest authentication: a name and a proof of the password, when the server asks for it.
    case digest(user: String, password: String)
    /// A token, with the first request.
    case bearer(String)
}

extension RLHTTPCredentials: CustomStringConvertible, CustomReflectable {
    /// The kind and the user's name, without the secret.
    public var description: String {
        switch self {
        case .basic(let user, _): "basic, user '\(user)'"
        case .digest(let user, _): "digest, user '\(user)'"
        case .bearer: "bearer"
        }
    }

    /// Empty, so that dumps contain no password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An HTTP request.
///
/// Foundation: URLRequest. AFNetworking: NSURLRequest.
public struct RLHTTPRequest: Hashable, Sendable {
    /// The method; `GET` by default.
    public var method = "GET"

    /// The URL, whose scheme is `http` or `https`.
    ///
    /// Its fragment is not sent.
    public var url: URL

    /// Additional header fields, which replace fields of the same names that the client writes:
    /// `Host`, `Accept`, `Accept-Encoding`, and the fields for the body and credentials.
    ///
    /// `Content-Length`, `Transfer-Encoding` and `Expect` are ignored: ``body`` determines them,
    /// and from 1 MiB on the client sends `Expect`. `Authorization` and `Cookie` are not sent to
    /// another host that a redirect names.
    public var fields: [RLHTTPField]

    /// The body; nil for none.
    ///
    /// Foundation: URLRequest.httpBody, httpBodyStream.
    public var body: RLHTTPBody?

    /// The credentials for authentication; nil for none.
    public var credentials: RLHTTPCredentials?

    /// The greatest number of redirects that are followed.
    ///
    /// With 0 a redirect is a response like any other. Redirects are 301, 302, 303, 307 and 308
    /// with a `Location`. A 303 leads to a GET, unless the method is HEAD. A 301 or 302 leads to a
    /// GET if the method is POST. All others repeat the method and the body.
    public var redirectLimit = 20

    /// Whether the client asks for gzip-compressed bodies and decompresses them.
    ///
    /// It does not if ``fields`` have an `Accept-Encoding` or zlib is missing.
    public var decompresses = true

    /// The time-out between two pieces of data from the server; nil for none.
    ///
    /// Each line of a head and each piece of a body restarts it, and so does each piece that is
    /// sent. Waiting for other requests of the client does not count. Waiting for a connection
    /// counts before libcurl 7.80 only. It is checked while the loop runs in one of the request's
    /// modes.
    ///
    /// Foundation: URLSessionConfiguration.timeoutIntervalForRequest.
    public var timeoutIntervalForRequest: Duration?

    /// The time limit of the whole request, from its start; nil for no limit.
    ///
    /// It is checked while the loop runs in one of the request's modes.
    ///
    /// Foundation: URLSessionConfiguration.timeoutIntervalForResource.
    public var timeoutIntervalForResource: Duration?

    /// The limits of the server's response.
    public var limits: RLHTTPLimits

    /// The TLS settings of an `https` connection; by default those of a client.
    ///
    /// A peer name applies to the host of an `https` URL; a host that a redirect names is verified
    /// by its own name. Custom authorities and certificates need libcurl 7.77 with OpenSSL.
    public var security = RLStreamTLSSettings()

    /// Creates a request with the method GET.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - fields: Additional fields of the head.
    ///   - timeoutIntervalForRequest: The time-out between two pieces of data; nil for none.
    ///   - timeoutIntervalForResource: The time limit of the whole request; nil for none. An hour
    ///     by default: Foundation's default of seven days is for background downloads, which do not
    ///     exist here.
    ///   - limits: The limits of the response.
    public init(
        url: URL,
        fields: [RLHTTPField] = [],
        timeoutIntervalForRequest: Duration? = .seconds(60),
        timeoutIntervalForResource: Duration? = .seconds(3600),
        limits: RLHTTPLimits = RLHTTPLimits()
    ) {
        self.url = url
        self.fields = fields
        self.timeoutIntervalForRequest = timeoutIntervalForRequest
        self.timeoutIntervalForResource = timeoutIntervalForResource
        self.limits = limits
    }

    /// Creates a request with a body.
    ///
    /// - Parameters:
    ///   - method: The method, such as `POST`.
    ///   - url: The URL.
    ///   - fields: Additional fields of the head, such as `Content-Type`.
    ///   - body: The body.
    public init(method: String, url: URL, fields: [RLHTTPField] = [], body: RLHTTPBody? = nil) {
        self.init(url: url, fields: fields)
        self.method = method
        self.body = body
    }
}

extension RLHTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the URL, without a user and a password.
    public var description: String { "\(method) \(url.withoutUser)" }

    /// The method, the URL and the fields, as in their descriptions.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "url": url.withoutUser, "fields": fields])
    }
}

extension URL {
    fileprivate var withoutUser: String {
        guard user() != nil || password() != nil else { return absoluteString }
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.user = nil
        parts?.password = nil
        return parts?.string ?? ""
    }
}

/// The limits of a response.
///
/// Exceeding one throws ``RLHTTPError/limitExceeded(_:)``.
///
/// Ours, no Foundation counterpart.
public struct RLHTTPLimits: Hashable, Sendable {
    /// The bytes of all heads, including those of interim responses and redirects, and separately
    /// of the trailers.
    ///
    /// Libcurl has limits of its own: 300 KiB, 100 KiB for a line, and 4 KiB for a trailer.
    public var headLength: Int

    /// The number of fields in a head, and separately in the trailers.
    public var fieldCount: Int

    /// The bytes of the body, decompressed.
    ///
    /// A body into a file or in parts has no such limit.
    public var bodyLength: Int

    /// Creates limits; the defaults are 64 KiB, 200 fields, and 64 MiB.
    public init(
        headLength: Int = 65536,
        fieldCount: Int = 200,
        bodyLength: Int = 67_108_864
    ) {
        self.headLength = headLength
        self.fieldCount = fieldCount
        self.bodyLength = bodyLength
    }
}
