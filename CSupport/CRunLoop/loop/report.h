/*
 * The interface between the loop and reporting: probes, traces, hints and descriptions. The files
 * of `report/` define these functions, and may call functions of `loop/` and `run/`. In the other
 * direction, `loop/` and `run/` call only these functions and RL_HINT.
 */

#ifndef RL_REPORT_H
#define RL_REPORT_H

#include "base/hint.h"
#include "loop/loop.h"

#include <CRunLoop/RLRunLoopTracer.h>

/* --- Probes ----------------------------------------------------------------------------------- */

/*
 * Static probes (USDT) for perf, bpftrace, SystemTap and gdb. A probe is a no-op instruction until
 * a tool enables it. `readelf -n` lists the probes; the provider is `crunloop`. A mode is passed as
 * its name, a C string. The arguments:
 *
 *     run_begin, sleep            loop, mode
 *     run_end                     loop, result: an RLRunLoopRunResult
 *     wake_up                     loop, mode, the source whose descriptor is ready or null,
 *                                 reason: an RLRunLoopWakeReason
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
 * With these macros, the arguments are passed in registers. By default, clang would first store
 * them to memory. Constants are passed in registers too: perf ignores constant arguments, so the
 * locations of a probe would differ in their arguments, and the kernel would reject the probe.
 */
#define STAP_SDT_ARG_CONSTRAINT r
#define SDT_USE_VARIADIC
#include <sys/sdt.h>
#define RL_PROBE(...) STAP_PROBEV(crunloop, __VA_ARGS__)
#else
#define RL_PROBE(...) ((void)0)
#endif

/* --- Traces ----------------------------------------------------------------------------------- */

/* Call these on the loop's thread. If the loop is not traced, a call costs one comparison. */

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

/* Call this before the statistics are reset, because it reads the callback from the statistics. */
static inline void rl_trace_end_callout(struct rl_loop *loop)
{
    if (rl_trace_is_on(loop)) rl_trace_end_callout_slow(loop);
}

static inline void rl_trace_sleep(struct rl_loop *loop)
{
    if (rl_trace_is_on(loop)) rl_trace_sleep_slow(loop);
}

/* For a descriptor, `slot` is its slot in the current mode's wait set. */
static inline void rl_trace_wake_up(struct rl_loop *loop, RLRunLoopWakeReason reason, uint32_t slot)
{
    if (rl_trace_is_on(loop)) rl_trace_wake_up_slow(loop, reason, slot);
}

/* Call this in a callback of the engine that only calls the client's block. */
static inline void rl_trace_block(const void *block)
{
    if (RL_UNLIKELY(atomic_load_explicit(&rl_trace_count, memory_order_relaxed) != 0)) {
        rl_trace_block_slow(block);
    }
}

/* Call this in a callback of the engine that only calls the client's function. */
static inline void rl_trace_function(const void *function)
{
    if (RL_UNLIKELY(atomic_load_explicit(&rl_trace_count, memory_order_relaxed) != 0)) {
        RLRunLoopNoteCalloutFunction(function);
    }
}

/* Called around the observers, only if an observer or the tracer wants the activity. */
static inline void rl_trace_begin_activity(struct rl_loop *loop, RLRunLoopActivity activity)
{
    if (rl_trace_is_on(loop)) rl_trace_begin_activity_slow(loop, activity);
}

static inline void rl_trace_end_activity(struct rl_loop *loop, RLRunLoopActivity activity)
{
    if (rl_trace_is_on(loop)) rl_trace_end_activity_slow(loop, activity);
}

/* The forked child has one thread, so no thread is writing an entry of the recording now. */
static inline void rl_trace_settle_child(struct rl_loop *loop)
{
    atomic_store(&loop->is_recording, false);
}

/* Traces a new loop if all loops are traced. Call this when the loop is in the loop table. */
void rl_trace_loop_made(struct rl_loop *loop);

void rl_trace_loop_ended(struct rl_loop *loop);

/* --- Hints ------------------------------------------------------------------------------------ */

/*
 * Gives a hint if a loop has items or blocks and has never run. This is the most common mistake of
 * clients. Called when a thread ends, when the main thread begins to end, and when the process
 * ends.
 */
void rl_loop_hint_at_end(struct rl_loop *loop, const char *what_ends);

/*
 * Gives a hint if the loop slept although another thread had queued a block for the mode or
 * signalled one of its sources. Called on the loop's thread after a sleep that began at `slept_ns`
 * and that no wake-up has ended.
 */
void rl_loop_hint_at_sleep(struct rl_mode *mode, int64_t slept_ns);

/* Gives a hint if a source's descriptor was closed. Called on the loop's thread at each sleep. */
void rl_loop_hint_at_closed(struct rl_mode *mode);

/*
 * Gives a hint if the check of RLRunLoopSetSleepCheck reports work of another loop of the thread.
 * Called on the loop's thread before a sleep until `limit_ns`.
 */
void rl_loop_hint_before_sleep(struct rl_mode *mode, int64_t limit_ns);

/* --- Descriptions ----------------------------------------------------------------------------- */

/* Return descriptions in CF's format, which the caller releases. */
RLStringRef rl_describe_loop(RLTypeRef loop);
RLStringRef rl_describe_source(RLTypeRef source);
RLStringRef rl_describe_observer(RLTypeRef observer);
RLStringRef rl_describe_timer(RLTypeRef timer);

#endif
