/*
 * Look-ups of hosts' addresses by name, and of names by address.
 *
 * The C library's look-ups block, for seconds if a server does not answer. The threads of its
 * asynchronous form, getaddrinfo_a, never end. So look-ups have up to four threads, which end when
 * the queue is empty. Numeric addresses need no thread. A fork leaves look-ups to the parent.
 */

#ifndef RL_HOST_LOOKUP_H
#define RL_HOST_LOOKUP_H

#include "base/socket_kernel.h"

#include <netdb.h>

struct rl_lookup_answer {
    /* 0, or an EAI value. For EAI_SYSTEM, `error` is an errno value. */
    int failure;
    int error;
    /* The answer to a name; the receiver calls freeaddrinfo. */
    struct addrinfo *addresses;
    /* The answer to an address; valid during the call. */
    const char *name;
};

/* The requester. Its functions take their own locks. */
struct rl_lookup_requester {
    /* Returns whether the answer is still wanted, when a queued look-up is about to begin. */
    bool (*is_waiting)(void *context);
    /* Receives the answer, even if it is not wanted. */
    void (*receive)(void *context, const struct rl_lookup_answer *answer);
};

/*
 * Looks up TCP addresses of a family; for IPv6, IPv4 addresses too. Calls the requester at once if
 * the host is a numeric address or no thread can be made, else on another thread.
 */
void rl_lookup_begin(const char *host, unsigned port, int family,
                     const struct rl_lookup_requester *requester, void *context);

/* Looks up the name of an address in the same way. */
void rl_lookup_begin_name(const struct rl_socket_name *address,
                          const struct rl_lookup_requester *requester, void *context);

#endif
