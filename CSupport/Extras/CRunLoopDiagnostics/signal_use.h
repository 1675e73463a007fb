/*
 * The signals that the process uses, as far as the kernel reports them. The results may be stale,
 * because another thread may begin to use a free signal at any time.
 */

#ifndef RL_SIGNAL_USE_H
#define RL_SIGNAL_USE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the bit of a signal in the masks of /proc. */
static inline uint64_t rl_signal_bit(int signal)
{
    return UINT64_C(1) << (signal - 1);
}

bool rl_signal_is_handled(int signal);

/*
 * Returns the signals that any thread blocks or waits for, or that a signalfd receives; returns all
 * signals if /proc is not available. A thread that blocks most real-time signals is ignored,
 * because threads of dispatch and of Swift's tasks do so. The main thread is never ignored, because
 * the program sets its mask.
 */
uint64_t rl_signals_awaited(void);

/* Returns whether the calling thread blocks most real-time signals and is not the main thread. */
bool rl_thread_blocks_wholesale(void);

/* Returns 0 or -ESRCH. */
int rl_signals_blocked_by(int thread, uint64_t *ret_blocked);

#endif
