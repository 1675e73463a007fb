/* The engine's threads, for operations that exist only as blocking calls. */

#ifndef RL_THREAD_H
#define RL_THREAD_H

#include <pthread.h>

/*
 * Like pthread_create(3), but the thread blocks the signals that are sent to the process. So a
 * client's signal source receives them, even if the thread was created before the source. The
 * thread does not block the signals of its own faults. All threads of our libraries are created
 * here.
 */
int rl_thread_create(pthread_t *ret_thread, const pthread_attr_t *attributes,
                     void *(*function)(void *context), void *context);

/* Threads that are created after this call do not block the signal. */
void rl_thread_keep_unblocked(int signal);

/* Starts a thread that is never joined. Returns 0 or an errno value. */
int rl_thread_start(void *(*function)(void *context), void *context);

#endif
