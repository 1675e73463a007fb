/*
 * Failures of OpenSSL, as clients get them.
 */

#ifndef RL_TLS_ERROR_H
#define RL_TLS_ERROR_H

#include "tls/openssl.h"

#include <CRunLoop/RLStreamSecurity.h>

#include <stdbool.h>

/* Returns the error of a session in which a call has just failed. */
int rl_tls_error(const struct rl_openssl *openssl, const SSL *ssl, bool has_shaken_hands);

/* Returns a sentence about an error, or null for one that is none of TLS. */
const char *rl_tls_error_text(int error);

#endif
