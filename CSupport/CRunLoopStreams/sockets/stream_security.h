/* The properties that secure a connection, and their validation. */

#ifndef RL_STREAM_SECURITY_H
#define RL_STREAM_SECURITY_H

#include "tls/tls.h"

#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLError.h>

/* All null for a connection without TLS. The owner guards it. */
struct rl_security {
    RLStringRef level;
    /* The client's settings, or null; retained. */
    RLDictionaryRef settings;
};

/*
 * Returns a copy of a property's value that shares nothing with the client's. Warns about an
 * invalid value and returns null. `function` is the public one. No lock is held.
 */
RLTypeRef rl_security_copy_value(RLStringRef name, RLTypeRef value, const char *function);

/*
 * Sets a property of security to such a copy, for a connection to a host or null. If the value is
 * invalid, warns, changes nothing and returns false.
 */
bool rl_security_set(struct rl_security *security, RLStringRef host, RLStringRef name,
                     RLTypeRef value, const char *function);

bool rl_security_is_property(RLStringRef name);

bool rl_security_is_server(const struct rl_security *security);

bool rl_security_is_requested(const struct rl_security *security);

/* Returns whether the connection uses TLS without authenticating the peer. */
bool rl_security_takes_anybody(const struct rl_security *security);

/* The caller owns the value, or null. */
RLTypeRef rl_security_copy(const struct rl_security *security, RLStringRef name);

/* Fills in the settings of a session. The security or the host retains everything in it. */
void rl_security_get(const struct rl_security *security, RLStringRef host,
                     struct rl_tls_settings *ret_settings);

/* Returns an error object of kRLStreamErrorDomainSSL, which the caller owns. */
RLErrorRef rl_security_create_error(RLIndex code);

void rl_security_end(struct rl_security *security);

#endif
