/*
 * Tracers: which loops are traced.
 */

#ifndef RL_TRACER_H
#define RL_TRACER_H

#include "base/object.h"

struct rl_loop;

/* To be called when a loop has entered the table. Traces it if all loops are traced. */
void rl_trace_loop_made(struct rl_loop *loop);

/* To be called at the end of the loop's thread. Ends the tracing of the loop for good. */
void rl_trace_loop_ended(struct rl_loop *loop);

#endif
