import CoreRunLoop

/// Which security a stream is to have: ``RLStream/PropertyKey/socketSecurityLevelKey``.
///
/// All levels but ``none`` are TLS 1.2 or later, by OpenSSL 3, which has to be on the machine.
///
/// Foundation: StreamSocketSecurityLevel.
public struct RLStreamSocketSecurityLevel: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Makes a level from its name.
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

    /// SSL 2, which is broken: it is refused.
    ///
    /// Foundation: ssLv2.
    public static let ssLv2 = Self(kRLStreamSocketSecurityLevelSSLv2)

    /// SSL 3, which is broken: it is refused.
    ///
    /// Foundation: ssLv3.
    public static let ssLv3 = Self(kRLStreamSocketSecurityLevelSSLv3)

    /// TLS of the highest version that both sides know.
    ///
    /// Foundation: tlSv1.
    public static let tlSv1 = Self(kRLStreamSocketSecurityLevelTLSv1)

    /// TLS of the highest version that both sides know.
    ///
    /// Foundation: negotiatedSSL.
    public static let negotiatedSSL = Self(kRLStreamSocketSecurityLevelNegotiatedSSL)
}
