/*
 * Observers (OBS-1 to OBS-15).
 */

#include "scenario.h"

static void new_observer(void)
{
    RLRunLoopObserverRef observer =
        OBSERVER("o", .activities = 0xFFFFFFFFUL, .order = -3, .once = true);
    RLRunLoopObserverContext context = {.version = 7};

    check(RLRunLoopObserverIsValid(observer));
    check(RLRunLoopObserverGetActivities(observer) == 0xFFFFFFFFUL);
    check(RLRunLoopObserverGetOrder(observer) == -3);
    check(!RLRunLoopObserverDoesRepeat(observer));
    check(RLGetTypeID(observer) == RLRunLoopObserverGetTypeID());
    RLRunLoopObserverGetContext(observer, &context);
    check(context.version == 0);
    check(context.info != NULL);
    RLRunLoopObserverInvalidate(observer);
    check(!RLRunLoopObserverIsValid(observer));
    check(RLRunLoopObserverGetActivities(observer) == 0xFFFFFFFFUL);
    check(RLRunLoopObserverGetOrder(observer) == -3);
    check(!RLRunLoopObserverDoesRepeat(observer));
    RLRunLoopObserverGetContext(observer, &context);
    check(context.info == NULL);
}
SCENARIO(new_observer,
         .title = "An observer keeps activities, order and repetition for ever",
         .clauses = "OBS-10 OBS-8 TYPE-12")

static void activity_masks(void)
{
    RLRunLoopObserverContext context = {.version = 0};
    RLRunLoopObserverRef deaf = RLRunLoopObserverCreate(NULL, 0, true, 0, gadget_observe, &context);

    RLRunLoopAddObserver(this_loop(), deaf, kRLRunLoopDefaultMode);
    RLRelease(deaf);
    add_observer(OBSERVER("all", .activities = ~0UL), "DEF");
    add_observer(OBSERVER("odd", .activities = (1UL << 3) | (1UL << 4) | kRLRunLoopExit), "DEF");
    keep_alive("DEF");
    run("DEF", 0.001, false);
}
SCENARIO(activity_masks,
         .title = "Only the six activities are delivered, one bit a call, and a mask of 0 gets none",
         .clauses = "OBS-1 CONST-1",
         .expected = "all Entry; all BeforeTimers; all BeforeSources; all BeforeWaiting; "
                     "all AfterWaiting; all Exit; odd Exit; = TimedOut")

static void observer_order(void)
{
    unsigned long ends = kRLRunLoopEntry | kRLRunLoopExit;

    add_observer(OBSERVER("c", .order = 5, .activities = ends), "DEF");
    add_observer(OBSERVER("b1", .activities = ends), "DEF");
    add_observer(OBSERVER("a", .order = -5, .activities = ends), "DEF");
    add_observer(OBSERVER("b2", .activities = ends), "DEF");
    keep_alive("DEF");
    run("DEF", 0, false);
}
SCENARIO(observer_order,
         .title = "Observers are called by order, then by addition, in Exit as in Entry",
         .clauses = "OBS-2",
         .expected = "a Entry; b1 Entry; b2 Entry; c Entry; a Exit; b1 Exit; b2 Exit; c Exit; "
                     "= TimedOut")

static void observer_in_one_loop(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopObserverRef observer = OBSERVER("o", .activities = kRLRunLoopEntry);

    add_observer(observer, "DEF");
    add_observer(observer, "DEF");
    add_observer(observer, "M");
    keep_alive("DEF");
    run("DEF", 0, false);
    elsewhere(^{
        add_observer(observer, "DEF");
        note_answer("elsewhere", has_observer(observer, "DEF"));
        RLRunLoopRemoveObserver(loop, observer, kRLRunLoopDefaultMode);
        add_observer(observer, "DEF");
        note_answer("elsewhere", has_observer(observer, "DEF"));
        RLRunLoopRemoveObserver(loop, observer, mode_named("M"));
        add_observer(observer, "DEF");
        note_answer("elsewhere", has_observer(observer, "DEF"));
    });
}
SCENARIO(observer_in_one_loop,
         .title = "An observer is in one loop, in each mode once, until it left all of them",
         .clauses = "OBS-3",
         .expected = "o Entry; = TimedOut; elsewhere: no; elsewhere: no; elsewhere: yes")

static void observers_change_in_round(void)
{
    RLRunLoopObserverRef removed = OBSERVER("removed", .order = 1, .activities = kRLRunLoopEntry);
    RLRunLoopObserverRef invalid = OBSERVER("invalid", .order = 2, .activities = kRLRunLoopEntry);
    RLRunLoopObserverRef added = OBSERVER("added", .order = 3, .activities = kRLRunLoopEntry);

    add_observer(OBSERVER("first", .activities = kRLRunLoopEntry, .once = true,
                          .observe =
                              ^(RLRunLoopObserverRef observer, unsigned long activity) {
                                  remove_observer(removed, "DEF");
                                  RLRunLoopObserverInvalidate(invalid);
                                  add_observer(added, "DEF");
                              }),
                 "DEF");
    add_observer(removed, "DEF");
    add_observer(invalid, "DEF");
    keep_alive("DEF");
    run("DEF", 0, false);
    run("DEF", 0, false);
}
SCENARIO(observers_change_in_round,
         .title = "In a round, a removed observer is called, an invalid and an added one are not",
         .clauses = "OBS-4 OBS-5",
         .expected = "first Entry; removed Entry; = TimedOut; added Entry; = TimedOut")

static void observer_once(void)
{
    __block RLRunLoopObserverRef observer = NULL;
    observer = OBSERVER("once", .once = true,
                        .observe = ^(RLRunLoopObserverRef called, unsigned long activity) {
                            note_answer("valid", RLRunLoopObserverIsValid(called));
                            note_answer("contained", has_observer(called, "DEF"));
                            run("DEF", 0, false);
                        });

    add_observer(observer, "DEF");
    keep_alive("DEF");
    run("DEF", 0, false);
    note_answer("valid", RLRunLoopObserverIsValid(observer));
    note_answer("contained", has_observer(observer, "DEF"));
}
SCENARIO(observer_once,
         .title = "An observer that does not repeat is called once and is then invalid",
         .clauses = "OBS-7 OBS-6",
         .expected = "once Entry; valid: yes; contained: yes; = TimedOut; = TimedOut; valid: no; "
                     "contained: no")

static void observer_references(void)
{
    RLRunLoopObserverRef observer = OBSERVER("o", .logs_references = true, .owned = true);

    add_observer(observer, "DEF");
    add_observer(observer, "COM");
    RLRunLoopObserverInvalidate(observer);
    note("invalid");
    RLRunLoopObserverInvalidate(observer);
    add_observer(observer, "DEF");
    note_answer("contained", has_observer(observer, "DEF"));
    note_answer("common", has_observer(observer, "COM"));
    RLRelease(observer);
    observer = OBSERVER("p", .logs_references = true, .owned = true);
    RLRelease(observer);
}
SCENARIO(observer_references,
         .title = "An observer's info is retained when made, released when invalid or dead",
         .clauses = "OBS-8 OBS-15 OBS-9",
         .expected = "o retained; o released; invalid; contained: no; common: no; p retained; "
                     "p released")

static void observer_references_in_call(void)
{
    RLRunLoopObserverRef observer =
        OBSERVER("o", .logs_references = true, .activities = kRLRunLoopEntry,
                 .observe = ^(RLRunLoopObserverRef called, unsigned long activity) {
                     RLRunLoopObserverInvalidate(called);
                     note("invalid");
                 });

    add_observer(observer, "DEF");
    keep_alive("DEF");
    run("DEF", 0, false);
}
SCENARIO(observer_references_in_call,
         .title = "An observer's info is kept alive while a call runs",
         .clauses = "OBS-9",
         .deviation = "D6: the reference retains the info at creation only",
         .expected = "o retained; o retained; o Entry; o released; invalid; o released; = TimedOut",
         .reference = "o retained; o Entry; o released; invalid; = TimedOut")

static void observer_added_elsewhere(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopObserverRef observer = OBSERVER("added");
    struct helper_thread *adder = start_thread(^{
        wait_until_asleep(loop);
        RLRunLoopAddObserver(loop, observer, kRLRunLoopDefaultMode);
        note("added");
        stop_later(loop, 0.003);
    });

    add_observer(OBSERVER("old", .activities = kRLRunLoopBeforeWaiting | kRLRunLoopAfterWaiting),
                 "DEF");
    keep_alive("DEF");
    run("DEF", 10, false);
    join_thread(adder);
}
SCENARIO(observer_added_elsewhere,
         .title = "An observer added during the wait does not wake the loop, and is called from then on",
         .clauses = "OBS-11 WAKE-7",
         .expected = "old BeforeWaiting; added; old AfterWaiting; added AfterWaiting; added Exit; "
                     "= Stopped")

static void observer_without_function(void)
{
    RLRunLoopObserverRef observer =
        RLRunLoopObserverCreate(NULL, kRLRunLoopEntry, false, 0, NULL, NULL);

    add_observer(observer, "DEF");
    keep_alive("DEF");
    run("DEF", 0, false);
    note_answer("valid", RLRunLoopObserverIsValid(observer));
    RLRelease(observer);
}
SCENARIO(observer_without_function,
         .title = "An observer without a function that does not repeat is invalid after its activity",
         .clauses = "OBS-12",
         .expected = "= TimedOut; valid: no")

static void observer_with_block(void)
{
    RLRunLoopObserverRef observer = RLRunLoopObserverCreateWithHandler(
        NULL, kRLRunLoopEntry | kRLRunLoopExit, true, 0,
        ^(RLRunLoopObserverRef called, RLRunLoopActivity activity) {
            check(called != NULL);
            note("handler %s", name_of_activity(activity));
        });
    add_observer(observer, "DEF");
    keep_alive("DEF");
    run("DEF", 0, false);
    RLRunLoopObserverInvalidate(observer);
    run("DEF", 0, false);
    RLRelease(observer);
}
SCENARIO(observer_with_block,
         .title = "An observer with a block calls it until it is invalidated",
         .clauses = "OBS-13",
         .expected = "handler Entry; handler Exit; = TimedOut; = TimedOut")

static void observers_do_not_keep_modes(void)
{
    watch("DEF");
    run("DEF", 10, false);
}
SCENARIO(observers_do_not_keep_modes,
         .title = "A mode with observers only is empty",
         .clauses = "MODE-18 RUN-3",
         .expected = "= Finished")
