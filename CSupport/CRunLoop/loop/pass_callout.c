#include "loop/pass_callout.h"

#include "base/kernel.h"
#include "loop/block_entry.h"
#include "loop/callout.h"
#include "loop/loop.h"
#include "loop/report.h"
#include "loop/source.h"

/* Makes backtraces show the function by name: never inlined, and with an exported symbol. */
#define NAMED_IN_BACKTRACES __attribute__((noinline, visibility("default")))

/* The phase and callback that a nested callback interrupts, and the nested callback's object. */
struct interruption {
    int phase;
    const void *callout;
    const void *object;
};

static struct interruption begin_callout(struct rl_loop *loop, RLRunLoopPhase phase,
                                         const void *function, const void *object)
{
    struct rl_statistics *statistics = &loop->statistics;
    struct interruption outer = {atomic_load_explicit(&statistics->phase, memory_order_relaxed),
                                 atomic_load_explicit(&statistics->callout, memory_order_relaxed),
                                 object};
    rl_statistics_add(&statistics->callouts[phase], 1);
    atomic_store_explicit(&statistics->callout, function, memory_order_relaxed);
    atomic_store_explicit(&statistics->phase_began_ns, (uint64_t)rl_kernel_coarse_ns(),
                          memory_order_relaxed);
    atomic_store_explicit(&statistics->phase, phase, memory_order_relaxed);
    /* The callback may run the host's loop, and the host must then serve this loop. */
    if (loop->host_mode) rl_wake_call_host(&loop->wake);
    RL_PROBE(callout_begin, loop, rl_loop_current_c_name(loop), object, function);
    rl_trace_begin_callout(loop, phase, function, object);
    return outer;
}

static void end_callout(struct rl_loop *loop, struct interruption outer)
{
    rl_trace_end_callout(loop);
    struct rl_statistics *statistics = &loop->statistics;
    RL_PROBE(callout_end, loop, rl_loop_current_c_name(loop), outer.object,
             atomic_load_explicit(&statistics->callout, memory_order_relaxed));
    atomic_store_explicit(&statistics->callout, outer.callout, memory_order_relaxed);
    atomic_store_explicit(&statistics->phase_began_ns, (uint64_t)rl_kernel_coarse_ns(),
                          memory_order_relaxed);
    atomic_store_explicit(&statistics->phase, outer.phase, memory_order_relaxed);
}

NAMED_IN_BACKTRACES void __RLRUNLOOP_IS_CALLING_OUT_TO_AN_OBSERVER_CALLBACK_FUNCTION__(
    RLRunLoopObserverCallBack function, RLRunLoopObserverRef observer, RLRunLoopActivity activity,
    void *info)
{
    function(observer, activity, info);
    RL_STAY_ON_THE_STACK;
}

NAMED_IN_BACKTRACES void
__RLRUNLOOP_IS_CALLING_OUT_TO_A_TIMER_CALLBACK_FUNCTION__(RLRunLoopTimerCallBack function,
                                                          RLRunLoopTimerRef timer, void *info)
{
    function(timer, info);
    RL_STAY_ON_THE_STACK;
}

NAMED_IN_BACKTRACES void __RLRUNLOOP_IS_CALLING_OUT_TO_A_BLOCK__(const struct rl_block *entry)
{
    if (entry->body) {
        entry->body();
    } else {
        entry->storage.call.function(rl_block_entry_info_of(entry));
    }
    RL_STAY_ON_THE_STACK;
}

NAMED_IN_BACKTRACES void
__RLRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE0_PERFORM_FUNCTION__(void (*perform)(void *), void *info)
{
    perform(info);
    RL_STAY_ON_THE_STACK;
}

NAMED_IN_BACKTRACES void
__RLRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE1_PERFORM_FUNCTION__(void (*perform)(void *), void *info)
{
    perform(info);
    RL_STAY_ON_THE_STACK;
}

NAMED_IN_BACKTRACES void __RLRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE2_PERFORM_FUNCTION__(
    const struct rl_source *source, RLRunLoopDescriptorEvents ready, uint64_t fetch)
{
    const struct rl_source_more *more = source->more;
    if (more->owner && more->owner->serve) {
        more->owner->serve(source->info, ready, fetch);
    } else {
        more->context.v2.perform(source->info, ready);
    }
    RL_STAY_ON_THE_STACK;
}

NAMED_IN_BACKTRACES void __RLRUNLOOP_IS_SERVICING_THE_MAIN_DISPATCH_QUEUE__(void (*serve)(void *))
{
    serve(NULL);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_observer(struct rl_loop *loop, RLRunLoopObserverCallBack function,
                         RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    struct interruption outer =
        begin_callout(loop, kRLRunLoopPhaseObserver, (const void *)(uintptr_t)function, observer);
    __RLRUNLOOP_IS_CALLING_OUT_TO_AN_OBSERVER_CALLBACK_FUNCTION__(function, observer, activity,
                                                                  info);
    end_callout(loop, outer);
}

void rl_callout_timer(struct rl_loop *loop, RLRunLoopTimerCallBack function,
                      RLRunLoopTimerRef timer, void *info)
{
    struct interruption outer =
        begin_callout(loop, kRLRunLoopPhaseTimer, (const void *)(uintptr_t)function, timer);
    __RLRUNLOOP_IS_CALLING_OUT_TO_A_TIMER_CALLBACK_FUNCTION__(function, timer, info);
    end_callout(loop, outer);
}

void rl_callout_block(struct rl_loop *loop, const struct rl_block *entry)
{
    struct interruption outer =
        begin_callout(loop, kRLRunLoopPhaseBlock, rl_block_entry_function_of(entry), entry);
    __RLRUNLOOP_IS_CALLING_OUT_TO_A_BLOCK__(entry);
    end_callout(loop, outer);
}

void rl_callout_source0(struct rl_loop *loop, const void *source, void (*perform)(void *),
                        void *info)
{
    struct interruption outer =
        begin_callout(loop, kRLRunLoopPhaseSource0, (const void *)(uintptr_t)perform, source);
    __RLRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE0_PERFORM_FUNCTION__(perform, info);
    end_callout(loop, outer);
}

void rl_callout_source1(struct rl_loop *loop, const void *source, void (*perform)(void *),
                        void *info)
{
    struct interruption outer =
        begin_callout(loop, kRLRunLoopPhaseSource1, (const void *)(uintptr_t)perform, source);
    __RLRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE1_PERFORM_FUNCTION__(perform, info);
    end_callout(loop, outer);
}

void rl_callout_source2(struct rl_loop *loop, const struct rl_source *source,
                        RLRunLoopDescriptorEvents ready, uint64_t fetch)
{
    struct interruption outer =
        begin_callout(loop, kRLRunLoopPhaseSource1, rl_source_perform_address(source), source);
    __RLRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE2_PERFORM_FUNCTION__(source, ready, fetch);
    end_callout(loop, outer);
}

void rl_callout_main_queue(struct rl_loop *loop, void (*serve)(void *))
{
    struct interruption outer =
        begin_callout(loop, kRLRunLoopPhaseMainQueue, (const void *)(uintptr_t)serve, NULL);
    __RLRUNLOOP_IS_SERVICING_THE_MAIN_DISPATCH_QUEUE__(serve);
    end_callout(loop, outer);
}
