/*
 * The one wait of a pass.
 */

#ifndef RL_WAIT_H
#define RL_WAIT_H

#include "wait_set.h"

struct rl_mode;

struct rl_wait_request {
    struct rl_mode *mode;
    /* Whether to look without sleeping. */
    bool is_poll;
    /* Until when to sleep at most. */
    int64_t limit_ns;
    /* Whether the main dispatch queue is one of the events. */
    bool serves_main_queue;
};

/*
 * Takes one event: a wake-up, due timers, a descriptor, or the main queue, in the order in which
 * they became ready as far as that can be known without a system call (see Docs/Deviations.md).
 * RL_EVENT_NONE means that the time is up, or that nothing is ready when polling.
 */
struct rl_event rl_wait(const struct rl_wait_request *request);

#endif
