/*
 * Thousands of due timers whose callbacks change each other, beside a model that is a plain list;
 * and dates while the wall clock is set. Both need clocks that tests own. Ours only.
 */

#include "clock_words.h"
#include "scenario.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLTesting.h>

#if defined(RL_TESTING)

enum { CROWD_TIMERS = 4000, CROWD_MODES = 2, CROWD_ROUNDS = 6, CROWD_DEPTH = 2 };

static const long long crowd_step_ns = 1000000;

/* A timer as the model sees it. */
struct crowd_timer {
    struct crowd *crowd;
    RLRunLoopTimerRef timer;
    /* The number of earlier timers in its place. */
    unsigned generation;
    long long deadline_ns;
    long long interval_ns;
    bool is_valid;
    bool is_called;
    /* By mode; its place among those of the same deadline. */
    bool is_in[CROWD_MODES];
    unsigned long placement[CROWD_MODES];
};

/* The due timers of a run, in order, and which of them comes next. */
struct crowd_batch {
    struct crowd_batch *outer;
    struct crowd_entry {
        struct crowd_timer *timer;
        unsigned generation;
    } entries[CROWD_TIMERS];
    int count;
    int next;
};

struct crowd {
    struct crowd_timer timers[CROWD_TIMERS];
    struct crowd_batch batches[CROWD_DEPTH];
    struct crowd_batch *batch;
    int depth;
    unsigned long placements;
    uint64_t random;
    long calls;
    bool is_wrong;
};

static const char *const crowd_modes[CROWD_MODES] = {"DEF", "M"};

/* Marsaglia's xorshift. */
static unsigned long crowd_draw(struct crowd *crowd, unsigned long below)
{
    crowd->random ^= crowd->random << 13;
    crowd->random ^= crowd->random >> 7;
    crowd->random ^= crowd->random << 17;
    return crowd->random % below;
}

/* Only the first fault is reported; others may follow from it. */
static void crowd_expect(struct crowd *crowd, bool holds, const char *what)
{
    if (!holds && !crowd->is_wrong) note("wrong: %s, after %ld calls", what, crowd->calls);
    crowd->is_wrong |= !holds;
}

static bool crowd_is_in_loop(const struct crowd_timer *timer)
{
    return timer->is_in[0] || timer->is_in[1];
}

static bool crowd_precedes(const struct crowd_timer *a, const struct crowd_timer *b, int mode)
{
    if (a->deadline_ns != b->deadline_ns) return a->deadline_ns < b->deadline_ns;
    return a->placement[mode] < b->placement[mode];
}

static _Thread_local int crowd_sorted_mode;

static int crowd_compare(const void *first, const void *second)
{
    const struct crowd_timer *a = ((const struct crowd_entry *)first)->timer;
    const struct crowd_timer *b = ((const struct crowd_entry *)second)->timer;

    if (a == b) return 0;
    return crowd_precedes(a, b, crowd_sorted_mode) ? -1 : 1;
}

static void crowd_place(struct crowd_timer *timer)
{
    for (int mode = 0; mode < CROWD_MODES; mode++) {
        timer->placement[mode] = ++timer->crowd->placements;
    }
}

/* --- What callbacks do to any timer ----------------------------------------------------------- */

static void crowd_fire(RLRunLoopTimerRef timer, void *info);

static void crowd_add(struct crowd_timer *timer, int mode)
{
    add_timer(timer->timer, crowd_modes[mode]);
    if (!timer->is_valid || timer->is_in[mode]) return;
    timer->is_in[mode] = true;
    timer->placement[mode] = ++timer->crowd->placements;
}

static void crowd_remove(struct crowd_timer *timer, int mode)
{
    remove_timer(timer->timer, crowd_modes[mode]);
    timer->is_in[mode] = false;
}

static void crowd_move(struct crowd_timer *timer, long long deadline_ns)
{
    long long now_ns = RLClockGetNanoseconds();

    RLRunLoopTimerSetNextFireTime(timer->timer, deadline_ns);
    if (!timer->is_valid) return;
    timer->deadline_ns = deadline_ns > now_ns ? deadline_ns : now_ns;
    crowd_place(timer);
}

static void crowd_invalidate(struct crowd_timer *timer)
{
    RLRunLoopTimerInvalidate(timer->timer);
    timer->is_valid = timer->is_in[0] = timer->is_in[1] = false;
}

/* Makes a timer that is due now or soon, in one or both modes. */
static void crowd_make(struct crowd *crowd, struct crowd_timer *timer)
{
    bool repeats = crowd_draw(crowd, 3) == 0;
    RLRunLoopTimerContext context = {.info = timer};

    if (timer->timer) {
        crowd_invalidate(timer);
        RLRelease(timer->timer);
    }
    *timer =
        (struct crowd_timer){.crowd = crowd, .generation = timer->generation + 1, .is_valid = true};
    if (repeats) timer->interval_ns = crowd_step_ns;
    timer->timer =
        RLRunLoopTimerCreate(NULL, 0, (double)timer->interval_ns / 1e9, 0, 0, crowd_fire, &context);
    if (crowd_draw(crowd, 2)) RLRunLoopTimerSetTolerance(timer->timer, 1e-4);
    crowd_move(timer, RLClockGetNanoseconds() + (long long)crowd_draw(crowd, 4) * crowd_step_ns);
    crowd_add(timer, (int)crowd_draw(crowd, CROWD_MODES));
    if (crowd_draw(crowd, 4) == 0) crowd_add(timer, (int)crowd_draw(crowd, CROWD_MODES));
}

static void crowd_run(struct crowd *crowd, int mode);

static void crowd_change(struct crowd *crowd)
{
    struct crowd_timer *other = &crowd->timers[crowd_draw(crowd, CROWD_TIMERS)];
    int mode = (int)crowd_draw(crowd, CROWD_MODES);

    switch (crowd_draw(crowd, 12)) {
    case 0: crowd_invalidate(other); break;
    case 1: crowd_remove(other, mode); break;
    case 2: crowd_add(other, mode); break;
    case 3: crowd_move(other, 0); break;
    case 4: crowd_move(other, RLClockGetNanoseconds() + 2 * crowd_step_ns); break;
    case 5: crowd_move(other, RLClockGetNanoseconds() + 1000 * crowd_step_ns); break;
    case 6:
        if (!other->is_called) crowd_make(crowd, other);
        break;
    case 7:
        if (crowd->depth < CROWD_DEPTH && crowd_draw(crowd, 64) == 0) crowd_run(crowd, mode);
        break;
    default: break;
    }
}

/* --- The rules -------------------------------------------------------------------------------- */

/* TMR-15: whether a timer of the batch still is to fire. */
static bool crowd_is_to_fire(const struct crowd_timer *timer)
{
    return timer->is_valid && !timer->is_called && crowd_is_in_loop(timer) &&
           timer->deadline_ns <= RLClockGetNanoseconds();
}

/* The next timer of the batch that is to fire, or null. */
static struct crowd_timer *crowd_next(struct crowd_batch *batch)
{
    while (batch->next < batch->count) {
        const struct crowd_entry *entry = &batch->entries[batch->next++];
        bool is_same = entry->timer->generation == entry->generation;
        if (is_same && crowd_is_to_fire(entry->timer)) return entry->timer;
    }
    return NULL;
}

/* TMR-36: the reported date is that of the first timer of the mode. */
static void crowd_look(struct crowd *crowd, int mode)
{
    const struct crowd_timer *first = NULL;

    for (int i = 0; i < CROWD_TIMERS; i++) {
        const struct crowd_timer *timer = &crowd->timers[i];
        if (!timer->is_in[mode]) continue;
        if (!first || crowd_precedes(timer, first, mode)) first = timer;
    }
    double date = RLRunLoopGetNextTimerFireDate(this_loop(), mode_named(crowd_modes[mode]));
    double expected = first ? RLRunLoopTimerGetNextFireDate(first->timer) : 0;
    crowd_expect(crowd, date == expected, "the next date");
    RLTestingVerifyLoop(this_loop());
}

/* TMR-21 to TMR-23, and the place among those of the same deadline. */
static void crowd_settle(struct crowd_timer *timer, long long fired_ns)
{
    timer->is_called = false;
    if (!timer->is_valid) return;
    if (timer->interval_ns == 0) {
        timer->is_valid = timer->is_in[0] = timer->is_in[1] = false;
        return;
    }
    if (timer->deadline_ns <= fired_ns) {
        timer->deadline_ns = fired_ns + timer->interval_ns;
        while (timer->deadline_ns <= RLClockGetNanoseconds()) {
            timer->deadline_ns += timer->interval_ns;
        }
    }
    crowd_place(timer);
}

/* In the model, the state of a timer after its callback is computed before the next callback. */
struct crowd_call {
    struct crowd_timer *timer;
    long long fired_ns;
};

static _Thread_local struct crowd_call crowd_calls[CROWD_DEPTH];

static void crowd_end_call(int depth)
{
    struct crowd_call *call = &crowd_calls[depth];

    if (call->timer) crowd_settle(call->timer, call->fired_ns);
    call->timer = NULL;
}

static void crowd_fire(RLRunLoopTimerRef called, void *info)
{
    struct crowd_timer *timer = info;
    struct crowd *crowd = timer->crowd;
    int depth = crowd->depth - 1;

    crowd_end_call(depth);
    crowd->calls++;
    crowd_expect(crowd, timer->timer == called, "the timer");
    crowd_expect(crowd, crowd_next(crowd->batch) == timer, "the order");
    timer->is_called = true;
    crowd_calls[depth] = (struct crowd_call){timer, timer->deadline_ns};
    if (crowd_draw(crowd, 128) == 0) crowd_look(crowd, (int)crowd_draw(crowd, CROWD_MODES));
    if (!crowd->is_wrong) crowd_change(crowd);
}

/* One pass, with the batch that it should find. */
static void crowd_run(struct crowd *crowd, int mode)
{
    struct crowd_batch *batch = &crowd->batches[crowd->depth++];

    batch->outer = crowd->batch;
    batch->count = 0;
    batch->next = 0;
    for (int i = 0; i < CROWD_TIMERS; i++) {
        struct crowd_timer *timer = &crowd->timers[i];
        if (!timer->is_in[mode] || !crowd_is_to_fire(timer)) continue;
        batch->entries[batch->count++] = (struct crowd_entry){timer, timer->generation};
    }
    crowd_sorted_mode = mode;
    qsort(batch->entries, (size_t)batch->count, sizeof batch->entries[0], crowd_compare);
    crowd->batch = batch;
    RLRunLoopRunInMode(mode_named(crowd_modes[mode]), 0, false);
    crowd_end_call(--crowd->depth);
    crowd_expect(crowd, crowd_next(batch) == NULL, "one that did not fire");
    crowd->batch = batch->outer;
}

static void due_crowd(void)
{
    struct crowd *crowd = calloc(1, sizeof *crowd);

    RLTestClockRef clock = own_clock();
    crowd->random = 88172645463325252u;
    for (int i = 0; i < CROWD_TIMERS; i++) crowd_make(crowd, &crowd->timers[i]);
    for (int round = 0; round < CROWD_ROUNDS; round++) {
        RLTestClockSetNanoseconds(clock, RLTestClockGetNanoseconds(clock) + crowd_step_ns);
        for (int mode = 0; mode < CROWD_MODES; mode++) {
            crowd_run(crowd, mode);
            crowd_look(crowd, mode);
        }
    }
    check(crowd->calls > CROWD_TIMERS);
    for (int i = 0; i < CROWD_TIMERS; i++) {
        crowd_invalidate(&crowd->timers[i]);
        RLRelease(crowd->timers[i].timer);
    }
    RLTestingVerifyLoop(this_loop());
    RLTestClockEnd(clock);
    free(crowd);
}
SCENARIO(due_crowd,
         .title = "Thousands of due timers fire in the order of a plain list, whatever their callbacks change",
         .clauses = "TMR-13 TMR-15 TMR-16 TMR-17 TMR-19 TMR-22 TMR-27 TMR-36",
         .rl_only = true)

/* --- Dates ------------------------------------------------------------------------------------ */

/* The deadline, which only the description contains. */
static long long deadline_of(RLRunLoopTimerRef timer)
{
    RLStringRef text = RLCopyDescription(timer);
    const char *at = strchr(RLStringGetCStringPtr(text, kRLStringEncodingUTF8), '@');
    long long deadline_ns = at ? atoll(at + 1) : 0;

    RLRelease(text);
    return deadline_ns;
}

/* Dates have steps of about 120 ns, and readings of the wall clock of 240. */
static const long long date_error_ns = 1000;

/*
 * Whether dates so far ahead become the moments so far ahead, and moments the dates. The thread may
 * lose the processor between the readings of two clocks, so the duration of the call is an error.
 */
static void check_dates(double seconds)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = 1e6, .quiet = true);
    long long distance_ns = (long long)(seconds * 1e9);

    long long earliest_ns = RLClockGetNanoseconds() + distance_ns;
    RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent() + seconds);
    long long latest_ns = RLClockGetNanoseconds() + distance_ns;
    long long error_ns = date_error_ns + latest_ns - earliest_ns;
    check(deadline_of(timer) >= earliest_ns - error_ns);
    check(deadline_of(timer) <= latest_ns + error_ns);

    double earliest = RLAbsoluteTimeGetCurrent() + seconds;
    RLRunLoopTimerSetNextFireTime(timer, RLClockGetNanoseconds() + distance_ns);
    double latest = RLAbsoluteTimeGetCurrent() + seconds;
    double error = (double)date_error_ns / 1e9 + latest - earliest;
    check(RLRunLoopTimerGetNextFireDate(timer) >= earliest - error);
    check(RLRunLoopTimerGetNextFireDate(timer) <= latest + error);
}

static void check_all_dates(void)
{
    for (int i = 0; i < 100; i++) {
        check_dates(0.0005 * i);
        check_dates(3600.25 * i);
    }
}

/* Whether a timer with a date fires in a pass that does not wait. */
static bool is_due_on(double date)
{
    __block bool was_called = false;
    RLRunLoopTimerRef timer = TIMER("t", .after = 1e6, .quiet = true,
                                    .fire = ^(RLRunLoopTimerRef fired) { was_called = true; });

    RLRunLoopTimerSetNextFireDate(timer, date);
    add_timer(timer, "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    RLRunLoopTimerInvalidate(timer);
    return was_called;
}

static void wall_clock_set(void)
{
    const long long hour_ns = 3600 * 1000000000LL;
    double now = RLAbsoluteTimeGetCurrent();
    RLRunLoopTimerRef before = TIMER("before", .after = 7200, .quiet = true);
    RLRunLoopTimerRef tick = TIMER("tick", .after = 0.001, .interval = 100);
    long long deadline_ns = deadline_of(before);

    check_all_dates();
    check(!is_due_on(now + 1800));
    RLTestingStepWallClock(hour_ns);
    check(is_due_on(now + 1800));
    check(!is_due_on(now + 5400));
    check_all_dates();
    check(deadline_of(before) == deadline_ns);
    add_timer(tick, "DEF");
    run("DEF", 0.01, false);
    check(RLRunLoopTimerGetNextFireDate(tick) > now + 3690);

    RLTestingStepWallClock(-2 * hour_ns);
    check(!is_due_on(now - 1800));
    check(is_due_on(now - 3700));
    check_all_dates();
    RLTestingStepWallClock(hour_ns);
    check(is_due_on(now));
    check_all_dates();
    check(deadline_of(before) == deadline_ns);
}
SCENARIO(wall_clock_set,
         .title = "Dates are converted with the wall clock of the call; deadlines do not move",
         .clauses = "TMR-5 TMR-25 CONST-8",
         .rl_only = true,
         .expected = "tick; = TimedOut")

static void intervals_in_nanoseconds(void)
{
    RLTestClockRef clock = own_clock();
    RLRunLoopTimerRef timer = TIMER("t", .after = -1, .interval = 1.0000000019);
    RLRunLoopTimerRef late = TIMER("late", .after = 100, .quiet = true);

    add_timer(timer, "DEF");
    run("DEF", 0, false);
    check(deadline_of(timer) == 1000000000 + 1000000001);
    remove_timer(timer, "DEF");

    /* Added to a deadline, what the end of a tolerance saturates at does not overflow. */
    RLRunLoopTimerSetTolerance(late, 1e300);
    add_timer(late, "DEF");
    RLTestClockSetAutomatic(clock, true);
    run("DEF", 10, false);
    check(RLTestClockGetNanoseconds(clock) == 11000000000 && RLRunLoopTimerIsValid(late));
    RLTestClockEnd(clock);
}
SCENARIO(intervals_in_nanoseconds,
         .title = "Intervals lose what is less than a nanosecond, and saturate",
         .clauses = "CONST-9",
         .rl_only = true,
         .expected = "t; = TimedOut; = TimedOut")

/* One by one they would take years. */
static void firings_missed(void)
{
    const long long late_ns = 400000000000000007;
    RLTestClockRef clock = own_clock();
    RLRunLoopTimerRef timer =
        TIMER("t", .after = -1, .interval = 2e-9,
              .fire = ^(RLRunLoopTimerRef fired) { RLTestClockSetNanoseconds(clock, late_ns); });

    add_timer(timer, "DEF");
    run("DEF", 0, false);
    check(deadline_of(timer) == late_ns + 1);
    RLTestClockEnd(clock);
}
SCENARIO(firings_missed,
         .title = "A timer leaves out any number of missed firings at once, and keeps its phase",
         .clauses = "TMR-22",
         .rl_only = true,
         .expected = "t; = TimedOut")

#endif

/* Processor time, and not the clock, distinguishes a sleep from an endless search. */
static void end_of_time(void)
{
    static const SInt64 moments[] = {INT64_MAX, INT64_MAX - 1, INT64_MAX - 1000000000};
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000), other = TIMER("u", .after = 1000);

    add_timer(timer, "DEF");
    add_timer(other, "DEF");
    for (size_t index = 0; index < sizeof moments / sizeof moments[0]; index++) {
        RLRunLoopTimerSetNextFireTime(timer, moments[index]);
        RLRunLoopTimerSetTolerance(timer, 1e9);
        RLRunLoopTimerSetNextFireTime(other, moments[index]);
        RLRunLoopTimerSetTolerance(other, index);
        double before = processor_time();
        run("DEF", 0.1, false);
        check(processor_time() - before < 0.05);
    }
}
SCENARIO(end_of_time,
         .title = "A loop sleeps although a tolerance reaches beyond the end of time",
         .clauses = "TMR-38 CONST-4",
         .rl_only = true,
         .expected = "= TimedOut; = TimedOut; = TimedOut")
