public import FoundationEssentials
public import RunLoopKit

/// A header field of a request or a response.
///
/// Foundation: an entry of URLRequest.allHTTPHeaderFields.
public struct RLHTTPField: Hashable, Sendable {
    /// The name, which is case-insensitive.
    public var name: String
    /// The value, without leading and trailing blanks.
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
    /// The line, in which the value of a field with credentials, such as `Cookie`, is hidden.
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
    /// Returns whether two texts are equal, regardless of ASCII case.
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
/// Credentials are not sent to another host after a redirect.
///
/// Foundation: URLCredential.
public enum RLHTTPCredentials: Hashable, Sendable {
    /// Basic authentication: a name and a password in clear text, sent with the first request.
    case basic(user: String, password: String)
    /// Digest authentication: a name and a proof of the password, sent when the server requests it.
    case digest(user: String, password: String)
    /// A token, sent with the first request.
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

    /// Additional header fields.
    ///
    /// These fields replace the client's own fields with the same names: `Host`, `Accept`,
    /// `Accept-Encoding`, and the fields for the body and credentials.
    ///
    /// `Content-Length`, `Transfer-Encoding` and `Expect` are ignored: ``body`` determines them,
    /// and the client sends `Expect` with bodies of 1 MiB or more or of unknown length.
    /// `Authorization` and `Cookie` are not sent to another host after a redirect.
    public var fields: [RLHTTPField]

    /// The body; nil for none.
    ///
    /// Foundation: URLRequest.httpBody, httpBodyStream.
    public var body: RLHTTPBody?

    /// The credentials for authentication; nil for none.
    public var credentials: RLHTTPCredentials?

    /// The greatest number of redirects that are followed.
    ///
    /// With 0, a redirect is returned as the response. Redirects are 301, 302, 303, 307 and 308
    /// with a `Location`. A 303 leads to a GET, unless the method is HEAD. A 301 or 302 leads to a
    /// GET if the method is POST. All other redirects repeat the method and the body.
    public var redirectLimit = 20

    /// Whether the client requests gzip-compressed bodies and decompresses them.
    ///
    /// Has no effect if ``fields`` contain `Accept-Encoding` or zlib is missing.
    public var decompresses = true

    /// The idle time-out: the longest time without data from or to the server; nil for none.
    ///
    /// The time-out starts with the name lookup. Each line of a head and each piece of a body,
    /// received or sent, restarts it. The time in the client's queue does not count. The wait for a
    /// connection that another request uses counts only with libcurl before 7.80. The time-out is
    /// checked while the loop runs in one of the request's modes.
    ///
    /// Foundation: URLSessionConfiguration.timeoutIntervalForRequest.
    public var timeoutIntervalForRequest: Duration?

    /// The time limit of the whole request, from its start; nil for no limit.
    ///
    /// The limit is checked while the loop runs in one of the request's modes.
    ///
    /// Foundation: URLSessionConfiguration.timeoutIntervalForResource.
    public var timeoutIntervalForResource: Duration?

    /// The limits of the server's response.
    public var limits: RLHTTPLimits

    /// The TLS settings of an `https` connection; by default, the default settings of a client.
    ///
    /// A peer name applies to the host of an `https` URL. After a redirect, another host is
    /// verified by its own name. Custom authorities and certificates require libcurl 7.77 with
    /// OpenSSL.
    public var security = RLStreamTLSSettings()

    /// Creates a request with the method GET.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - fields: Additional fields of the head.
    ///   - timeoutIntervalForRequest: The idle time-out; nil for none.
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
    /// The method and the URL, without user and password.
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
/// A response that exceeds a limit fails with ``RLHTTPError/limitExceeded(_:)``.
///
/// Foundation has no counterpart.
public struct RLHTTPLimits: Hashable, Sendable {
    /// The greatest number of bytes of a response's head and of the interim heads before it.
    ///
    /// The trailers have the same limit, and are counted separately. Each redirect is also counted
    /// separately.
    ///
    /// Libcurl has its own limits: 300 KiB for heads, 100 KiB for a line, and 4 KiB for a trailer.
    public var headLength: Int

    /// The greatest number of fields in a head; the trailers have the same limit.
    public var fieldCount: Int

    /// The greatest number of bytes of the decompressed body.
    ///
    /// A body that is written into a file or delivered in parts has no limit.
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
