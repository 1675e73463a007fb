/*
 * The floor: a server written by hand on level-triggered epoll, and nothing else.
 */

#include "../Engines/support.h"
#include "include/Programs.h"

#include <sys/epoll.h>
#include <unistd.h>

enum { EVENTS = 64 };

static void watch(int poll_fd, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    EXPECT(epoll_ctl(poll_fd, EPOLL_CTL_ADD, fd, &event) == 0);
}

/* False when the last connection is gone. */
static bool handle(struct service *service, int poll_fd, int fd)
{
    if (fd == service->listening_fd) {
        int connection_fd = service_accept(service);
        if (connection_fd >= 0) watch(poll_fd, connection_fd);
        return true;
    }
    if (service_serve(service, fd)) return true;
    close(fd);
    return !service_remove(service);
}

static void serve(struct service *service)
{
    int poll_fd = epoll_create1(EPOLL_CLOEXEC);
    EXPECT(poll_fd >= 0);
    watch(poll_fd, service->listening_fd);
    struct epoll_event events[EVENTS];
    bool is_over = false;
    while (!is_over) {
        int count = epoll_wait(poll_fd, events, EVENTS, -1);
        for (int i = 0; i < count && !is_over; i++) {
            is_over = !handle(service, poll_fd, events[i].data.fd);
        }
    }
    close(poll_fd);
}

const server floor_server = serve;
