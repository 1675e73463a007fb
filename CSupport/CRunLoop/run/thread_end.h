/*
 * The end of a thread, as its loop sees it.
 */

#ifndef RL_THREAD_END_H
#define RL_THREAD_END_H

struct rl_loop;

/*
 * What is done with a loop whose thread ends, in order, up to a null; set in
 * engine/thread_end_steps.c. The steps end the loop's runs and empty it: sources, observers,
 * timers, blocks and the counterpart of a wrapping library, with all callbacks that this means. The
 * caller has a reference, so that these callbacks find the loop in order, whatever they do with it.
 */
extern void (*const rl_thread_end_steps[])(struct rl_loop *loop);

/*
 * Has the loop take nothing from here on, and ends its runs: the thread's frames are gone, even if
 * it left a callback by pthread_exit.
 */
void rl_thread_end_close(struct rl_loop *loop);

/*
 * Releases the items that rounds of callbacks still hold. They count as being called no longer,
 * whatever callback was left by pthread_exit.
 */
void rl_thread_end_release_held(struct rl_loop *loop);

/*
 * Empties the loop in the order of LIFE-12. A source's `cancel` may still run the loop (LIFE-14).
 * When the sources are gone all else leaves at once, before anything of it is released, so that no
 * release runs a part of it.
 */
void rl_thread_end_empty(struct rl_loop *loop);

#endif
