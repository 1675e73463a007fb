/*
 * Descriptions: which fields, with what values, in which order (DESC clauses).
 */

#include "scenario.h"

static void described_source(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .order = -3);

    HAS_PIECES(source, "RunLoopSource 0x", "[", "]>{", "signalled = No", "valid = Yes",
               "order = -3", "context = ", "version = 0", "info = 0x", "callout = ");
    signal_source(source);
    HAS_PIECES(source, "signalled = Yes", "valid = Yes");
    RLRunLoopSourceInvalidate(source);
    HAS_PIECES(source, "signalled = No", "valid = No", "order = -3");
}
SCENARIO(described_source,
         .title = "A source is described by its marks, its order and its context",
         .clauses = "DESC-3 DESC-7")

static RLStringRef describe_info(const void *info)
{
    return RLStringCreateWithCString(NULL, "the description of the context", kRLStringEncodingUTF8);
}

static void described_contexts(void)
{
    static int data;
    RLRunLoopSourceContext of_source = {.info = &data, .copyDescription = describe_info};
    RLRunLoopObserverContext of_observer = {.info = &data, .copyDescription = describe_info};
    RLRunLoopTimerContext of_timer = {.info = &data, .copyDescription = describe_info};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &of_source);
    RLRunLoopObserverRef observer = RLRunLoopObserverCreate(NULL, 1, true, 0, NULL, &of_observer);
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, 0, 0, 0, 0, NULL, &of_timer);

    HAS_PIECES(source, "context = the description of the context");
    HAS_PIECES(observer, "context = the description of the context");
    HAS_PIECES(timer, "context = the description of the context");
    RLRelease(source);
    RLRelease(observer);
    RLRelease(timer);
}
SCENARIO(described_contexts,
         .title = "A context with a describe function is described by this function",
         .clauses = "DESC-3 DESC-4 DESC-5",
         .expected_hints = "`callout` is null")

static void described_observer(void)
{
    unsigned long activities = kRLRunLoopBeforeTimers | kRLRunLoopBeforeWaiting;
    RLRunLoopObserverRef observer =
        OBSERVER("o", .activities = activities, .order = 4, .once = true);

    HAS_PIECES(observer, "RunLoopObserver 0x", "]>{", "valid = Yes", "activities = 0x22",
               "repeats = No", "order = 4", "callout = ", "context = ", "context 0x");
    RLRunLoopObserverInvalidate(observer);
    HAS_PIECES(observer, "valid = No", "activities = 0x22", "context ", null_text());
}
SCENARIO(described_observer,
         .title = "An observer is described by its activities, its order and its callout",
         .clauses = "DESC-4 DESC-7")

static void described_timer(void)
{
    RLRunLoopTimerRef timer =
        TIMER("t", .after = 1000, .interval = 5, .fire = ^(RLRunLoopTimerRef fired) {
            HAS_PIECES(fired, "valid = Yes", "firing = Yes");
            stop();
        });

    HAS_PIECES(timer, "RunLoopTimer 0x", "]>{", "valid = Yes", "firing = No", "interval = 5",
               "tolerance = 0", "next fire date = ", " (", " @ ",
               "), callout = ", "context = ", "context 0x");
    RLRunLoopTimerSetNextFireDate(timer, 0);
    add_timer(timer, "DEF");
    run("DEF", 10, false);
    RLRunLoopTimerInvalidate(timer);
    HAS_PIECES(timer, "valid = No", "firing = No", "interval = 5", "next fire date = ", "context ",
               null_text());
}
SCENARIO(described_timer,
         .title = "A timer is described by its schedule, also when it is invalid",
         .clauses = "DESC-5",
         .expected = "t; = Stopped")

static void described_loop(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef port = PORT("p", make_counter(), .order = 17);

    HAS_PIECES(loop, "RunLoop 0x", "]>{wakeup port = 0x", "stopped = false", "ignoreWakeUps = true",
               "current mode = (none)", "common modes = ", "count = 1",
               "common mode items = (null)", "modes = ", "count = 1", "RunLoopMode 0x",
               "name = ", "port set = 0x", "timer port = 0x", "sources0 = (null)",
               "sources1 = (null)", "observers = (null)", "timers = (null)", "currently ",
               " / soft deadline in: ", " sec (@ -1)", " / hard deadline in: ", " sec (@ -1)");
    add_source(port, "DEF");
    add_observer(OBSERVER("o", .activities = kRLRunLoopExit, .quiet = true), "COM");
    add_timer(TIMER("t", .after = 1000), "DEF");
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{
        HAS_PIECES(loop, "stopped = false", "ignoreWakeUps = false",
                   "current mode = ", "DefaultMode", "common mode items = ", "activities = 0x80",
                   "modes = ", "sources1 = ", "order = 17",
                   "observers = ", "timers = ", "valid = Yes");
        stop();
        HAS_PIECES(loop, "stopped = true");
    });
    run("DEF", 10, false);
}
SCENARIO(described_loop,
         .title = "A loop is described with its modes and all that is in them",
         .clauses = "DESC-1 DESC-2 DESC-8",
         .expected = "= Stopped")
