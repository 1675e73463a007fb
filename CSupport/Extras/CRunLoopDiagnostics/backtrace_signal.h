/* The signal for backtraces, and its ownership. `backtrace.c` has the handler. */

#ifndef RL_BACKTRACE_SIGNAL_H
#define RL_BACKTRACE_SIGNAL_H

#include <signal.h>

/*
 * Takes the signal for one backtrace, unless it is held already. Only one thread at a time may
 * borrow it.
 *
 * Returns the signal; -EAGAIN if none is free or the client wants none, -EBUSY if other code has
 * taken it.
 */
int rl_backtrace_signal_borrow(void);

/* Returns the signal, unless a monitor holds it. */
void rl_backtrace_signal_return(void);

/* The si_code of our requests, which neither the kernel nor the C library uses. */
enum { RL_BACKTRACE_REQUEST = -0x524C };

/*
 * Sends a request with a ticket to a thread, by the borrowed signal. Returns 0, -ESRCH if there is
 * no such thread, or -EAGAIN if the client has chosen another signal meanwhile.
 */
int rl_backtrace_signal_send(int thread, int number, unsigned ticket);

/* Call this in the handler for a request, or for a signal that was none. Async-signal-safe. */
void rl_backtrace_signal_note_request(void);
void rl_backtrace_signal_note_stranger(int process);

void rl_backtrace_handle(int number, siginfo_t *info, void *context);

#endif
