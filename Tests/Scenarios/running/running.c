/*
 * Starting and finishing a run, and the order of one pass (RUN-1 to RUN-21).
 */

#include "scenario.h"

static void run_of_nothing(void)
{
    watch("DEF");
    run("DEF", 10, false);
    run("unknown", 10, false);
    run("COM", 10, false);
    note("= %s", name_of_result(RLRunLoopRunInMode(NULL, 10, false)));
    RLRunLoopRun();
    note("returned");
}
SCENARIO(run_of_nothing,
         .title = "A run in an empty, unknown or common mode finishes at once, unobserved",
         .clauses = "RUN-1 RUN-2 RUN-3 MODE-18",
         .expected = "= Finished; = Finished; = Finished; = Finished; returned")

static void stop_against_handled(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{ stop(); });

    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 10, true);
    signal_source(source);
    run("DEF", 10, false);
    signal_source(source);
    run("DEF", 0, false);
}
SCENARIO(stop_against_handled,
         .title = "A stop in a perform callout loses against return-after-source and a poll",
         .clauses = "RUN-15 RUN-20",
         .expected = "A; = HandledSource; A; = Stopped; A; = TimedOut")

static void one_poll(void)
{
    watch("DEF");
    keep_alive("DEF");
    run("DEF", 0, false);
    run("DEF", -5, true);
}
SCENARIO(one_poll,
         .title = "A run of no or negative duration makes one pass and never waits",
         .clauses = "RUN-5 RUN-8 RUN-11 RUN-13 RUN-18",
         .expected = "Entry; BeforeTimers; BeforeSources; Exit; = TimedOut; "
                     "Entry; BeforeTimers; BeforeSources; Exit; = TimedOut")

static void wait_until_the_limit(void)
{
    double start = clock_now();

    watch("DEF");
    keep_alive("DEF");
    run("DEF", 0.01, false);
    check(clock_now() - start >= 0.01);
}
SCENARIO(wait_until_the_limit,
         .title = "A run with a limit waits for it, not less",
         .clauses = "RUN-5 RUN-13 RUN-18 RUN-38",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; "
                     "= TimedOut")

static void tiny_limit(void)
{
    add_observer(OBSERVER(NULL, .activities = kRLRunLoopBeforeWaiting | kRLRunLoopAfterWaiting),
                 "DEF");
    keep_alive("DEF");
    run("DEF", 1e-9, false);
}
SCENARIO(tiny_limit,
         .title = "A run of one nanosecond is not a poll: it waits once",
         .clauses = "RUN-10",
         .expected = "BeforeWaiting; AfterWaiting; = TimedOut")

static void stop_after(double limit)
{
    after(0.005, "t", "DEF", ^{ stop(); });
    keep_alive("DEF");
    run("DEF", limit, false);
}

static void no_limit(void)
{
    stop_after(__builtin_nan(""));
    stop_after(__builtin_inf());
    stop_after(504911233.0);
    stop_after(504911232.0);
}
SCENARIO(no_limit,
         .title = "NaN, infinity and more than 504911232 seconds mean no limit",
         .clauses = "RUN-9 CONST-5 RUN-26",
         .expected = "t; = Stopped; t; = Stopped; t; = Stopped; t; = Stopped")

static void stop_in_entry(void)
{
    watch("DEF");
    keep_alive("DEF");
    when(kRLRunLoopEntry, "DEF", ^{ stop(); });
    run("DEF", 10, false);
    run("DEF", 0, false);
}
SCENARIO(stop_in_entry,
         .title = "A run that is stopped in Entry makes no pass, even if it is a poll",
         .clauses = "RUN-6 RUN-5 RUN-8",
         .expected = "Entry; Exit; = Stopped; Entry; Exit; = Stopped")

static void limit_starts_after_entry(void)
{
    double start = clock_now();

    keep_alive("DEF");
    when(kRLRunLoopEntry, "DEF", ^{ stay_busy(0.01); });
    run("DEF", 0.01, false);
    check(clock_now() - start >= 0.02);
}
SCENARIO(limit_starts_after_entry,
         .title = "The limit is measured from after the Entry observers",
         .clauses = "RUN-7",
         .expected = "= TimedOut")

static void late_callout_ends_its_pass(void)
{
    RLRunLoopSourceRef source = SOURCE("late", .perform = ^{
        stay_busy(0.01);
        queue_block("block", "DEF", NULL);
    });

    watch("DEF");
    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 0.002, false);
}
SCENARIO(late_callout_ends_its_pass,
         .title = "A limit that passes in a callout ends the run at the end of the pass only",
         .clauses = "RUN-12 BLK-11 RUN-20",
         .expected = "Entry; BeforeTimers; BeforeSources; late; block; Exit; = TimedOut")

static void whole_pass(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{ queue_block("b2", "DEF", NULL); });

    watch("DEF");
    add_source(source, "DEF");
    signal_source(source);
    after(-1, "t", "DEF", ^{ queue_block("b3", "DEF", NULL); });
    queue_block("b1", "DEF", NULL);
    run("DEF", 10, true);
}
SCENARIO(whole_pass,
         .title = "A pass runs blocks, sources, blocks, one event, blocks, in this order",
         .clauses = "RUN-13 RUN-17 BLK-11",
         .expected = "Entry; BeforeTimers; BeforeSources; b1; A; b2; t; b3; Exit; = HandledSource")

static void timer_then_source_pass(void)
{
    RLRunLoopSourceRef source = SOURCE("A");

    watch("DEF");
    add_source(source, "DEF");
    after(0.005, "t", "DEF", ^{ signal_source(source); });
    run("DEF", 10, true);
}
SCENARIO(timer_then_source_pass,
         .title = "A firing timer does not end a run that returns after a source",
         .clauses = "RUN-16 RUN-18",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; t; "
                     "BeforeTimers; BeforeSources; A; Exit; = HandledSource")

static void one_event_per_wait(void)
{
    RLRunLoopSourceRef source = SOURCE("A");
    int counter = make_counter();

    watch("DEF");
    add_source(source, "DEF");
    add_source(PORT("p", counter), "DEF");
    signal_source(source);
    count_up(counter);
    after(-1, "t", "DEF", ^{ stop(); });
    run("DEF", 10, false);
}
SCENARIO(one_event_per_wait,
         .title = "A port and a due timer that are ready together take a pass each",
         .clauses = "RUN-14 PORT-3",
         .expected = "Entry; BeforeTimers; BeforeSources; A; p; BeforeTimers; BeforeSources; "
                     "BeforeWaiting; AfterWaiting; t; Exit; = Stopped")

static void last_timer_finishes(void)
{
    watch("DEF");
    add_timer(TIMER("t", .after = 0.003), "DEF");
    run("DEF", 10, false);
}
SCENARIO(last_timer_finishes,
         .title = "A mode whose last timer fired is finished without another wait",
         .clauses = "RUN-21 TMR-21",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; t; Exit; "
                     "= Finished")

static void results_together(void)
{
    note("stop and empty");
    __block RLRunLoopSourceRef stopper = NULL;
    stopper = SOURCE("B", .perform = ^{
        stop();
        RLRunLoopSourceInvalidate(stopper);
    });
    add_source(stopper, "one");
    signal_source(stopper);
    run("one", 10, false);

    note("limit and empty");
    __block RLRunLoopSourceRef late = NULL;
    late = SOURCE("C", .perform = ^{
        stay_busy(0.005);
        RLRunLoopSourceInvalidate(late);
    });
    add_source(late, "two");
    signal_source(late);
    run("two", 0.001, false);

    note("handled and limit");
    RLRunLoopSourceRef slow = SOURCE("D", .perform = ^{ stay_busy(0.005); });
    add_source(slow, "three");
    signal_source(slow);
    run("three", 0.001, true);

    note("empty");
    __block RLRunLoopSourceRef last = NULL;
    last = SOURCE("F", .perform = ^{ RLRunLoopSourceInvalidate(last); });
    add_source(last, "four");
    signal_source(last);
    run("four", 10, false);
}
SCENARIO(results_together,
         .title = "When several reasons to end meet, the order of the exit tests decides",
         .clauses = "RUN-15 RUN-20",
         .expected = "stop and empty; B; = Stopped; limit and empty; C; = TimedOut; "
                     "handled and limit; D; = HandledSource; empty; F; = Finished")

static void emptied_by_entry(void)
{
    RLRunLoopSourceRef source = SOURCE("A");

    add_source(source, "DEF");
    add_observer(OBSERVER(NULL, .observe =
                                    ^(RLRunLoopObserverRef observer, unsigned long activity) {
                                        if (activity != kRLRunLoopEntry) return;
                                        remove_source(source, "DEF");
                                    }),
                 "DEF");
    run("DEF", 0.005, false);
    run("DEF", 0.005, false);
}
SCENARIO(emptied_by_entry,
         .title = "A mode emptied by an Entry observer still waits until the limit",
         .clauses = "MODE-21",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; "
                     "= TimedOut; = Finished")

static void run_forever_until_stopped(void)
{
    RLRunLoopSourceRef source =
        SOURCE("A", .perform = ^{ after(0.002, "stops", "DEF", ^{ stop(); }); });

    add_source(source, "DEF");
    after(0.002, "signals", "DEF", ^{ signal_source(source); });
    RLRunLoopRun();
    note("returned");
}
SCENARIO(run_forever_until_stopped,
         .title = "RunLoopRun continues after sources and returns when stopped",
         .clauses = "RUN-1 CONST-7 RUN-22",
         .expected = "signals; A; stops; returned")

static void run_forever_until_empty(void)
{
    add_timer(TIMER("t1", .after = 0.002), "DEF");
    add_timer(TIMER("t2", .after = 0.008), "DEF");
    RLRunLoopRun();
    note("returned");
}
SCENARIO(run_forever_until_empty,
         .title = "RunLoopRun returns when the default mode is empty",
         .clauses = "RUN-1 RUN-21",
         .expected = "t1; t2; returned")
