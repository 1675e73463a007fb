/*
 * TLS for streams over sockets.
 *
 * A property of one of the two streams of a connection secures it: kRLStreamPropertySSLSettings or,
 * for a level alone, kRLStreamPropertySocketSecurityLevel. Set it before the streams are opened, or
 * while they are open, after the two sides have agreed on it (STARTTLS). The handshake begins when
 * both sides have set it. From then on everything that is written is encrypted. Streams become
 * ready when the handshake is over; an earlier write or read blocks until then.
 *
 * The version is TLS 1.2 or later. A client verifies the server's certificate chain against the
 * authorities of the system (or of OpenSSL's environment variables SSL_CERT_FILE and SSL_CERT_DIR),
 * and the name in the certificate against the host of the connection. If verification fails, both
 * streams fail with an error of kRLStreamErrorDomainSSL, whose codes are those of RLStreamErrorSSL.
 * A connection that is closed without TLS's close_notify fails too.
 *
 * This needs OpenSSL 3 (libssl.so.3) at run time. Without it, setting the property returns false,
 * with a line on standard error.
 */

#ifndef CRUNLOOP_RLSTREAMSECURITY_H
#define CRUNLOOP_RLSTREAMSECURITY_H

#include <CRunLoop/RLStream.h>

RL_EXTERN_C_BEGIN

/**
 * The security of a stream over a socket: one of the levels. All except
 * kRLStreamSocketSecurityLevelNone mean TLS 1.2 or later.
 *
 * - CF: kCFStreamPropertySocketSecurityLevel.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketSecurityLevel;
/**
 * No security, the default. Security cannot be removed once the handshake has begun; setting this
 * then returns false.
 *
 * - CF: kCFStreamSocketSecurityLevelNone.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelNone;
/**
 * SSL 2, which is insecure: setting this returns false, with a line on standard error.
 *
 * - CF: kCFStreamSocketSecurityLevelSSLv2.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelSSLv2;
/**
 * SSL 3, which is insecure: setting this returns false, with a line on standard error.
 *
 * - CF: kCFStreamSocketSecurityLevelSSLv3.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelSSLv3;
/** The highest TLS version that both sides support. CF: kCFStreamSocketSecurityLevelTLSv1. */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelTLSv1;
/**
 * The highest TLS version that both sides support. CF: kCFStreamSocketSecurityLevelNegotiatedSSL.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelNegotiatedSSL;
/**
 * The TLS settings of a stream over a socket: a dictionary with the keys below, all optional. With
 * an unknown key or value, setting it returns false, with a line.
 *
 * - CF: kCFStreamPropertySSLSettings.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySSLSettings;
/** In the settings: one of the levels. CF: kCFStreamSSLLevel. */
RL_EXPORT RLStringRef const kRLStreamSSLLevel;
/**
 * In the settings; deprecated by Apple. Only a false value, the default, is accepted.
 *
 * - CF: kCFStreamSSLAllowsExpiredCertificates.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsExpiredCertificates;
/**
 * In the settings; deprecated by Apple. Only a false value, the default, is accepted.
 *
 * - CF: kCFStreamSSLAllowsExpiredRoots.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsExpiredRoots;
/**
 * In the settings; deprecated by Apple. Only a false value, the default, is accepted.
 *
 * - CF: kCFStreamSSLAllowsAnyRoot.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsAnyRoot;
/**
 * In the settings: whether the peer's certificates and name are verified, a Boolean; true by
 * default. If false, anyone can be the peer, and debug builds log a line.
 *
 * - CF: kCFStreamSSLValidatesCertificateChain.
 */
RL_EXPORT RLStringRef const kRLStreamSSLValidatesCertificateChain;
/**
 * In the settings: the name or address that the peer's certificate must have, a string, or the null
 * object for any name. The default is the host of the connection. A client over a socket that other
 * code has connected must set a name or the null object.
 *
 * - CF: kCFStreamSSLPeerName.
 */
RL_EXPORT RLStringRef const kRLStreamSSLPeerName;
/**
 * In the settings: our own certificates with their key, an array of data in PEM. The first
 * certificate is our own; the others are the chain to its authority. The key, which must not be
 * encrypted, may be anywhere among them. A server needs this; a client uses it when the server
 * requests a certificate.
 *
 * - CF: kCFStreamSSLCertificates, an array that begins with a SecIdentityRef.
 */
RL_EXPORT RLStringRef const kRLStreamSSLCertificates;
/**
 * In the settings: the certificates of the authorities to trust, instead of the system's: an array
 * of data in PEM. A server with authorities requires a certificate from its clients.
 *
 * - Ours, no CF counterpart.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAuthorities;
/**
 * In the settings: whether this is the server's side, a Boolean; false by default.
 *
 * - CF: kCFStreamSSLIsServer.
 */
RL_EXPORT RLStringRef const kRLStreamSSLIsServer;
/**
 * The certificates of the peer once the handshake is over, an array of data in DER, the peer's own
 * first; it cannot be set.
 *
 * - CF: kCFStreamPropertySSLPeerCertificates, an array of SecCertificateRef.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySSLPeerCertificates;
/** No stream has this property. CF: kCFStreamPropertySSLPeerTrust, a SecTrustRef. */
RL_EXPORT RLStringRef const kRLStreamPropertySSLPeerTrust;
/** No stream has this property. CF: kCFStreamPropertySSLContext, an SSLContextRef. */
RL_EXPORT RLStringRef const kRLStreamPropertySSLContext;

/** The errors of TLS are in this domain. CF: kCFStreamErrorDomainSSL. */
RL_EXPORT const int kRLStreamErrorDomainSSL;

/**
 * The errors of TLS. As RLError their domain is kRLErrorDomainOSStatus, and their description is a
 * sentence.
 */
RL_ENUM_CONSTANTS(SInt32) {
    /**
     * The peer violates the protocol. Ours, no CF counterpart: this error and those below have the
     * numbers and, except for the prefix, the names of errSSLProtocol and so on in Apple's
     * Security.
     */
    kRLStreamErrorSSLProtocol = -9800,
    /** The sides have no common cipher. */
    kRLStreamErrorSSLNegotiation = -9801,
    /** The connection ended during the handshake. */
    kRLStreamErrorSSLClosedAbort = -9806,
    /** The chain of certificates is not valid, for a reason that has no code of its own. */
    kRLStreamErrorSSLXCertChainInvalid = -9807,
    /** The client has no certificate, which the server requires. */
    kRLStreamErrorSSLBadCert = -9808,
    /** OpenSSL is missing. */
    kRLStreamErrorSSLModuleAttach = -9811,
    /** The certificate, or the root of its chain, is signed by itself and not trusted. */
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
    /** The peer refused the handshake. */
    kRLStreamErrorSSLPeerHandshakeFail = -9824,
    /** The peer refused our certificate, or requires one. */
    kRLStreamErrorSSLPeerBadCert = -9825,
    /** The peer does not support our kind of certificate. */
    kRLStreamErrorSSLPeerUnsupportedCert = -9826,
    /** The peer reports that our certificate was revoked. */
    kRLStreamErrorSSLPeerCertRevoked = -9827,
    /** The peer reports that our certificate has expired. */
    kRLStreamErrorSSLPeerCertExpired = -9828,
    /** The peer does not accept our certificate. */
    kRLStreamErrorSSLPeerCertUnknown = -9829,
    /** The peer does not know the authority of our certificate. */
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
