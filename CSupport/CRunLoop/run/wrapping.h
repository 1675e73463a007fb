/*
 * What wrapping libraries keep with a loop.
 */

#ifndef RL_WRAPPING_H
#define RL_WRAPPING_H

struct rl_loop;

/* Gives the object of a wrapping library up: the thread has ended. */
void rl_loop_release_counterpart(struct rl_loop *loop);

#endif
