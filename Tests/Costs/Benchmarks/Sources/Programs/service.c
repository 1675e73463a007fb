/*
 * What servers share: taking connections, reading and answering.
 */

#define _GNU_SOURCE

#include "../Engines/support.h"
#include "include/Programs.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

int service_accept(struct service *service)
{
    int fd = accept4(service->listening_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    EXPECT(fd >= 0 || errno == EAGAIN);
    if (fd >= 0) service->connection_count++;
    return fd;
}

void service_add(struct service *service, int fd)
{
    EXPECT(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
    service->connection_count++;
}

bool service_serve(struct service *service, int fd)
{
    ssize_t count = read(fd, service->buffer, service->capacity);
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) return false;
    /* What the peer sends at once has room in the socket's buffer. */
    if (service->is_echo) EXPECT(write(fd, service->buffer, (size_t)count) == count);
    return true;
}

bool service_remove(struct service *service)
{
    return --service->connection_count == 0;
}
