/*
 * The end of a thread, as its loop sees it.
 */

#ifndef RL_THREAD_END_H
#define RL_THREAD_END_H

struct rl_loop;

/*
 * The steps at the end of a loop's thread, in order, up to a null; set in
 * engine/thread_end_steps.c. The steps end the loop's runs and empty it: sources, observers,
 * timers, blocks and the counterpart of a wrapping library, with the callbacks of each. The caller
 * has a reference, so that the loop outlives whatever these callbacks do with it.
 */
extern void (*const rl_thread_end_steps[])(struct rl_loop *loop);

/*
 * Has the loop take no items or blocks from here on, and ends its runs. The thread's frames are
 * gone, even if it left a callback by pthread_exit.
 */
void rl_thread_end_close(struct rl_loop *loop);

/*
 * Releases the items that rounds of callbacks still hold. No item counts as being called after
 * that, even if its callback was left by pthread_exit.
 */
void rl_thread_end_release_held(struct rl_loop *loop);

/*
 * Empties the loop in the order of LIFE-12. A source's `cancel` may still run the loop (LIFE-14).
 * When the sources are gone, all other items and the blocks leave together before any is released,
 * so that no release can run one of them.
 */
void rl_thread_end_empty(struct rl_loop *loop);

#endif
