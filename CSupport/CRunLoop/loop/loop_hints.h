/*
 * What debug builds say of loops that end, and of loops that sleep with work.
 */

#ifndef RL_LOOP_HINTS_H
#define RL_LOOP_HINTS_H

#include "base/hint.h"
#include "base/kernel.h"

struct rl_loop;
struct rl_mode;

/*
 * When a block was queued, or a source signalled. Takes no room in builds without hints.
 */
#if RL_HAS_HINTS

struct rl_hint_moment {
    int64_t ns;
};

static inline void rl_hint_set_moment(struct rl_hint_moment *moment)
{
    moment->ns = rl_kernel_monotonic_ns();
}

static inline int64_t rl_hint_moment_ns(const struct rl_hint_moment *moment)
{
    return moment->ns;
}

#else

struct rl_hint_moment {};

static inline void rl_hint_set_moment(struct rl_hint_moment *moment)
{
    (void)moment;
}

static inline int64_t rl_hint_moment_ns(const struct rl_hint_moment *moment)
{
    (void)moment;
    return 0;
}

#endif

/*
 * Says, once, that a loop has items or blocks and never ran, at the end of a thread or process, or
 * when the main thread begins to end. This is the commonest mistake.
 */
void rl_loop_hint_at_end(struct rl_loop *loop, const char *what_ends);

/*
 * Says, once, that the loop has slept although another thread had queued a block for the mode, or
 * had signalled one of its sources. For the loop's thread, after a sleep that no wake-up has ended,
 * with the time at which it began.
 */
void rl_loop_hint_at_sleep(struct rl_mode *mode, int64_t slept_ns);

/*
 * Says, once, that a descriptor was closed under a source. For the loop's thread, at each sleep.
 */
void rl_loop_hint_at_closed(struct rl_mode *mode);

/*
 * Says, once, that a loop goes to sleep although another loop of its thread has work, as a library
 * has found by RLRunLoopSetSleepCheck. For the loop's thread, with the sleep's limit.
 */
void rl_loop_hint_before_sleep(struct rl_mode *mode, int64_t limit_ns);

#endif
