#ifndef RL_TIMER_H
#define RL_TIMER_H

#include "loop/timer_data.h"

struct rl_mode;

/* Re-sorts a timer in all modes. Call this with the loop and the timer locked. */
void rl_timer_move_in_modes(struct rl_timer *timer, struct rl_loop *loop);

/*
 * Sets whether the timer is being called. Sleeps ignore a timer that is being called. Call this
 * with the loop locked.
 */
void rl_timer_mark(struct rl_timer *timer, bool is_called);

/* Calls the due timers of a mode (TMR-15). Call this without a lock. */
void rl_timer_fire_due(struct rl_mode *mode);

#endif
