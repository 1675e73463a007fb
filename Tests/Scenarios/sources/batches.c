/*
 * The batch of signalled version-0 sources in a pass (SRC-20 to SRC-27).
 */

#include "scenario.h"

static void batch_order(void)
{
    RLRunLoopSourceRef last = SOURCE("last", .order = 9);
    RLRunLoopSourceRef first = SOURCE("first", .order = -9);
    RLRunLoopSourceRef middle = SOURCE("middle");

    add_source(last, "DEF");
    add_source(middle, "DEF");
    add_source(first, "DEF");
    signal_source(last);
    signal_source(middle);
    signal_source(first);
    run("DEF", 0, false);
}
SCENARIO(batch_order,
         .title = "Signalled sources perform in ascending order",
         .clauses = "SRC-20",
         .expected = "first; middle; last; = TimedOut")

static void batch_ties(void)
{
    RLRunLoopSourceRef c = SOURCE("C");
    RLRunLoopSourceRef d = SOURCE("D");

    add_source(d, "DEF");
    add_source(c, "DEF");
    signal_source(c);
    stay_busy(0.00001);
    signal_source(d);
    stay_busy(0.00001);
    signal_source(c);
    run("DEF", 0, false);
}
SCENARIO(batch_ties,
         .title = "Sources of equal order perform in the order of their first signals",
         .clauses = "SRC-15 SRC-20",
         .expected = "C; D; = TimedOut")

static void batch_removal(void)
{
    RLRunLoopSourceRef b = SOURCE("B", .order = 1, .logs_modes = true);
    RLRunLoopSourceRef a = SOURCE("A", .perform = ^{ remove_source(b, "DEF"); });

    add_source(a, "DEF");
    add_source(b, "DEF");
    signal_source(a);
    signal_source(b);
    run("DEF", 0, false);
}
SCENARIO(batch_removal,
         .title = "A source that is removed earlier in the batch is cancelled and still performs",
         .clauses = "SRC-22",
         .expected = "B joins DEF; A; B leaves DEF; B; = TimedOut")

static void batch_invalidation(void)
{
    RLRunLoopSourceRef b = SOURCE("B", .order = 1);
    RLRunLoopSourceRef c = SOURCE("C", .order = 2);
    RLRunLoopSourceRef a = SOURCE("A", .perform = ^{ RLRunLoopSourceInvalidate(b); });

    add_source(a, "DEF");
    add_source(b, "DEF");
    add_source(c, "DEF");
    signal_source(a);
    signal_source(b);
    signal_source(c);
    run("DEF", 0, false);
}
SCENARIO(batch_invalidation,
         .title = "A source that is invalidated earlier in the batch does not perform",
         .clauses = "SRC-21",
         .expected = "A; C; = TimedOut")

static void batch_nested(void)
{
    RLRunLoopSourceRef b = SOURCE("B", .order = 1);
    RLRunLoopSourceRef a = SOURCE("A", .perform = ^{ run("DEF", 0, false); });

    add_source(a, "DEF");
    add_source(b, "DEF");
    signal_source(a);
    signal_source(b);
    run("DEF", 0, false);
}
SCENARIO(batch_nested,
         .title = "A source that a nested run performed is skipped in the outer batch",
         .clauses = "SRC-21 RUN-30",
         .expected = "A; B; = TimedOut; = TimedOut")

static void batch_ends_after_first(void)
{
    RLRunLoopSourceRef a = SOURCE("A");
    RLRunLoopSourceRef b = SOURCE("B", .order = 1);

    add_source(a, "DEF");
    add_source(b, "DEF");
    signal_source(a);
    signal_source(b);
    run("DEF", 0, true);
    note_answer("B signalled", RLRunLoopSourceIsSignalled(b));
    run("DEF", 0, true);
    run("DEF", 0, true);
}
SCENARIO(batch_ends_after_first,
         .title = "With return-after-source only one source of the batch performs",
         .clauses = "SRC-23 CONST-2",
         .expected = "A; = HandledSource; B signalled: yes; B; = HandledSource; = TimedOut")

static void batch_first_skipped(void)
{
    RLRunLoopSourceRef b = SOURCE("B", .order = 1);
    RLRunLoopSourceRef a = SOURCE("A", .perform = ^{ RLRunLoopSourceInvalidate(b); });

    watch("DEF");
    add_source(a, "DEF");
    add_source(b, "DEF");
    signal_source(a);
    signal_source(b);
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{ after(0.002, "t", "DEF", ^{ stop(); }); });
    run("DEF", 10, false);
}
SCENARIO(batch_first_skipped,
         .title = "A batch is handled if any source performed, even if the last was skipped",
         .clauses = "SRC-24",
         .deviation = "D2: the reference takes the flag of the last source and waits",
         .expected = "Entry; BeforeTimers; BeforeSources; A; BeforeTimers; BeforeSources; "
                     "BeforeWaiting; AfterWaiting; t; Exit; = Stopped",
         .reference = "Entry; BeforeTimers; BeforeSources; A; BeforeWaiting; AfterWaiting; t; "
                      "Exit; = Stopped")

static void perform_of_nothing(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .mute = true);

    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 10, true);
}
SCENARIO(perform_of_nothing,
         .title = "A source without a perform function counts as performed",
         .clauses = "SRC-25",
         .expected = "= HandledSource")

static void self_signalling(void)
{
    int counter = make_counter();
    __block int count = 0;
    __block RLRunLoopSourceRef source = NULL;
    source = SOURCE("A", .perform = ^{
        if (++count < 6) {
            signal_source(source);
        } else {
            stop();
        }
    });

    add_source(source, "DEF");
    add_source(PORT("p", counter), "DEF");
    after(-1, "t", "DEF", ^{ count_up(counter); });
    signal_source(source);
    run("DEF", 10, false);
}
SCENARIO(self_signalling,
         .title = "A source that keeps signalling itself does not starve timers and ports",
         .clauses = "SRC-26",
         .expected = "A; t; A; p; A; A; A; A; = Stopped")

static void invalidation_elsewhere(void)
{
    __block RLRunLoopSourceRef source = NULL;
    source = SOURCE("A", .perform = ^{
        elsewhere(^{ RLRunLoopSourceInvalidate(source); });
        note("invalidated");
    });

    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 10, false);
}
SCENARIO(invalidation_elsewhere,
         .title = "Invalidating a source on another thread does not wait for its callout",
         .clauses = "SRC-27 RUN-34",
         .expected = "A; invalidated; = Finished")

static void batch_addition(void)
{
    RLRunLoopSourceRef b = SOURCE("B", .order = 1);
    RLRunLoopSourceRef a = SOURCE("A", .perform = ^{
        signal_source(b);
        add_source(b, "DEF");
    });

    watch("DEF");
    add_source(a, "DEF");
    signal_source(a);
    run("DEF", 0, false);
    run("DEF", 0, false);
}
SCENARIO(batch_addition,
         .title = "A source added and signalled in a batch waits for the next pass",
         .clauses = "SRC-20",
         .expected = "Entry; BeforeTimers; BeforeSources; A; Exit; = TimedOut; Entry; "
                     "BeforeTimers; BeforeSources; B; Exit; = TimedOut")
