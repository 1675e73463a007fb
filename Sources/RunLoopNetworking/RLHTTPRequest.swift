public import FoundationEssentials
public import RunLoopKit

/// A header field of a request or a response.
public struct RLHTTPField: Hashable, Sendable {
    /// The name, whose case does not matter.
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

/// A request by the method GET.
///
/// AFNetworking: NSURLRequest.
public struct RLHTTPRequest: Hashable, Sendable {
    /// The URL, whose scheme is `http` or `https`.
    ///
    /// Its fragment is not sent.
    public var url: URL

    /// Header fields in addition to those that the operation writes: `Host`, `Connection`,
    /// `Accept-Encoding`, unless they are given here, and `Accept`.
    public var fields: [RLHTTPField]

    /// How long nothing may come from the server before the request fails; nil for no limit.
    ///
    /// Each byte that arrives starts the time again. It is checked while the loop runs in one of
    /// the request's modes.
    ///
    /// Foundation: URLSessionConfiguration.timeoutIntervalForRequest.
    public var timeoutIntervalForRequest: Duration?

    /// How long the request may take in all before it fails, from its start; nil for no limit.
    ///
    /// It is checked while the loop runs in one of the request's modes.
    ///
    /// Foundation: URLSessionConfiguration.timeoutIntervalForResource.
    public var timeoutIntervalForResource: Duration?

    /// What the server may send at most.
    public var limits: RLHTTPLimits

    /// How an `https` connection is secured; by default with the checks of a client.
    public var security = RLStreamTLSSettings()

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - fields: Additional fields of the head.
    ///   - timeoutIntervalForRequest: How long nothing may come from the server; nil for no limit.
    ///   - timeoutIntervalForResource: How long the request may take in all; nil for no limit. An
    ///     hour by default: Foundation's default of seven days is for background downloads, which
    ///     do not exist here.
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
    /// The bytes of all heads, including those of interim responses, and the same for the trailers.
    public var headLength: Int

    /// The number of fields in the head, and the same for the trailers.
    public var fieldCount: Int

    /// The bytes of the body.
    public var bodyLength: Int

    /// The bytes of all chunk-size lines beyond the digits: extensions, blanks and leading zeros.
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
