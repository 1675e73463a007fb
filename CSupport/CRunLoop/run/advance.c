#include "run/advance.h"

#include "run/test_clock.h"
#include "run/thread_end.h"

#include <stdlib.h>

static void take_over_clock(struct rl_advance *advance, struct rl_loop *loop, const char *function)
{
    struct RLOpaqueTestClock *clock = advance->clock;
    struct RLOpaqueTestClock *own = rl_test_clock_of(loop);
    if (own && own != clock) {
        rl_client_error(function,
                        "run loop %p of this thread uses another test clock: advance that clock, "
                        "or end it first",
                        (void *)loop);
    }
    rl_lock(&clock->lock);
    if (clock->advancer && clock->advancer != loop) {
        const struct rl_loop *other = clock->advancer;
        rl_client_error(
            function,
            "thread %d is advancing test clock %p: advance a clock on one thread at a time",
            (int)other->thread_id, (void *)clock);
    }
    advance->outer_advancer = clock->advancer;
    clock->advancer = loop;
    clock->waits_since_ns = 0;
    advance->is_guest = !own;
    if (advance->is_guest) rl_test_clock_include(clock, loop);
    rl_unlock(&clock->lock);
}

static struct rl_advance *begin_advance(struct rl_loop *loop, struct RLOpaqueTestClock *clock,
                                        int64_t distance_ns, const char *function)
{
    struct rl_advance *advance = rl_allocate(sizeof *advance);
    advance->clock = clock;
    if (!clock) return advance;
    take_over_clock(advance, loop, function);
    if (__builtin_add_overflow(atomic_load(&clock->now_ns), distance_ns, &advance->target_ns)) {
        advance->target_ns = RL_NEVER_NS;
    }
    rl_test_clock_expect_moment(clock, advance->target_ns, distance_ns, function);
    return advance;
}

static void end_advance(struct rl_advance *advance, struct rl_loop *loop)
{
    struct RLOpaqueTestClock *clock = advance->clock;
    if (clock) {
        rl_lock(&clock->lock);
        clock->advancer = advance->outer_advancer;
        if (advance->is_guest) rl_test_clock_exclude(clock, loop);
        rl_unlock(&clock->lock);
    }
    free(advance);
}

static void end_all_advances(struct rl_loop *loop)
{
    for (struct rl_activation *run = loop->activation; run; run = run->outer) {
        if (run->advance) end_advance(run->advance, loop);
        run->advance = NULL;
    }
}

RL_REGISTER_THREAD_END(RL_END_ADVANCES, end_all_advances)

/* Runs the loop until the clock has advanced by the distance and the loop would sleep. */
static void make_advance(struct rl_loop *loop, struct RLOpaqueTestClock *clock, int64_t distance_ns,
                         RLRunLoopMode mode, const char *function)
{
    RLRunLoopMode current = loop->activation ? loop->activation->mode->name : NULL;
    if (!mode) mode = current ? current : kRLRunLoopDefaultMode;
    struct rl_advance *advance = begin_advance(loop, clock, distance_ns, function);
    bool was_stopped = false;
    RLRunLoopRunResult result;
    do {
        result = rl_run_advance(loop, mode, advance);
        was_stopped |= result == kRLRunLoopRunStopped && !advance->has_arrived;
    } while (!advance->has_arrived && result != kRLRunLoopRunFinished);
    end_advance(advance, loop);
    /* A callback of the stopped outer run called this function, so the stop is repeated. */
    if (was_stopped && loop->activation) RLRunLoopStop(rl_loop_ref(loop));
}

void RLTestClockAdvance(RLTestClockRef clock, SInt64 nanoseconds, RLRunLoopMode mode)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    if (nanoseconds < 0) {
        rl_client_error(__func__,
                        "argument `nanoseconds` is %lld: pass 0 or more, as an advance cannot move "
                        "the clock back",
                        (long long)nanoseconds);
    }
    if (mode) rl_expect_string(mode, __func__, "mode");
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return;
    make_advance(rl_loop_checked(current, __func__), self, nanoseconds, mode, __func__);
}

void RLTestingRunUntilIdle(RLRunLoopMode mode)
{
    if (mode) rl_expect_string(mode, __func__, "mode");
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return;
    struct rl_loop *loop = rl_loop_checked(current, __func__);
    make_advance(loop, rl_test_clock_of(loop), 0, mode, __func__);
}
