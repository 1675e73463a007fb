/*
 * From the names of hosts to their addresses.
 *
 * The C library can only look a name up by a call that blocks, for seconds if a server does not
 * answer. Its asynchronous form, getaddrinfo_a, has threads of its own that stay. So a look-up has
 * a thread that lives as long as the call; numeric addresses need none.
 */

#ifndef RL_HOST_LOOKUP_H
#define RL_HOST_LOOKUP_H

#include <netdb.h>

/* Takes the addresses found, to give them to freeaddrinfo, or a negative errno value. */
typedef void (*rl_lookup_receiver)(void *context, int failure, struct addrinfo *found);

/*
 * Looks up addresses of a family for TCP, also those of IPv4 for IPv6. Calls the receiver at once
 * if the host is a numeric address or no thread can be made, else on the new thread.
 */
void rl_lookup_begin(const char *host, unsigned port, int family, rl_lookup_receiver receiver,
                     void *context);

#endif
