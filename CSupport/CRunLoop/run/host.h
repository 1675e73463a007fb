/* Hosted loops: another event loop, the host, waits on behalf of the loop. */

#ifndef RL_HOST_H
#define RL_HOST_H

#include <stdbool.h>

struct rl_loop;

/*
 * Call this at the end of a run, after rl_wake_take_back. Makes the poll descriptor readable if
 * work is left, or if a wake-up came during the run.
 */
void rl_host_end_run(struct rl_loop *loop, bool was_woken);

/* Call this instead of a run if the mode is empty. */
void rl_host_skip_run(struct rl_loop *loop);

/* Call this when the outermost run begins, or when the hosting ends. */
void rl_host_begin_run(struct rl_loop *loop);

bool rl_host_is_called(struct rl_loop *loop);

/* Notifies the client. Does nothing if the loop is not hosted. */
void rl_host_end(struct rl_loop *loop, bool is_thread_ending);

/* Ends the hosting in a forked child, without a notification. */
void rl_host_forget(struct rl_loop *loop);

#endif
