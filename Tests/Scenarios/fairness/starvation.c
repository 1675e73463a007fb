/*
 * Nothing starves, however the loop is run: a table. One event is ready in every pass, another one
 * waits, and the loop is run in some way. An observer counts the passes until the latter is served.
 */

#include "../descriptors/descriptor_words.h"
#include "../running/host_words.h"
#include "queues.h"
#include "scenario.h"

#include <CRunLoop/RLRunLoopWrapping.h>

/* The event that is always ready, or waits. */
enum party_kind {
    PARTY_TIMER,
    PARTY_PORT,
    PARTY_SOURCE,
    PARTY_BLOCK,
    /* A readable socket. CF takes bytes from any port. */
    PARTY_DESCRIPTOR,
#if !defined(SCENARIO_WITHOUT_DISPATCH)
    PARTY_MAIN_QUEUE,
#endif
    PARTY_KINDS_OF_BUSY,
    /* All of these at once. */
    PARTY_ALL = PARTY_KINDS_OF_BUSY,
    /* Of another thread, and so only waiting. */
    PARTY_BLOCK_ELSEWHERE,
    PARTY_SIGNAL_ELSEWHERE,
    PARTY_STOP_ELSEWHERE,
    PARTY_WAKE_UP_ELSEWHERE,
    PARTY_KINDS
};

static const char *const party_names[PARTY_KINDS] = {
    [PARTY_TIMER] = "timer",
    [PARTY_PORT] = "port",
    [PARTY_SOURCE] = "source",
    [PARTY_BLOCK] = "block",
    [PARTY_DESCRIPTOR] = "descriptor",
    [PARTY_WAKE_UP_ELSEWHERE] = "wake-up of another thread",
#if !defined(SCENARIO_WITHOUT_DISPATCH)
    [PARTY_MAIN_QUEUE] = "main queue",
#endif
    [PARTY_ALL] = "all",
    [PARTY_BLOCK_ELSEWHERE] = "block of another thread",
    [PARTY_SIGNAL_ELSEWHERE] = "signal of another thread",
    [PARTY_STOP_ELSEWHERE] = "stop of another thread",
};

struct party {
    enum party_kind kind;
    RLRunLoopSourceRef source;
    RLRunLoopTimerRef timer;
    /* The writing end of a port or descriptor. */
    int descriptor;
    /* The action of a block, or of work of the main queue. */
    action served;
};

enum {
    /* The most passes that an event waits for each event that is always ready. */
    MOST_PASSES = 3,
    /* The most runs that a source waits for another source, if runs return after one source. */
    MOST_RUNS = 16,
    /* The number of waits in a cell: at different phases of the alternation. */
    WAITS = 6,
    STARVED = 100
};

struct table {
    RLRunLoopRef loop;
    /* Whether the loop serves the main queue. */
    bool is_main;
    struct party busy[PARTY_KINDS_OF_BUSY], waiting[PARTY_KINDS];
    /* The cell: who waits, since which pass or until which, how often so far, and how long. */
    struct party *who;
    bool is_waiting, is_over;
    int passes, since, next, waits, longest;
    /* The statistics' wake-ups. */
    unsigned long wake_ups;
    int cells;
};

/* --- Parties ---------------------------------------------------------------------------------- */

static void get_ready(struct table *table, struct party *party)
{
    RLRunLoopRef loop = table->loop;
    switch (party->kind) {
    case PARTY_TIMER:
        RLRunLoopTimerSetNextFireDate(party->timer, RLAbsoluteTimeGetCurrent() - 1);
        break;
    case PARTY_PORT: count_up(party->descriptor); break;
    case PARTY_SOURCE: signal_source(party->source); break;
    case PARTY_BLOCK:
        /* No other code wakes the loop, which would sleep (BLK-9). */
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, party->served);
        wake_up();
        break;
    case PARTY_DESCRIPTOR: check(write(party->descriptor, "x", 1) == 1); break;
    case PARTY_WAKE_UP_ELSEWHERE: elsewhere(^{ RLRunLoopWakeUp(loop); }); break;
#if !defined(SCENARIO_WITHOUT_DISPATCH)
    case PARTY_MAIN_QUEUE: dispatch_async(&_dispatch_main_q, party->served); break;
#endif
    case PARTY_BLOCK_ELSEWHERE:
        elsewhere(^{ RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, party->served); });
        break;
    case PARTY_SIGNAL_ELSEWHERE:
        elsewhere(^{
            signal_source(party->source);
            RLRunLoopWakeUp(loop);
        });
        break;
    case PARTY_STOP_ELSEWHERE: elsewhere(^{ RLRunLoopStop(loop); }); break;
    default: break;
    }
}

/* Makes a party that calls `served`. */
static void make_party(struct party *party, enum party_kind kind, bool is_busy, action served)
{
    /* The one that waits comes last where the order decides. */
    long order = is_busy ? 0 : 1;
    party->kind = kind;
    switch (kind) {
    case PARTY_TIMER:
        party->timer = TIMER("t", .after = 1000, .interval = is_busy ? 1e-8 : 1000, .quiet = true,
                             .order = order, .fire = ^(RLRunLoopTimerRef timer) { served(); });
        break;
    case PARTY_PORT:
        party->descriptor = make_counter();
        party->source = PORT("p", party->descriptor, .quiet = true, .perform = served);
        break;
    case PARTY_SOURCE:
    case PARTY_SIGNAL_ELSEWHERE:
        party->source = SOURCE("s", .order = order, .quiet = true, .perform = served);
        break;
    case PARTY_DESCRIPTOR: {
        const int *ends = make_pair();
        party->descriptor = ends[1];
        party->source = PORT("d", ends[0], .quiet = true, .perform = ^{
            char byte;
            check(read(ends[0], &byte, 1) == 1);
            served();
        });
        break;
    }
    default: party->served = copied((const void *)served);
    }
}

static void join(struct party *party)
{
    if (party->source) add_source(party->source, "DEF");
    if (party->timer) add_timer(party->timer, "DEF");
}

static void leave(struct party *party)
{
    if (party->source) remove_source(party->source, "DEF");
    if (party->timer) remove_timer(party->timer, "DEF");
}

/* --- One cell --------------------------------------------------------------------------------- */

static void end_cell(struct table *table)
{
    table->is_over = true;
    stop();
}

/* The one who waits has had its turn. */
static void end_wait(struct table *table)
{
    int waited = table->passes - table->since;
    if (!table->is_waiting || table->is_over) return;
    if (waited > table->longest) table->longest = waited;
    table->is_waiting = false;
    table->next = table->passes + ++table->waits;
    if (table->waits == WAITS) end_cell(table);
}

static unsigned long wake_ups_so_far(const struct table *table)
{
    RLRunLoopStatistics numbers = {0};
    if (!is_on_reference) RLRunLoopGetStatistics(table->loop, &numbers);
    return numbers.wakeUpsByToken;
}

static void begin_pass(struct table *table)
{
    table->passes++;
    /* A nested run may have used the stop. */
    if (table->is_over && table->who) stop();
    if (table->is_over || !table->who) return;
    bool wakes_elsewhere = table->who->kind == PARTY_WAKE_UP_ELSEWHERE;
    if (wakes_elsewhere && wake_ups_so_far(table) > table->wake_ups) end_wait(table);
    if (table->is_waiting && table->passes - table->since > STARVED) {
        table->longest = STARVED;
        end_cell(table);
    }
    if (table->is_over || table->is_waiting || table->passes < table->next) return;
    table->is_waiting = true;
    table->since = table->passes;
    table->wake_ups = wake_ups_so_far(table);
    get_ready(table, table->who);
}

static void end_run(struct table *table)
{
    if (table->who && table->who->kind == PARTY_STOP_ELSEWHERE) end_wait(table);
}

/* Returns whether the loop knows such a party. */
static bool has_party(const struct table *table, enum party_kind kind)
{
#if !defined(SCENARIO_WITHOUT_DISPATCH)
    if (kind == PARTY_MAIN_QUEUE) return table->is_main;
#else
#endif
    bool is_ours = kind == PARTY_DESCRIPTOR || kind == PARTY_WAKE_UP_ELSEWHERE;
    return kind != PARTY_ALL && !(is_ours && is_on_reference);
}

/* A way to run the loop until the cell is over. */
struct way {
    const char *name;
    /* The mode of the run around a nested one. */
    const char *around;
    /* Runs return after one source. */
    bool is_for_source;
    /* Only our engine has it. */
    bool is_ours;
    /* The main queue has a handler that serves the loop: one more event that is always ready. */
    bool has_handler;
    /* The limit of each run. */
    double seconds;
    /* Actions before and after, outside all runs; or null. */
    void (*begin)(void);
    void (*end)(void);
    void (*run)(const struct table *table, const struct way *way);
};

/* Runs the loop in a timer's callback, for a nested run. */
static void run_cell(struct table *table, const struct way *way, bool is_nested)
{
    if (!is_nested) {
        way->run(table, way);
        return;
    }
    add_timer(TIMER("n", .after = -1, .quiet = true,
                    .fire = ^(RLRunLoopTimerRef timer) { way->run(table, way); }),
              way->around);
    while (!table->is_over) RLRunLoopRunInMode(mode_named(way->around), 0, false);
}

/* Serves the remaining events, after the last one became ready. */
static void settle(void)
{
    for (int count = 0; count < 10; count++) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
}

static bool is_busy(const struct table *table, enum party_kind busy, enum party_kind kind)
{
    return has_party(table, kind) && (busy == PARTY_ALL || busy == kind);
}

static int most_passes(const struct table *table, enum party_kind busy, enum party_kind waiting,
                       const struct way *way)
{
    bool is_source = waiting == PARTY_SOURCE || waiting == PARTY_SIGNAL_ELSEWHERE;
    if (is_source && way->is_for_source && is_busy(table, busy, PARTY_SOURCE)) return MOST_RUNS;
    int count = way->has_handler;
    for (int kind = 0; kind < PARTY_KINDS_OF_BUSY; kind++) count += is_busy(table, busy, kind);
    return MOST_PASSES * count;
}

/* Returns how it went with the one that waits. */
static const char *try_cell(struct table *table, enum party_kind busy, enum party_kind waiting,
                            const struct way *way, bool is_nested)
{
    if (way->begin) way->begin();
    join(&table->waiting[waiting]);
    table->passes = table->waits = table->longest = 0;
    table->next = 3;
    table->is_waiting = table->is_over = false;
    table->who = &table->waiting[waiting];
    for (int kind = 0; kind < PARTY_KINDS_OF_BUSY; kind++) {
        if (!is_busy(table, busy, kind)) continue;
        join(&table->busy[kind]);
        get_ready(table, &table->busy[kind]);
    }
    run_cell(table, way, is_nested);
    table->who = NULL;
    remove_timer(table->busy[PARTY_TIMER].timer, "DEF");
    settle();
    for (int kind = 0; kind < PARTY_KINDS_OF_BUSY; kind++) leave(&table->busy[kind]);
    leave(&table->waiting[waiting]);
    if (way->end) way->end();
    table->cells++;
    if (table->longest == STARVED) return "starved";
    return table->longest <= most_passes(table, busy, waiting, way) ? "served" : "late";
}

static void try_way(struct table *table, enum party_kind busy, enum party_kind waiting,
                    const struct way *way)
{
    const char *plain = try_cell(table, busy, waiting, way, false);
    const char *nested = try_cell(table, busy, waiting, way, true);

    if (strcmp(plain, "served") == 0 && strcmp(nested, "served") == 0) return;
    note("%s beside %s, %s: %s, nested %s", party_names[waiting], party_names[busy], way->name,
         plain, nested);
}

/* --- Ways ------------------------------------------------------------------------------------- */

static void run_on(const struct table *table, const struct way *way)
{
    while (!table->is_over) RLRunLoopRun();
}

/* A limit of a nanosecond has passed by the end of the first pass, whose wait is no poll. */
static void run_repeatedly(const struct table *table, const struct way *way)
{
    while (!table->is_over) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, way->seconds, way->is_for_source);
    }
}

static void begin_host(void)
{
    begin_hosting();
}

static void run_hosted(const struct table *table, const struct way *way)
{
    while (!table->is_over) {
        check(host_is_called(RLRunLoopGetPollDescriptor(), 10000));
        RLRunLoopRunHosted(2);
    }
}

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static struct dispatch_source_s *server;

/* The main queue serves the loop, as RLRunLoop.serveInMainQueue() has it. */
static void begin_in_main_queue(void)
{
    int descriptor =
        RLRunLoopBeginHosting(kRLRunLoopDefaultMode, kRLRunLoopHostingLeavesMainQueue, NULL);

    check(descriptor >= 0);
    server = dispatch_source_create(&_dispatch_source_type_read, (uintptr_t)descriptor, 0,
                                    &_dispatch_main_q);
    dispatch_source_set_event_handler(server, ^{ RLRunLoopRunHosted(1); });
    dispatch_source_set_cancel_handler(server, ^{ RLRunLoopEndHosting(); });
    dispatch_resume(server);
}

static void end_in_main_queue(void)
{
    dispatch_source_cancel(server);
    while (RLRunLoopGetPollDescriptor() >= 0) RLRunLoopDrainMainQueue();
    dispatch_release(server);
}

/* Another scenario runs the main queue. */
static void run_main_queue(const struct table *table, const struct way *way)
{
    while (!table->is_over) {
        if (!RLRunLoopDrainMainQueue()) sched_yield();
    }
}

static const struct way ways_in_main_queue[] = {
    {"in the main queue", "M", .has_handler = true, .begin = begin_in_main_queue,
     .end = end_in_main_queue, .run = run_main_queue},
    {"run in the main queue", "M", .has_handler = true, .begin = begin_in_main_queue,
     .end = end_in_main_queue, .run = run_on},
    {"polls in the main queue", "M", .has_handler = true, .begin = begin_in_main_queue,
     .end = end_in_main_queue, .run = run_repeatedly},
    {"for a source in the main queue", "M", .has_handler = true, .begin = begin_in_main_queue,
     .end = end_in_main_queue, .run = run_repeatedly, .is_for_source = true, .seconds = 1000},
};
#endif

static const struct way ways[] = {
    {"run", "DEF", .run = run_on},
    {"polls", "DEF", .run = run_repeatedly},
    {"polls for a source", "DEF", .run = run_repeatedly, .is_for_source = true},
    {"limits", "DEF", .run = run_repeatedly, .seconds = 1e-9},
    {"for a source", "DEF", .run = run_repeatedly, .is_for_source = true, .seconds = 1000},
    {"hosted", "DEF", .begin = begin_host, .end = RLRunLoopEndHosting, .run = run_hosted,
     .is_ours = true},
};

/* --- The table -------------------------------------------------------------------------------- */

static struct table *make_table(bool is_main)
{
    struct table *table = calloc(1, sizeof(*table));

    table->loop = this_loop();
    table->is_main = is_main;
    for (int kind = 0; kind < PARTY_KINDS_OF_BUSY; kind++) {
        make_party(&table->busy[kind], kind, true, ^{
            if (!table->is_over && kind != PARTY_TIMER) get_ready(table, &table->busy[kind]);
        });
    }
    for (int kind = 0; kind < PARTY_KINDS; kind++) {
        make_party(&table->waiting[kind], kind, false, ^{ end_wait(table); });
    }
    at_end(^{
        for (int kind = 0; kind < PARTY_KINDS; kind++) {
            if (kind < PARTY_KINDS_OF_BUSY) release_block((const void *)table->busy[kind].served);
            release_block((const void *)table->waiting[kind].served);
        }
        free(table);
    });
    keep_alive("DEF");
    when(kRLRunLoopBeforeTimers, "DEF", ^{ begin_pass(table); });
    when(kRLRunLoopExit, "DEF", ^{ end_run(table); });
    return table;
}

static void try_ways(struct table *table, const struct way *tried, size_t count)
{
    for (size_t index = 0; index < count; index++) {
        if (tried[index].is_ours && is_on_reference) continue;
        for (int busy = 0; busy <= PARTY_ALL; busy++) {
            if (busy != PARTY_ALL && !has_party(table, busy)) continue;
            for (int waiting = 0; waiting < PARTY_KINDS; waiting++) {
                if (has_party(table, waiting)) try_way(table, busy, waiting, &tried[index]);
            }
        }
    }
}

static void nothing_starves(void)
{
    struct table *table = make_table(false);

    try_ways(table, ways, COUNT(ways));
    note("%d cells", table->cells);
}
SCENARIO(nothing_starves,
         .title = "A waiting source gets its turn beside a source that is always ready, however the loop is run",
         .clauses = "RUN-14 RUN-19 SRC-23 SRC-26 BLK-8 WAKE-1",
         .deviation = "D53: a source that signals itself starves those of later order",
         .expected = "648 cells",
         .reference = "source beside source, polls for a source: starved, nested starved; "
                      "signal of another thread beside source, polls for a source: starved, "
                      "nested starved; "
                      "source beside all, polls for a source: starved, nested starved; "
                      "signal of another thread beside all, polls for a source: starved, "
                      "nested starved; "
                      "source beside source, for a source: starved, nested starved; "
                      "signal of another thread beside source, for a source: starved, "
                      "nested starved; "
                      "source beside all, for a source: starved, nested starved; "
                      "signal of another thread beside all, for a source: starved, "
                      "nested starved; 350 cells")

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void nothing_starves_on_main(void)
{
    struct table *table = make_table(true);

    try_ways(table, ways, COUNT(ways));
    if (!is_on_reference) try_ways(table, ways_in_main_queue, COUNT(ways_in_main_queue));
    note("%d cells", table->cells);
}
SCENARIO(nothing_starves_on_main,
         .title = "The main queue gets its turn too, and so does each source beside it",
         .clauses = "RUN-19 RUN-14 SRC-26 MAINQ-3 MAINQ-4 MAINQ-6",
         .main_thread = true,
         .deviation = "D47, D53: where the queue starves in the reference depends on time",
         .expected = "1400 cells")
#endif
