/* Many modes and many tolerant timers: an index finds the same as a full search. Ours only. */

#include "mode_words.h"
#include "scenario.h"

#include <CRunLoop/RLRunLoopWrapping.h>

/* --- Modes ------------------------------------------------------------------------------------ */

enum { CROWDED_MODES = 100 };

/* A new string, so that only its characters identify the mode. */
static RLStringRef crowded_mode(int number)
{
    char name[16];

    snprintf(name, sizeof name, "%d", number);
    return mode_named(name);
}

static void many_modes(void)
{
    RLRunLoopSourceRef sources[CROWDED_MODES];
    RLRunLoopRef loop = this_loop();

    for (int i = 0; i < CROWDED_MODES; i++) {
        sources[i] = SOURCE("A");
        RLRunLoopAddSource(loop, sources[i], crowded_mode(i));
        check(count_modes() == i + 2);
    }
    for (int i = 0; i < CROWDED_MODES; i++) {
        check(RLRunLoopContainsSource(loop, sources[i], crowded_mode(i)));
        check(!RLRunLoopContainsSource(loop, sources[i], crowded_mode((i + 1) % CROWDED_MODES)));
    }
    check(!RLRunLoopContainsSource(loop, sources[0], crowded_mode(CROWDED_MODES)));
    check(count_modes() == CROWDED_MODES + 1);
    RLArrayRef modes = RLRunLoopCopyAllModes(loop);
    check(RLEqual(RLArrayGetValueAtIndex(modes, 0), kRLRunLoopDefaultMode));
    for (int i = 0; i < CROWDED_MODES; i++) {
        check(RLEqual(RLArrayGetValueAtIndex(modes, i + 1), crowded_mode(i)));
    }
    RLRelease(modes);
}
SCENARIO(many_modes,
         .title = "Each of many modes is identified by its characters, and all are listed in the order of creation",
         .clauses = "TYPE-5 MODE-1 MODE-4",
         .rl_only = true)

static void many_modes_made_common(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true);

    for (int i = 0; i < CROWDED_MODES; i++) {
        RLRunLoopAddSource(this_loop(), SOURCE("B"), crowded_mode(i));
    }
    make_common("90");
    make_common("new");
    make_common("9");
    make_common("50");
    make_common("9");
    add_source(source, "COM");
    remove_source(source, "COM");
}
SCENARIO(many_modes_made_common,
         .title = "Common items enter and leave the common modes in the order of all modes",
         .clauses = "MODE-7 MODE-10",
         .rl_only = true,
         .expected = "A joins DEF; A joins 9; A joins 50; A joins 90; A joins new; "
                     "A leaves DEF; A leaves 9; A leaves 50; A leaves 90; A leaves new")

static void blocks_beside_many_modes(void)
{
    for (int i = 0; i < CROWDED_MODES; i++) {
        RLRunLoopPerformBlock(this_loop(), crowded_mode(i), ^{ note("%d", i); });
    }
    queue_block("first", "DEF", NULL);
    run("DEF", 0, false);
    queue_block("second", "DEF", NULL);
    run("DEF", 0, false);
    run("7", 0, false);
    run("DEF", 0, false);
    run("7", 0, false);
}
SCENARIO(blocks_beside_many_modes,
         .title = "Blocks for many other modes wait, and count only there",
         .clauses = "BLK-4 BLK-5 BLK-7",
         .rl_only = true,
         .expected = "first; = TimedOut; second; = TimedOut; 7; = TimedOut; = Finished; = Finished")

/* --- Tolerant timers -------------------------------------------------------------------------- */

enum { CROWDED_TIMERS = 80, CROWDED_CHANGES = 2000 };

struct tolerant_timer {
    RLRunLoopTimerRef timer;
    long long deadline_ns;
    long long tolerance_ns;
    bool is_in_mode;
};

struct tolerant_crowd {
    struct tolerant_timer timers[CROWDED_TIMERS];
    long long begin_ns;
    uint64_t random;
};

static const long long whole_second_ns = 1000000000;

/* Marsaglia's xorshift. */
static long long draw_below(struct tolerant_crowd *crowd, unsigned limit)
{
    crowd->random ^= crowd->random << 13;
    crowd->random ^= crowd->random >> 7;
    crowd->random ^= crowd->random << 17;
    return (long long)(crowd->random % limit);
}

/*
 * Returns the first hard deadline in the loop's description; the default mode comes first there.
 */
static long long reported_hard_deadline(void)
{
    long long deadline_ns = 0;
    RLStringRef text = RLCopyDescription(this_loop());
    const char *hard =
        strstr(RLStringGetCStringPtr(text, kRLStringEncodingUTF8), "hard deadline in: ");

    check(hard && sscanf(hard, "hard deadline in: %*f sec (@ %lld)", &deadline_ns) == 1);
    RLRelease(text);
    return deadline_ns;
}

static long long least_hard_deadline(const struct tolerant_crowd *crowd)
{
    long long least_ns = -1;

    for (int i = 0; i < CROWDED_TIMERS; i++) {
        const struct tolerant_timer *timer = &crowd->timers[i];
        long long hard_ns = timer->deadline_ns + timer->tolerance_ns;
        if (timer->is_in_mode && (least_ns < 0 || hard_ns < least_ns)) least_ns = hard_ns;
    }
    return least_ns;
}

static void change_tolerant(struct tolerant_crowd *crowd)
{
    struct tolerant_timer *timer = &crowd->timers[draw_below(crowd, CROWDED_TIMERS)];

    switch (draw_below(crowd, 5)) {
    case 0:
        timer->is_in_mode = false;
        remove_timer(timer->timer, "DEF");
        break;
    case 1:
        timer->tolerance_ns = draw_below(crowd, 4) * draw_below(crowd, 100) * whole_second_ns;
        RLRunLoopTimerSetTolerance(timer->timer, (double)(timer->tolerance_ns / whole_second_ns));
        break;
    case 2:
        timer->deadline_ns = crowd->begin_ns + draw_below(crowd, 300) * whole_second_ns;
        RLRunLoopTimerSetNextFireTime(timer->timer, timer->deadline_ns);
        break;
    default: timer->is_in_mode = true; add_timer(timer->timer, "DEF");
    }
}

/* Tolerances begin when there are timers already, as they do in a program. */
static void many_tolerant_timers(void)
{
    struct tolerant_crowd crowd = {.random = 88172645463325252u};

    crowd.begin_ns = RLClockGetNanoseconds() + 1000 * whole_second_ns;
    for (int i = 0; i < CROWDED_TIMERS; i++) {
        struct tolerant_timer *timer = &crowd.timers[i];
        timer->timer = TIMER("t", .after = 1000);
        timer->deadline_ns = crowd.begin_ns + i * whole_second_ns;
        RLRunLoopTimerSetNextFireTime(timer->timer, timer->deadline_ns);
        timer->is_in_mode = true;
        add_timer(timer->timer, "DEF");
    }
    for (int changes = 0; changes < CROWDED_CHANGES; changes++) {
        change_tolerant(&crowd);
        if (changes % 20 == 0) check(reported_hard_deadline() == least_hard_deadline(&crowd));
    }
    run("DEF", 0, false);
}
SCENARIO(many_tolerant_timers,
         .title = "A loop sleeps until the first timer would be later than its tolerance allows",
         .clauses = "TMR-38 TMR-40",
         .rl_only = true,
         .expected = "= TimedOut")

/* Processor time, and not the clock, distinguishes a sleep from an endless search. */
static void sleep_in_tolerant_timer(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .interval = 1000, .fire = ^(RLRunLoopTimerRef called) {
        double before = processor_time();
        run("DEF", 0.1, false);
        check(processor_time() - before < 0.05);
    });

    RLRunLoopTimerSetTolerance(timer, 0.001);
    add_timer(timer, "DEF");
    add_timer(TIMER("far", .after = 1000), "DEF");
    run("DEF", 0.01, false);
}
SCENARIO(sleep_in_tolerant_timer,
         .title = "A run in the callback of a tolerant timer sleeps although that timer is due",
         .clauses = "TMR-40 TMR-41",
         .rl_only = true,
         .expected = "t; = TimedOut; = TimedOut")
