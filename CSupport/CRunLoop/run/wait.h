#ifndef RL_WAIT_H
#define RL_WAIT_H

#include "loop/activation.h"
#include "loop/loop.h"

/*
 * Returns true if a poll would find no event, as most polls do. `checks_main_queue` is true if the
 * main queue may have work and the pass has not checked it.
 */
static inline bool rl_wait_has_nothing(const struct rl_mode *mode, bool checks_main_queue)
{
    return !checks_main_queue && !rl_wait_set_has_sources(&mode->wait_set) &&
           !rl_wake_is_pending(&mode->loop->wake) && !rl_mode_may_have_due_timer(mode);
}

/*
 * Takes one event, in the kernel's order: a wake-up, due timers, a descriptor, or the main queue.
 * Returns RL_EVENT_NONE at the run's limit, or if `is_poll` is true and there is no event. The
 * caller must release the source of a descriptor's event.
 */
struct rl_event rl_wait_for_event(struct rl_activation *run, bool is_poll);

/* For a forked child, where no other thread sleeps. Resets the number of loops that retry. */
void rl_wait_forget_other_loops(void);

#endif
