#ifndef RL_TLS_ERROR_H
#define RL_TLS_ERROR_H

#include "tls/openssl.h"

#include <CRunLoop/RLStreamSecurity.h>

#include <stdbool.h>

/* Returns the error of the OpenSSL call that has just failed. */
int rl_tls_error(const struct rl_openssl *openssl, const SSL *ssl, bool has_shaken_hands);

/* Returns null if the error is not a TLS error. */
const char *rl_tls_error_text(int error);

#endif
