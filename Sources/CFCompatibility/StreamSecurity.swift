// The names by which streams over sockets are secured; Docs/TLS.md tells how.

public import CoreRunLoop

/// Which security a stream over a socket has, one of the levels.
@inlinable public var kCFStreamPropertySocketSecurityLevel: CFString! {
    kRLStreamPropertySocketSecurityLevel
}
/// No security.
@inlinable public var kCFStreamSocketSecurityLevelNone: CFString! {
    kRLStreamSocketSecurityLevelNone
}
/// SSL 2, which is broken: it is refused.
@inlinable public var kCFStreamSocketSecurityLevelSSLv2: CFString! {
    kRLStreamSocketSecurityLevelSSLv2
}
/// SSL 3, which is broken: it is refused.
@inlinable public var kCFStreamSocketSecurityLevelSSLv3: CFString! {
    kRLStreamSocketSecurityLevelSSLv3
}
/// TLS of the highest version that both sides know.
@inlinable public var kCFStreamSocketSecurityLevelTLSv1: CFString! {
    kRLStreamSocketSecurityLevelTLSv1
}
/// TLS of the highest version that both sides know.
@inlinable public var kCFStreamSocketSecurityLevelNegotiatedSSL: CFString! {
    kRLStreamSocketSecurityLevelNegotiatedSSL
}
/// How a stream is secured, a dictionary with the keys that follow.
@inlinable public var kCFStreamPropertySSLSettings: CFString! { kRLStreamPropertySSLSettings }
/// In the settings: one of the levels.
@inlinable public var kCFStreamSSLLevel: CFString! { kRLStreamSSLLevel }
/// In the settings: whether expired certificates will do, a truth value.
@inlinable public var kCFStreamSSLAllowsExpiredCertificates: CFString! {
    kRLStreamSSLAllowsExpiredCertificates
}
/// In the settings: whether expired roots will do, a truth value.
@inlinable public var kCFStreamSSLAllowsExpiredRoots: CFString! { kRLStreamSSLAllowsExpiredRoots }
/// In the settings: whether any root will do, a truth value.
@inlinable public var kCFStreamSSLAllowsAnyRoot: CFString! { kRLStreamSSLAllowsAnyRoot }
/// In the settings: whether the chain is validated, a truth value.
@inlinable public var kCFStreamSSLValidatesCertificateChain: CFString! {
    kRLStreamSSLValidatesCertificateChain
}
/// In the settings: the name that the certificate is to have, a string or the null object.
@inlinable public var kCFStreamSSLPeerName: CFString! { kRLStreamSSLPeerName }
/// In the settings: the own certificates, an array.
@inlinable public var kCFStreamSSLCertificates: CFString! { kRLStreamSSLCertificates }
/// In the settings: whether this is the side of the server, a truth value.
@inlinable public var kCFStreamSSLIsServer: CFString! { kRLStreamSSLIsServer }
/// The certificates of the peer, an array.
@inlinable public var kCFStreamPropertySSLPeerCertificates: CFString! {
    kRLStreamPropertySSLPeerCertificates
}
/// How far the peer is trusted.
@inlinable public var kCFStreamPropertySSLPeerTrust: CFString! { kRLStreamPropertySSLPeerTrust }
/// The state of the secure connection.
@inlinable public var kCFStreamPropertySSLContext: CFString! { kRLStreamPropertySSLContext }
/// The errors of secured streams are in this domain.
@inlinable public var kCFStreamErrorDomainSSL: Int32 { kRLStreamErrorDomainSSL }
