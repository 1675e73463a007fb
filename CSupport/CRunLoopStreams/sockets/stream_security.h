#ifndef RL_STREAM_SECURITY_H
#define RL_STREAM_SECURITY_H

#include "tls/tls.h"

#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLError.h>

/* The security of a connection. All fields are null without TLS. The owner guards the fields. */
struct rl_security {
    RLStringRef level;
    /* The retained copy of the client's settings, or null. */
    RLDictionaryRef settings;
};

/*
 * Returns a deep copy for rl_security_set, or warns and returns null if the value is invalid.
 * `function` is the public function. Call this without a lock.
 */
RLTypeRef rl_security_copy_value(RLStringRef name, RLTypeRef value, const char *function);

/*
 * `value` is a copy from rl_security_copy_value. `host` may be null. If the value is invalid,
 * warns, changes nothing and returns false.
 */
bool rl_security_set(struct rl_security *security, RLStringRef host, RLStringRef name,
                     RLTypeRef value, const char *function);

bool rl_security_is_property(RLStringRef name);

bool rl_security_is_server(const struct rl_security *security);

bool rl_security_is_requested(const struct rl_security *security);

/* Returns true if the connection has TLS without authentication of the peer. */
bool rl_security_takes_anybody(const struct rl_security *security);

/* Returns null if the property is not set. */
RLTypeRef rl_security_copy(const struct rl_security *security, RLStringRef name);

/* The objects in `ret_settings` are borrowed from `security` and `host`. */
void rl_security_get(const struct rl_security *security, RLStringRef host,
                     struct rl_tls_settings *ret_settings);

/* The error's domain is kRLStreamErrorDomainSSL. */
RLErrorRef rl_security_create_error(RLIndex code);

void rl_security_end(struct rl_security *security);

#endif
