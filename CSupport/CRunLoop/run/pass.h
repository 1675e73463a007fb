#ifndef RL_PASS_H
#define RL_PASS_H

#include "loop/activation.h"
#include "loop/mode.h"
#include "loop/observer.h"

/* The result of a run that continues. */
#define RL_NO_RESULT ((RLRunLoopRunResult)0)

RLRunLoopRunResult rl_pass_make(struct rl_activation *run);

static inline void rl_pass_notify(const struct rl_activation *run, RLRunLoopActivity activity)
{
    if (rl_mode_is_observed(run->mode, activity)) rl_observer_notify(run->mode, activity);
}

/* Wake-ups are dropped until the run listens again. */
void rl_pass_stop_listening(struct rl_activation *run);

/* Calls the observers of an activity. Wake-ups during the activity are dropped (WAKE-2). */
static inline void rl_pass_notify_without_listening(struct rl_activation *run,
                                                    RLRunLoopActivity activity)
{
    if (!rl_mode_is_observed(run->mode, activity)) return;
    rl_pass_stop_listening(run);
    rl_observer_notify(run->mode, activity);
}

/* Call this only while the loop listens: a thread that empties the mode later must wake the loop.
 */
bool rl_pass_is_mode_empty(const struct rl_activation *run);

/* Needs no lock. The result `false` may be wrong. */
static inline bool rl_pass_has_members(const struct rl_mode *mode)
{
    return mode->member_counts[RL_ITEM_SOURCE] > 0 || rl_mode_has_timers(mode);
}

#endif
