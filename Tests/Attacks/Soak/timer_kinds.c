/*
 * Timers, and the clocks of tests, by which they go.
 */

#define _GNU_SOURCE

#include "races.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <sched.h>

/* --- Timers ----------------------------------------------------------------------------------- */

static void fire(RLRunLoopTimerRef timer, void *info)
{
    be_called(info, timer);
}

static void make_timer(struct race *race)
{
    RLRunLoopTimerContext context = {.info = race, .retain = retain_race, .release = release_race};
    double interval = random_below(&race->random, 3) * 0.1e-3;
    race->objects[0] =
        RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent(), interval, 0, 0, fire, &context);
}

static void invalidate_timer(struct racer *self)
{
    RLRunLoopTimerInvalidate(self->object);
}

static void set_date(struct racer *self)
{
    double date = RLAbsoluteTimeGetCurrent() + some_milliseconds(self);
    RLRunLoopTimerSetNextFireDate(self->object, date);
}

static void set_moment(struct racer *self)
{
    RLRunLoopTimerSetNextFireTime(self->object,
                                  RLClockGetNanoseconds() + random_below(&self->random, 500000));
}

static void set_tolerance(struct racer *self)
{
    RLRunLoopTimerSetTolerance(self->object, some_milliseconds(self));
}

static void ask_timer(struct racer *self)
{
    RLRunLoopTimerContext context;
    RLRunLoopTimerGetNextFireDate(self->object);
    RLRunLoopTimerGetTolerance(self->object);
    RLRunLoopTimerIsValid(self->object);
    RLRunLoopTimerGetThreadNumber(self->object);
    RLRunLoopTimerGetContext(self->object, &context);
}

static void call_timer(struct racer *self)
{
    RLRunLoopTimerCallOut(self->object);
}

static void leave_common_items(struct racer *self)
{
    for (int i = 0; i < LOOPS; i++) {
        RLRunLoopRemoveTimer(loops[i], self->object, kRLRunLoopCommonModes);
    }
}

/* A common item of a loop that is in no mode of it may be in modes of another one. */
static void add_to_two_loops(struct racer *self)
{
    RLRunLoopRef loop = some_loop(self);
    atomic_store(&self->race->is_served, true);
    RLRunLoopAddTimer(loop, self->object, kRLRunLoopCommonModes);
    RLRunLoopRemoveTimer(loop, self->object, kRLRunLoopDefaultMode);
    RLRunLoopRemoveTimer(loop, self->object, second_mode);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), self->object, kRLRunLoopDefaultMode);
    for (int i = 0; i < 3; i++) {
        set_date(self);
        RLRunLoopTimerSetNextFireDate(self->object, RLAbsoluteTimeGetCurrent());
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    }
}

static const struct call timer_calls[] = {
    {"RLRunLoopTimerInvalidate", invalidate_timer, false},
    {"RLRunLoopTimerSetNextFireDate", set_date, false},
    {"RLRunLoopTimerSetNextFireTime", set_moment, false},
    {"RLRunLoopTimerSetTolerance", set_tolerance, false},
    {"RLRunLoopTimerGet…", ask_timer, false},
    {"RLRunLoopTimerCallOut", call_timer, false},
    {"RLRunLoopAddTimer, two loops", add_to_two_loops, false},
    {"RLRunLoopRemoveTimer, common modes", leave_common_items, false},
    {NULL, NULL, false},
};

static const struct kind timers = {
    .name = "timer", .make = make_timer, .calls = timer_calls, .end = invalidate_timer};

/* --- Clocks of tests -------------------------------------------------------------------------- */

/*
 * The clock of a race, until it has been ended. A loop uses one at a time, and a loop that still
 * serves the timer of the last race may be the one to end its clock.
 */
static _Atomic(RLTestClockRef) clock_of_race;

/* The object is a timer in loops that use the clock. */
static void make_clock(struct race *race)
{
    int64_t end_ns = clock_ns() + LOST_AFTER_S * INT64_C(1000000000);
    while (atomic_load(&clock_of_race)) {
        if (clock_ns() >= end_ns) fail("the end of the last clock");
        sched_yield();
    }
    make_timer(race);
    race->other = RLTestClockCreate();
    atomic_store(&clock_of_race, race->other);
}

static void finish_clock(struct race *race)
{
    RLRunLoopTimerInvalidate((void *)(uintptr_t)race->objects[0]);
}

static void dispose_of_clock(struct race *race)
{
    RLTestClockEnd(race->other);
    atomic_store(&clock_of_race, NULL);
}

/* A wait for time ends. */
static void end_clock(struct racer *self)
{
    RLTestClockRef clock = self->race->other;
    RLTestClockSetNanoseconds(clock, RLTestClockGetNanoseconds(clock) + 1000000000);
    RLRunLoopTimerInvalidate(self->object);
}

static void join_clock(struct racer *self)
{
    if (random_below(&self->random, 4) == 0) RLTestClockAddAllLoops(self->race->other);
    RLTestClockAddLoop(self->race->other, some_loop(self));
}

static void move_clock(struct racer *self)
{
    RLTestClockRef clock = self->race->other;
    SInt64 now = RLTestClockGetNanoseconds(clock);
    RLTestClockSetNanoseconds(clock, now + random_below(&self->random, 1000000) - 100000);
}

static void set_date_of_clock(struct racer *self)
{
    RLTestClockSetDate(self->race->other, RLTestClockGetDate(self->race->other) + 1);
    RLTestClockSetAutomatic(self->race->other, flip(self));
}

/* One thread at a time. */
static void advance_clock(struct racer *self)
{
    if (!claim(self)) return;
    RLTestClockAdvance(self->race->other, random_below(&self->random, 1000000),
                       kRLRunLoopDefaultMode);
    give_up(self);
}

/* The loop may use the clock. */
static void run_until_idle(struct racer *self)
{
    if (!claim(self)) return;
    RLTestingRunUntilIdle(kRLRunLoopDefaultMode);
    give_up(self);
}

static void ask_clock(struct racer *self)
{
    RLRunLoopRef loop = some_loop(self);
    RLRunLoopHasTestClock(loop);
    RLRunLoopGetClockNanoseconds(loop);
    RLAbsoluteTimeGetCurrent();
}

static void add_timer(struct racer *self)
{
    atomic_store(&self->race->is_served, true);
    RLRunLoopAddTimer(some_loop(self), self->object, some_mode(self));
}

static const struct call clock_calls[] = {
    {"RLTestClockAddLoop", join_clock, false},
    {"RLTestClockSetNanoseconds", move_clock, false},
    {"RLTestClockSetDate", set_date_of_clock, false},
    {"RLTestClockAdvance", advance_clock, true},
    {"RLTestingRunUntilIdle", run_until_idle, true},
    {"RLTestClockGet…", ask_clock, false},
    {"RLRunLoopAddTimer", add_timer, false},
    {"RLRunLoopTimerSetNextFireDate", set_date, false},
    {"RLRunLoopTimerSetNextFireTime", set_moment, false},
    {"RLRunLoopTimerInvalidate", invalidate_timer, false},
    {NULL, NULL, false},
};

static const struct kind clocks = {.name = "test clock",
                                   .make = make_clock,
                                   .calls = clock_calls,
                                   .end = end_clock,
                                   .finish = finish_clock,
                                   .dispose = dispose_of_clock,
                                   .is_apart = true};

const struct kind *const timer_kinds[] = {&timers, &clocks, NULL};
