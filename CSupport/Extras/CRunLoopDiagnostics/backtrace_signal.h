/* The signal for backtraces, and its ownership. `backtrace.c` implements the handler. */

#ifndef RL_BACKTRACE_SIGNAL_H
#define RL_BACKTRACE_SIGNAL_H

#include <signal.h>

/*
 * Reserves the signal for one backtrace. Only one thread at a time may borrow the signal. Returns
 * the signal number, -EAGAIN if no signal is free or the client has disabled backtraces, or -EBUSY
 * if other code uses the signal.
 */
int rl_backtrace_signal_borrow(void);

/* Ends the reservation for the backtrace; monitors may still reserve the signal. */
void rl_backtrace_signal_return(void);

/* The si_code of our requests. Neither the kernel nor the C library uses this value. */
enum { RL_BACKTRACE_REQUEST = -0x524C };

/*
 * Sends a request with the borrowed signal, `number`. Returns 0, -ESRCH if the thread does not
 * exist, or -EAGAIN if the client has selected another signal.
 */
int rl_backtrace_signal_send(int thread, int number, unsigned ticket);

/*
 * The handler calls the first function for a signal with a request, and the second for a signal
 * without one. Async-signal-safe.
 */
void rl_backtrace_signal_note_request(void);
void rl_backtrace_signal_note_stranger(int process);

void rl_backtrace_handle(int number, siginfo_t *info, void *context);

#endif
