/*
 * Writes that raise no signal.
 *
 * The kernel sends SIGPIPE to the thread that writes to a pipe without a reader, and SIGXFSZ to the
 * thread that writes to a file beyond RLIMIT_FSIZE. Both are blocked for the thread during the
 * write. If the write has raised one, it is consumed before they are unblocked. Sockets need none
 * of this: MSG_NOSIGNAL has the same effect.
 */

#ifndef RL_WRITE_SIGNALS_H
#define RL_WRITE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct rl_write_signals {
    sigset_t mask_before;
    /*
     * The signals to consume. A signal that the client blocks, and that was pending before, stays.
     */
    sigset_t ours;
};

/* Blocks the signals for the calling thread. Async-signal-safe. */
void rl_write_signals_block(struct rl_write_signals *ret_before);

/*
 * Consumes the signal of a failed write if `is_raised`, and restores the mask. Async-signal-safe,
 * keeps errno.
 */
void rl_write_signals_restore(const struct rl_write_signals *before, bool is_raised);

/* Writes as write(2) does, without a signal. Async-signal-safe. */
ssize_t rl_write_without_signal(int fd, const void *bytes, size_t length);

#endif
