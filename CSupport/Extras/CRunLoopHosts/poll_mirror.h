/*
 * Mirrors another loop's poll(2): its list of descriptors and time-out become one descriptor, which
 * is readable when that poll would return.
 */

#ifndef RL_POLL_MIRROR_H
#define RL_POLL_MIRROR_H

#include "glib.h"

#include <stdint.h>

struct rl_poll_mirror {
    /* An epoll set of `set` and `timer_fd`. */
    int fd;
    /* The descriptors of the list. A separate set, as it may have to be made anew. */
    int set;
    int timer_fd;
    bool is_timer_armed;
    /* The registrations in the set, in the order of descriptors. */
    struct rl_glib_poll_fd *known;
    int count, capacity;
};

/* Returns false, with errno, if the kernel has no descriptors left. */
bool rl_poll_mirror_init(struct rl_poll_mirror *mirror);
void rl_poll_mirror_destroy(struct rl_poll_mirror *mirror);

/*
 * Updates the list, which is sorted by descriptor without duplicates, and the time-out in
 * milliseconds from the moment `now_ns`, negative for none.
 */
void rl_poll_mirror_update(struct rl_poll_mirror *mirror, const struct rl_glib_poll_fd *list,
                           int count, int timeout, int64_t now_ns);

void rl_poll_mirror_disarm(struct rl_poll_mirror *mirror);

int64_t rl_poll_mirror_now_ns(void);

#endif
