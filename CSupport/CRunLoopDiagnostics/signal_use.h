/*
 * What the signals of the process are used for, as far as the kernel tells. Nothing of it is kept:
 * what is free now may be taken by the next line of another thread.
 */

#ifndef RL_SIGNAL_USE_H
#define RL_SIGNAL_USE_H

#include <stdbool.h>
#include <stdint.h>

/* The bit of a signal in a mask as /proc shows them. */
static inline uint64_t rl_signal_bit(int signal)
{
    return UINT64_C(1) << (signal - 1);
}

/* Whether a signal has a handler or is ignored. */
bool rl_signal_is_handled(int signal);

/*
 * The signals that somebody blocks, waits for or reads from a signalfd: all of them if there is no
 * /proc. A thread that blocks most real-time signals means none of them, as those of dispatch and
 * of Swift's tasks do, unless it is the main thread, whose mask is the program's own wish.
 */
uint64_t rl_signals_awaited(void);

/* Whether the calling thread blocks most real-time signals and is not the main thread. */
bool rl_thread_blocks_wholesale(void);

/* The signals that a thread of the process blocks. 0, or -ESRCH. */
int rl_signals_blocked_by(int thread, uint64_t *ret_blocked);

#endif
