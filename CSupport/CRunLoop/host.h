/*
 * A loop that is served inside another event loop: it waits with the host's thread, not by itself.
 */

#ifndef RL_HOST_H
#define RL_HOST_H

struct rl_loop;

/* Around an outermost run of a hosted loop: the wait ends, and begins again. */
void rl_host_suspend(struct rl_loop *loop);
void rl_host_resume(struct rl_loop *loop);

#endif
