/*
 * Where a traced loop tells its recording what it does. The loop's thread calls these functions;
 * without a recording each costs one comparison.
 */

#ifndef RL_TRACE_H
#define RL_TRACE_H

#include "loop/loop.h"

#include <CRunLoop/RLRunLoopTracer.h>

/* How many loops are traced. */
extern atomic_uint rl_trace_count;

void rl_trace_begin_callout_slow(struct rl_loop *loop, RLRunLoopPhase phase, const void *function,
                                 const void *object);
void rl_trace_end_callout_slow(struct rl_loop *loop);
void rl_trace_sleep_slow(struct rl_loop *loop);
void rl_trace_wake_up_slow(struct rl_loop *loop, RLRunLoopWakeReason reason, uint32_t slot);
void rl_trace_begin_activity_slow(struct rl_loop *loop, RLRunLoopActivity activity);
void rl_trace_end_activity_slow(struct rl_loop *loop, RLRunLoopActivity activity);
void rl_trace_block_slow(const void *block);

static inline bool rl_trace_is_on(struct rl_loop *loop)
{
    return RL_UNLIKELY(atomic_load_explicit(&loop->recording, memory_order_relaxed) != NULL);
}

static inline void rl_trace_begin_callout(struct rl_loop *loop, RLRunLoopPhase phase,
                                          const void *function, const void *object)
{
    if (rl_trace_is_on(loop)) rl_trace_begin_callout_slow(loop, phase, function, object);
}

/* To be called while the statistics still name the function. */
static inline void rl_trace_end_callout(struct rl_loop *loop)
{
    if (rl_trace_is_on(loop)) rl_trace_end_callout_slow(loop);
}

static inline void rl_trace_sleep(struct rl_loop *loop)
{
    if (rl_trace_is_on(loop)) rl_trace_sleep_slow(loop);
}

/* `slot` is that of the descriptor, if there is one, in the current mode's wait set. */
static inline void rl_trace_wake_up(struct rl_loop *loop, RLRunLoopWakeReason reason, uint32_t slot)
{
    if (rl_trace_is_on(loop)) rl_trace_wake_up_slow(loop, reason, slot);
}

/* To be called in a callback that only calls a block: names the block's function. */
static inline void rl_trace_block(const void *block)
{
    if (RL_UNLIKELY(atomic_load_explicit(&rl_trace_count, memory_order_relaxed) != 0)) {
        rl_trace_block_slow(block);
    }
}

/* To be called in a callback of the engine's own that calls a client's: names the client's. */
static inline void rl_trace_function(const void *function)
{
    if (RL_UNLIKELY(atomic_load_explicit(&rl_trace_count, memory_order_relaxed) != 0)) {
        RLRunLoopNoteCalloutFunction(function);
    }
}

/*
 * Trace an activity, before and after its observers are told. Called only if an observer or the
 * tracer wants the activity, so that other passes pay nothing.
 */
static inline void rl_trace_begin_activity(struct rl_loop *loop, RLRunLoopActivity activity)
{
    if (rl_trace_is_on(loop)) rl_trace_begin_activity_slow(loop, activity);
}

static inline void rl_trace_end_activity(struct rl_loop *loop, RLRunLoopActivity activity)
{
    if (rl_trace_is_on(loop)) rl_trace_end_activity_slow(loop, activity);
}

/* In the child of a fork no other thread is at an entry of its recording. */
static inline void rl_trace_settle_child(struct rl_loop *loop)
{
    atomic_store(&loop->is_recording, false);
}

#endif
