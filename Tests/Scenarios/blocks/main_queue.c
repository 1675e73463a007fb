/*
 * The main dispatch queue (MAINQ-1 to MAINQ-9, MODE-20). All need the main thread.
 */

#include "queues.h"
#include "scenario.h"

#if !defined(SCENARIO_WITHOUT_DISPATCH)

static void main_queue_poll(void)
{
    enqueue("item", NULL);
    after(-1, "t", "DEF", ^{});
    run("DEF", 0, false);
    run("DEF", 0, false);
}
SCENARIO(main_queue_poll,
         .title = "A due timer comes before a main-queue item in the first pass",
         .clauses = "MAINQ-3 MAINQ-8",
         .main_thread = true,
         .expected = "t; = TimedOut; item; = TimedOut")

static void main_queue_result(void)
{
    enqueue("item", NULL);
    run("DEF", 0, true);
    enqueue("item", NULL);
    run("DEF", 10, true);
}
SCENARIO(main_queue_result,
         .title = "Serving the main queue counts as a handled source, also in a poll",
         .clauses = "MAINQ-2 MAINQ-8",
         .main_thread = true,
         .expected = "item; = HandledSource; item; = HandledSource")

static void main_queue_nested(void)
{
    enqueue("item", ^{
        enqueue("second", NULL);
        run("DEF", 10, false);
        note("end of item");
    });
    run("DEF", 0, false);
    run("DEF", 0, false);
}
SCENARIO(main_queue_nested,
         .title = "A run inside a main-queue item does not serve the queue, nor count it",
         .clauses = "MAINQ-6 MAINQ-2 MODE-20",
         .main_thread = true,
         .expected = "item; = Finished; end of item; = TimedOut; second; = TimedOut")

static void main_queue_nested_elsewhere(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{
        enqueue("item", NULL);
        run("DEF", 10, true);
    });

    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 10, true);
}
SCENARIO(main_queue_nested_elsewhere,
         .title = "A run nested in any other callout serves the main queue",
         .clauses = "MAINQ-6",
         .main_thread = true,
         .expected = "A; item; = HandledSource; = HandledSource")

static void main_queue_modes(void)
{
    enqueue("item", NULL);
    run("M", 0, false);
    keep_alive("M");
    run("M", 0.003, false);
    make_common("M");
    run("M", 0, false);
    elsewhere(^{ run("DEF", 0, false); });
}
SCENARIO(main_queue_modes,
         .title = "The main queue is served in common modes only",
         .clauses = "MAINQ-7 MAINQ-1 MODE-20",
         .main_thread = true,
         .expected = "= Finished; = TimedOut; item; = TimedOut; = Finished")

static void main_loop_is_not_empty(void)
{
    run("DEF", 0.003, false);
    run("M", 0.003, false);
    make_common("M");
    note("unknown");
    run("M", 0.003, false);
    remove_source(keep_alive("M"), "M");
    note("known");
    run("M", 0.003, false);
}
SCENARIO(main_loop_is_not_empty,
         .title = "On the main loop every common mode that exists is non-empty",
         .clauses = "MODE-18 MODE-20 RUN-3",
         .main_thread = true,
         .expected = "= TimedOut; = Finished; unknown; = Finished; known; = TimedOut")

static void main_queue_becomes_common(void)
{
    keep_alive("M");
    when_next(kRLRunLoopEntry, "M", ^{ make_common("M"); });
    enqueue("item", NULL);
    run("M", 0.003, false);
    note("next");
    run("M", 0.003, false);
}
SCENARIO(main_queue_becomes_common,
         .title = "Whether a run serves the main queue is decided when it starts",
         .clauses = "MAINQ-1",
         .main_thread = true,
         .expected = "item; = TimedOut; next; = TimedOut")

static void main_queue_wakes(void)
{
    RLRunLoopRef loop = this_loop();
    struct helper_thread *sender = start_thread(^{
        wait_until_asleep(loop);
        enqueue("item", ^{ stop(); });
    });

    watch("DEF");
    run("DEF", 10, false);
    join_thread(sender);
}
SCENARIO(main_queue_wakes,
         .title = "An item for the main queue wakes the main loop",
         .clauses = "MAINQ-9 LIFE-2",
         .main_thread = true,
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; item; "
                     "Exit; = Stopped")

static void main_queue_fairness(void)
{
    __block int passes = 0;
    __block RLRunLoopSourceRef source = NULL;
    source = SOURCE("A", .perform = ^{
        signal_source(source);
        enqueue("item", ++passes < 4 ? NULL : ^{ stop(); });
    });

    watch("DEF");
    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 10, false);
}
SCENARIO(main_queue_fairness,
         .title = "An ever refilled main queue and an ever signalled source alternate",
         .clauses = "MAINQ-3 MAINQ-4 MAINQ-5",
         .main_thread = true,
         .expected = "Entry; BeforeTimers; BeforeSources; A; item; BeforeTimers; BeforeSources; A; "
                     "item; BeforeTimers; BeforeSources; A; item; BeforeTimers; BeforeSources; A; "
                     "item; Exit; = Stopped")

static void main_queue_and_timers(void)
{
    __block int items = 0;
    __block action refill = NULL;

    refill = ^{
        if (++items < 4) {
            enqueue("item", refill);
        } else {
            stop();
        }
    };
    watch("DEF");
    enqueue("item", refill);
    add_timer(TIMER("t", .after = -1), "DEF");
    run("DEF", 10, false);
}
SCENARIO(main_queue_and_timers,
         .title = "An ever refilled main queue does not starve timers",
         .clauses = "MAINQ-3 MAINQ-4 MAINQ-5",
         .main_thread = true,
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; t; "
                     "BeforeTimers; BeforeSources; item; BeforeTimers; BeforeSources; "
                     "BeforeWaiting; AfterWaiting; item; BeforeTimers; BeforeSources; "
                     "BeforeWaiting; AfterWaiting; item; BeforeTimers; BeforeSources; "
                     "BeforeWaiting; AfterWaiting; item; Exit; = Stopped")

#endif
