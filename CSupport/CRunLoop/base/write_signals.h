/*
 * A write to a pipe without a reader raises SIGPIPE, and a write beyond RLIMIT_FSIZE raises
 * SIGXFSZ. These functions prevent both signals: the thread blocks the signals, and consumes a
 * raised signal before it restores the mask. Sockets use MSG_NOSIGNAL instead.
 */

#ifndef RL_WRITE_SIGNALS_H
#define RL_WRITE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct rl_write_signals {
    sigset_t mask_before;
    /* The signals to consume: not a signal that was already pending and blocked by the client. */
    sigset_t ours;
};

/* Async-signal-safe. */
void rl_write_signals_block(struct rl_write_signals *ret_before);

/* If `is_raised` is true, first consumes the signal. Async-signal-safe; keeps errno. */
void rl_write_signals_restore(const struct rl_write_signals *before, bool is_raised);

/* Async-signal-safe. */
ssize_t rl_write_without_signal(int fd, const void *bytes, size_t length);

#endif
