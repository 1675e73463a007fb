/*
 * Threads that fight for the lock of one loop, more of them than there are processors, so that some
 * have to sleep while its holder does not run: no thread may sleep forever. Ours only.
 */

#include "scenario.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLTesting.h>

#include <stdatomic.h>

enum { RIVALS = 6, RIVAL_STEPS = 4000 };

struct rivalry {
    RLRunLoopRef loop;
    RLRunLoopMode mode;
    _Atomic int running;
};

static void ignore_rival(RLRunLoopTimerRef timer, void *info)
{
}

static RLRunLoopTimerRef add_rival(const struct rivalry *rivalry, int step)
{
    double date = RLAbsoluteTimeGetCurrent() + 1000 + step;
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, date, 0, 0, 0, ignore_rival, NULL);

    RLRunLoopAddTimer(rivalry->loop, timer, rivalry->mode);
    return timer;
}

/* Adds, moves and invalidates timers; the last one stays. */
static void rival(const struct rivalry *rivalry)
{
    RLRunLoopTimerRef timer = add_rival(rivalry, 0);

    for (int step = 1; step <= RIVAL_STEPS; step++) {
        RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent() + 1000 - step * 0.01);
        check(RLRunLoopContainsTimer(rivalry->loop, timer, rivalry->mode));
        RLRunLoopTimerInvalidate(timer);
        RLRelease(timer);
        timer = add_rival(rivalry, step);
    }
    RLRelease(timer);
}

/* The loop's thread is one of them, without sleeping in the kernel. */
static void fight_for_a_loop(void)
{
    struct rivalry rivalry = {this_loop(), mode_named("DEF"), RIVALS};
    struct rivalry *shared = &rivalry;
    struct helper_thread *threads[RIVALS];

    for (int i = 0; i < RIVALS; i++) {
        threads[i] = start_thread(^{
            rival(shared);
            shared->running--;
        });
    }
    /* At least once, even if the others are done by now. */
    do {
        rival(shared);
        RLRunLoopRunInMode(rivalry.mode, 0, false);
    } while (rivalry.running > 0);
    for (int i = 0; i < RIVALS; i++) join_thread(threads[i]);
    check(RLRunLoopCountItems(rivalry.loop, rivalry.mode, kRLRunLoopItemTimer) > RIVALS);
    RLTestingVerifyLoop(rivalry.loop);
    note("over");
}
SCENARIO(fight_for_a_loop,
         .title = "Threads that sleep for the lock of a loop are woken",
         .clauses = "extension",
         .rl_only = true,
         .expected = "over")

/* Another thread asks whether blocks are waiting, while they come one by one and wake the loop. */
static void blocks_asked_for(void)
{
    enum { BLOCKS = 20000 };
    RLRunLoopRef loop = this_loop();
    RLStringRef empty = mode_named("M");
    _Atomic int performed = 0, *count = &performed;
    _Atomic bool over = false, *is_over = &over;
    struct helper_thread *requester = start_thread(^{
        wait_until_asleep(loop);
        while (!*is_over) RLRunLoopModeIsEmpty(loop, empty);
    });
    struct helper_thread *poster = start_thread(^{
        wait_until_asleep(loop);
        for (int posted = 1; posted <= BLOCKS; posted++) {
            RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ ++*count; });
            RLRunLoopWakeUp(loop);
            while (*count < posted) sched_yield();
        }
        RLRunLoopStop(loop);
    });

    keep_alive("DEF");
    remove_source(keep_alive("M"), "M");
    /* The other threads wait for each other, so the harness must end a late run. */
    run("DEF", 10000, false);
    join_thread(poster);
    over = true;
    join_thread(requester);
}
SCENARIO(blocks_asked_for,
         .title = "A block that wakes the loop is performed, even if other threads look for blocks meanwhile",
         .clauses = "BLK-5 WAKE-1",
         .rl_only = true,
         .expected = "= Stopped")

static void note_release(const void *info)
{
    note("%s", (const char *)info);
}

static void released_before_a_run(void)
{
    RLRunLoopReleaseLater(this_loop(), "released", note_release);
    run("DEF", 100, false);
}
SCENARIO(released_before_a_run,
         .title = "A release for another thread does not make a run sleep in an empty mode",
         .clauses = "MODE-18 BLK-12",
         .rl_only = true,
         .expected = "released; = Finished")

/* The removals come as a run begins, or between its passes. */
static void emptied_as_a_run_begins(void)
{
    enum { ROUNDS = 50000 };
    RLRunLoopRef loop = this_loop();
    RLStringRef mode = mode_named("M");
    _Atomic(RLRunLoopSourceRef) removed = NULL, *next = &removed;
    struct helper_thread *remover = start_thread(^{
        for (int round = 0; round < ROUNDS; round++) {
            RLRunLoopSourceRef source;
            while (!(source = atomic_exchange(next, NULL))) {}
            for (volatile int step = round * 7919 % 400; step > 0;) step--;
            RLRunLoopSourceInvalidate(source);
            RLRunLoopWakeUp(loop);
        }
    });
    int finished = 0;
    for (int round = 0; round < ROUNDS; round++) {
        RLRunLoopSourceRef source = keep_alive("M");
        RLRetain(source);
        removed = source;
        if (RLRunLoopRunInMode(mode, 100, true) == kRLRunLoopRunFinished) finished++;
        while (RLRunLoopSourceIsValid(source)) sched_yield();
        RLRelease(source);
    }
    join_thread(remover);
    note(finished == ROUNDS ? "all are Finished" : "slept in an empty mode");
}
SCENARIO(emptied_as_a_run_begins,
         .title = "A mode that another thread empties as a run begins ends the run",
         .clauses = "RUN-3 MODE-18",
         .rl_only = true,
         .expected = "all are Finished")
