/*
 * Interprets random programs; compiled for each engine.
 *
 * Excluded, because the engines deliberately differ or the order is undefined:
 * - wake-ups and stops before the wait of a pass in programs with ports, timers or a main queue
 * (D1);
 * - invalidating version-0 sources, and nested runs, inside a perform callback (D2);
 * - nested runs before the wait of a pass (D4);
 * - timers that are due in the near future: what else happens in a pass would depend on time;
 * - modes whose last timer is removed while it is armed (D11): each mode keeps a far one;
 * - timers that are due together with ports (D1): the kernel keeps a place in the order for a timer
 *   that was armed once, even if it was removed and set again;
 * - invalid common items that are in no mode any more, which the reference keeps (D20);
 * - ports that are signaled again while they are queued, or after a callback has taken their count
 *   away, or after they were counted up in several modes at once (D1);
 * - blocks that another thread queues before the wait of a pass without a wake-up (D46);
 * - ports, due timers and wake-ups beside work of the main queue, with which they alternate here
 *   (D47);
 * - past dates that timers set in their own callouts, which the reference may miss (D21);
 * - the order in which common items enter and leave modes (MODE-17), which depends on their
 *   addresses in the reference: sources do not log it, and at most one port enters with its mode.
 */

#include "queues.h"
#include "random.h"
#include "words.h"

#include <poll.h>

enum { SOURCES = 5, PORTS = 6, TIMERS = 4, OBSERVERS = 4, MODES = 4, MOST_CALLS = 150 };

/* The actions of a callback, in addition to those that are always possible. */
enum allowance {
    MAY_INVALIDATE_SOURCES = 1,
    /* Actions that are possible only after the wait of a pass. */
    MAY_NEST = 2,
    MAY_STOP = 4,
    AFTER_WAIT = MAY_INVALIDATE_SOURCES | MAY_NEST | MAY_STOP
};

static const char *const mode_names[MODES] = {"DEF", "M", "N", "COM"};

struct program {
    unsigned long seed;
    /* On the main thread, where the loop serves the main queue. */
    bool is_on_main;
    /* Of the runs that have one and wait, in seconds. */
    double limit;
    bool has_ports;
    /* Most of what happens, happens to ports. */
    bool is_about_ports;
    bool has_timers;
    RLRunLoopRef loop;
    RLRunLoopSourceRef sources[SOURCES];
    RLRunLoopSourceRef ports[PORTS];
    int counters[PORTS];
    /* Not counted up again, see above. */
    bool is_silent[PORTS];
    RLRunLoopTimerRef timers[TIMERS];
    /* In its callout, perhaps in an outer run. */
    bool is_firing[TIMERS];
    RLRunLoopObserverRef observers[OBSERVERS];
    /* Callbacks so far; beyond the most, they only log. */
    int calls;
    int depth;
    /* The current run has a limit. */
    bool has_limit;
    int blocks;
    int jobs;
};

static struct random draws_for(const struct program *program, const char *name, int number)
{
    struct random draws = {program->seed * 0x2545F4914F6CDD1Du + (uint64_t)number};
    for (; *name; name++) draws.state = (draws.state ^ (unsigned char)*name) * 0x100000001B3u;
    random_below(&draws, 2);
    return draws;
}

static const char *draw_mode(struct random *draws)
{
    return mode_names[random_below(draws, MODES)];
}

static void act(struct program *program, const char *name, int number, unsigned allowance);

/* A block whose name is its number, and whose actions are drawn when it runs. */
static void queue_random_block(struct program *program, struct random *draws)
{
    int number = program->blocks++;
    const char *mode = draw_mode(draws);
    bool is_list = random_below(draws, 4) == 0;
    action body = ^{
        note("block %d", number);
        act(program, "block", number, MAY_INVALIDATE_SOURCES);
    };

    if (!is_list) {
        RLRunLoopPerformBlock(program->loop, mode_named(mode), body);
        return;
    }
    const void *names[] = {mode_named(mode), mode_named(draw_mode(draws))};
    RLArrayRef list = RLArrayCreate(NULL, names, 2, &kRLTypeArrayCallBacks);
    RLRunLoopPerformBlock(program->loop, list, body);
    RLRelease(list);
}

/* Work of the main queue, as a block. */
static void queue_random_job(struct program *program)
{
    int number = program->jobs++;
#if defined(SCENARIO_WITHOUT_DISPATCH)
    note("no main queue for job %d", number);
#else
    dispatch_async(&_dispatch_main_q, ^{
        note("job %d", number);
        act(program, "job", number, AFTER_WAIT);
    });
#endif
}

static bool is_in_several_modes(struct program *program, RLRunLoopSourceRef port)
{
    int count = 0;

    for (int mode = 0; mode < MODES - 1; mode++) {
        count += RLRunLoopContainsSource(program->loop, port, mode_named(mode_names[mode]));
    }
    return count > 1;
}

static bool is_rung(const struct program *program, unsigned index)
{
    struct pollfd waiting = {.fd = program->counters[index], .events = POLLIN};

    return poll(&waiting, 1, 0) > 0;
}

/* A port that waits in several modes is not counted up again, see above. */
static void silence_shared_ports(struct program *program)
{
    for (unsigned index = 0; program->has_ports && index < PORTS; index++) {
        bool is_shared = is_in_several_modes(program, program->ports[index]);
        program->is_silent[index] |= is_shared && is_rung(program, index);
    }
}

static void ring(struct program *program, unsigned index)
{
    if (program->is_silent[index] || is_rung(program, index)) return;
    count_up(program->counters[index]);
    silence_shared_ports(program);
}

/* Rings a port and perhaps others, or takes its count away. */
static void act_on_count(struct program *program, struct random *draws, unsigned index)
{
    uint64_t count;

    if (program->is_about_ports && random_below(draws, 16) == 0) {
        bool has_count = read(program->counters[index], &count, sizeof(count)) > 0;
        program->is_silent[index] |= has_count;
        if (has_count) note("emptied");
        return;
    }
    ring(program, index);
    if (!program->is_about_ports) return;
    for (unsigned more = random_below(draws, 4); more > 0; more--) {
        ring(program, random_below(draws, PORTS));
    }
}

static void act_on_source(struct program *program, struct random *draws, unsigned allowance)
{
    bool is_port = program->has_ports && (program->is_about_ports || random_below(draws, 3) == 0);
    unsigned index = random_below(draws, is_port ? PORTS : SOURCES);
    RLRunLoopSourceRef source = is_port ? program->ports[index] : program->sources[index];
    RLRunLoopMode mode = mode_named(draw_mode(draws));

    switch (random_below(draws, 8)) {
    case 0:
    case 1:
        RLRunLoopAddSource(program->loop, source, mode);
        silence_shared_ports(program);
        break;
    case 2: RLRunLoopRemoveSource(program->loop, source, mode); break;
    case 3:
        if ((allowance & MAY_INVALIDATE_SOURCES) && random_below(draws, 3) == 0) {
            RLRunLoopSourceInvalidate(source);
        }
        break;
    default:
        if (is_port) {
            act_on_count(program, draws, index);
        } else {
            RLRunLoopSourceSignal(source);
        }
    }
}

static void act_on_timer(struct program *program, struct random *draws)
{
    unsigned index = random_below(draws, TIMERS);
    RLRunLoopTimerRef timer = program->timers[index];
    RLRunLoopMode mode = mode_named(draw_mode(draws));
    bool is_overdue = random_below(draws, 2) && !program->has_ports && !program->is_on_main &&
                      !program->is_firing[index];
    double date = is_overdue ? 0 : RLAbsoluteTimeGetCurrent() + 1000;

    if (!program->has_timers) return;
    switch (random_below(draws, 7)) {
    case 0:
    case 1:
    case 2: RLRunLoopAddTimer(program->loop, timer, mode); break;
    case 3: RLRunLoopRemoveTimer(program->loop, timer, mode); break;
    case 4:
        if (random_below(draws, 3) == 0) RLRunLoopTimerInvalidate(timer);
        break;
    default: RLRunLoopTimerSetNextFireDate(timer, date);
    }
    /* The kernel reports a timer that is armed for the past a moment later. */
    stay_busy(0.00003);
}

static void act_on_observer(struct program *program, struct random *draws)
{
    RLRunLoopObserverRef observer = program->observers[random_below(draws, OBSERVERS)];
    RLRunLoopMode mode = mode_named(draw_mode(draws));

    switch (random_below(draws, 5)) {
    case 0:
    case 1:
    case 2: RLRunLoopAddObserver(program->loop, observer, mode); break;
    case 3: RLRunLoopRemoveObserver(program->loop, observer, mode); break;
    default:
        if (random_below(draws, 3) == 0) RLRunLoopObserverInvalidate(observer);
    }
}

/* Logs everything that can be asked. */
static void ask_everything(struct program *program)
{
    char membership[MODES * (SOURCES + PORTS + TIMERS + OBSERVERS) + 1];
    int length = 0;

    for (int index = 0; index < MODES; index++) {
        RLRunLoopMode mode = mode_named(mode_names[index]);
        for (int source = 0; source < SOURCES; source++) {
            RLRunLoopSourceRef asked = program->sources[source];
            bool is_in = RLRunLoopContainsSource(program->loop, asked, mode) &&
                         RLRunLoopSourceIsValid(asked);
            membership[length++] = is_in ? '+' : '-';
        }
        for (int port = 0; program->has_ports && port < PORTS; port++) {
            RLRunLoopSourceRef asked = program->ports[port];
            bool is_in = RLRunLoopContainsSource(program->loop, asked, mode) &&
                         RLRunLoopSourceIsValid(asked);
            membership[length++] = is_in ? '+' : '-';
        }
        for (int timer = 0; timer < TIMERS; timer++) {
            bool is_in = RLRunLoopContainsTimer(program->loop, program->timers[timer], mode);
            membership[length++] = is_in ? '+' : '-';
        }
        for (int observer = 0; observer < OBSERVERS; observer++) {
            RLRunLoopObserverRef asked = program->observers[observer];
            bool is_in = RLRunLoopContainsObserver(program->loop, asked, mode) &&
                         RLRunLoopObserverIsValid(asked);
            membership[length++] = is_in ? '+' : '-';
        }
    }
    membership[length] = '\0';
    note("in %s", membership);
}

static void ask_for_validity(struct program *program)
{
    char buffer[64];
    RLRunLoopMode mode = RLRunLoopCopyCurrentMode(program->loop);

    note("mode %s", name_of_mode(mode, buffer, sizeof(buffer)));
    if (mode) RLRelease(mode);
    for (int index = 0; index < TIMERS; index++) {
        if (!RLRunLoopTimerIsValid(program->timers[index])) note("timer %d invalid", index);
    }
    for (int index = 0; index < OBSERVERS; index++) {
        if (!RLRunLoopObserverIsValid(program->observers[index])) {
            note("observer %d invalid", index);
        }
    }
    check(!RLRunLoopIsWaiting(program->loop));
}

/* The actions of another thread while this one waits for it. */
static void act_elsewhere(struct program *program, struct random *draws, unsigned allowance)
{
    struct random others = *draws;
    elsewhere(^{
        struct random own = others;
        switch (random_below(&own, 3)) {
        case 0: act_on_source(program, &own, 0); break;
        case 1: act_on_observer(program, &own); break;
        default:
            if (program->is_on_main && random_below(&own, 2)) {
                queue_random_job(program);
            } else if (allowance & MAY_NEST) {
                queue_random_block(program, &own);
            }
        }
    });
}

static void nest(struct program *program, struct random *draws)
{
    /* A limit of the outer run, or a timer of its batch, wakes the reference's nested one (D11). */
    double limit = !program->has_timers && random_below(draws, 6) == 0 ? program->limit : 0;

    if (program->depth >= 2 || program->has_limit) return;
    program->depth++;
    program->has_limit = limit > 0;
    note("nest");
    run(mode_names[random_below(draws, MODES - 1)], limit, random_below(draws, 2));
    program->has_limit = false;
    program->depth--;
}

/*
 * Whether several ports would enter a mode that becomes common: if two are ready, their order
 * depends on the order of entering.
 */
static bool has_common_ports(struct program *program)
{
    int count = 0;
    for (int port = 0; program->has_ports && port < PORTS; port++) {
        RLRunLoopSourceRef asked = program->ports[port];
        bool is_common = RLRunLoopContainsSource(program->loop, asked, kRLRunLoopCommonModes);
        /* Invalid ones may stay in the reference (D20). */
        if (is_common && RLRunLoopSourceIsValid(asked)) count++;
    }
    return count > 1;
}

static void make_mode_common(struct program *program, struct random *draws)
{
    if (random_below(draws, 4) != 0) return;
    const char *mode = random_below(draws, 2) ? "M" : "N";
    if (has_common_ports(program)) return;
    make_common(mode);
    silence_shared_ports(program);
}

static void act_once(struct program *program, struct random *draws, unsigned allowance)
{
    bool is_order_open = program->has_ports || program->has_timers || program->is_on_main;
    bool may_stop = (allowance & MAY_STOP) || !is_order_open;

    switch (program->is_about_ports && random_below(draws, 2) ? 0 : random_below(draws, 16)) {
    case 0:
    case 1:
    case 2:
    case 3: act_on_source(program, draws, allowance); break;
    case 4:
    case 5:
    case 6: act_on_timer(program, draws); break;
    case 7:
    case 8: act_on_observer(program, draws); break;
    case 9:
    case 10: queue_random_block(program, draws); break;
    case 11:
        if (may_stop && random_below(draws, 4) == 0) stop();
        break;
    case 12:
        if (may_stop && !program->is_on_main) wake_up();
        break;
    case 13: act_elsewhere(program, draws, allowance); break;
    case 14: make_mode_common(program, draws); break;
    default:
        if (allowance & MAY_NEST) nest(program, draws);
    }
}

static void act(struct program *program, const char *name, int number, unsigned allowance)
{
    struct random draws = draws_for(program, name, number);

    if (++program->calls > MOST_CALLS) return;
    if (program->is_on_main && random_below(&draws, 3) == 0) queue_random_job(program);
    for (unsigned count = random_below(&draws, 4); count > 0; count--) {
        act_once(program, &draws, allowance);
    }
    if (random_below(&draws, 6) == 0) ask_for_validity(program);
}

static void make_sources(struct program *program, struct random *draws)
{
    static const char *const names[SOURCES] = {"A", "B", "C", "D", "E"};
    static const char *const port_names[PORTS] = {"p", "q", "r", "x", "y", "z"};

    for (int index = 0; index < SOURCES; index++) {
        __block int number = 0;
        const char *name = names[index];
        long order = (long)random_below(draws, 3) * SOURCES + index;
        program->sources[index] =
            SOURCE(name, .order = order, .perform = ^{ act(program, name, number++, 0); });
    }
    for (int index = 0; program->has_ports && index < PORTS; index++) {
        __block int number = 0;
        const char *name = port_names[index];
        action body = ^{ act(program, name, number++, AFTER_WAIT); };
        program->counters[index] = make_counter();
        program->ports[index] = PORT(name, program->counters[index], .perform = body);
    }
}

static void make_timers(struct program *program, struct random *draws)
{
    static const char *const names[TIMERS] = {"t", "u", "v", "w"};

    for (int index = 0; index < TIMERS; index++) {
        __block int number = 0;
        const char *name = names[index];
        bool is_due = random_below(draws, 3) && !program->has_ports && !program->is_on_main;
        program->timers[index] =
            TIMER(name, .after = is_due ? -1 : 1000, .interval = random_below(draws, 2) ? 1000 : 0,
                  .fire = ^(RLRunLoopTimerRef timer) {
                      program->is_firing[index] = true;
                      act(program, name, number++, AFTER_WAIT);
                      program->is_firing[index] = false;
                  });
    }
    if (!program->has_timers) return;
    for (int index = 0; index < MODES - 1; index++) {
        add_timer(TIMER("far", .after = 100000), mode_names[index]);
    }
}

static void make_observers(struct program *program, struct random *draws)
{
    static const char *const names[OBSERVERS] = {"i", "j", "k", "l"};

    for (int index = 0; index < OBSERVERS; index++) {
        __block int number = 0;
        const char *name = names[index];
        unsigned long activities = random_below(draws, 2) ? 0 : 1UL << random_below(draws, 8);
        bool is_once = random_below(draws, 4) == 0;
        program->observers[index] =
            OBSERVER(name, .activities = activities, .order = index, .once = is_once,
                     .observe = ^(RLRunLoopObserverRef observer, unsigned long activity) {
                         act(program, name, number++, MAY_INVALIDATE_SOURCES);
                     });
    }
}

static unsigned long seed_of_body;
static double limit_of_body;
static bool is_body_on_main;

static void random_body(void)
{
    struct program *program = calloc(1, sizeof(*program));
    at_end(^{ free(program); });
    program->seed = seed_of_body;
    program->limit = limit_of_body;
    program->is_on_main = is_body_on_main;
    program->loop = this_loop();
    struct random draws = draws_for(program, "", 0);
    program->has_ports = random_below(&draws, 2) && !program->is_on_main;
    program->is_about_ports = program->has_ports && random_below(&draws, 2);
    program->has_timers = random_below(&draws, 4);
    make_sources(program, &draws);
    make_timers(program, &draws);
    make_observers(program, &draws);

    for (int step = 0; step < 24; step++) {
        act(program, "step", step, MAY_INVALIDATE_SOURCES);
        if (step % 4 != 3) continue;
        struct random own = draws_for(program, "run", step);
        double limit = random_below(&own, 6) == 5 ? program->limit : 0;
        program->has_limit = limit > 0;
        run(mode_names[random_below(&own, MODES - 1)], limit, random_below(&own, 2));
        ask_everything(program);
    }
}

#if defined(SCENARIO_ON_REFERENCE)
#define random_trace random_trace_cf
#else
#define random_trace random_trace_rl
#endif

char *random_trace(unsigned long seed, double limit, bool is_on_main)
{
    seed_of_body = seed;
    limit_of_body = limit;
    is_body_on_main = is_on_main;
    return is_on_main ? lab_run_here(random_body, NULL) : lab_run(random_body, NULL);
}
