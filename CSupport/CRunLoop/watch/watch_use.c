/*
 * Watches: the descriptor in system calls of any thread, while others may end the watch.
 *
 * A call that does not block counts as a use, and the end of the watch waits for all uses. A wait
 * for the descriptor is not a use, as it may take long. If the descriptor is closed meanwhile, the
 * wait may at worst look at another file in vain.
 */

#include "watch/watch.h"

#include "base/kernel.h"
#include "base/socket_kernel.h"

#include <errno.h>

/* How long to pause, or to wait if there is no alarm, before the next look. */
enum { PAUSE_NS = 2000000, BLIND_NS = 50000000 };

/*
 * A use is counted before the look at the descriptor, and the end of the watch takes the descriptor
 * away before its look at the count: one of the two sees the other.
 */
int rl_watch_begin_use(struct rl_watch *watch)
{
    atomic_fetch_add(&watch->users, 1);
    int fd = rl_watch_descriptor(watch);
    if (fd < 0) rl_watch_end_use(watch);
    return fd < 0 ? -EBADF : fd;
}

void rl_watch_end_use(struct rl_watch *watch)
{
    bool is_last = atomic_fetch_sub(&watch->users, 1) == 1;
    if (is_last && rl_watch_descriptor(watch) < 0) rl_kernel_futex_wake_all(&watch->users);
}

/* Returns the descriptor, or -1 if the watch has ended; then no end_wait may follow. */
static int begin_wait(struct rl_watch *watch, int *ret_alarm)
{
    rl_lock(&watch->lock);
    int fd = watch->fd;
    if (fd >= 0 && watch->waiters++ == 0) watch->alarm = rl_kernel_make_event_counter();
    *ret_alarm = watch->alarm;
    rl_unlock(&watch->lock);
    return fd;
}

/* Returns whether the watch goes on. */
static bool end_wait(struct rl_watch *watch)
{
    rl_lock(&watch->lock);
    if (--watch->waiters == 0) rl_kernel_close(&watch->alarm);
    bool goes_on = watch->fd >= 0;
    rl_unlock(&watch->lock);
    return goes_on;
}

static int64_t sooner_of(int64_t after_ns, int64_t deadline_ns)
{
    int64_t moment_ns = rl_kernel_monotonic_ns() + after_ns;
    return moment_ns < deadline_ns ? moment_ns : deadline_ns;
}

int rl_watch_wait(struct rl_watch *watch, RLRunLoopDescriptorEvents direction, int64_t deadline_ns)
{
    for (;;) {
        int alarm;
        int fd = begin_wait(watch, &alarm);
        if (fd < 0) return -EBADF;
        int64_t until_ns = alarm < 0 ? sooner_of(BLIND_NS, deadline_ns) : deadline_ns;
        int result = rl_socket_wait(direction ? fd : -1, direction, alarm, until_ns);
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
