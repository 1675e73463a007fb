#include "adapter.h"
#include "diagnosis.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

struct epoll_host {
    struct RLHostAdapter adapter;
    int epoll;
};

static void detach_epoll_host(RLHostAdapterRef adapter, bool is_thread_ending)
{
    struct epoll_host *self = (struct epoll_host *)adapter;
    /* At a thread's end, the set may be closed and its number reused, so do not use the number. */
    if (!is_thread_ending) epoll_ctl(self->epoll, EPOLL_CTL_DEL, adapter->descriptor, NULL);
}

RLHostAdapterRef RLHostAdapterCreateWithEpoll(int epoll, UInt64 payload,
                                              const RLHostAdapterOptions *options)
{
    struct epoll_host *self = rl_adapter_begin(sizeof *self, options, detach_epoll_host, __func__);
    if (!self) return NULL;
    self->epoll = epoll;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = payload};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, self->adapter.descriptor, &event) == 0) {
        return &self->adapter;
    }
    rl_hosts_warn(__func__,
                  "cannot add the run loop's descriptor %d to epoll set %d: %s: pass a valid epoll "
                  "descriptor; returning NULL",
                  self->adapter.descriptor, epoll, strerror(errno));
    rl_adapter_give_up(&self->adapter);
    return NULL;
}
