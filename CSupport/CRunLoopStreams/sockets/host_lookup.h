/*
 * Look-ups of hosts' addresses by name, and of names by address.
 *
 * getaddrinfo(3) may block for seconds if a server does not answer. The threads of
 * getaddrinfo_a(3), its asynchronous form, never end. So up to four threads of this file run
 * look-ups, and end when the queue is empty. Numeric addresses need no thread. A forked child runs
 * none of the parent's look-ups.
 */

#ifndef RL_HOST_LOOKUP_H
#define RL_HOST_LOOKUP_H

#include "base/socket_kernel.h"

#include <netdb.h>

struct rl_lookup_answer {
    /* `failure` is 0 or an EAI value. For EAI_SYSTEM, `error` is an errno value. */
    int failure;
    int error;
    /* The receiver owns the addresses, and calls freeaddrinfo. */
    struct addrinfo *addresses;
    /* The name, which is valid only during the call. */
    const char *name;
};

/* These functions are called without a lock, on any thread. */
struct rl_lookup_requester {
    /* Called before a queued look-up starts. If it returns false, the look-up is skipped. */
    bool (*is_waiting)(void *context);
    /* Called even if the answer is no longer wanted. */
    void (*receive)(void *context, const struct rl_lookup_answer *answer);
};

/*
 * Looks up TCP addresses; AF_INET6 includes mapped IPv4 addresses. Calls the requester before it
 * returns if the host is a numeric address or no thread can be started, otherwise on another
 * thread.
 */
void rl_lookup_begin(const char *host, unsigned port, int family,
                     const struct rl_lookup_requester *requester, void *context);

/* Looks up a name by address. Calls the requester as rl_lookup_begin does. */
void rl_lookup_begin_name(const struct rl_socket_name *address,
                          const struct rl_lookup_requester *requester, void *context);

#endif
