import CoreRunLoop

/// The security level of a stream, which is the value of
/// ``RLStream/PropertyKey/socketSecurityLevelKey``.
///
/// All levels except ``none`` mean TLS 1.2 or later and need OpenSSL 3 on the machine.
///
/// Foundation: StreamSocketSecurityLevel.
public struct RLStreamSocketSecurityLevel: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a level from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ name: RLStringRef!) {
        self.init(rawValue: String(name))
    }

    /// No security.
    ///
    /// Foundation: none.
    public static let none = Self(kRLStreamSocketSecurityLevelNone)

    /// SSL 2, which is insecure and is rejected.
    ///
    /// Foundation: ssLv2.
    public static let ssLv2 = Self(kRLStreamSocketSecurityLevelSSLv2)

    /// SSL 3, which is insecure and is rejected.
    ///
    /// Foundation: ssLv3.
    public static let ssLv3 = Self(kRLStreamSocketSecurityLevelSSLv3)

    /// The highest TLS version that both sides support.
    ///
    /// Foundation: tlSv1.
    public static let tlSv1 = Self(kRLStreamSocketSecurityLevelTLSv1)

    /// The highest TLS version that both sides support.
    ///
    /// Foundation: negotiatedSSL.
    public static let negotiatedSSL = Self(kRLStreamSocketSecurityLevelNegotiatedSSL)
}
