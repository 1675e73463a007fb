
#ifndef RL_TIMER_H
#define RL_TIMER_H

#include "loop/timer_data.h"

struct rl_mode;

/* Re-sorts a timer by its deadline in every mode of the loop. With both locked. */
void rl_timer_move_in_modes(struct rl_timer *timer, struct rl_loop *loop);

/* Marks a timer as being called, so that sleeps ignore it, or unmarks it. With its loop locked. */
void rl_timer_mark(struct rl_timer *timer, bool is_called);

/* Calls the timers of a mode that are due (TMR-15). No locks held. */
void rl_timer_fire_due(struct rl_mode *mode);

#endif
