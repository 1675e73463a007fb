/*
 * Mirrors the poll(2) call of another loop. One descriptor combines the descriptors and the timeout
 * of the call, and is readable when the call would return.
 */

#ifndef RL_POLL_MIRROR_H
#define RL_POLL_MIRROR_H

#include "glib.h"

#include <stdint.h>

struct rl_poll_mirror {
    /* An epoll set that contains `set` and `timer_fd`. */
    int fd;
    /* An epoll set of the list's descriptors. It is separate, as it may have to be recreated. */
    int set;
    int timer_fd;
    bool is_timer_armed;
    /* The registrations in `set`, sorted by descriptor. */
    struct rl_glib_poll_fd *known;
    int count, capacity;
};

/* Returns false and sets errno if no descriptors are left. */
bool rl_poll_mirror_init(struct rl_poll_mirror *mirror);
void rl_poll_mirror_destroy(struct rl_poll_mirror *mirror);

/*
 * The list is sorted by `fd`, and has no duplicates. `timeout` is in milliseconds; a negative value
 * means no timeout.
 */
void rl_poll_mirror_update(struct rl_poll_mirror *mirror, const struct rl_glib_poll_fd *list,
                           int count, int timeout, int64_t now_ns);

void rl_poll_mirror_disarm(struct rl_poll_mirror *mirror);

int64_t rl_poll_mirror_now_ns(void);

#endif
