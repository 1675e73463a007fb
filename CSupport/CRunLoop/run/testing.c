/*
 * What RLTesting.h declares, beside the clocks of test_clock.c, and the hooks of clock.c and
 * host_lookup.c.
 */

#include "base/hint.h"
#include "loop/activation.h"
#include "loop/block.h"
#include "loop/describe.h"
#include "loop/loop.h"
#include "loop/mode.h"
#include "run/advance.h"
#include "run/test_clock.h"

#include <CRunLoop/RLTesting.h>

#include <stdlib.h>

static RLStringRef describe_block(const struct rl_block_state *block)
{
    struct rl_text text = {0};
    rl_text_add(&text, "closure in mode ");
    RLStringRef mode = block->mode ? block->mode->name : kRLRunLoopCommonModes;
    rl_text_add_string(&text, (RLStringRef)RLRetain(mode));
    if (block->mode_count > 1) rl_text_add(&text, " and %zu more", block->mode_count - 1);
    rl_text_add(&text, ", queued and not called: ");
    rl_describe_callout(&text, block->function);
    return rl_text_finish(&text);
}

RLArrayRef RLTestingCopyBlocks(RLRunLoopRef loop)
{
    size_t count;
    struct rl_block_state *blocks = rl_block_copy_states(rl_loop_checked(loop, __func__), &count);
    RLMutableArrayRef lines =
        RLArrayCreateMutable(kRLAllocatorDefault, (RLIndex)count, &kRLTypeArrayCallBacks);
    for (size_t i = 0; i < count; i++) {
        RLStringRef line = describe_block(&blocks[i]);
        RLArrayAppendValue(lines, line);
        RLRelease(line);
    }
    free(blocks);
    return lines;
}

/* --- Runs that let time pass ------------------------------------------------------------------ */

/* Runs the loop until the advance arrives. Returns whether a client has stopped a run of it. */
static bool run_advance(const struct rl_advance *advance, RLRunLoopMode mode)
{
    bool was_stopped = false;
    RLRunLoopRunResult result;
    do {
        result = RLRunLoopRunInMode(mode, RL_LONGEST_INTERVAL * 2, false);
        was_stopped |= result == kRLRunLoopRunStopped && !rl_advance_has_arrived(advance);
    } while (!rl_advance_has_arrived(advance) && result != kRLRunLoopRunFinished);
    return was_stopped;
}

/* Runs the calling thread's loop until it would sleep at the end of so many nanoseconds. */
static void make_advance(struct rl_loop *loop, struct RLOpaqueTestClock *clock, int64_t distance_ns,
                         RLRunLoopMode mode, const char *function)
{
    RLRunLoopMode current = loop->activation ? loop->activation->mode->name : NULL;
    if (!mode) mode = current ? current : kRLRunLoopDefaultMode;
    bool was_stopped = run_advance(rl_advance_begin(loop, clock, distance_ns, function), mode);
    rl_advance_end(loop);
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

/* --- Hooks of the engine's own tests ------------------------------------------------------------
 */

#if defined(RL_TESTING)

Boolean RLTestingIsAvailable(void)
{
    return true;
}

void RLTestingVerifyLoop(RLRunLoopRef loop)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    rl_lock(&self->lock);
    rl_mode_verify(&self->common_items);
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &self->modes, link) {
        rl_mode_verify(mode);
    }
    rl_unlock(&self->lock);
}

void RLTestingSetHints(Boolean areWanted)
{
    rl_hint_switch(areWanted);
}

void RLTestingSetHintHandler(void (*handler)(const char *line))
{
    rl_hint_set_handler(handler);
}

#else

void RLTestingSetHints(Boolean areWanted)
{
    (void)areWanted;
}

void RLTestingSetHintHandler(void (*handler)(const char *line))
{
    (void)handler;
}

Boolean RLTestingIsAvailable(void)
{
    return false;
}

void RLTestingSetBeforeLookup(void (*function)(void))
{
    (void)function;
}

void RLTestingSetFirstAddress(const char *address)
{
    (void)address;
}

void RLTestingVerifyLoop(RLRunLoopRef loop)
{
    (void)loop;
}

#endif
