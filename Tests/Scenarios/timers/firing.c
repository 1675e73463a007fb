/*
 * Firing timers, and what happens after the callout (TMR-15 to TMR-29).
 */

#include "scenario.h"

static void timer_order(void)
{
    RLRunLoopTimerRef late, early, middle;
    double now;

    /* Made again if that took so long that a deadline may be another than its date (TMR-5). */
    do {
        now = RLAbsoluteTimeGetCurrent();
        late = TIMER("late", .date = now + 0.009);
        early = TIMER("early", .date = now + 0.005, .order = 9);
        middle = TIMER("middle", .date = now + 0.007, .order = -9);
    } while (RLAbsoluteTimeGetCurrent() - now > 0.001);
    add_timer(late, "DEF");
    add_timer(early, "DEF");
    add_timer(middle, "DEF");
    run("DEF", 10, false);
}
SCENARIO(timer_order,
         .title = "Timers fire in the order of their dates; their order has no effect",
         .clauses = "TMR-2 TMR-13 TMR-15",
         .expected = "early; middle; late; = Finished")

static void changes_in_batch(void)
{
    RLRunLoopTimerRef removed = TIMER("removed", .after = -1);
    RLRunLoopTimerRef other_mode = TIMER("other mode", .after = -1);
    RLRunLoopTimerRef invalid = TIMER("invalid", .after = -1);
    RLRunLoopTimerRef postponed = TIMER("postponed", .after = -1);
    RLRunLoopTimerRef added = TIMER("added", .after = -1);

    RLRunLoopTimerRef first = TIMER("first", .after = -1000, .fire = ^(RLRunLoopTimerRef fired) {
        remove_timer(removed, "DEF");
        remove_timer(other_mode, "DEF");
        RLRunLoopTimerInvalidate(invalid);
        RLRunLoopTimerSetNextFireDate(postponed, RLAbsoluteTimeGetCurrent() + 1000);
        add_timer(added, "DEF");
    });
    stay_busy(0.00001);
    for (int index = 0; index < 4; index++) {
        RLRunLoopTimerRef timer =
            (RLRunLoopTimerRef[]){removed, other_mode, invalid, postponed}[index];
        RLRunLoopTimerSetNextFireDate(timer, -1);
    }
    add_timer(first, "DEF");
    add_timer(removed, "DEF");
    add_timer(other_mode, "DEF");
    add_timer(other_mode, "M");
    add_timer(invalid, "DEF");
    add_timer(postponed, "DEF");
    run("DEF", 0, false);
    run("DEF", 0, false);
    run("DEF", 0, false);
}
SCENARIO(changes_in_batch,
         .title = "In a batch of due timers each is looked at again before it fires",
         .clauses = "TMR-15 TMR-16",
         .expected = "first; other mode; = TimedOut; added; = TimedOut; = TimedOut")

static void nested_in_batch(void)
{
    after(-1, "one", "DEF", ^{ run("DEF", 0, false); });
    stay_busy(0.00001);
    after(-1, "two", "DEF", ^{});
    stay_busy(0.00001);
    after(-1, "three", "DEF", ^{});
    run("DEF", 10, false);
}
SCENARIO(nested_in_batch,
         .title = "A timer that a nested run fired is skipped in the outer batch",
         .clauses = "TMR-16 TMR-19 RUN-30",
         .expected = "one; two; three; = TimedOut; = Finished")

static void retain_around_callout(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = -1, .logs_references = true);

    add_timer(timer, "DEF");
    run("DEF", 10, false);
}
SCENARIO(retain_around_callout,
         .title = "The info is retained for the callout, which outlives the timer's own reference",
         .clauses = "TMR-18 TMR-21",
         .expected = "t retained; t retained; t; t released; t released; = Finished")

static void retain_of_repeating(void)
{
    __block int count = 0;
    RLRunLoopTimerRef timer = TIMER("t", .after = -1, .interval = 0.001, .logs_references = true,
                                    .fire = ^(RLRunLoopTimerRef fired) {
                                        if (++count < 2) return;
                                        RLRunLoopTimerInvalidate(fired);
                                        note("invalid");
                                    });

    add_timer(timer, "DEF");
    run("DEF", 10, false);
}
SCENARIO(retain_of_repeating,
         .title = "A timer invalidated in its callout keeps its info until the callout returns",
         .clauses = "TMR-18 TMR-32",
         .expected = "t retained; t retained; t; t released; t retained; t; t released; invalid; "
                     "t released; = Finished")

static void one_shot(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = -1, .fire = ^(RLRunLoopTimerRef fired) {
        note_answer("valid", RLRunLoopTimerIsValid(fired));
        note_answer("contained", has_timer(fired, "DEF"));
        RLRunLoopTimerSetNextFireDate(fired, RLAbsoluteTimeGetCurrent() + 1000);
    });

    add_timer(timer, "DEF");
    run("DEF", 10, false);
    note_answer("valid", RLRunLoopTimerIsValid(timer));
    note_answer("contained", has_timer(timer, "DEF"));
}
SCENARIO(one_shot,
         .title = "A timer that fires once is valid in its callout and invalid after it",
         .clauses = "TMR-21",
         .expected = "t; valid: yes; contained: yes; = Finished; valid: no; contained: no")

static void skipped_firings(void)
{
    __block int count = 0;
    double start = clock_now();
    double first = RLAbsoluteTimeGetCurrent() + 0.04;
    RLRunLoopTimerRef timer =
        TIMER("t", .date = first, .interval = 0.04, .fire = ^(RLRunLoopTimerRef fired) {
            double at = clock_now() - start;
            if (++count == 1) check(at >= 0.039);
            if (count == 2) {
                check(at >= 0.079);
                stay_busy(0.14);
            }
            if (count == 3) {
                /* Those at 0.12, 0.16 and 0.20 came while the callout ran. */
                check(at >= 0.239);
                stop();
            }
        });

    add_timer(timer, "DEF");
    run("DEF", 10, false);
    double next = RLRunLoopTimerGetNextFireDate(timer);
    check(next - first > 0.2 - 0.002);
}
SCENARIO(skipped_firings,
         .title = "A late timer skips what it missed and keeps its grid",
         .clauses = "TMR-22",
         .expected = "t; t; t; = Stopped")

static void past_date_in_callout(void)
{
    __block int count = 0;
    RLRunLoopTimerRef timer =
        TIMER("t", .after = -1, .interval = 1000, .fire = ^(RLRunLoopTimerRef fired) {
            stay_busy(0.00001);
            if (++count < 3) {
                RLRunLoopTimerSetNextFireDate(fired, -1);
            } else {
                stop();
            }
        });

    watch("DEF");
    add_timer(timer, "DEF");
    run("DEF", 10, false);
}
SCENARIO(past_date_in_callout,
         .title = "A past date set in the callout makes the timer fire again in the next pass",
         .clauses = "TMR-27 TMR-28",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; t; "
                     "BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; t; "
                     "BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; t; "
                     "Exit; = Stopped")

static void date_in_callout(void)
{
    __block int count = 0;
    __block double rebased = 0;
    double start = clock_now();
    RLRunLoopTimerRef timer =
        TIMER("t", .after = -1, .interval = 1000, .fire = ^(RLRunLoopTimerRef fired) {
            if (++count == 1) {
                rebased = clock_now();
                RLRunLoopTimerSetNextFireDate(fired, RLAbsoluteTimeGetCurrent() + 0.01);
            } else {
                check(clock_now() - rebased >= 0.0099);
                stop();
            }
        });

    add_timer(timer, "DEF");
    run("DEF", 10, false);
    check(clock_now() - start >= 0.0099);
    double distance = RLRunLoopTimerGetNextFireDate(timer) - RLAbsoluteTimeGetCurrent();
    check(distance > 900 && distance < 1000);
}
SCENARIO(date_in_callout,
         .title = "A date set in the callout is honored and moves the grid",
         .clauses = "TMR-27",
         .expected = "t; t; = Stopped")

static void date_in_callout_of_two_modes(void)
{
    RLRunLoopTimerRef timer =
        TIMER("t", .after = -1, .interval = 1000, .fire = ^(RLRunLoopTimerRef fired) {
            stay_busy(0.00001);
            RLRunLoopTimerSetNextFireDate(fired, -1);
        });

    add_timer(TIMER("far", .after = 100000), "N");
    add_timer(timer, "M");
    add_timer(timer, "N");
    run("M", 0, false);
    stay_busy(0.0001);
    run("N", 0, false);
}
SCENARIO(date_in_callout_of_two_modes,
         .title = "A past date set in the callout makes the timer fire in all its modes",
         .clauses = "TMR-28 TMR-10",
         .deviation = "D21: the reference arms the mode that runs only",
         .expected = "t; = TimedOut; t; = TimedOut",
         .reference = "t; = TimedOut; = TimedOut")

static void removal_in_callout(void)
{
    RLRunLoopTimerRef timer =
        TIMER("t", .after = -1, .interval = 0.005, .fire = ^(RLRunLoopTimerRef fired) {
            remove_timer(fired, "DEF");
            note_answer("valid", RLRunLoopTimerIsValid(fired));
        });

    keep_alive("DEF");
    add_timer(timer, "DEF");
    run("DEF", 0.012, false);
    check(RLRunLoopTimerGetNextFireDate(timer) > 0);
    add_timer(timer, "DEF");
    run("DEF", 0.012, false);
}
SCENARIO(removal_in_callout,
         .title = "A timer removed in its callout stays valid and fires again when added again",
         .clauses = "TMR-29",
         .expected = "t; valid: yes; = TimedOut; t; valid: yes; = TimedOut")

static void readding_in_callout(void)
{
    __block int count = 0;
    RLRunLoopTimerRef timer =
        TIMER("t", .after = -1, .interval = 0.005, .fire = ^(RLRunLoopTimerRef fired) {
            if (++count == 3) return stop();
            remove_timer(fired, "DEF");
            add_timer(fired, "DEF");
        });

    add_timer(timer, "DEF");
    run("DEF", 10, false);
}
SCENARIO(readding_in_callout,
         .title = "A timer removed and added again in its callout continues",
         .clauses = "TMR-29",
         .expected = "t; t; t; = Stopped")

static void invalidation_during_callout(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = -1, .interval = 1, .logs_references = true,
                                    .fire = ^(RLRunLoopTimerRef fired) {
                                        elsewhere(^{ RLRunLoopTimerInvalidate(fired); });
                                        note("invalidated");
                                    });

    add_timer(timer, "DEF");
    run("DEF", 10, false);
}
SCENARIO(invalidation_during_callout,
         .title = "Invalidating a timer on another thread does not wait for its callout",
         .clauses = "TMR-33 RUN-34 RUN-37",
         .expected = "t retained; t retained; t; t released; invalidated; t released; = Finished")

/* The timer that the next call of its context's `retain` invalidates, on another thread. */
static RLRunLoopTimerRef invalidated_in_retain;

static const void *retain_too_late(const void *info)
{
    RLRunLoopTimerRef timer = invalidated_in_retain;

    invalidated_in_retain = NULL;
    if (timer) elsewhere(^{ RLRunLoopTimerInvalidate(timer); });
    note("%s retained", (const char *)info);
    return info;
}

static void release_by_name(const void *info)
{
    note("%s released", (const char *)info);
}

static void fire_by_name(RLRunLoopTimerRef timer, void *info)
{
    note("%s", (const char *)info);
}

static void invalidation_during_retain(void)
{
    RLRunLoopTimerContext context = {
        .info = (void *)"t", .retain = retain_too_late, .release = release_by_name};
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent() - 1, 0, 0, 0, fire_by_name, &context);

    add_timer(timer, "DEF");
    invalidated_in_retain = timer;
    run("DEF", 10, false);
    RLRelease(timer);
}
SCENARIO(invalidation_during_retain,
         .title = "An info that is given up while it is retained for the callout is released after that",
         .clauses = "TMR-18 TMR-33",
         .deviation = "D7: the reference holds a lock there and would deadlock",
         .own_process = true,
         .expected = "t retained; t retained; t released; t; t released; = Finished")

static void tiny_interval(void)
{
    __block int count = 0;
    RLRunLoopTimerRef timer =
        TIMER("t", .after = -1, .interval = 1e-12, .fire = ^(RLRunLoopTimerRef fired) {
            if (++count == 3) RLRunLoopTimerInvalidate(fired);
        });

    add_timer(timer, "DEF");
    run("DEF", 10, false);
}
SCENARIO(tiny_interval,
         .title = "An interval below a nanosecond counts as a nanosecond",
         .clauses = "TMR-24",
         .deviation = "TMR-24: the reference aborts",
         .expected = "t; t; t; = Finished")

static void huge_interval(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = -1, .interval = __builtin_inf());

    keep_alive("DEF");
    add_timer(timer, "DEF");
    run("DEF", 0.003, false);
    double distance = RLRunLoopTimerGetNextFireDate(timer) - RLAbsoluteTimeGetCurrent();
    check(distance > 504911000.0 && distance <= 504911232.0);
}
SCENARIO(huge_interval,
         .title = "An interval above 504911232 seconds counts as that",
         .clauses = "TMR-23 CONST-5",
         .expected = "t; = TimedOut")

static void far_deadline(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .date = 4e9);

    keep_alive("DEF");
    add_timer(timer, "DEF");
    run("DEF", 0.002, false);
    check(RLRunLoopTimerGetNextFireDate(timer) == 4e9);
}
SCENARIO(far_deadline,
         .title = "A date beyond the largest distance is reported as it was given",
         .clauses = "TMR-5 CONST-5",
         .expected = "= TimedOut")

static void not_before_its_date(void)
{
    double start = clock_now();

    for (int index = 1; index <= 10; index++) {
        double distance = 0.0013 * index;
        add_timer(
            TIMER("t", .after = distance, .quiet = true,
                  .fire = ^(RLRunLoopTimerRef fired) { check(clock_now() - start >= distance); }),
            "DEF");
    }
    run("DEF", 10, false);
}
SCENARIO(not_before_its_date,
         .title = "A timer never fires before its deadline",
         .clauses = "RUN-38 TMR-5",
         .expected = "= Finished")

static void set_to_now_in_batch(void)
{
    RLRunLoopTimerRef second = TIMER("u", .after = -5);
    RLRunLoopTimerRef first = TIMER("t", .after = -5, .fire = ^(RLRunLoopTimerRef fired) {
        RLRunLoopTimerSetNextFireDate(second, 0);
        stay_busy(0.0001);
    });

    RLRunLoopTimerSetNextFireDate(first, 0);
    stay_busy(0.0001);
    RLRunLoopTimerSetNextFireDate(second, 0);
    add_timer(first, "DEF");
    add_timer(second, "DEF");
    keep_alive("DEF");
    stay_busy(0.001);
    run("DEF", 0, false);
}
SCENARIO(set_to_now_in_batch,
         .title = "A timer of a batch that an earlier one sets to fire at once fires in that batch",
         .clauses = "TMR-15 TMR-16",
         .expected = "t; u; = TimedOut")
