/* The wait of a pass. */

#ifndef RL_WAIT_H
#define RL_WAIT_H

#include "loop/activation.h"
#include "loop/loop.h"

/*
 * Returns true if a poll would find no event, as most polls do: this takes a few instructions.
 * `checks_main_queue`: the main queue may have work, and the pass has not checked it.
 */
static inline bool rl_wait_has_nothing(const struct rl_mode *mode, bool checks_main_queue)
{
    return !checks_main_queue && !rl_wait_set_has_sources(&mode->wait_set) &&
           !rl_wake_is_pending(&mode->loop->wake) && !rl_mode_may_have_due_timer(mode);
}

/*
 * Takes one event for a pass of the run: a wake-up, due timers, a descriptor, or the main queue, in
 * the kernel's order. Sleeps until there is one or the run's limit is reached, unless `is_poll`.
 * Returns RL_EVENT_NONE if there was none. The caller owns the source of a descriptor's event.
 */
struct rl_event rl_wait_for_event(struct rl_activation *run, bool is_poll);

/* For the child of a fork: the parent's other threads do not sleep here. */
void rl_wait_forget_other_loops(void);

#endif
