/* Calls during callbacks and sleeps (RUN-34 to RUN-43). */

#include "scenario.h"

/* Uses from another thread what would block if the loop were locked. */
static void use_elsewhere(RLRunLoopRef loop)
{
    elsewhere(^{
        RLRunLoopSourceRef source = SOURCE("S", .quiet = true);
        RLRunLoopTimerRef timer = TIMER("T", .after = 1000);
        RLRunLoopObserverRef observer = OBSERVER("O", .activities = kRLRunLoopExit, .quiet = true);
        RLRunLoopMode mode = kRLRunLoopDefaultMode;

        RLRunLoopAddSource(loop, source, mode);
        RLRunLoopAddTimer(loop, timer, mode);
        RLRunLoopAddObserver(loop, observer, mode);
        check(RLRunLoopContainsSource(loop, source, mode));
        check(RLRunLoopContainsTimer(loop, timer, mode));
        check(RLRunLoopContainsObserver(loop, observer, mode));
        RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent() + 2000);
        RLRunLoopSourceSignal(source);
        check(RLRunLoopGetNextTimerFireDate(loop, mode) != 0);
        RLRelease(RLRunLoopCopyAllModes(loop));
        RLRunLoopRemoveSource(loop, source, mode);
        RLRunLoopRemoveTimer(loop, timer, mode);
        RLRunLoopRemoveObserver(loop, observer, mode);
        RLRunLoopWakeUp(loop);
    });
    note("used");
}

static void use_in_every_callout(void)
{
    RLRunLoopRef loop = this_loop();
    int counter = make_counter();
    RLRunLoopSourceRef source = SOURCE("A", .perform = ^{ use_elsewhere(loop); });

    when_next(kRLRunLoopEntry, "DEF", ^{ use_elsewhere(loop); });
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
    RLRunLoopRef loop = this_loop();
    action use = ^{ use_elsewhere(loop); };

    elsewhere(^{
        RLRunLoopRef ending = this_loop();
        action ask = ^{
            elsewhere(^{ RLRelease(RLRunLoopCopyAllModes(ending)); });
            note("used");
        };
        add_source(SOURCE("B", .cancel = ask), "DEF");
    });
    RLRunLoopSourceRef source = SOURCE("A", .schedule = use, .cancel = use);
    add_source(source, "COM");
    make_common("M");
    remove_source(source, "COM");
    add_source(source, "M");
    RLRunLoopSourceInvalidate(source);
}
SCENARIO(use_in_schedule,
         .title = "Other threads can use the loop while a source enters or leaves it",
         .clauses = "RUN-35 LIFE-15",
         .deviation = "D7: the reference holds its lock there and would deadlock",
         .expected = "B joins DEF; B leaves DEF; used; A joins DEF; used; A joins M; used; "
                     "A leaves DEF; used; A leaves M; used; A joins M; used; A leaves M; used")

static void use_in_wait(void)
{
    RLRunLoopRef loop = this_loop();
    struct helper_thread *user = start_thread(^{
        wait_until_asleep(loop);
        use_elsewhere(loop);
        RLRunLoopStop(loop);
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
    __block RLRunLoopTimerRef timer = NULL;
    __block RLRunLoopSourceRef source = NULL;
    __block RLRunLoopObserverRef observer = NULL;

    timer = TIMER("t", .after = -1, .owned = true, .fire = ^(RLRunLoopTimerRef fired) {
        RLRunLoopTimerInvalidate(timer);
        RLRelease(timer);
        check(!RLRunLoopTimerIsValid(fired));
    });
    source = SOURCE("A", .owned = true, .perform = ^{
        RLRunLoopSourceInvalidate(source);
        RLRelease(source);
    });
    observer = OBSERVER("o", .activities = kRLRunLoopBeforeTimers, .owned = true,
                        .observe = ^(RLRunLoopObserverRef called, unsigned long activity) {
                            RLRunLoopObserverInvalidate(observer);
                            RLRelease(observer);
                            check(!RLRunLoopObserverIsValid(called));
                        });
    add_timer(timer, "DEF");
    add_source(source, "DEF");
    add_observer(observer, "DEF");
    signal_source(source);
    run("DEF", 10, false);
}
SCENARIO(release_in_callout,
         .title = "An object that is given up in its callout lives until that returns",
         .clauses = "RUN-43",
         .expected = "o BeforeTimers; A; t; = Finished")
