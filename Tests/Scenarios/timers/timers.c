/*
 * Timers: creation, membership, changing and querying (TMR-1 to TMR-14, TMR-30 to TMR-41).
 */

#include "scenario.h"

static void new_timer(void)
{
    RLRunLoopTimerRef once = TIMER("t", .date = 1000, .order = 4);
    RLRunLoopTimerRef negative = TIMER("t", .date = 1000, .interval = -3);
    RLRunLoopTimerRef repeating = TIMER("t", .date = 1000, .interval = 2.5);
    RLRunLoopTimerRef endless = TIMER("t", .date = 1000, .interval = __builtin_inf());
    RLRunLoopTimerContext context = {.version = 7};

    check(RLRunLoopTimerIsValid(once) && !RLRunLoopTimerDoesRepeat(once));
    check(RLRunLoopTimerGetOrder(once) == 4);
    check(RLRunLoopTimerGetInterval(once) == 0);
    check(!RLRunLoopTimerDoesRepeat(negative) && RLRunLoopTimerGetInterval(negative) == 0);
    check(RLRunLoopTimerDoesRepeat(repeating) && RLRunLoopTimerGetInterval(repeating) == 2.5);
    check(RLRunLoopTimerGetInterval(endless) == __builtin_inf());
    check(RLRunLoopTimerGetNextFireDate(once) == 1000);
    RLRunLoopTimerGetContext(once, &context);
    check(context.version == 0 && context.info != NULL);
}
SCENARIO(new_timer,
         .title = "A timer keeps date, interval and order; a negative interval counts as 0",
         .clauses = "TMR-2 TMR-3 TMR-4 TYPE-12")

static void invalid_timer(void)
{
    RLRunLoopTimerRef timer =
        TIMER("t", .after = 1000, .interval = 2.5, .order = 4, .logs_references = true);
    RLRunLoopTimerContext context = {.version = 0};

    add_timer(timer, "DEF");
    add_timer(timer, "COM");
    add_timer(timer, "M");
    RLRunLoopTimerInvalidate(timer);
    note("invalid");
    RLRunLoopTimerInvalidate(timer);
    check(!RLRunLoopTimerIsValid(timer));
    check(RLRunLoopTimerGetNextFireDate(timer) == 0);
    check(RLRunLoopTimerGetInterval(timer) == 2.5 && RLRunLoopTimerGetOrder(timer) == 4);
    check(RLRunLoopTimerDoesRepeat(timer));
    RLRunLoopTimerGetContext(timer, &context);
    check(context.info == NULL);
    check(!has_timer(timer, "DEF") && !has_timer(timer, "M") && !has_timer(timer, "COM"));
    RLRunLoopTimerSetNextFireDate(timer, 500);
    check(RLRunLoopTimerGetNextFireDate(timer) == 0);
    add_timer(timer, "DEF");
    check(!has_timer(timer, "DEF"));
    run("DEF", 10, false);
}
SCENARIO(invalid_timer,
         .title = "An invalid timer is in no mode, has no info and no date, and cannot be added",
         .clauses = "TMR-3 TMR-11 TMR-30 TMR-32 TMR-34",
         .expected = "t retained; t released; invalid; = Finished")

static void death_of_valid_timer(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000, .logs_references = true, .owned = true);

    RLRelease(timer);
}
SCENARIO(death_of_valid_timer,
         .title = "A timer that dies valid releases its info",
         .clauses = "TMR-35",
         .expected = "t retained; t released")

static void timer_with_block(void)
{
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreateWithHandler(NULL, 0, 0, 0, 0, ^(RLRunLoopTimerRef fired) {
            note("handler");
            check(RLRunLoopTimerIsValid(fired));
        });

    add_timer(timer, "DEF");
    run("DEF", 10, false);
    check(!RLRunLoopTimerIsValid(timer));
    RLRelease(timer);
}
SCENARIO(timer_with_block,
         .title = "A timer with a block calls it",
         .clauses = "TMR-8",
         .expected = "handler; = Finished")

static void timer_without_function(void)
{
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, 0, 0, 0, 0, NULL, NULL);

    add_timer(timer, "DEF");
    run("DEF", 10, false);
    check(!RLRunLoopTimerIsValid(timer));
    RLRelease(timer);
}
SCENARIO(timer_without_function,
         .title = "A timer without a function fires into nothing",
         .clauses = "TMR-8",
         .expected_hints = "`callout` is null",
         .expected = "= Finished")

static void timer_in_one_loop(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000);
    RLRunLoopRef loop = this_loop();

    add_timer(timer, "DEF");
    add_timer(timer, "M");
    elsewhere(^{
        add_timer(timer, "DEF");
        note_answer("elsewhere", has_timer(timer, "DEF"));
        RLRunLoopRemoveTimer(loop, timer, mode_named("M"));
        add_timer(timer, "DEF");
        note_answer("elsewhere", has_timer(timer, "DEF"));
        RLRunLoopRemoveTimer(loop, timer, kRLRunLoopDefaultMode);
        add_timer(timer, "DEF");
        note_answer("elsewhere", has_timer(timer, "DEF"));
        note_answer("here", RLRunLoopContainsTimer(loop, timer, kRLRunLoopDefaultMode));
        remove_timer(timer, "DEF");
    });
}
SCENARIO(timer_in_one_loop,
         .title = "A timer is in one loop until it left all of its modes",
         .clauses = "TMR-9 TMR-10 TMR-37",
         .expected = "elsewhere: no; elsewhere: no; elsewhere: yes; here: no")

static void common_timer_moves(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000);
    RLRunLoopRef loop = this_loop();

    add_timer(timer, "COM");
    remove_timer(timer, "DEF");
    elsewhere(^{
        add_timer(timer, "DEF");
        note_answer("elsewhere", has_timer(timer, "DEF"));
        note_answer("common", RLRunLoopContainsTimer(loop, timer, kRLRunLoopCommonModes));
        remove_timer(timer, "DEF");
    });
    note_answer("common", has_timer(timer, "COM"));
}
SCENARIO(common_timer_moves,
         .title = "A common timer that left its last mode can join another loop",
         .clauses = "TMR-9 TMR-37 MODE-13",
         .expected = "elsewhere: yes; common: no; common: no")

static void next_date(void)
{
    RLRunLoopRef loop = this_loop();
    double far = RLAbsoluteTimeGetCurrent() + 2000;
    RLRunLoopTimerRef late = TIMER("late", .date = far + 1000), early = TIMER("early", .date = far);

    check(RLRunLoopGetNextTimerFireDate(loop, kRLRunLoopDefaultMode) == 0);
    add_timer(late, "COM");
    check(RLRunLoopGetNextTimerFireDate(loop, kRLRunLoopDefaultMode) == far + 1000);
    add_timer(early, "DEF");
    check(RLRunLoopGetNextTimerFireDate(loop, kRLRunLoopDefaultMode) == far);
    check(RLRunLoopGetNextTimerFireDate(loop, kRLRunLoopCommonModes) == 0);
    check(RLRunLoopGetNextTimerFireDate(loop, mode_named("unknown")) == 0);
    RLRunLoopTimerSetNextFireDate(early, far + 2000);
    check(RLRunLoopGetNextTimerFireDate(loop, kRLRunLoopDefaultMode) == far + 1000);
    RLRunLoopTimerInvalidate(late);
    check(RLRunLoopGetNextTimerFireDate(loop, kRLRunLoopDefaultMode) == far + 2000);
    remove_timer(early, "DEF");
    check(RLRunLoopGetNextTimerFireDate(loop, kRLRunLoopDefaultMode) == 0);
}
SCENARIO(next_date,
         .title = "The next date of a mode is that of its first timer, or 0",
         .clauses = "TMR-30 TMR-36 TMR-13")

static void next_date_while_firing(void)
{
    double date = RLAbsoluteTimeGetCurrent() - 5;
    RLRunLoopTimerRef timer =
        TIMER("t", .date = date, .interval = 1000, .fire = ^(RLRunLoopTimerRef fired) {
            check(RLRunLoopTimerGetNextFireDate(fired) == date);
            check(RLRunLoopGetNextTimerFireDate(this_loop(), kRLRunLoopDefaultMode) == date);
        });

    add_timer(timer, "DEF");
    run("DEF", 0, false);
    check(RLRunLoopTimerGetNextFireDate(timer) > date + 1000);
}
SCENARIO(next_date_while_firing,
         .title = "While a timer fires, the date being fired is reported",
         .clauses = "TMR-26 TMR-36 TMR-25",
         .expected = "t; = TimedOut")

static void past_dates(void)
{
    add_timer(TIMER("5", .after = -5), "DEF");
    stay_busy(0.00001);
    add_timer(TIMER("50", .after = -50), "DEF");
    stay_busy(0.00001);
    add_timer(TIMER("500", .after = -500), "DEF");
    run("DEF", 0, false);
}
SCENARIO(past_dates,
         .title = "Overdue timers fire in the order of their creation, not of their dates",
         .clauses = "TMR-5 TMR-7 TMR-17",
         .expected = "5; 50; 500; = TimedOut")

static void dates_set_in_the_past(void)
{
    RLRunLoopTimerRef one = TIMER("one", .after = -5);
    stay_busy(0.00001);
    RLRunLoopTimerRef two = TIMER("two", .after = -50);

    add_timer(one, "DEF");
    add_timer(two, "DEF");
    stay_busy(0.00001);
    RLRunLoopTimerSetNextFireDate(one, -1000);
    check(RLRunLoopTimerGetNextFireDate(one) == -1000);
    run("DEF", 0, false);
}
SCENARIO(dates_set_in_the_past,
         .title = "Setting a date in the past makes the timer due now, after those already due",
         .clauses = "TMR-7 TMR-30",
         .expected = "two; one; = TimedOut")

static void two_modes(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = -1);

    add_timer(timer, "M");
    add_timer(timer, "N");
    keep_alive("DEF");
    run("DEF", 0, false);
    run("N", 0, false);
    run("M", 0, false);
}
SCENARIO(two_modes,
         .title = "A timer fires only in its modes, and once for all of them",
         .clauses = "TMR-10 TMR-14",
         .expected = "= TimedOut; t; = TimedOut; = Finished")

static void timer_added_elsewhere(void)
{
    RLRunLoopRef loop = this_loop();
    __block double added = 0;
    struct helper_thread *adder = start_thread(^{
        wait_until_asleep(loop);
        RLRunLoopAddTimer(loop, TIMER("later", .after = 100), kRLRunLoopDefaultMode);
        stay_busy(0.003);
        note("added");
        added = clock_now();
        RLRunLoopTimerRef soon = TIMER("soon", .after = 0.005, .fire = ^(RLRunLoopTimerRef fired) {
            check(clock_now() - added >= 0.005);
            RLRunLoopStop(loop);
        });
        RLRunLoopAddTimer(loop, soon, kRLRunLoopDefaultMode);
    });

    watch("DEF");
    keep_alive("DEF");
    run("DEF", 10, false);
    join_thread(adder);
}
SCENARIO(timer_added_elsewhere,
         .title = "A timer added during the wait fires in time, and does not wake the loop before",
         .clauses = "TMR-12 WAKE-7 WAKE-11",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; added; AfterWaiting; "
                     "soon; Exit; = Stopped")

static void date_set_elsewhere(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000);
    struct helper_thread *setter = start_thread(^{
        wait_until_asleep(loop);
        RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent() + 2000);
    });

    watch("DEF");
    add_timer(timer, "DEF");
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{ stop(); });
    run("DEF", 10, false);
    join_thread(setter);
}
SCENARIO(date_set_elsewhere,
         .title = "Setting a timer's date on another thread wakes the loop",
         .clauses = "TMR-31 WAKE-7",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; Exit; "
                     "= Stopped")

static void removed_timer_wakes_nobody(void)
{
    RLRunLoopRef loop = this_loop();
    pid_t thread = gettid();
    struct helper_thread *stopper = start_thread(^{
        wait_until_asleep(loop);
        stay_busy(0.3);
        /* The reference has been woken, and on a slow machine it has yet to run. */
        while (!is_asleep(thread) || !RLRunLoopIsWaiting(loop)) sched_yield();
        note("over");
        RLRunLoopStop(loop);
    });

    watch("DEF");
    keep_alive("DEF");
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{
        RLRunLoopTimerRef timer = TIMER("t", .after = 0.1);
        add_timer(timer, "DEF");
        remove_timer(timer, "DEF");
        note("removed");
    });
    run("DEF", 10, false);
    join_thread(stopper);
}
SCENARIO(removed_timer_wakes_nobody,
         .title = "A mode whose last timer was removed is not woken at that timer's date",
         .clauses = "TMR-43 RUN-39",
         .deviation = "D11: the reference leaves the kernel timer armed",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; removed; over; "
                     "AfterWaiting; Exit; = Stopped",
         .reference = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; removed; AfterWaiting; "
                      "BeforeTimers; BeforeSources; BeforeWaiting; over; AfterWaiting; Exit; "
                      "= Stopped")

static void tolerance(void)
{
    RLRunLoopTimerRef once = TIMER("t", .after = 100),
                      repeating = TIMER("r", .after = 1, .interval = 10);

    check(RLRunLoopTimerGetTolerance(once) == 0);
    RLRunLoopTimerSetTolerance(once, 7);
    note("%g", RLRunLoopTimerGetTolerance(once));
    RLRunLoopTimerSetTolerance(once, -1);
    note("%g", RLRunLoopTimerGetTolerance(once));
    RLRunLoopTimerSetTolerance(repeating, 3);
    note("%g", RLRunLoopTimerGetTolerance(repeating));
    RLRunLoopTimerSetTolerance(repeating, 7);
    note("%g", RLRunLoopTimerGetTolerance(repeating));
    RLRunLoopTimerSetTolerance(repeating, -7);
    note("%g", RLRunLoopTimerGetTolerance(repeating));
}
SCENARIO(tolerance,
         .title = "A tolerance is not negative, and at most half the interval of a repeating timer",
         .clauses = "TMR-38 TMR-39",
         .deviation = "D9: the reference for Linux has no tolerance",
         .expected = "7; 0; 3; 5; 0",
         .reference = "0; 0; 0; 0; 0")

static void tolerant_timers_together(void)
{
    RLRunLoopTimerRef tolerant = TIMER("tolerant", .after = 0.25);
    RLRunLoopTimerRef exact = TIMER("exact", .after = 2);

    watch("DEF");
    RLRunLoopTimerSetTolerance(tolerant, 5);
    add_timer(tolerant, "DEF");
    add_timer(exact, "DEF");
    run("DEF", 10, false);
}
SCENARIO(tolerant_timers_together,
         .title = "A tolerant timer waits for the next exact one, so that both share a wake-up",
         .clauses = "TMR-40 TMR-41",
         .deviation = "D9: the reference for Linux has no tolerance",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; tolerant; "
                     "exact; Exit; = Finished",
         .reference = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; tolerant; "
                      "BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; exact; Exit; "
                      "= Finished")

STOPS(interval_not_a_number, RLRunLoopTimerCreate(NULL, 0, __builtin_nan(""), 0, 0, NULL, NULL),
      .title = "An interval that is NaN stops the process", .clauses = "TMR-1")

static void date_not_a_number(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .date = __builtin_nan(""));

    add_timer(timer, "DEF");
    run("DEF", 0.002, false);
    check(RLRunLoopTimerGetNextFireDate(timer) == 4039289856.0);
}
SCENARIO(date_not_a_number,
         .title = "A date that is NaN counts as the last possible date",
         .clauses = "TMR-6",
         .deviation = "TMR-6: undefined in the reference",
         .expected = "= TimedOut")
