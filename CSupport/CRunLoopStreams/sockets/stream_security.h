/*
 * The properties by which a connection is secured, and whether they make sense.
 */

#ifndef RL_STREAM_SECURITY_H
#define RL_STREAM_SECURITY_H

#include "tls/tls.h"

#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLError.h>

/* All null for a connection that is not secured. The owner guards it. */
struct rl_security {
    /* One of the levels, a constant. */
    RLStringRef level;
    /* The settings as they were set, or null; retained. */
    RLDictionaryRef settings;
};

/*
 * Returns a copy of a property's value that shares nothing with the client's. Warns about an
 * invalid value and returns null. `function` is the public one. No lock is held.
 */
RLTypeRef rl_security_copy_value(RLStringRef name, RLTypeRef value, const char *function);

/*
 * Takes a property of security, with a value copied so, for a connection to a host or null. Returns
 * whether it is valid; if not, warns and changes nothing.
 */
bool rl_security_set(struct rl_security *security, RLStringRef host, RLStringRef name,
                     RLTypeRef value, const char *function);

bool rl_security_is_property(RLStringRef name);

/* Returns whether the connection is secured as the server's side. */
bool rl_security_is_server(const struct rl_security *security);

bool rl_security_is_asked_for(const struct rl_security *security);

/* Returns whether the connection is secured, and anybody can be the peer. */
bool rl_security_takes_anybody(const struct rl_security *security);

/* Returns the value of a property, which the caller owns, or null. */
RLTypeRef rl_security_copy(const struct rl_security *security, RLStringRef name);

/* Fills in how a session is made. The security or the host retains everything in it. */
void rl_security_get(const struct rl_security *security, RLStringRef host,
                     struct rl_tls_settings *ret_settings);

/* Returns an error of kRLStreamErrorDomainSSL as an object, which the caller owns. */
RLErrorRef rl_security_create_error(RLIndex code);

void rl_security_end(struct rl_security *security);

#endif
