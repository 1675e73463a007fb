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
    /// It is looked at while the loop runs in one of the request's modes.
    public var timeout: Duration?

    /// What the server may send at most.
    public var limits: RLHTTPLimits

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - url: Where to fetch it.
    ///   - fields: Additional fields of the head.
    ///   - timeout: How long nothing may come from the server; nil for no limit.
    ///   - limits: What the server may send at most.
    public init(
        url: URL,
        fields: [RLHTTPField] = [],
        timeout: Duration? = .seconds(60),
        limits: RLHTTPLimits = RLHTTPLimits()
    ) {
        self.url = url
        self.fields = fields
        self.timeout = timeout
        self.limits = limits
    }
}

/// What a server may send at most; more is the error ``RLHTTPError/limitExceeded(_:)``.
public struct RLHTTPLimits: Hashable, Sendable {
    /// The bytes of the head, and again of what may follow the body.
    public var headLength: Int

    /// The number of fields in the head, and again in what may follow the body.
    public var fieldCount: Int

    /// The bytes of the body.
    public var bodyLength: Int

    /// Makes limits: by default 64 KiB, 200 fields, and 64 MiB.
    public init(headLength: Int = 65536, fieldCount: Int = 200, bodyLength: Int = 67_108_864) {
        self.headLength = headLength
        self.fieldCount = fieldCount
        self.bodyLength = bodyLength
    }
}
