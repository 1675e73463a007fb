/*
 * Prevents the signals SIGPIPE and SIGXFSZ of a write to a pipe without a reader or beyond
 * RLIMIT_FSIZE: the thread blocks both signals, and consumes the raised signal before it restores
 * the mask. Sockets use MSG_NOSIGNAL instead.
 */

#ifndef RL_WRITE_SIGNALS_H
#define RL_WRITE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct rl_write_signals {
    sigset_t mask_before;
    /* The signals to consume, unless the client had blocked them and they were already pending. */
    sigset_t ours;
};

/* Async-signal-safe. */
void rl_write_signals_block(struct rl_write_signals *ret_before);

/* Consumes the signal first if `is_raised`. Async-signal-safe; keeps errno. */
void rl_write_signals_restore(const struct rl_write_signals *before, bool is_raised);

/* Async-signal-safe. */
ssize_t rl_write_without_signal(int fd, const void *bytes, size_t length);

#endif
