/*
 * The one wait of a pass.
 */

#ifndef RL_SLEEP_H
#define RL_SLEEP_H

#include "loop/loop.h"

struct rl_sleep_request {
    struct rl_mode *mode;
    /* To poll, without sleeping. */
    bool is_poll;
    /* Until when to sleep at most. */
    int64_t limit_ns;
    /* Whether the main dispatch queue is one of the events. */
    bool serves_main_queue;
    /* Whether to ask that queue although it seems empty. */
    bool asks_main_queue;
};

/*
 * Returns true if there is no event, as in most polls: this takes a few instructions only.
 * `asks_main_queue` tells whether the main queue may have work and has not been asked yet.
 */
static inline bool rl_sleep_has_nothing(const struct rl_mode *mode, bool asks_main_queue)
{
    uint64_t stamp;
    return !asks_main_queue && !rl_wait_set_has_sources(&mode->wait_set) &&
           !rl_wake_is_pending(&mode->loop->wake, &stamp) && !rl_mode_may_have_due_timer(mode);
}

/*
 * Takes one event: a wake-up, due timers, a descriptor, or the main queue, in the order in which
 * they became ready as far as that can be known without a system call (see Docs/Deviations.md).
 * Still each has its turn within a bounded number of passes, whatever else is ready. RL_EVENT_NONE
 * means that the time is up, or that nothing is ready when polling.
 *
 * The caller owns the source of a descriptor's event.
 */
struct rl_event rl_sleep_until_event(const struct rl_sleep_request *request);

/* For the child of a fork: the parent's other threads do not sleep here. */
void rl_sleep_forget_other_loops(void);

#endif
