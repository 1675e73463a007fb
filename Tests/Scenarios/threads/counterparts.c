/*
 * Objects and functions that libraries leave with a loop until its thread ends, an extension of
 * ours.
 */

#include "scenario.h"

#include <CRunLoop/RLRunLoopWrapping.h>

static void release_loudly(void *counterpart)
{
    note(counterpart ? "released" : "released nothing");
}

static void counterparts(void)
{
    __block RLRunLoopRef other = NULL;
    RLRunLoopRef loop = this_loop();
    check(RLRunLoopGetCounterpart(loop) == NULL);
    elsewhere(^{
        static char first, second;
        other = (RLRunLoopRef)(uintptr_t)RLRetain(this_loop());
        check(RLRunLoopSetCounterpart(other, &first, release_loudly) == &first);
        check(RLRunLoopSetCounterpart(other, &second, release_loudly) == &first);
        check(RLRunLoopGetCounterpart(other) == &first);
    });
    check(RLRunLoopGetCounterpart(other) == NULL);
    check(RLRunLoopSetCounterpart(other, &other, NULL) == NULL);
    RLRelease(other);
}
SCENARIO(counterparts,
         .title = "A loop keeps one object for a library until its thread ends",
         .clauses = "extension SPI-5",
         .rl_only = true,
         .expected = "released")

static RLRunLoopEndWatch own_watch;

static void note_end(void *info)
{
    note("%s", (const char *)info);
    check(RLRunLoopHasEnded(this_loop()));
}

static void forget_own_watch(void *loop)
{
    note("forgets %s", RLRunLoopForgetEnd(loop, own_watch) ? "in time" : "when called");
}

static void end_watches(void)
{
    __block RLRunLoopRef other = NULL;
    __block RLRunLoopEndWatch first = NULL;
    elsewhere(^{
        other = (RLRunLoopRef)(uintptr_t)RLRetain(this_loop());
        first = RLRunLoopWatchEnd(other, note_end, "first");
        RLRunLoopEndWatch forgotten = RLRunLoopWatchEnd(other, note_end, "forgotten");
        own_watch = RLRunLoopWatchEnd(other, forget_own_watch, (void *)(uintptr_t)other);
        add_source(SOURCE("source", .logs_modes = true), "DEF");
        check(RLRunLoopForgetEnd(other, forgotten));
        check(!RLRunLoopHasEnded(other));
    });
    check(RLRunLoopHasEnded(other));
    check(!RLRunLoopForgetEnd(other, first));
    check(!RLRunLoopWatchEnd(other, note_end, "too late"));
    RLRelease(other);
}
SCENARIO(end_watches,
         .title = "The end of a thread is reported to observers of its loop before the loop is emptied",
         .clauses = "extension LIFE-10",
         .rl_only = true,
         .expected = "source joins DEF; first; forgets when called; source leaves DEF")
