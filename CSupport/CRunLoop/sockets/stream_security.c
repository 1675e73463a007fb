/*
 * The names of the properties by which streams will be secured.
 */

#include "sockets/stream.h"

#include "base/check.h"
#include "values/value.h"

#include <CRunLoop/RLStreamSecurity.h>

RLStringRef const kRLStreamPropertySocketSecurityLevel =
    RLSTR("kRLStreamPropertySocketSecurityLevel");
RLStringRef const kRLStreamSocketSecurityLevelNone = RLSTR("kRLStreamSocketSecurityLevelNone");
RLStringRef const kRLStreamSocketSecurityLevelSSLv2 = RLSTR("kRLStreamSocketSecurityLevelSSLv2");
RLStringRef const kRLStreamSocketSecurityLevelSSLv3 = RLSTR("kRLStreamSocketSecurityLevelSSLv3");
RLStringRef const kRLStreamSocketSecurityLevelTLSv1 = RLSTR("kRLStreamSocketSecurityLevelTLSv1");
RLStringRef const kRLStreamSocketSecurityLevelNegotiatedSSL =
    RLSTR("kRLStreamSocketSecurityLevelNegotiatedSSL");
RLStringRef const kRLStreamPropertySSLSettings = RLSTR("kRLStreamPropertySSLSettings");
RLStringRef const kRLStreamSSLLevel = RLSTR("kRLStreamSSLLevel");
RLStringRef const kRLStreamSSLAllowsExpiredCertificates =
    RLSTR("kRLStreamSSLAllowsExpiredCertificates");
RLStringRef const kRLStreamSSLAllowsExpiredRoots = RLSTR("kRLStreamSSLAllowsExpiredRoots");
RLStringRef const kRLStreamSSLAllowsAnyRoot = RLSTR("kRLStreamSSLAllowsAnyRoot");
RLStringRef const kRLStreamSSLValidatesCertificateChain =
    RLSTR("kRLStreamSSLValidatesCertificateChain");
RLStringRef const kRLStreamSSLPeerName = RLSTR("kRLStreamSSLPeerName");
RLStringRef const kRLStreamSSLCertificates = RLSTR("kRLStreamSSLCertificates");
RLStringRef const kRLStreamSSLIsServer = RLSTR("kRLStreamSSLIsServer");
RLStringRef const kRLStreamPropertySSLPeerCertificates =
    RLSTR("kRLStreamPropertySSLPeerCertificates");
RLStringRef const kRLStreamPropertySSLPeerTrust = RLSTR("kRLStreamPropertySSLPeerTrust");
RLStringRef const kRLStreamPropertySSLContext = RLSTR("kRLStreamPropertySSLContext");

const int kRLStreamErrorDomainSSL = 3;

bool rl_stream_refuses_security(RLStringRef name, const char *function)
{
    const RLStringRef all[] = {kRLStreamPropertySocketSecurityLevel, kRLStreamPropertySSLSettings,
                               kRLStreamPropertySSLPeerCertificates, kRLStreamPropertySSLPeerTrust,
                               kRLStreamPropertySSLContext};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!RLEqual(name, all[i])) continue;
        rl_warn(function, "%s cannot be set: streams have no TLS", rl_string_characters(name));
        return true;
    }
    return false;
}
