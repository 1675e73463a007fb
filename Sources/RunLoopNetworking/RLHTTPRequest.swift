public import FoundationEssentials

/// A field of the head of a request or a response.
public struct RLHTTPField: Hashable, Sendable {
    /// The name, in which upper and lower case are the same.
    public var name: String
    /// The value, without the blanks around it.
    public var value: String

    /// Makes a field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    func isNamed(_ other: String) -> Bool {
        name.lowercased() == other.lowercased()
    }
}

/// What to fetch by the method GET, and how.
///
/// AFNetworking: NSURLRequest.
public struct RLHTTPRequest: Hashable, Sendable {
    /// Where to fetch it: a URL with the scheme `http`.
    ///
    /// What comes after `#` is not sent.
    public var url: URL

    /// Fields of the head besides those that the operation writes: `Host`, `Connection`,
    /// `Accept-Encoding`, unless they are given here, and `Accept`.
    public var fields: [RLHTTPField]

    /// How long nothing may come from the server before the request fails; nil for no limit.
    ///
    /// Each byte that comes begins it anew. It is looked at while the loop runs in one of the
    /// request's modes.
    ///
    /// Foundation: URLSessionConfiguration.timeoutIntervalForRequest.
    public var timeoutIntervalForRequest: Duration?

    /// How long the request may take in all before it fails, from its start; nil for no limit.
    ///
    /// Whatever comes, it goes on. It is looked at while the loop runs in one of the request's
    /// modes.
    ///
    /// Foundation: URLSessionConfiguration.timeoutIntervalForResource.
    public var timeoutIntervalForResource: Duration?

    /// What the server may send at most.
    public var limits: RLHTTPLimits

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - url: Where to fetch it.
    ///   - fields: Additional fields of the head.
    ///   - timeoutIntervalForRequest: How long nothing may come from the server; nil for no limit.
    ///   - timeoutIntervalForResource: How long the request may take in all; nil for no limit. An
    ///     hour by default: Foundation's seven days are for downloads in the background, which
    ///     there are none of here.
    ///   - limits: What the server may send at most.
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
}

/// What a server may send at most; more is the error ``RLHTTPError/limitExceeded(_:)``.
public struct RLHTTPLimits: Hashable, Sendable {
    /// The bytes of all heads, those of interim responses included, and again of the trailers.
    public var headLength: Int

    /// The number of fields in the head, and again in the trailers.
    public var fieldCount: Int

    /// The bytes of the body.
    public var bodyLength: Int

    /// The bytes that the sizes of all chunks together have besides their digits: extensions,
    /// blanks and leading zeros.
    public var chunkExtensionLength: Int

    /// Makes limits: by default 64 KiB, 200 fields, 64 MiB, and 64 KiB.
    public init(
        headLength: Int = 65536,
        fieldCount: Int = 200,
        bodyLength: Int = 67_108_864,
        chunkExtensionLength: Int = 65536
    ) {
        self.headLength = headLength
        self.fieldCount = fieldCount
        self.bodyLength = bodyLength
        self.chunkExtensionLength = chunkExtensionLength
    }
}
