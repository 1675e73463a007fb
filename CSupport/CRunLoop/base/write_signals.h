/*
 * Writes that raise no signal.
 *
 * The kernel sends SIGPIPE to a thread that writes to a pipe without a reader, and SIGXFSZ to a
 * thread that writes to a file beyond RLIMIT_FSIZE. These functions block both signals for the
 * thread during the write. If the write has raised a signal, they consume the signal before they
 * restore the mask. Sockets do not need this: MSG_NOSIGNAL has the same effect.
 */

#ifndef RL_WRITE_SIGNALS_H
#define RL_WRITE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct rl_write_signals {
    sigset_t mask_before;
    /*
     * The signals to consume. A signal that the client had blocked and that was pending before the
     * write is excluded.
     */
    sigset_t ours;
};

/* Blocks both signals for the calling thread. Async-signal-safe. */
void rl_write_signals_block(struct rl_write_signals *ret_before);

/*
 * Restores the mask. If `is_raised`, consumes the signal of the failed write first.
 * Async-signal-safe; keeps errno.
 */
void rl_write_signals_restore(const struct rl_write_signals *before, bool is_raised);

/* Like write(2), but raises no signal. Async-signal-safe. */
ssize_t rl_write_without_signal(int fd, const void *bytes, size_t length);

#endif
