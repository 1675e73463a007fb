/*
 * Runs that let time pass by the clock of a test: until the clock has been advanced, or until the
 * loop would sleep.
 */

#include "loop/activation.h"
#include "run/passage.h"
#include "run/test_clock.h"

/* Runs the loop until the passage arrives. Returns whether a client has stopped a run of it. */
static bool run_passage(const struct rl_passage *passage, RLRunLoopMode mode)
{
    bool was_stopped = false;
    RLRunLoopRunResult result;
    do {
        result = RLRunLoopRunInMode(mode, RL_LONGEST_INTERVAL * 2, false);
        was_stopped |= result == kRLRunLoopRunStopped && !rl_passage_has_arrived(passage);
    } while (!rl_passage_has_arrived(passage) && result != kRLRunLoopRunFinished);
    return was_stopped;
}

/* Runs the calling thread's loop until it would sleep at the end of so many nanoseconds. */
static void make_passage(struct rl_loop *loop, struct RLOpaqueTestClock *clock, int64_t distance_ns,
                         RLRunLoopMode mode, const char *function)
{
    RLRunLoopMode current = loop->activation ? loop->activation->mode->name : NULL;
    if (!mode) mode = current ? current : kRLRunLoopDefaultMode;
    bool was_stopped = run_passage(rl_passage_begin(loop, clock, distance_ns, function), mode);
    rl_passage_end(loop);
    /* It was meant for the run in whose callback this is. */
    if (was_stopped && loop->activation) RLRunLoopStop(rl_loop_ref(loop));
}

void RLTestClockAdvance(RLTestClockRef clock, SInt64 nanoseconds, RLRunLoopMode mode)
{
    struct RLOpaqueTestClock *self = rl_test_clock_checked(clock, __func__);
    if (nanoseconds < 0) {
        rl_client_error(__func__, "time does not go back: argument `nanoseconds` is %lld",
                        (long long)nanoseconds);
    }
    if (mode) rl_expect_string(mode, __func__, "mode");
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return;
    make_passage(rl_loop_checked(current, __func__), self, nanoseconds, mode, __func__);
}

void RLTestingRunUntilIdle(RLRunLoopMode mode)
{
    if (mode) rl_expect_string(mode, __func__, "mode");
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return;
    struct rl_loop *loop = rl_loop_checked(current, __func__);
    make_passage(loop, rl_test_clock_of(loop), 0, mode, __func__);
}
