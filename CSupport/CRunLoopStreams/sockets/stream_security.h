/* The security properties of streams, and their validation. */

#ifndef RL_STREAM_SECURITY_H
#define RL_STREAM_SECURITY_H

#include "tls/tls.h"

#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLError.h>

/* All fields are null for a connection without TLS. The owner guards them. */
struct rl_security {
    RLStringRef level;
    /* The retained copy of the client's settings, or null. */
    RLDictionaryRef settings;
};

/*
 * Returns a deep copy of a property's value, for rl_security_set. If the value is invalid, warns
 * and returns null. `function` is the public function. No lock held.
 */
RLTypeRef rl_security_copy_value(RLStringRef name, RLTypeRef value, const char *function);

/*
 * Sets a security property to a copy from rl_security_copy_value. `host` is the host of the
 * connection, or null. If the value is invalid, warns, changes nothing and returns false.
 */
bool rl_security_set(struct rl_security *security, RLStringRef host, RLStringRef name,
                     RLTypeRef value, const char *function);

bool rl_security_is_property(RLStringRef name);

bool rl_security_is_server(const struct rl_security *security);

bool rl_security_is_requested(const struct rl_security *security);

/* Returns whether the connection uses TLS without authenticating the peer. */
bool rl_security_takes_anybody(const struct rl_security *security);

/* Returns the value of a property, which the caller owns, or null. */
RLTypeRef rl_security_copy(const struct rl_security *security, RLStringRef name);

/* Fills in the settings of a session. The objects in it are retained by `security` or `host`. */
void rl_security_get(const struct rl_security *security, RLStringRef host,
                     struct rl_tls_settings *ret_settings);

/* Returns an error object with domain kRLStreamErrorDomainSSL, which the caller owns. */
RLErrorRef rl_security_create_error(RLIndex code);

void rl_security_end(struct rl_security *security);

#endif
