/*
 * From the names of hosts to their addresses, and back.
 *
 * The C library can only look a host up by a call that blocks, for seconds if a server does not
 * answer. Its asynchronous form, getaddrinfo_a, has threads of its own that stay. So look-ups have
 * up to four threads, which end when nothing is left; others wait for their turn meanwhile.
 * Addresses of numeric text need no thread. A fork leaves all to the parent.
 */

#ifndef RL_HOST_LOOKUP_H
#define RL_HOST_LOOKUP_H

#include "base/socket_kernel.h"

#include <netdb.h>

/* The result of a look-up. */
struct rl_lookup_answer {
    /* 0, or an EAI value. For EAI_SYSTEM, `error` is an errno value. */
    int failure;
    int error;
    /* Of a name: for the receiver, to be given to freeaddrinfo. */
    struct addrinfo *addresses;
    /* Of an address, as long as the receiver is called. */
    const char *name;
};

/* The code that asks. Its functions lock what they need. */
struct rl_lookup_asker {
    /* Returns whether the answer is still wanted, when a look-up that has waited has its turn. */
    bool (*is_waiting)(void *context);
    /* Takes the answer, also if it is not wanted. */
    void (*receive)(void *context, const struct rl_lookup_answer *answer);
};

/*
 * Looks up addresses of a family for TCP, those of IPv4 for IPv6 too. Calls the asker at once if
 * the host is a numeric address or no thread can be made, else on another thread.
 */
void rl_lookup_begin(const char *host, unsigned port, int family,
                     const struct rl_lookup_asker *asker, void *context);

/* Looks up the name of an address, in the same way. */
void rl_lookup_begin_name(const struct rl_socket_name *address, const struct rl_lookup_asker *asker,
                          void *context);

#endif
