/*
 * The end of a thread, as its loop sees it.
 */

#ifndef RL_THREAD_END_H
#define RL_THREAD_END_H

struct rl_loop;

/*
 * Ends all runs of a loop whose thread ends, and empties the loop: sources, observers, timers,
 * blocks and the counterpart of a wrapping library, with all callbacks that this means. The caller
 * has a reference, so that these callbacks find the loop in order, whatever they do with it. From
 * the beginning on it takes nothing more, so that it is empty when this returns, and its
 * destruction calls nobody.
 */
void rl_thread_end_empty(struct rl_loop *loop);

/*
 * Debug builds say, once, that a loop has items or blocks and never ran, at the end of a thread or
 * process, or when the main thread begins to end.
 */
void rl_thread_end_hint(struct rl_loop *loop, const char *what_ends);

#endif
