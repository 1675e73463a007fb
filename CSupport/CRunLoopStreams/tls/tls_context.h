/* OpenSSL contexts. Sessions with equal settings share a context. */

#ifndef RL_TLS_CONTEXT_H
#define RL_TLS_CONTEXT_H

#include "tls/openssl.h"
#include "tls/tls.h"

/* Returns null if the settings are invalid. */
SSL_CTX *rl_tls_context_copy(const struct rl_openssl *openssl,
                             const struct rl_tls_settings *settings);

#endif
