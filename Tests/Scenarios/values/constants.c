/*
 * Types and constants (TYPE-1 to TYPE-13, CONST-1 to CONST-9).
 */

#include "scenario.h"

static void scalar_types(void)
{
    check(sizeof(RLIndex) == sizeof(void *) && (RLIndex)-1 < 0);
    check(sizeof(RLOptionFlags) == sizeof(void *) && (RLOptionFlags)-1 > 0);
    check(sizeof(RLHashCode) == sizeof(void *) && (RLHashCode)-1 > 0);
    check(sizeof(RLTypeID) == sizeof(void *) && (RLTypeID)-1 > 0);
    check(sizeof(Boolean) == 1 && (Boolean)-1 > 0);
    check(sizeof(RLTimeInterval) == 8);
    check(kRLAbsoluteTimeIntervalSince1970 == 978307200.0);

    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double before = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - 978307200.0;
    check(RLAbsoluteTimeGetCurrent() >= before - 1e-5);
    check(RLAbsoluteTimeGetCurrent() < before + 100);
}
SCENARIO(scalar_types,
         .title = "Scalar types have their sizes and signs, and dates count from 2001",
         .clauses = "TYPE-1 TYPE-2")

static void type_numbers(void)
{
    RLTypeID loop = RLRunLoopGetTypeID(), source = RLRunLoopSourceGetTypeID();
    RLTypeID observer = RLRunLoopObserverGetTypeID(), timer = RLRunLoopTimerGetTypeID();

    check(loop != source && loop != observer && loop != timer);
    check(source != observer && source != timer && observer != timer);
    check(RLGetTypeID(this_loop()) == loop);
    check(RLGetTypeID(SOURCE("A")) == source);
    check(RLGetTypeID(OBSERVER("o")) == observer);
    check(RLGetTypeID(TIMER("t")) == timer);
}
SCENARIO(type_numbers,
         .title = "Loops, sources, observers and timers are four different types",
         .clauses = "TYPE-3")

static void identity(void)
{
    RLRunLoopObserverRef one = OBSERVER("o"), other = OBSERVER("o");
    RLRunLoopTimerRef first = TIMER("t", .date = 5), second = TIMER("t", .date = 5);

    check(RLEqual(one, one) && !RLEqual(one, other));
    check(RLEqual(first, first) && !RLEqual(first, second));
    check(RLEqual(this_loop(), this_loop()) && !RLEqual(this_loop(), RLRunLoopGetMain()));
    check(RLHash(one) == RLHash(one) && RLHash(first) == RLHash(first));
}
SCENARIO(identity,
         .title = "Loops, observers and timers are equal only to themselves",
         .clauses = "TYPE-4")

static void activities(void)
{
    check(kRLRunLoopEntry == 1);
    check(kRLRunLoopBeforeTimers == 2);
    check(kRLRunLoopBeforeSources == 4);
    check(kRLRunLoopBeforeWaiting == 32);
    check(kRLRunLoopAfterWaiting == 64);
    check(kRLRunLoopExit == 128);
    check(kRLRunLoopAllActivities == 0x0FFFFFFF);
    check(sizeof(RLRunLoopActivity) == sizeof(RLOptionFlags));
}
SCENARIO(activities,
         .title = "Activities have the values of Apple's headers",
         .clauses = "CONST-1")

static void results(void)
{
    check(kRLRunLoopRunFinished == 1);
    check(kRLRunLoopRunStopped == 2);
    check(kRLRunLoopRunTimedOut == 3);
    check(kRLRunLoopRunHandledSource == 4);
    check(sizeof(RLRunLoopRunResult) == 4);
}
SCENARIO(results,
         .title = "Results have the values of Apple's headers",
         .clauses = "CONST-2")

/* Logs the characters of a string after its first letter, with which the engines differ. */
static void note_constant(RLRunLoopMode mode)
{
    char buffer[64];

    check(RLStringGetCString(mode, buffer, sizeof(buffer), kRLStringEncodingUTF8));
    check(strncmp(buffer, "k", 1) == 0);
    note("%s", buffer + 3);
}

static void mode_constants(void)
{
    note_constant(kRLRunLoopDefaultMode);
    note_constant(kRLRunLoopCommonModes);
    check(RLGetTypeID(kRLRunLoopDefaultMode) == RLStringGetTypeID());
}
SCENARIO(mode_constants,
         .title = "The names of the mode constants are their own names",
         .clauses = "CONST-3",
         .expected = "RunLoopDefaultMode; RunLoopCommonModes")

static void contexts(void)
{
    const size_t word = sizeof(void *);

    check(sizeof(RLRunLoopSourceContext) == 10 * word);
    check(sizeof(RLRunLoopSourceContext1) == 9 * word);
    check(sizeof(RLRunLoopObserverContext) == 5 * word);
    check(sizeof(RLRunLoopTimerContext) == 5 * word);
    check(offsetof(RLRunLoopSourceContext, info) == word);
    check(offsetof(RLRunLoopSourceContext, retain) == 2 * word);
    check(offsetof(RLRunLoopSourceContext, release) == 3 * word);
    check(offsetof(RLRunLoopSourceContext, copyDescription) == 4 * word);
    check(offsetof(RLRunLoopSourceContext, equal) == 5 * word);
    check(offsetof(RLRunLoopSourceContext, hash) == 6 * word);
    check(offsetof(RLRunLoopSourceContext, schedule) == 7 * word);
    check(offsetof(RLRunLoopSourceContext, cancel) == 8 * word);
    check(offsetof(RLRunLoopSourceContext, perform) == 9 * word);
    check(offsetof(RLRunLoopSourceContext1, getPort) == 7 * word);
    check(offsetof(RLRunLoopSourceContext1, perform) == 8 * word);
    check(offsetof(RLRunLoopTimerContext, copyDescription) == 4 * word);
}
SCENARIO(contexts,
         .title = "The context structures have the layout of Apple's headers",
         .clauses = "TYPE-7 TYPE-8 TYPE-9 TYPE-11")

static void largest_date(void)
{
    RLRunLoopTimerRef infinite = TIMER("t", .date = __builtin_inf());
    RLRunLoopTimerRef high = TIMER("t", .date = 4039289857.0);
    RLRunLoopTimerRef low = TIMER("t", .date = -__builtin_inf());
    RLRunLoopTimerRef past = TIMER("t", .date = -12345.5);

    check(RLRunLoopTimerGetNextFireDate(infinite) == 4039289856.0);
    check(RLRunLoopTimerGetNextFireDate(high) == 4039289856.0);
    check(RLRunLoopTimerGetNextFireDate(low) == -__builtin_inf());
    check(RLRunLoopTimerGetNextFireDate(past) == -12345.5);
    RLRunLoopTimerSetNextFireDate(past, 1e300);
    check(RLRunLoopTimerGetNextFireDate(past) == 4039289856.0);
}
SCENARIO(largest_date,
         .title = "Fire dates are capped at 4039289856, past ones are kept as they are",
         .clauses = "CONST-4 TMR-4 TMR-30")

/* The arguments of callbacks; their info points to one of these. */
struct arguments {
    const void *item;
    unsigned long activity;
};

static void log_observed(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    *(struct arguments *)info = (struct arguments){observer, activity};
}

static void log_fired(RLRunLoopTimerRef timer, void *info)
{
    *(struct arguments *)info = (struct arguments){timer, 0};
}

static void callback_arguments(void)
{
    struct arguments observed = {0}, fired = {0};
    RLRunLoopObserverContext of_observer = {.info = &observed};
    RLRunLoopTimerContext of_timer = {.info = &fired};
    RLRunLoopObserverRef observer =
        RLRunLoopObserverCreate(NULL, kRLRunLoopExit, false, 0, log_observed, &of_observer);
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, 0, 0, 0, 0, log_fired, &of_timer);

    add_observer(observer, "DEF");
    add_timer(timer, "DEF");
    run("DEF", 0, false);
    check(observed.item == observer && observed.activity == kRLRunLoopExit);
    check(fired.item == timer);
    RLRelease(observer);
    RLRelease(timer);
}
SCENARIO(callback_arguments,
         .title = "Callbacks get the item and its info, and observers the activity",
         .clauses = "TYPE-13",
         .expected = "= TimedOut")
