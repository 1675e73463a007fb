/*
 * Timers: creation, membership, changing and querying (TMR-1 to TMR-14, TMR-30 to TMR-41).
 */

static void new_timer(void)
{
    timer_ref once = TIMER("t", .date = 1000, .order = 4);
    timer_ref negative = TIMER("t", .date = 1000, .interval = -3);
    timer_ref repeating = TIMER("t", .date = 1000, .interval = 2.5);
    timer_ref endless = TIMER("t", .date = 1000, .interval = __builtin_inf());
    E(RunLoopTimerContext) context = {.version = 7};

    check(E(RunLoopTimerIsValid)(once) && !E(RunLoopTimerDoesRepeat)(once));
    check(E(RunLoopTimerGetOrder)(once) == 4);
    check(E(RunLoopTimerGetInterval)(once) == 0);
    check(!E(RunLoopTimerDoesRepeat)(negative) && E(RunLoopTimerGetInterval)(negative) == 0);
    check(E(RunLoopTimerDoesRepeat)(repeating) && E(RunLoopTimerGetInterval)(repeating) == 2.5);
    check(E(RunLoopTimerGetInterval)(endless) == __builtin_inf());
    check(E(RunLoopTimerGetNextFireDate)(once) == 1000);
    E(RunLoopTimerGetContext)(once, &context);
    check(context.version == 0 && context.info != NULL);
}
SCENARIO(new_timer,
         .title = "A timer keeps date, interval and order; a negative interval counts as 0",
         .clauses = "TMR-2 TMR-3 TMR-4 TYPE-12")

static void invalid_timer(void)
{
    timer_ref timer =
        TIMER("t", .after = 1000, .interval = 2.5, .order = 4, .tells_references = true);
    E(RunLoopTimerContext) context = {.version = 0};

    add_timer(timer, "DEF");
    add_timer(timer, "COM");
    add_timer(timer, "M");
    E(RunLoopTimerInvalidate)(timer);
    note("invalid");
    E(RunLoopTimerInvalidate)(timer);
    check(!E(RunLoopTimerIsValid)(timer));
    check(E(RunLoopTimerGetNextFireDate)(timer) == 0);
    check(E(RunLoopTimerGetInterval)(timer) == 2.5 && E(RunLoopTimerGetOrder)(timer) == 4);
    check(E(RunLoopTimerDoesRepeat)(timer));
    E(RunLoopTimerGetContext)(timer, &context);
    check(context.info == NULL);
    check(!has_timer(timer, "DEF") && !has_timer(timer, "M") && !has_timer(timer, "COM"));
    E(RunLoopTimerSetNextFireDate)(timer, 500);
    check(E(RunLoopTimerGetNextFireDate)(timer) == 0);
    add_timer(timer, "DEF");
    check(!has_timer(timer, "DEF"));
    run("DEF", 1, false);
}
SCENARIO(invalid_timer,
         .title = "An invalid timer is in no mode, has no info and no date, and cannot be added",
         .clauses = "TMR-3 TMR-11 TMR-30 TMR-32 TMR-34",
         .expected = "t retained; t released; invalid; = Finished")

static void death_of_valid_timer(void)
{
    timer_ref timer = TIMER("t", .after = 1000, .tells_references = true, .owned = true);

    E(Release)(timer);
}
SCENARIO(death_of_valid_timer,
         .title = "A timer that dies valid releases its info",
         .clauses = "TMR-35",
         .expected = "t retained; t released")

static void timer_with_block(void)
{
    timer_ref timer = E(RunLoopTimerCreateWithHandler)(NULL, 0, 0, 0, 0, ^(timer_ref fired) {
        note("handler");
        check(E(RunLoopTimerIsValid)(fired));
    });

    add_timer(timer, "DEF");
    run("DEF", 1, false);
    check(!E(RunLoopTimerIsValid)(timer));
    E(Release)(timer);
}
SCENARIO(timer_with_block,
         .title = "A timer with a block calls it",
         .clauses = "TMR-8",
         .expected = "handler; = Finished")

static void timer_without_function(void)
{
    timer_ref timer = E(RunLoopTimerCreate)(NULL, 0, 0, 0, 0, NULL, NULL);

    add_timer(timer, "DEF");
    run("DEF", 1, false);
    check(!E(RunLoopTimerIsValid)(timer));
    E(Release)(timer);
}
SCENARIO(timer_without_function,
         .title = "A timer without a function fires into nothing",
         .clauses = "TMR-8",
         .says = "`callout` is null",
         .expected = "= Finished")

static void timer_in_one_loop(void)
{
    timer_ref timer = TIMER("t", .after = 1000);
    loop_ref loop = this_loop();

    add_timer(timer, "DEF");
    add_timer(timer, "M");
    elsewhere(^{
        add_timer(timer, "DEF");
        tell("elsewhere", has_timer(timer, "DEF"));
        E(RunLoopRemoveTimer)(loop, timer, mode_named("M"));
        add_timer(timer, "DEF");
        tell("elsewhere", has_timer(timer, "DEF"));
        E(RunLoopRemoveTimer)(loop, timer, K(RunLoopDefaultMode));
        add_timer(timer, "DEF");
        tell("elsewhere", has_timer(timer, "DEF"));
        tell("here", E(RunLoopContainsTimer)(loop, timer, K(RunLoopDefaultMode)));
        remove_timer(timer, "DEF");
    });
}
SCENARIO(timer_in_one_loop,
         .title = "A timer is in one loop until it left all of its modes",
         .clauses = "TMR-9 TMR-10 TMR-37",
         .expected = "elsewhere: no; elsewhere: no; elsewhere: yes; here: no")

static void common_timer_moves(void)
{
    timer_ref timer = TIMER("t", .after = 1000);
    loop_ref loop = this_loop();

    add_timer(timer, "COM");
    remove_timer(timer, "DEF");
    elsewhere(^{
        add_timer(timer, "DEF");
        tell("elsewhere", has_timer(timer, "DEF"));
        tell("common", E(RunLoopContainsTimer)(loop, timer, K(RunLoopCommonModes)));
        remove_timer(timer, "DEF");
    });
    tell("common", has_timer(timer, "COM"));
}
SCENARIO(common_timer_moves,
         .title = "A common timer that left its last mode can join another loop",
         .clauses = "TEST-35 TMR-9 TMR-37 MODE-13",
         .expected = "elsewhere: yes; common: no; common: no")

static void next_date(void)
{
    loop_ref loop = this_loop();
    double far = E(AbsoluteTimeGetCurrent)() + 2000;
    timer_ref late = TIMER("late", .date = far + 1000), early = TIMER("early", .date = far);

    check(E(RunLoopGetNextTimerFireDate)(loop, K(RunLoopDefaultMode)) == 0);
    add_timer(late, "COM");
    check(E(RunLoopGetNextTimerFireDate)(loop, K(RunLoopDefaultMode)) == far + 1000);
    add_timer(early, "DEF");
    check(E(RunLoopGetNextTimerFireDate)(loop, K(RunLoopDefaultMode)) == far);
    check(E(RunLoopGetNextTimerFireDate)(loop, K(RunLoopCommonModes)) == 0);
    check(E(RunLoopGetNextTimerFireDate)(loop, mode_named("unknown")) == 0);
    E(RunLoopTimerSetNextFireDate)(early, far + 2000);
    check(E(RunLoopGetNextTimerFireDate)(loop, K(RunLoopDefaultMode)) == far + 1000);
    E(RunLoopTimerInvalidate)(late);
    check(E(RunLoopGetNextTimerFireDate)(loop, K(RunLoopDefaultMode)) == far + 2000);
    remove_timer(early, "DEF");
    check(E(RunLoopGetNextTimerFireDate)(loop, K(RunLoopDefaultMode)) == 0);
}
SCENARIO(next_date,
         .title = "The next date of a mode is that of its first timer, or 0",
         .clauses = "TMR-30 TMR-36 TMR-13")

static void next_date_while_firing(void)
{
    double date = E(AbsoluteTimeGetCurrent)() - 5;
    timer_ref timer = TIMER("t", .date = date, .interval = 1000, .fire = ^(timer_ref fired) {
        check(E(RunLoopTimerGetNextFireDate)(fired) == date);
        check(E(RunLoopGetNextTimerFireDate)(this_loop(), K(RunLoopDefaultMode)) == date);
    });

    add_timer(timer, "DEF");
    run("DEF", 0, false);
    check(E(RunLoopTimerGetNextFireDate)(timer) > date + 1000);
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
         .clauses = "TEST-9 TMR-5 TMR-7 TMR-17",
         .expected = "5; 50; 500; = TimedOut")

static void dates_set_in_the_past(void)
{
    timer_ref one = TIMER("one", .after = -5);
    stay_busy(0.00001);
    timer_ref two = TIMER("two", .after = -50);

    add_timer(one, "DEF");
    add_timer(two, "DEF");
    stay_busy(0.00001);
    E(RunLoopTimerSetNextFireDate)(one, -1000);
    check(E(RunLoopTimerGetNextFireDate)(one) == -1000);
    run("DEF", 0, false);
}
SCENARIO(dates_set_in_the_past,
         .title = "Setting a date in the past makes the timer due now, after those already due",
         .clauses = "TMR-7 TMR-30",
         .expected = "two; one; = TimedOut")

static void two_modes(void)
{
    timer_ref timer = TIMER("t", .after = -1);

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
    loop_ref loop = this_loop();
    __block double added = 0;
    struct helper_thread *adder = start_thread(^{
        wait_until_asleep(loop);
        E(RunLoopAddTimer)(loop, TIMER("later", .after = 100), K(RunLoopDefaultMode));
        stay_busy(0.003);
        note("added");
        added = clock_now();
        timer_ref soon = TIMER("soon", .after = 0.005, .fire = ^(timer_ref fired) {
            check(clock_now() - added >= 0.005);
            E(RunLoopStop)(loop);
        });
        E(RunLoopAddTimer)(loop, soon, K(RunLoopDefaultMode));
    });

    watch("DEF");
    keep_alive("DEF");
    run("DEF", 10, false);
    join_thread(adder);
}
SCENARIO(timer_added_elsewhere,
         .title = "A timer added during the wait is honored in time and wakes nobody before",
         .clauses = "TEST-29 TMR-12 WAKE-7 WAKE-11",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; added; AfterWaiting; "
                     "soon; Exit; = Stopped")

static void date_set_elsewhere(void)
{
    loop_ref loop = this_loop();
    timer_ref timer = TIMER("t", .after = 1000);
    struct helper_thread *setter = start_thread(^{
        wait_until_asleep(loop);
        E(RunLoopTimerSetNextFireDate)(timer, E(AbsoluteTimeGetCurrent)() + 2000);
    });

    watch("DEF");
    add_timer(timer, "DEF");
    when_next(K(RunLoopAfterWaiting), "DEF", ^{ stop(); });
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
    loop_ref loop = this_loop();
    struct helper_thread *remover = start_thread(^{
        wait_until_asleep(loop);
        timer_ref timer = TIMER("t", .after = 0.02);
        E(RunLoopAddTimer)(loop, timer, K(RunLoopDefaultMode));
        E(RunLoopRemoveTimer)(loop, timer, K(RunLoopDefaultMode));
        note("removed");
        stay_busy(0.12);
        note("over");
        E(RunLoopStop)(loop);
    });

    watch("DEF");
    keep_alive("DEF");
    run("DEF", 10, false);
    join_thread(remover);
}
SCENARIO(removed_timer_wakes_nobody,
         .title = "A mode whose last timer was removed is not woken at that timer's date",
         .clauses = "TMR-43 DEF-11 RUN-39",
         .deviation = "D11: the reference leaves the kernel timer armed",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; removed; over; "
                     "AfterWaiting; Exit; = Stopped",
         .reference = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; removed; AfterWaiting; "
                      "BeforeTimers; BeforeSources; BeforeWaiting; over; AfterWaiting; Exit; "
                      "= Stopped")

static void tolerance(void)
{
    timer_ref once = TIMER("t", .after = 100), repeating = TIMER("r", .after = 1, .interval = 10);

    check(E(RunLoopTimerGetTolerance)(once) == 0);
    E(RunLoopTimerSetTolerance)(once, 7);
    note("%g", E(RunLoopTimerGetTolerance)(once));
    E(RunLoopTimerSetTolerance)(once, -1);
    note("%g", E(RunLoopTimerGetTolerance)(once));
    E(RunLoopTimerSetTolerance)(repeating, 3);
    note("%g", E(RunLoopTimerGetTolerance)(repeating));
    E(RunLoopTimerSetTolerance)(repeating, 7);
    note("%g", E(RunLoopTimerGetTolerance)(repeating));
    E(RunLoopTimerSetTolerance)(repeating, -7);
    note("%g", E(RunLoopTimerGetTolerance)(repeating));
}
SCENARIO(tolerance,
         .title = "A tolerance is not negative, and at most half the interval of a repeating timer",
         .clauses = "TMR-38 TMR-39 DEF-12",
         .deviation = "D9: the reference for Linux has no tolerance",
         .expected = "7; 0; 3; 5; 0",
         .reference = "0; 0; 0; 0; 0")

static void tolerant_timers_together(void)
{
    timer_ref tolerant = TIMER("tolerant", .after = 0.25);
    timer_ref exact = TIMER("exact", .after = 0.5);

    watch("DEF");
    E(RunLoopTimerSetTolerance)(tolerant, 5);
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

STOPS(interval_not_a_number, E(RunLoopTimerCreate)(NULL, 0, __builtin_nan(""), 0, 0, NULL, NULL),
      .title = "An interval that is not a number stops the process", .clauses = "TMR-1")

static void date_not_a_number(void)
{
    timer_ref timer = TIMER("t", .date = __builtin_nan(""));

    add_timer(timer, "DEF");
    run("DEF", 0.002, false);
    check(E(RunLoopTimerGetNextFireDate)(timer) == 4039289856.0);
}
SCENARIO(date_not_a_number,
         .title = "A date that is not a number counts as the last possible date",
         .clauses = "TMR-6",
         .deviation = "TMR-6: undefined in the reference",
         .expected = "= TimedOut")
