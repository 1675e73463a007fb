/* The addresses of both ends of a connection identify it among the open connections. */

#ifndef RL_ADDRESSES_H
#define RL_ADDRESSES_H

#include <netinet/in.h>
#include <stdbool.h>

/*
 * The addresses of both ends of a connection. IPv4 addresses are mapped to IPv6. The structure has
 * no padding, so two addresses are compared byte by byte.
 */
struct rl_addresses {
    struct in6_addr own;
    struct in6_addr peer;
    in_port_t own_port;
    in_port_t peer_port;
};

/* Returns false if the socket is no longer connected. */
bool rl_addresses_read(int fd, struct rl_addresses *ret_addresses);

/* Parses addresses that libcurl reports as text. Returns false if a text is not an IP address. */
bool rl_addresses_parse(const char *own, int own_port, const char *peer, int peer_port,
                        struct rl_addresses *ret_addresses);

bool rl_addresses_equal(const struct rl_addresses *one, const struct rl_addresses *other);

#endif
