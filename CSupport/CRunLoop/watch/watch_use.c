/*
 * The end of a watch waits for the threads between rl_watch_begin_use and rl_watch_end_use. A wait
 * may take long, so it is not counted as a use. If the descriptor is closed during a wait, the
 * waiting thread may poll an unrelated file, but only once.
 */

#include "watch/watch.h"

#include "base/kernel.h"
#include "base/socket_kernel.h"

#include <errno.h>

/* The length of a pause, and the poll interval of a wait without an event counter. */
enum { PAUSE_NS = 2000000, BLIND_NS = 50000000 };

/* Counts the thread as a waiter. If this returns -1, the watch has ended: do not call end_wait. */
static int begin_wait(struct rl_watch *watch, int *ret_interrupt)
{
    rl_lock(&watch->lock);
    int fd = watch->fd;
    if (fd >= 0 && watch->waiters++ == 0) watch->interrupt = rl_kernel_make_event_counter();
    *ret_interrupt = watch->interrupt;
    rl_unlock(&watch->lock);
    return fd;
}

static bool end_wait(struct rl_watch *watch)
{
    rl_lock(&watch->lock);
    if (--watch->waiters == 0) rl_kernel_close(&watch->interrupt);
    bool continues = watch->fd >= 0;
    rl_unlock(&watch->lock);
    return continues;
}

static int64_t sooner_of(int64_t after_ns, int64_t deadline_ns)
{
    int64_t moment_ns = rl_kernel_monotonic_ns() + after_ns;
    return moment_ns < deadline_ns ? moment_ns : deadline_ns;
}

int rl_watch_wait(struct rl_watch *watch, RLRunLoopDescriptorEvents direction, int64_t deadline_ns)
{
    for (;;) {
        int interrupt;
        int fd = begin_wait(watch, &interrupt);
        if (fd < 0) return -EBADF;
        int64_t until_ns = interrupt < 0 ? sooner_of(BLIND_NS, deadline_ns) : deadline_ns;
        int result = rl_socket_wait(direction ? fd : -1, direction, interrupt, until_ns);
        if (!end_wait(watch)) return -EBADF;
        if (result != -ETIMEDOUT || until_ns == deadline_ns) return result;
    }
}

int rl_watch_pause(struct rl_watch *watch, int64_t deadline_ns)
{
    int64_t until_ns = sooner_of(PAUSE_NS, deadline_ns);
    int result = rl_watch_wait(watch, 0, until_ns);
    return result == -ETIMEDOUT && until_ns < deadline_ns ? 0 : result;
}
