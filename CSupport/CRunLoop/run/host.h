/*
 * A loop that is served inside another event loop: it waits with the host's thread, not by itself.
 */

#ifndef RL_HOST_H
#define RL_HOST_H

#include <stdbool.h>

struct rl_loop;

/*
 * To be called when a run of a hosted loop has ended, after its call was taken back: makes the poll
 * descriptor readable if work is left, or if a wake-up came during the run.
 */
void rl_host_end_run(struct rl_loop *loop, bool was_woken);

/* To be called in place of a run if the mode has nothing in it. */
void rl_host_skip_run(struct rl_loop *loop);

/*
 * To be called when the outermost run of a hosted loop begins, or the hosting ends: the loop no
 * longer waits.
 */
void rl_host_begin_run(struct rl_loop *loop);

/* Returns whether the poll descriptor is readable. */
bool rl_host_is_called(struct rl_loop *loop);

/* Ends the hosting, if any, and notifies the client. */
void rl_host_end(struct rl_loop *loop, bool is_thread_ending);

/* Forgets the host in the child of a fork, without a notification. */
void rl_host_forget(struct rl_loop *loop);

#endif
