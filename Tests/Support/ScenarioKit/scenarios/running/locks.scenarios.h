/*
 * What is possible during callouts and sleeps (RUN-34 to RUN-43).
 */

/* Uses from another thread what would block if the loop were locked. */
static void use_elsewhere(loop_ref loop)
{
    elsewhere(^{
        source_ref source = SOURCE("S", .quiet = true);
        timer_ref timer = TIMER("T", .after = 1000);
        observer_ref observer = OBSERVER("O", .activities = K(RunLoopExit), .quiet = true);
        mode_ref mode = K(RunLoopDefaultMode);

        E(RunLoopAddSource)(loop, source, mode);
        E(RunLoopAddTimer)(loop, timer, mode);
        E(RunLoopAddObserver)(loop, observer, mode);
        check(E(RunLoopContainsSource)(loop, source, mode));
        check(E(RunLoopContainsTimer)(loop, timer, mode));
        check(E(RunLoopContainsObserver)(loop, observer, mode));
        E(RunLoopTimerSetNextFireDate)(timer, E(AbsoluteTimeGetCurrent)() + 2000);
        E(RunLoopSourceSignal)(source);
        check(E(RunLoopGetNextTimerFireDate)(loop, mode) != 0);
        E(Release)(E(RunLoopCopyAllModes)(loop));
        E(RunLoopRemoveSource)(loop, source, mode);
        E(RunLoopRemoveTimer)(loop, timer, mode);
        E(RunLoopRemoveObserver)(loop, observer, mode);
        E(RunLoopWakeUp)(loop);
    });
    note("used");
}

static void use_in_every_callout(void)
{
    loop_ref loop = this_loop();
    int counter = make_counter();
    source_ref source = SOURCE("A", .perform = ^{ use_elsewhere(loop); });

    when_next(K(RunLoopEntry), "DEF", ^{ use_elsewhere(loop); });
    queue_block("b", "DEF", ^{ use_elsewhere(loop); });
    add_source(source, "DEF");
    signal_source(source);
    after(-1, "t", "DEF", ^{ use_elsewhere(loop); });
    run("DEF", 0, false);
    add_source(PORT("p", counter, .perform = ^{ use_elsewhere(loop); }), "DEF");
    count_up(counter);
    /* Not a poll: a wake-up that the first run did not need may come before the port. */
    run("DEF", 10, true);
}
SCENARIO(use_in_every_callout,
         .title = "Other threads can use the loop while it is in a callout of any kind",
         .clauses = "RUN-34 LIFE-6",
         .expected = "used; b; used; A; used; t; used; = TimedOut; p; used; = HandledSource")

static void use_in_schedule(void)
{
    loop_ref loop = this_loop();
    action use = ^{ use_elsewhere(loop); };

    elsewhere(^{
        loop_ref ending = this_loop();
        action ask = ^{
            elsewhere(^{ E(Release)(E(RunLoopCopyAllModes)(ending)); });
            note("used");
        };
        add_source(SOURCE("B", .cancel = ask), "DEF");
    });
    source_ref source = SOURCE("A", .schedule = use, .cancel = use);
    add_source(source, "COM");
    make_common("M");
    remove_source(source, "COM");
    add_source(source, "M");
    E(RunLoopSourceInvalidate)(source);
}
SCENARIO(use_in_schedule,
         .title = "Other threads can use the loop while a source enters or leaves it",
         .clauses = "RUN-35 LIFE-15 DEF-14",
         .deviation = "D7: the reference holds its lock there and would deadlock",
         .expected = "B joins DEF; B leaves DEF; used; A joins DEF; used; A joins M; used; "
                     "A leaves DEF; used; A leaves M; used; A joins M; used; A leaves M; used")

static void use_in_wait(void)
{
    loop_ref loop = this_loop();
    struct helper_thread *user = start_thread(^{
        wait_until_asleep(loop);
        use_elsewhere(loop);
        E(RunLoopStop)(loop);
    });

    keep_alive("DEF");
    run("DEF", __builtin_inf(), false);
    join_thread(user);
}
SCENARIO(use_in_wait,
         .title = "Other threads can use the loop while it sleeps",
         .clauses = "RUN-34 LIFE-6",
         .expected = "used; = Stopped")

static void release_in_callout(void)
{
    __block timer_ref timer = NULL;
    __block source_ref source = NULL;
    __block observer_ref observer = NULL;

    timer = TIMER("t", .after = -1, .owned = true, .fire = ^(timer_ref fired) {
        E(RunLoopTimerInvalidate)(timer);
        E(Release)(timer);
        check(!E(RunLoopTimerIsValid)(fired));
    });
    source = SOURCE("A", .owned = true, .perform = ^{
        E(RunLoopSourceInvalidate)(source);
        E(Release)(source);
    });
    observer = OBSERVER("o", .activities = K(RunLoopBeforeTimers), .owned = true,
                        .observe = ^(observer_ref called, unsigned long activity) {
                            E(RunLoopObserverInvalidate)(observer);
                            E(Release)(observer);
                            check(!E(RunLoopObserverIsValid)(called));
                        });
    add_timer(timer, "DEF");
    add_source(source, "DEF");
    add_observer(observer, "DEF");
    signal_source(source);
    run("DEF", 1, false);
}
SCENARIO(release_in_callout,
         .title = "An object that is given up in its callout lives until that returns",
         .clauses = "RUN-43",
         .expected = "o BeforeTimers; A; t; = Finished")
