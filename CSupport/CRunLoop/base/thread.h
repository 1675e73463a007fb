/*
 * Threads of the engine's own, for what the system can only do by blocking.
 */

#ifndef RL_THREAD_H
#define RL_THREAD_H

#include <pthread.h>

/*
 * Makes a thread as pthread_create does, which blocks the signals that are sent to the process: so
 * a client's source gets them, whichever was made first. Those of the thread's own faults are as
 * they were. All threads of our libraries are made here.
 */
int rl_thread_create(pthread_t *ret_thread, const pthread_attr_t *attributes,
                     void *(*function)(void *context), void *context);

/* Has the threads that are made from now on take a signal. */
void rl_thread_keep_unblocked(int signal);

/* Starts a thread that is never joined. Returns 0 or an errno value. */
int rl_thread_start(void *(*function)(void *context), void *context);

#endif
