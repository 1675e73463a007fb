/*
 * The names of what secures streams.
 *
 * There is no such security yet: a stream has none of these properties, and to set one returns
 * false, with a line on standard error. Programs that ask for security thus learn that they have
 * none. The names are here so that they compile.
 */

#ifndef CRUNLOOP_RLSTREAMSECURITY_H
#define CRUNLOOP_RLSTREAMSECURITY_H

#include <CRunLoop/RLStream.h>

RL_EXTERN_C_BEGIN

/**
 * Which security a stream over a socket has, one of the levels.
 *
 * - CF: kCFStreamPropertySocketSecurityLevel.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySocketSecurityLevel;
/** No security. CF: kCFStreamSocketSecurityLevelNone. */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelNone;
/** SSL 2, which nobody should use. CF: kCFStreamSocketSecurityLevelSSLv2. */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelSSLv2;
/** SSL 3, which nobody should use. CF: kCFStreamSocketSecurityLevelSSLv3. */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelSSLv3;
/** TLS 1. CF: kCFStreamSocketSecurityLevelTLSv1. */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelTLSv1;
/** The highest version that both sides know. CF: kCFStreamSocketSecurityLevelNegotiatedSSL. */
RL_EXPORT RLStringRef const kRLStreamSocketSecurityLevelNegotiatedSSL;
/**
 * How a stream is secured, a dictionary with the keys that follow.
 *
 * - CF: kCFStreamPropertySSLSettings.
 */
RL_EXPORT RLStringRef const kRLStreamPropertySSLSettings;
/** In the settings: one of the levels. CF: kCFStreamSSLLevel. */
RL_EXPORT RLStringRef const kRLStreamSSLLevel;
/**
 * In the settings: whether expired certificates will do, a truth value.
 *
 * - CF: kCFStreamSSLAllowsExpiredCertificates.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsExpiredCertificates;
/**
 * In the settings: whether expired roots will do, a truth value.
 *
 * - CF: kCFStreamSSLAllowsExpiredRoots.
 */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsExpiredRoots;
/** In the settings: whether any root will do, a truth value. CF: kCFStreamSSLAllowsAnyRoot. */
RL_EXPORT RLStringRef const kRLStreamSSLAllowsAnyRoot;
/**
 * In the settings: whether the chain is validated, a truth value.
 *
 * - CF: kCFStreamSSLValidatesCertificateChain.
 */
RL_EXPORT RLStringRef const kRLStreamSSLValidatesCertificateChain;
/**
 * In the settings: the name that the certificate is to have, a string or the null object.
 *
 * - CF: kCFStreamSSLPeerName.
 */
RL_EXPORT RLStringRef const kRLStreamSSLPeerName;
/** In the settings: the own certificates, an array. CF: kCFStreamSSLCertificates. */
RL_EXPORT RLStringRef const kRLStreamSSLCertificates;
/**
 * In the settings: whether this is the side of the server, a truth value.
 *
 * - CF: kCFStreamSSLIsServer.
 */
RL_EXPORT RLStringRef const kRLStreamSSLIsServer;
/** The certificates of the peer, an array. CF: kCFStreamPropertySSLPeerCertificates. */
RL_EXPORT RLStringRef const kRLStreamPropertySSLPeerCertificates;
/** How far the peer is trusted. CF: kCFStreamPropertySSLPeerTrust. */
RL_EXPORT RLStringRef const kRLStreamPropertySSLPeerTrust;
/** The state of the secure connection. CF: kCFStreamPropertySSLContext. */
RL_EXPORT RLStringRef const kRLStreamPropertySSLContext;
/** The errors of secured streams are in this domain. CF: kCFStreamErrorDomainSSL. */
RL_EXPORT const int kRLStreamErrorDomainSSL;

RL_EXTERN_C_END

#endif
