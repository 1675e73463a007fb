/*
 * The interface between loops and reporting: static probes, traces, hints and descriptions. The
 * files of `report/` define these functions, and may call `loop/` and `run/`; those call nothing
 * else of `report/` but RL_HINT. So reporting can be read and changed without the loop.
 */

#ifndef RL_REPORT_H
#define RL_REPORT_H

#include "base/hint.h"
#include "loop/loop.h"

#include <CRunLoop/RLRunLoopTracer.h>

/* --- Probes ----------------------------------------------------------------------------------- */

/*
 * Static probes: places at which perf, bpftrace, SystemTap and gdb can inspect any process that
 * uses the engine. Each is a no-op instruction until a tool enables it. `readelf -n` lists them;
 * the provider is `crunloop`. A mode is its name, a C string. The arguments:
 *
 *     run_begin, sleep            loop, mode
 *     run_end                     loop, result: an RLRunLoopRunResult
 *     wake_up                     loop, mode, the source whose descriptor is ready or null, what
 *                                 ended the sleep: an RLRunLoopWakeReason
 *     callout_begin, callout_end  loop, mode, item or null for the main queue, function
 *
 *     perf buildid-cache --add ./app && perf probe 'sdt_crunloop:*'
 *     bpftrace -e 'usdt:./app:crunloop:callout_begin { @[usym(arg3)] = count(); }'
 *
 * The build has probes if <sys/sdt.h> exists; -DRL_HAS_PROBES=0 or =1 overrides this.
 */

#if !defined(RL_HAS_PROBES)
#if __has_include(<sys/sdt.h>)
#define RL_HAS_PROBES 1
#else
#define RL_HAS_PROBES 0
#endif
#endif

#if RL_HAS_PROBES
/*
 * Passes arguments in registers: clang prefers memory, and writes them there first. perf also drops
 * constants, so that the places of a probe would differ, and the kernel would refuse all of them.
 */
#define STAP_SDT_ARG_CONSTRAINT r
#define SDT_USE_VARIADIC
#include <sys/sdt.h>
#define RL_PROBE(...) STAP_PROBEV(crunloop, __VA_ARGS__)
#else
#define RL_PROBE(...) ((void)0)
#endif

/* --- Traces ----------------------------------------------------------------------------------- */

/*
 * A traced loop writes its activity to its recording. The loop's thread calls these functions;
 * without a recording each costs one comparison.
 */

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

/* Call this while the statistics still name the function. */
static inline void rl_trace_end_callout(struct rl_loop *loop)
{
    if (rl_trace_is_on(loop)) rl_trace_end_callout_slow(loop);
}

static inline void rl_trace_sleep(struct rl_loop *loop)
{
    if (rl_trace_is_on(loop)) rl_trace_sleep_slow(loop);
}

/* `slot` is the descriptor's slot in the current mode's wait set, if the reason is a descriptor. */
static inline void rl_trace_wake_up(struct rl_loop *loop, RLRunLoopWakeReason reason, uint32_t slot)
{
    if (rl_trace_is_on(loop)) rl_trace_wake_up_slow(loop, reason, slot);
}

/* Call this in a callback that only calls a block. Records the block's function. */
static inline void rl_trace_block(const void *block)
{
    if (RL_UNLIKELY(atomic_load_explicit(&rl_trace_count, memory_order_relaxed) != 0)) {
        rl_trace_block_slow(block);
    }
}

/*
 * Call this in a callback of the engine that calls a client's function. Records the client's
 * function.
 */
static inline void rl_trace_function(const void *function)
{
    if (RL_UNLIKELY(atomic_load_explicit(&rl_trace_count, memory_order_relaxed) != 0)) {
        RLRunLoopNoteCalloutFunction(function);
    }
}

/*
 * Trace an activity, before and after its observers are notified. Called only if an observer or the
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

/* Call this when a loop has entered the table. Traces it if all loops are traced. */
void rl_trace_loop_made(struct rl_loop *loop);

/* Call this at the end of the loop's thread. Stops tracing the loop for good. */
void rl_trace_loop_ended(struct rl_loop *loop);

/* --- Hints ------------------------------------------------------------------------------------ */

/*
 * Hints, once, that a loop has items or blocks and never ran. Called at the end of a thread or
 * process, and when the main thread begins to end. This is the most common mistake of clients.
 */
void rl_loop_hint_at_end(struct rl_loop *loop, const char *what_ends);

/*
 * Hints, once, that the loop has slept although another thread had queued a block for the mode, or
 * had signalled one of its sources. For the loop's thread, after a sleep that did not end by a
 * wake-up; `slept_ns` is its beginning.
 */
void rl_loop_hint_at_sleep(struct rl_mode *mode, int64_t slept_ns);

/* Hints, once, that a source's descriptor was closed. For the loop's thread, at each sleep. */
void rl_loop_hint_at_closed(struct rl_mode *mode);

/*
 * Hints, once, that a loop is about to sleep although another loop of its thread has work, which
 * the check of RLRunLoopSetSleepCheck has found. For the loop's thread; `limit_ns` is the sleep's
 * limit.
 */
void rl_loop_hint_before_sleep(struct rl_mode *mode, int64_t limit_ns);

/* --- Descriptions ----------------------------------------------------------------------------- */

/* Return the descriptions of a loop and of each kind of item, as CF prints them. */
RLStringRef rl_describe_loop(RLTypeRef loop);
RLStringRef rl_describe_source(RLTypeRef source);
RLStringRef rl_describe_observer(RLTypeRef observer);
RLStringRef rl_describe_timer(RLTypeRef timer);

#endif
