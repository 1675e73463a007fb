/* Hosted loops: loops whose wait is part of another event loop's wait. */

#ifndef RL_HOST_H
#define RL_HOST_H

#include <stdbool.h>

struct rl_loop;

/*
 * Call this when a run of a hosted loop has ended, after its call was taken back. Makes the poll
 * descriptor readable if work is left, or if a wake-up came during the run.
 */
void rl_host_end_run(struct rl_loop *loop, bool was_woken);

/* Call this instead of a run if the mode is empty. */
void rl_host_skip_run(struct rl_loop *loop);

/*
 * Call this when the outermost run of a hosted loop begins, or the hosting ends: the loop no longer
 * waits.
 */
void rl_host_begin_run(struct rl_loop *loop);

/* Returns whether the poll descriptor is readable. */
bool rl_host_is_called(struct rl_loop *loop);

/* Ends the hosting, if the loop is hosted, and notifies the client. */
void rl_host_end(struct rl_loop *loop, bool is_thread_ending);

/* For the child of a fork: does not notify the client. */
void rl_host_forget(struct rl_loop *loop);

#endif
