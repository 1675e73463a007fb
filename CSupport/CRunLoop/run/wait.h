/* The wait of a pass. */

#ifndef RL_WAIT_H
#define RL_WAIT_H

#include "loop/activation.h"
#include "loop/loop.h"

/*
 * Returns true if a poll would find no event, as most polls do. Takes a few instructions.
 * `checks_main_queue`: the main queue may have work, and the pass has not checked it yet.
 */
static inline bool rl_wait_has_nothing(const struct rl_mode *mode, bool checks_main_queue)
{
    return !checks_main_queue && !rl_wait_set_has_sources(&mode->wait_set) &&
           !rl_wake_is_pending(&mode->loop->wake) && !rl_mode_may_have_due_timer(mode);
}

/*
 * Takes one event for a pass of the run, in the kernel's order: a wake-up, due timers, a
 * descriptor, or the main queue. Unless `is_poll`, sleeps until there is an event or the run's
 * limit is reached. Returns RL_EVENT_NONE if there is no event. For a descriptor's event, the
 * caller must release the source.
 */
struct rl_event rl_wait_for_event(struct rl_activation *run, bool is_poll);

/* Called in a forked child, where no other thread sleeps: resets the number of loops that retry. */
void rl_wait_forget_other_loops(void);

#endif
