/*
 * What wrapping libraries keep with a loop.
 */

#ifndef RL_WRAPPING_H
#define RL_WRAPPING_H

struct rl_loop;

/* Calls the functions that wait for the end of the loop's thread. */
void rl_loop_tell_end(struct rl_loop *loop);

/* Gives up the object of a wrapping library when the loop's thread has ended. */
void rl_loop_release_counterpart(struct rl_loop *loop);

#endif
