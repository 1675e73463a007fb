/*
 * A list of descriptors as another loop would give it to poll(2) before each of its sleeps, and its
 * time-out, as one descriptor that is readable when that poll would return.
 */

#ifndef RL_POLL_MIRROR_H
#define RL_POLL_MIRROR_H

#include "glib.h"

#include <stdint.h>

struct rl_poll_mirror {
    /* A set of `set` and `timer_fd`. */
    int fd;
    /* The descriptors of the list. A set of its own, as it may have to be made anew. */
    int set;
    int timer_fd;
    bool is_timer_armed;
    /* The registrations in the set, in the order of descriptors. */
    struct rl_glib_poll_fd *known;
    int count, capacity;
};

/* False, with errno, if the kernel has no descriptors left. */
bool rl_poll_mirror_init(struct rl_poll_mirror *mirror);
void rl_poll_mirror_destroy(struct rl_poll_mirror *mirror);

/*
 * Takes a new list, in the order of descriptors, none of them twice, and a time-out in milliseconds
 * from the moment `now_ns`, negative for none.
 */
void rl_poll_mirror_update(struct rl_poll_mirror *mirror, const struct rl_glib_poll_fd *list,
                           int count, int timeout, int64_t now_ns);

/* Forgets the time-out. */
void rl_poll_mirror_disarm(struct rl_poll_mirror *mirror);

/* The clock of time-outs. */
int64_t rl_poll_mirror_now_ns(void);

#endif
