/*
 * Streams over sockets that speak TLS.
 *
 * A connection is secured by a property of one of its two streams, kRLStreamPropertySSLSettings or,
 * with nothing but a level, kRLStreamPropertySocketSecurityLevel. It can be set before the streams
 * are opened, and also while they are open, after the two sides have agreed on it (STARTTLS); the
 * handshake begins when both have been set to the same. From then on everything that is written is
 * encrypted. Streams become ready when the handshake is over; a write or read before that waits for
 * it.
 *
 * TLS is version 1.2 or later. A client checks the chain of the server's certificates against the
 * authorities of the system (OpenSSL's environment variables SSL_CERT_FILE and SSL_CERT_DIR may say
 * where these are) and the name in its certificate against the host that it connected to. A refusal
 * ends both streams with an error of kRLStreamErrorDomainSSL, whose codes are those of
 * RLStreamErrorSSL. A connection that ends without a close_notify of TLS's own ends with an error
 * too.
 *
 * This needs OpenSSL 3 (libssl.so.3) at run time. Without it, setting the property returns false,
 * with a line on standard error.
 */

#ifndef CRUNLOOP_RLSTREAMSECURITY_H
#define CRUNLOOP_RLSTREAMSECURITY_H

#include <CRunLoop/RLStream.h>

RL_EXTERN_C_BEGIN

/**
 * The security of a stream over a socket: one of the levels, all of which but
 * kRLStreamSocketSecurityLevelNone are TLS 1.2 or later.
 *
 * - CF: kCFStreamPropertySocketSecurityLevel.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketSecurityLevel;
/**
 * No security: what every stream has at first. Security that was asked for cannot be taken back
 * once the handshake has begun; setting this then returns false.
 *
 * - CF: kCFStreamSocketSecurityLevelNone.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelNone;
/**
 * SSL 2, which is broken: setting this returns false, with a line on standard error.
 *
 * - CF: kCFStreamSocketSecurityLevelSSLv2.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelSSLv2;
/**
 * SSL 3, which is broken: setting this returns false, with a line on standard error.
 *
 * - CF: kCFStreamSocketSecurityLevelSSLv3.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelSSLv3;
/** TLS of the highest version that both sides know. CF: kCFStreamSocketSecurityLevelTLSv1. */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelTLSv1;
/**
 * TLS of the highest version that both sides know. CF: kCFStreamSocketSecurityLevelNegotiatedSSL.
 */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelNegotiatedSSL;
/**
 * The settings for securing a stream over a socket: a dictionary with the keys that follow, each of
 * which may be left out. A key or value that is not known makes setting it return false, with a
 * line.
 *
 * - CF: kCFStreamPropertySSLSettings.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySSLSettings;
/** In the settings: one of the levels. CF: kCFStreamSSLLevel. */
RL_EXPORT RLStringRef const kRLStreamSSLLevel;
/**
 * In the settings, as Apple has deprecated it: only a false value, which is the default, is taken.
 *
 * - CF: kCFStreamSSLAllowsExpiredCertificates.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsExpiredCertificates;
/**
 * In the settings, as Apple has deprecated it: only a false value, which is the default, is taken.
 *
 * - CF: kCFStreamSSLAllowsExpiredRoots.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsExpiredRoots;
/**
 * In the settings, as Apple has deprecated it: only a false value, which is the default, is taken.
 *
 * - CF: kCFStreamSSLAllowsAnyRoot.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsAnyRoot;
/**
 * In the settings: whether the peer's certificates and name are checked, a truth value; true by
 * default. If false, anyone can be the peer, as debug builds say in a line.
 *
 * - CF: kCFStreamSSLValidatesCertificateChain.
 */
RL_EXPORT RLStringRef const kRLStreamSSLValidatesCertificateChain;
/**
 * In the settings: the name or address that the peer's certificate is to have, a string; or the
 * null object, which has no name checked. By default the host of the connection. A client over a
 * socket that other code has connected has to give a name, or the null object.
 *
 * - CF: kCFStreamSSLPeerName.
 */
RL_EXPORT RLStringRef const kRLStreamSSLPeerName;
/**
 * In the settings: our own certificates with their key, an array of data in PEM. The first
 * certificate is our own, others are the chain to its authority; the key, which is not encrypted,
 * may be anywhere among them. A server needs this; a client uses it when it is asked for.
 *
 * - CF: kCFStreamSSLCertificates, an array that begins with a SecIdentityRef.
 */
RL_EXPORT RLStringRef const kRLStreamSSLCertificates;
/**
 * In the settings: the certificates of the authorities to trust, in place of the system's: an array
 * of data in PEM. A server that has this requires a certificate of its clients.
 *
 * - Ours, no CF counterpart.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAuthorities;
/**
 * In the settings: whether this is the server's side, a truth value; false by default.
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
     * The peer does not keep to the protocol. Ours, no CF counterpart: this error and those below
     * have the numbers and, but for their beginning, the names of errSSLProtocol and so on in
     * Apple's Security.
     */
    kRLStreamErrorSSLProtocol = -9800,
    /** There is no cipher in common. */
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
    /** The certificate is signed by an authority that is not known. */
    kRLStreamErrorSSLNoRootCert = -9813,
    /** The certificate has expired. */
    kRLStreamErrorSSLCertExpired = -9814,
    /** The certificate is not valid yet. */
    kRLStreamErrorSSLCertNotYetValid = -9815,
    /** The connection ended without a close_notify: data may be missing. */
    kRLStreamErrorSSLClosedNoNotify = -9816,
    /** The peer received something that was changed on its way. */
    kRLStreamErrorSSLPeerBadRecordMac = -9820,
    /** The peer refused the handshake. */
    kRLStreamErrorSSLPeerHandshakeFail = -9824,
    /** The peer refused our certificate, or requires one. */
    kRLStreamErrorSSLPeerBadCert = -9825,
    /** The peer does not know certificates of the kind of ours. */
    kRLStreamErrorSSLPeerUnsupportedCert = -9826,
    /** The peer says that our certificate was revoked. */
    kRLStreamErrorSSLPeerCertRevoked = -9827,
    /** The peer says that our certificate has expired. */
    kRLStreamErrorSSLPeerCertExpired = -9828,
    /** The peer does not accept our certificate. */
    kRLStreamErrorSSLPeerCertUnknown = -9829,
    /** The peer does not know the authority of our certificate. */
    kRLStreamErrorSSLPeerUnknownCA = -9831,
    /** The peer denies us access. */
    kRLStreamErrorSSLPeerAccessDenied = -9832,
    /** There is no version in common. */
    kRLStreamErrorSSLPeerProtocolVersion = -9836,
    /** The peer has an internal error. */
    kRLStreamErrorSSLPeerInternalError = -9838,
    /** The certificate is for another name. */
    kRLStreamErrorSSLHostNameMismatch = -9843,
    /** Something was changed on its way to us. */
    kRLStreamErrorSSLBadRecordMac = -9846,
    /** The settings are not usable: a certificate or its key cannot be read. */
    kRLStreamErrorSSLBadConfiguration = -9848,
};

RL_EXTERN_C_END

#endif
