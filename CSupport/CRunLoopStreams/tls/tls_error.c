/*
 * Maps TLS errors. If a certificate was rejected, the cause is the verification result, otherwise
 * the reason of OpenSSL's last error. Alerts from the peer have reasons from 1000 on.
 */

#include "tls/tls_error.h"

struct meaning {
    int reason;
    int error;
};

/* The numbers are OpenSSL's X509_V_ERR_…. */
static const struct meaning refusals[] = {
    {2, kRLStreamErrorSSLNoRootCert},        /* UNABLE_TO_GET_ISSUER_CERT */
    {9, kRLStreamErrorSSLCertNotYetValid},   /* CERT_NOT_YET_VALID */
    {10, kRLStreamErrorSSLCertExpired},      /* CERT_HAS_EXPIRED */
    {18, kRLStreamErrorSSLUnknownRootCert},  /* DEPTH_ZERO_SELF_SIGNED_CERT */
    {19, kRLStreamErrorSSLUnknownRootCert},  /* SELF_SIGNED_CERT_IN_CHAIN */
    {20, kRLStreamErrorSSLNoRootCert},       /* UNABLE_TO_GET_ISSUER_CERT_LOCALLY */
    {21, kRLStreamErrorSSLNoRootCert},       /* UNABLE_TO_VERIFY_LEAF_SIGNATURE */
    {62, kRLStreamErrorSSLHostNameMismatch}, /* HOSTNAME_MISMATCH */
    {64, kRLStreamErrorSSLHostNameMismatch}, /* IP_ADDRESS_MISMATCH */
};

/* The numbers are OpenSSL's SSL_R_…. */
static const struct meaning reasons[] = {
    {191, kRLStreamErrorSSLPeerProtocolVersion}, /* NO_PROTOCOLS_AVAILABLE */
    {193, kRLStreamErrorSSLNegotiation},         /* NO_SHARED_CIPHER */
    {199, kRLStreamErrorSSLBadCert},             /* PEER_DID_NOT_RETURN_A_CERTIFICATE */
    {258, kRLStreamErrorSSLPeerProtocolVersion}, /* UNSUPPORTED_PROTOCOL */
    {281, kRLStreamErrorSSLBadRecordMac},        /* DECRYPTION_FAILED_OR_BAD_RECORD_MAC */
    {1020, kRLStreamErrorSSLPeerBadRecordMac},
    {1040, kRLStreamErrorSSLPeerHandshakeFail},
    {1042, kRLStreamErrorSSLPeerBadCert},
    {1043, kRLStreamErrorSSLPeerUnsupportedCert},
    {1044, kRLStreamErrorSSLPeerCertRevoked},
    {1045, kRLStreamErrorSSLPeerCertExpired},
    {1046, kRLStreamErrorSSLPeerCertUnknown},
    {1048, kRLStreamErrorSSLPeerUnknownCA},
    {1049, kRLStreamErrorSSLPeerAccessDenied},
    {1070, kRLStreamErrorSSLPeerProtocolVersion},
    {1080, kRLStreamErrorSSLPeerInternalError},
    {1116, kRLStreamErrorSSLPeerBadCert}, /* The peer requires a certificate. */
};

enum {
    VERIFIED = 0,
    /* SSL_R_UNEXPECTED_EOF_WHILE_READING */
    UNEXPECTED_END = 294,
    FIRST_ALERT = 1000,
};

static int find_meaning(const struct meaning *table, size_t count, int reason, int otherwise)
{
    for (size_t i = 0; i < count; i++) {
        if (table[i].reason == reason) return table[i].error;
    }
    return otherwise;
}

int rl_tls_error(const struct rl_openssl *openssl, const SSL *ssl, bool has_shaken_hands)
{
    int reason = (int)(openssl->ERR_peek_last_error() & RL_ERR_REASON_MASK);
    long verification = openssl->SSL_get_verify_result(ssl);
    if (reason == UNEXPECTED_END || reason == 0) {
        return has_shaken_hands ? kRLStreamErrorSSLClosedNoNotify : kRLStreamErrorSSLClosedAbort;
    }
    bool is_checked = openssl->SSL_get_verify_mode(ssl) != RL_SSL_VERIFY_NONE;
    if (!has_shaken_hands && is_checked && verification != VERIFIED) {
        return find_meaning(refusals, sizeof refusals / sizeof refusals[0], (int)verification,
                            kRLStreamErrorSSLXCertChainInvalid);
    }
    /* Other alerts, such as "unrecognized name", have no error of their own. */
    bool is_refusal = !has_shaken_hands && reason >= FIRST_ALERT;
    return find_meaning(reasons, sizeof reasons / sizeof reasons[0], reason,
                        is_refusal ? kRLStreamErrorSSLPeerHandshakeFail
                                   : kRLStreamErrorSSLProtocol);
}

const char *rl_tls_error_text(int error)
{
    switch (error) {
    case kRLStreamErrorSSLProtocol: return "The peer does not keep to the protocol of TLS.";
    case kRLStreamErrorSSLNegotiation: return "The peer has no cipher in common with us.";
    case kRLStreamErrorSSLClosedAbort: return "The connection ended during the handshake.";
    case kRLStreamErrorSSLXCertChainInvalid:
        return "The chain of the peer's certificates is not valid.";
    case kRLStreamErrorSSLBadCert: return "The peer has no certificate.";
    case kRLStreamErrorSSLModuleAttach:
        return "TLS needs OpenSSL 3 (libssl.so.3), which is missing.";
    case kRLStreamErrorSSLUnknownRootCert:
        return "The peer's certificate, or the root of its chain, is self-signed and not "
               "trusted.";
    case kRLStreamErrorSSLNoRootCert:
        return "The peer's certificate is signed by an unknown authority.";
    case kRLStreamErrorSSLCertExpired: return "The peer's certificate has expired.";
    case kRLStreamErrorSSLCertNotYetValid: return "The peer's certificate is not valid yet.";
    case kRLStreamErrorSSLClosedNoNotify:
        return "The connection ended without a close_notify: data may be missing.";
    case kRLStreamErrorSSLPeerBadRecordMac:
        return "The peer reports that its received data was changed on the way.";
    case kRLStreamErrorSSLPeerHandshakeFail:
        return "The peer rejected the handshake: it may have no cipher in common with us, or no "
               "certificate for the requested name.";
    case kRLStreamErrorSSLPeerBadCert: return "The peer rejected our certificate, or requires one.";
    case kRLStreamErrorSSLPeerUnsupportedCert:
        return "The peer does not support our kind of certificate.";
    case kRLStreamErrorSSLPeerCertRevoked:
        return "The peer reports that our certificate was revoked.";
    case kRLStreamErrorSSLPeerCertExpired:
        return "The peer reports that our certificate has expired.";
    case kRLStreamErrorSSLPeerCertUnknown: return "The peer does not accept our certificate.";
    case kRLStreamErrorSSLPeerUnknownCA:
        return "The peer does not know the authority of our certificate.";
    case kRLStreamErrorSSLPeerAccessDenied: return "The peer denies us access.";
    case kRLStreamErrorSSLPeerProtocolVersion:
        return "The peer has no version of TLS in common with us, of which 1.2 is the oldest.";
    case kRLStreamErrorSSLPeerInternalError: return "The peer has an internal error.";
    case kRLStreamErrorSSLHostNameMismatch:
        return "The peer's certificate is for another name than the one that was connected to.";
    case kRLStreamErrorSSLBadRecordMac: return "What was received was changed on its way.";
    case kRLStreamErrorSSLBadConfiguration:
        return "The settings of TLS are not usable: a certificate or its key cannot be read.";
    default: return NULL;
    }
}
