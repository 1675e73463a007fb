/* Creates the engine's threads, which serve operations that exist only as blocking calls. */

#ifndef RL_THREAD_H
#define RL_THREAD_H

#include <pthread.h>

/*
 * Like pthread_create(3), but the thread blocks the signals of the process, so that a client's
 * signal source receives them, even if the source is created later. Create all threads of our
 * libraries with this.
 */
int rl_thread_create(pthread_t *ret_thread, const pthread_attr_t *attributes,
                     void *(*function)(void *context), void *context);

/* Threads that are created after this call do not block the signal. */
void rl_thread_keep_unblocked(int signal);

/* The thread is detached. Returns 0 or an errno value. */
int rl_thread_start(void *(*function)(void *context), void *context);

#endif
