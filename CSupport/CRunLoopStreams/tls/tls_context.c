/*
 * OpenSSL contexts. Creating a context takes longer than a handshake, because it reads the system's
 * certificate authorities. So contexts are cached.
 */

#include "tls/tls_context.h"

#include "base/uncanceled.h"

#include <CRunLoop/RLData.h>

#include <limits.h>

enum {
    CONTEXTS_KEPT = 8,
    /*
     * The size of the read buffer in bytes. The buffer holds several records, and is freed when
     * they are consumed.
     */
    READ_AHEAD = 65536
};

struct kept_context {
    SSL_CTX *context;
    bool is_server;
    bool validates;
    RLArrayRef certificates;
    RLArrayRef authorities;
};

/* Guarded by rl_openssl_lock. */
static struct kept_context contexts[CONTEXTS_KEPT];
static unsigned next;

/* --- Certificates and keys --- */

/* Rejects keys that have a password: OpenSSL must not prompt for a password on a terminal. */
static int have_no_password(char *buffer, int size, int is_written, void *context)
{
    (void)buffer, (void)size, (void)is_written, (void)context;
    return -1;
}

/* Returns true if the last read failed because the text ended, not because it was invalid. */
static bool is_at_end(const struct rl_openssl *openssl)
{
    int reason = (int)(openssl->ERR_peek_last_error() & RL_ERR_REASON_MASK);
    openssl->ERR_clear_error();
    return reason == RL_PEM_R_NO_START_LINE;
}

/* Returns the number of certificates, or -1 on failure. */
static int for_each_certificate(const struct rl_openssl *openssl, RLArrayRef array,
                                SSL_CTX *context,
                                bool (*use)(const struct rl_openssl *, SSL_CTX *, X509 *, int))
{
    int count = 0;
    for (RLIndex i = 0; i < RLArrayGetCount(array); i++) {
        RLDataRef data = RLArrayGetValueAtIndex(array, i);
        BIO *bio = openssl->BIO_new_mem_buf(RLDataGetBytePtr(data), (int)RLDataGetLength(data));
        X509 *certificate;
        bool is_used = bio;
        while (is_used &&
               (certificate = openssl->PEM_read_bio_X509(bio, NULL, have_no_password, NULL))) {
            is_used = use(openssl, context, certificate, count++);
            openssl->X509_free(certificate);
        }
        is_used = is_used && is_at_end(openssl);
        if (bio) openssl->BIO_free(bio);
        if (!is_used) return -1;
    }
    return count;
}

static bool use_own(const struct rl_openssl *openssl, SSL_CTX *context, X509 *certificate,
                    int index)
{
    if (index == 0) return openssl->SSL_CTX_use_certificate(context, certificate) == 1;
    /* The context retains the certificate. */
    return openssl->SSL_CTX_ctrl(context, RL_SSL_CTRL_CHAIN_CERT, 1, certificate) == 1;
}

static bool trust_certificate(const struct rl_openssl *openssl, SSL_CTX *context, X509 *certificate,
                              int index)
{
    (void)index;
    (void)openssl->SSL_CTX_add_client_CA(context, certificate);
    X509_STORE *store = openssl->SSL_CTX_get_cert_store(context);
    (void)openssl->X509_STORE_set_flags(store, RL_X509_V_FLAG_PARTIAL_CHAIN);
    return openssl->X509_STORE_add_cert(store, certificate) == 1;
}

static bool use_key(const struct rl_openssl *openssl, RLArrayRef array, SSL_CTX *context)
{
    for (RLIndex i = 0; i < RLArrayGetCount(array); i++) {
        RLDataRef data = RLArrayGetValueAtIndex(array, i);
        BIO *bio = openssl->BIO_new_mem_buf(RLDataGetBytePtr(data), (int)RLDataGetLength(data));
        if (!bio) return false;
        EVP_PKEY *key = openssl->PEM_read_bio_PrivateKey(bio, NULL, have_no_password, NULL);
        openssl->BIO_free(bio);
        if (!key) continue;
        bool is_used = openssl->SSL_CTX_use_PrivateKey(context, key) == 1;
        openssl->EVP_PKEY_free(key);
        return is_used && openssl->SSL_CTX_check_private_key(context) == 1;
    }
    return false;
}

static bool configure_context(const struct rl_openssl *openssl, SSL_CTX *context,
                              const struct rl_tls_settings *settings)
{
    static const unsigned char session_context[] = "CRunLoop";
    const long mode = RL_SSL_MODE_ENABLE_PARTIAL_WRITE | RL_SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                      RL_SSL_MODE_RELEASE_BUFFERS;
    openssl->SSL_CTX_ctrl(context, RL_SSL_CTRL_SET_MIN_PROTO_VERSION, RL_TLS1_2_VERSION, NULL);
    openssl->SSL_CTX_ctrl(context, RL_SSL_CTRL_MODE, mode, NULL);
    openssl->SSL_CTX_ctrl(context, RL_SSL_CTRL_SET_READ_AHEAD, 1, NULL);
    openssl->SSL_CTX_set_default_read_buffer_len(context, READ_AHEAD);
    openssl->SSL_CTX_set_options(context, RL_SSL_OP_NO_RENEGOTIATION);
    openssl->SSL_CTX_set_session_id_context(context, session_context, sizeof session_context - 1);

    bool checks_peer = settings->validates && (!settings->is_server || settings->authorities);
    int verification = checks_peer ? RL_SSL_VERIFY_PEER : RL_SSL_VERIFY_NONE;
    if (checks_peer && settings->is_server) verification |= RL_SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
    openssl->SSL_CTX_set_verify(context, verification, NULL);

    if (settings->authorities &&
        for_each_certificate(openssl, settings->authorities, context, trust_certificate) <= 0) {
        return false;
    }
    if (!settings->authorities && checks_peer &&
        openssl->SSL_CTX_set_default_verify_paths(context) != 1) {
        return false;
    }
    if (!settings->certificates) return !settings->is_server;
    return for_each_certificate(openssl, settings->certificates, context, use_own) > 0 &&
           use_key(openssl, settings->certificates, context);
}

/* --- The cache --- */

static bool are_equal(RLArrayRef first, RLArrayRef second)
{
    return first == second || (first && second && RLEqual(first, second));
}

static SSL_CTX *find_kept_context(const struct rl_openssl *openssl,
                                  const struct rl_tls_settings *settings)
{
    for (int i = 0; i < CONTEXTS_KEPT; i++) {
        struct kept_context *kept = &contexts[i];
        if (!kept->context || kept->is_server != settings->is_server ||
            kept->validates != settings->validates ||
            !are_equal(kept->certificates, settings->certificates) ||
            !are_equal(kept->authorities, settings->authorities)) {
            continue;
        }
        openssl->SSL_CTX_up_ref(kept->context);
        return kept->context;
    }
    return NULL;
}

static RLArrayRef retain_or_null(RLArrayRef array)
{
    return array ? RLRetain(array) : NULL;
}

static void keep_context(const struct rl_openssl *openssl, const struct rl_tls_settings *settings,
                         SSL_CTX *context)
{
    struct kept_context *kept = &contexts[next++ % CONTEXTS_KEPT];
    if (kept->context) openssl->SSL_CTX_free(kept->context);
    if (kept->certificates) RLRelease(kept->certificates);
    if (kept->authorities) RLRelease(kept->authorities);
    openssl->SSL_CTX_up_ref(context);
    *kept = (struct kept_context){context, settings->is_server, settings->validates,
                                  retain_or_null(settings->certificates),
                                  retain_or_null(settings->authorities)};
}

/* Creates a context. This may read the system's certificates. */
static SSL_CTX *make_context(const struct rl_openssl *openssl,
                             const struct rl_tls_settings *settings)
{
    SSL_CTX *context = openssl->SSL_CTX_new(openssl->TLS_method());
    if (context && configure_context(openssl, context, settings)) {
        keep_context(openssl, settings, context);
        return context;
    }
    if (context) openssl->SSL_CTX_free(context);
    return NULL;
}

SSL_CTX *rl_tls_context_copy(const struct rl_openssl *openssl,
                             const struct rl_tls_settings *settings)
{
    rl_lock(&rl_openssl_lock);
    SSL_CTX *context = find_kept_context(openssl, settings);
    if (!context) context = RL_UNCANCELED(make_context(openssl, settings));
    rl_unlock(&rl_openssl_lock);
    openssl->ERR_clear_error();
    return context;
}
