/*
 * How time passes by the clocks of tests, as far as runs and waits have to do with it. All but the
 * last two are called only while rl_clock_is_tested().
 */

#ifndef RL_ADVANCE_H
#define RL_ADVANCE_H

#include "run/sleep.h"

struct RLOpaqueTestClock;
struct rl_activation;
struct rl_advance;

/*
 * Lets time pass in place of a sleep. Returns whether there may be something to serve now; else the
 * loop is to sleep.
 */
bool rl_advance_pass_time(const struct rl_sleep_request *request);

/*
 * Notes when the sleep that is about to begin ends in any case. Returns until when the kernel is to
 * wait at most, by its own clock. Loop locked.
 */
int64_t rl_advance_begin_sleep(struct rl_mode *mode, int64_t limit_ns);

/* Forgets that moment. */
void rl_advance_end_sleep(struct rl_mode *mode);

/* Tells the passer that a loop has come to rest. No locks held. */
void rl_advance_tell_of_sleep(struct rl_loop *loop);

/*
 * Returns whether a run, inside the one that is given or null, is that of an advance: it goes on
 * also with nothing in its mode.
 */
bool rl_advance_keeps_run(const struct rl_loop *loop, const struct rl_activation *around);

/*
 * Begins an advance in the calling thread's loop, which advances the clock by so many nanoseconds
 * once the loop runs; null is the kernel's clock, and the advance ends when the loop would sleep.
 */
const struct rl_advance *rl_advance_begin(struct rl_loop *loop, struct RLOpaqueTestClock *clock,
                                          int64_t distance_ns, const char *function);

/* Returns whether the time is over, and the loop at rest. */
bool rl_advance_has_arrived(const struct rl_advance *advance);

/* Ends the innermost advance of the loop, and frees it. */
void rl_advance_end(struct rl_loop *loop);

/* Ends what a thread that ends has left by pthread_exit. */
void rl_advance_forget_all(struct rl_loop *loop);

#endif
