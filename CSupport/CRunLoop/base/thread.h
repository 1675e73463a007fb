/* Threads of the engine, for operations that only a blocking call can do. */

#ifndef RL_THREAD_H
#define RL_THREAD_H

#include <pthread.h>

/*
 * Like pthread_create, but the thread blocks the signals that are sent to the process, so that a
 * client's signal source gets them, whichever was made first. The signals of a thread's own faults
 * are not blocked. All threads of our libraries are made here.
 */
int rl_thread_create(pthread_t *ret_thread, const pthread_attr_t *attributes,
                     void *(*function)(void *context), void *context);

/* Threads that are made from now on do not block this signal. */
void rl_thread_keep_unblocked(int signal);

/* Starts a thread that is never joined. Returns 0 or an errno value. */
int rl_thread_start(void *(*function)(void *context), void *context);

#endif
