/*
 * Threads of the engine's own, for what the system can only do by blocking.
 */

#ifndef RL_THREAD_H
#define RL_THREAD_H

/*
 * Starts a thread that is never joined, and in which no signal handler of the client's runs.
 * Returns 0 or an errno value.
 */
int rl_thread_start(void *(*function)(void *context), void *context);

#endif
