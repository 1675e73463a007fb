/*
 * Tracers: which loops are traced.
 */

#ifndef RL_TRACER_H
#define RL_TRACER_H

#include "base/object.h"

struct rl_loop;

/* A loop is in the table now: all loops may be traced. */
void rl_trace_loop_made(struct rl_loop *loop);

/* The loop's thread is at its end. The loop is not traced any more, and never will be again. */
void rl_trace_loop_ended(struct rl_loop *loop);

/* Around a fork, outside of all other locks. */
void rl_trace_prepare_fork(void);
void rl_trace_unlock_after_fork(void);

extern const struct rl_class rl_tracer_class;

#endif
