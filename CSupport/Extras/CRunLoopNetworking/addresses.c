#define _GNU_SOURCE

#include "addresses.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

_Static_assert(sizeof(struct rl_addresses) == 36, "padding would be compared");

static struct in6_addr map_address(struct in_addr address)
{
    struct in6_addr mapped = {.s6_addr = {[10] = 0xff, [11] = 0xff}};
    memcpy(&mapped.s6_addr[12], &address, sizeof address);
    return mapped;
}

static bool convert_address(const struct sockaddr_storage *storage, struct in6_addr *ret_address,
                            in_port_t *ret_port)
{
    if (storage->ss_family == AF_INET) {
        const struct sockaddr_in *address = (const struct sockaddr_in *)storage;
        *ret_address = map_address(address->sin_addr);
        *ret_port = address->sin_port;
        return true;
    }
    const struct sockaddr_in6 *address = (const struct sockaddr_in6 *)storage;
    *ret_address = address->sin6_addr;
    *ret_port = address->sin6_port;
    return storage->ss_family == AF_INET6;
}

bool rl_addresses_read(int fd, struct rl_addresses *ret_addresses)
{
    struct sockaddr_storage own = {0}, peer = {0};
    socklen_t own_size = sizeof own, peer_size = sizeof peer;
    return getsockname(fd, (struct sockaddr *)&own, &own_size) == 0 &&
           getpeername(fd, (struct sockaddr *)&peer, &peer_size) == 0 &&
           convert_address(&own, &ret_addresses->own, &ret_addresses->own_port) &&
           convert_address(&peer, &ret_addresses->peer, &ret_addresses->peer_port);
}

static bool parse_address(const char *text, struct in6_addr *ret_address)
{
    struct in_addr address;
    if (inet_pton(AF_INET6, text, ret_address) == 1) return true;
    if (inet_pton(AF_INET, text, &address) != 1) return false;
    *ret_address = map_address(address);
    return true;
}

bool rl_addresses_parse(const char *own, int own_port, const char *peer, int peer_port,
                        struct rl_addresses *ret_addresses)
{
    ret_addresses->own_port = htons((in_port_t)own_port);
    ret_addresses->peer_port = htons((in_port_t)peer_port);
    return own && peer && parse_address(own, &ret_addresses->own) &&
           parse_address(peer, &ret_addresses->peer);
}

bool rl_addresses_equal(const struct rl_addresses *one, const struct rl_addresses *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}
