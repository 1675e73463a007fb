/*
 * TLS for streams over sockets.
 *
 * To secure a connection, set a property of either of its two streams: kRLStreamPropertySSLSettings
 * or, for a level alone, kRLStreamPropertySocketSecurityLevel. Set the property before the streams
 * are opened, or while they are open, after client and server have agreed to start TLS (STARTTLS).
 * The handshake begins when client and server have both started TLS. All bytes that are written
 * after the property is set are encrypted. The streams become ready when the handshake is complete;
 * an earlier read or write blocks until then.
 *
 * The version is TLS 1.2 or later. A client verifies the server's certificate chain against the
 * authorities of the system (or of OpenSSL's environment variables SSL_CERT_FILE and SSL_CERT_DIR),
 * and the name in the certificate against the host of the connection. If verification fails, both
 * streams fail with an error of kRLStreamErrorDomainSSL, such as kRLStreamErrorSSLHostNameMismatch.
 * A connection that is closed without a close_notify of TLS fails too.
 *
 * TLS needs OpenSSL 3 (libssl.so.3) at run time. Without OpenSSL, setting the property returns
 * false and logs a line on standard error.
 */

#ifndef CRUNLOOP_RLSTREAMSECURITY_H
#define CRUNLOOP_RLSTREAMSECURITY_H

#include <CRunLoop/RLStream.h>

RL_EXTERN_C_BEGIN

/**
 * A stream property: the security level of a stream over a socket, one of the strings
 * `kRLStreamSocketSecurityLevel…`. kRLStreamSocketSecurityLevelTLSv1 and
 * kRLStreamSocketSecurityLevelNegotiatedSSL mean TLS 1.2 or later.
 * CF: kCFStreamPropertySocketSecurityLevel.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketSecurityLevel;
/**
 * No security; the default. After the handshake has begun, setting this level returns false,
 * because security cannot be removed. CF: kCFStreamSocketSecurityLevelNone.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelNone;
/**
 * SSL 2, which is insecure: setting this level returns false and logs a line on standard error.
 * CF: kCFStreamSocketSecurityLevelSSLv2.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelSSLv2;
/**
 * SSL 3, which is insecure: setting this level returns false and logs a line on standard error.
 * CF: kCFStreamSocketSecurityLevelSSLv3.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelSSLv3;
/** The highest TLS version that both sides support. CF: kCFStreamSocketSecurityLevelTLSv1. */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelTLSv1;
/**
 * The highest TLS version that both sides support. CF: kCFStreamSocketSecurityLevelNegotiatedSSL.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelNegotiatedSSL;
/**
 * A stream property: the TLS settings of a stream over a socket, as a dictionary with the keys
 * `kRLStreamSSL…`, which are all optional. Setting a dictionary with an unknown key or value
 * returns false and logs a line on standard error. CF: kCFStreamPropertySSLSettings.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySSLSettings;
/** A key of the TLS settings: one of the security levels. CF: kCFStreamSSLLevel. */
RL_EXPORT RLStringRef const kRLStreamSSLLevel;
/**
 * A key of the TLS settings: whether expired certificates are accepted. Apple has deprecated this
 * key. Only false, the default, can be set. CF: kCFStreamSSLAllowsExpiredCertificates.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsExpiredCertificates;
/**
 * A key of the TLS settings: whether expired root certificates are accepted. Apple has deprecated
 * this key. Only false, the default, can be set. CF: kCFStreamSSLAllowsExpiredRoots.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsExpiredRoots;
/**
 * A key of the TLS settings: whether any root certificate is accepted. Apple has deprecated this
 * key. Only false, the default, can be set. CF: kCFStreamSSLAllowsAnyRoot.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsAnyRoot;
/**
 * A key of the TLS settings: whether the peer's certificates and name are verified, as a Boolean;
 * true by default. If false, anyone can impersonate the peer, and debug builds log a line.
 * CF: kCFStreamSSLValidatesCertificateChain.
 */
RL_EXPORT RLStringRef const kRLStreamSSLValidatesCertificateChain;
/**
 * A key of the TLS settings: the name or address that the peer's certificate must have, as a
 * string, or kRLNull for any name. The default is the host of the connection. If other code has
 * connected the client's socket, set a name or kRLNull. CF: kCFStreamSSLPeerName.
 */
RL_EXPORT RLStringRef const kRLStreamSSLPeerName;
/**
 * A key of the TLS settings: this side's certificates and private key, as an array of data in PEM.
 * The first certificate is our own; the others are the chain to its authority. The private key may
 * be anywhere in the array, and must not be encrypted. A server needs certificates; a client uses
 * them if the server requests a certificate. CF: kCFStreamSSLCertificates, an array that begins
 * with a SecIdentityRef.
 */
RL_EXPORT RLStringRef const kRLStreamSSLCertificates;
/**
 * A key of the TLS settings: the certificates of the authorities to trust instead of the system's
 * authorities, as an array of data in PEM. A server with authorities requires a certificate from
 * its clients. Ours, no CF counterpart.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAuthorities;
/**
 * A key of the TLS settings: whether the stream is the server's side, as a Boolean; false by
 * default. CF: kCFStreamSSLIsServer.
 */
RL_EXPORT RLStringRef const kRLStreamSSLIsServer;
/**
 * A stream property: the peer's certificates after the handshake, as an array of data in DER that
 * begins with the peer's own certificate. The property cannot be set.
 * CF: kCFStreamPropertySSLPeerCertificates, an array of SecCertificateRef.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySSLPeerCertificates;
/** No stream has this property. CF: kCFStreamPropertySSLPeerTrust, a SecTrustRef. */
RL_EXPORT RLStringRef const kRLStreamPropertySSLPeerTrust;
/** No stream has this property. CF: kCFStreamPropertySSLContext, an SSLContextRef. */
RL_EXPORT RLStringRef const kRLStreamPropertySSLContext;

/** The domain of TLS errors. CF: kCFStreamErrorDomainSSL. */
RL_EXPORT const int kRLStreamErrorDomainSSL;

/**
 * The codes of TLS errors. In an RLErrorRef, their domain is kRLErrorDomainOSStatus, and the
 * description is a sentence for the user.
 */
RL_ENUM_CONSTANTS(SInt32) {
    /**
     * The peer violates the protocol. Ours, no CF counterpart. All codes, and all names except for
     * the prefix, are Apple's, such as errSSLProtocol.
     */
    kRLStreamErrorSSLProtocol = -9800,
    /** The sides have no common cipher. */
    kRLStreamErrorSSLNegotiation = -9801,
    /** The connection ended during the handshake. */
    kRLStreamErrorSSLClosedAbort = -9806,
    /** The certificate chain is invalid for a reason that has no other code. */
    kRLStreamErrorSSLXCertChainInvalid = -9807,
    /** The server requires a certificate, and the client has none. */
    kRLStreamErrorSSLBadCert = -9808,
    /** OpenSSL is missing. */
    kRLStreamErrorSSLModuleAttach = -9811,
    /** The certificate, or the root of its chain, is self-signed and not trusted. */
    kRLStreamErrorSSLUnknownRootCert = -9812,
    /** The certificate is signed by an unknown authority. */
    kRLStreamErrorSSLNoRootCert = -9813,
    /** The certificate has expired. */
    kRLStreamErrorSSLCertExpired = -9814,
    /** The certificate is not valid yet. */
    kRLStreamErrorSSLCertNotYetValid = -9815,
    /** The connection ended without a close_notify: data may be missing. */
    kRLStreamErrorSSLClosedNoNotify = -9816,
    /** The peer received a record that was modified in transit. */
    kRLStreamErrorSSLPeerBadRecordMac = -9820,
    /** The peer rejected the handshake. */
    kRLStreamErrorSSLPeerHandshakeFail = -9824,
    /** The peer rejected our certificate, or requires a certificate. */
    kRLStreamErrorSSLPeerBadCert = -9825,
    /** The peer does not support our type of certificate. */
    kRLStreamErrorSSLPeerUnsupportedCert = -9826,
    /** The peer reports that our certificate was revoked. */
    kRLStreamErrorSSLPeerCertRevoked = -9827,
    /** The peer reports that our certificate has expired. */
    kRLStreamErrorSSLPeerCertExpired = -9828,
    /** The peer does not accept our certificate. */
    kRLStreamErrorSSLPeerCertUnknown = -9829,
    /** The peer does not trust the authority of our certificate. */
    kRLStreamErrorSSLPeerUnknownCA = -9831,
    /** The peer denies us access. */
    kRLStreamErrorSSLPeerAccessDenied = -9832,
    /** The sides have no common TLS version. */
    kRLStreamErrorSSLPeerProtocolVersion = -9836,
    /** The peer has an internal error. */
    kRLStreamErrorSSLPeerInternalError = -9838,
    /** The certificate is for another name. */
    kRLStreamErrorSSLHostNameMismatch = -9843,
    /** A record was modified in transit. */
    kRLStreamErrorSSLBadRecordMac = -9846,
    /** The settings are invalid: a certificate or its key cannot be read. */
    kRLStreamErrorSSLBadConfiguration = -9848,
};

RL_EXTERN_C_END

#endif
