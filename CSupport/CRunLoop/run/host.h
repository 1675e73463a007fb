/*
 * A loop that is served inside another event loop: it waits with the host's thread, not by itself.
 */

#ifndef RL_HOST_H
#define RL_HOST_H

#include <stdbool.h>

struct rl_loop;

/* After each run of a hosted loop: makes the poll descriptor tell what is left to do. */
void rl_host_rest(struct rl_loop *loop);

/* The outermost run of a hosted loop begins, or the hosting ends: it does not wait any more. */
void rl_host_stir(struct rl_loop *loop);

/* Whether the poll descriptor is readable. */
bool rl_host_is_called(struct rl_loop *loop);

/* Ends the hosting, if there is one, and says so to the client. */
void rl_host_end(struct rl_loop *loop, bool is_thread_ending);

/* The child of a fork has no host, and nobody is told. */
void rl_host_forget(struct rl_loop *loop);

#endif
