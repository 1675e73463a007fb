#include "base/kernel.h"
#include "loop/loop.h"

#include <limits.h>

static UInt64 read_counter(const atomic_uint_fast64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Returns 0 if the moment is not set. */
static UInt64 nanoseconds_since(const atomic_uint_fast64_t *began_ns, uint64_t now_ns)
{
    uint64_t began = read_counter(began_ns);
    return began != 0 && began < now_ns ? now_ns - began : 0;
}

void RLRunLoopGetStatistics(RLRunLoopRef loop, RLRunLoopStatistics *statistics)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    if (!statistics) rl_client_error(__func__, "argument `statistics` must not be null");
    const struct rl_statistics *from = &self->statistics;
    uint64_t now_ns = (uint64_t)rl_kernel_monotonic_ns();
    UInt64 asleep =
        read_counter(&from->asleep_ns) + nanoseconds_since(&from->sleep_began_ns, now_ns);
    UInt64 in_runs =
        read_counter(&from->running_ns) + nanoseconds_since(&from->run_began_ns, now_ns);
    *statistics = (RLRunLoopStatistics){
        .runs = read_counter(&from->runs),
        .passes = read_counter(&from->passes),
        .sleeps = read_counter(&from->sleeps),
        .wakeUpsByToken = read_counter(&from->wake_ups[RL_EVENT_WAKE_UP]),
        .wakeUpsByTimer = read_counter(&from->wake_ups[RL_EVENT_TIMER]),
        .wakeUpsByDescriptor = read_counter(&from->wake_ups[RL_EVENT_DESCRIPTOR]),
        .wakeUpsByMainQueue = read_counter(&from->wake_ups[RL_EVENT_MAIN_QUEUE]),
        .wakeUpsByTimeout = read_counter(&from->wake_ups[RL_EVENT_NONE]),
        .observerCallouts = read_counter(&from->callouts[kRLRunLoopPhaseObserver]),
        .blockCallouts = read_counter(&from->callouts[kRLRunLoopPhaseBlock]),
        .source0Callouts = read_counter(&from->callouts[kRLRunLoopPhaseSource0]),
        .source1Callouts = read_counter(&from->callouts[kRLRunLoopPhaseSource1]),
        .timerCallouts = read_counter(&from->callouts[kRLRunLoopPhaseTimer]),
        .mainQueueCallouts = read_counter(&from->callouts[kRLRunLoopPhaseMainQueue]),
        .nanosecondsAsleep = asleep,
        .nanosecondsRunning = in_runs > asleep ? in_runs - asleep : 0,
        .phase = (RLRunLoopPhase)atomic_load(&from->phase),
        .nanosecondsInPhase = nanoseconds_since(&from->phase_began_ns, now_ns),
        .callout = atomic_load(&from->callout),
        .threadID = self->thread_id,
    };
}
