/*
 * Many tolerant timers: what is found by an index is what a search of all would
 * find. Ours only.
 */

/* --- Tolerant timers -------------------------------------------------------------------------- */

enum { CROWDED_TIMERS = 80, CROWDED_CHANGES = 2000 };

struct tolerant_timer {
    timer_ref timer;
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

/* As a dump of the loop tells it, which has the default mode first. */
static long long told_hard_deadline(void)
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
        if (changes % 20 == 0) check(told_hard_deadline() == least_hard_deadline(&crowd));
    }
    run("DEF", 0, false);
}
SCENARIO(many_tolerant_timers,
         .title = "A loop sleeps until the first timer would be later than its tolerance allows",
         .clauses = "TMR-38 TMR-40",
         .expected = "= TimedOut")

/* The time of the processor, and not the clock, tells a sleep from a search without end. */
static void sleep_in_tolerant_timer(void)
{
    timer_ref timer = TIMER("t", .interval = 1000, .fire = ^(timer_ref called) {
        (void)called;
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
         .expected = "t; = TimedOut; = TimedOut")
