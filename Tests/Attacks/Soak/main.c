/*
 * Rounds: each load by itself, then all of them at once; then what is left is compared with what
 * there was. Races for single objects follow, for half as long.
 *
 * usage: program SECONDS [SEED [KIND]]    with a kind of objects, the races for these alone
 */

#define _GNU_SOURCE

#include "soak.h"

#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A load's share of a round alone, and of a round with all loads. */
enum { SLICE_MS = 150, NS_PER_MS = 1000000, MS_PER_S = 1000 };

/* Rounds until all that stays has been made: one for each number of askers. */
enum { WARM_UP_ROUNDS = 5 };

/* The allowed growth of the heap: a sanitizer's heap contains its own memory. */
enum { MOST_BYTES = 8 * 1024, MOST_BYTES_WITH_SANITIZER = 64 * 1024 };

static const struct load *const loads[] = {
    &posting_load,  &main_load,    &waking_load, &stopping_load,
    &changing_load, &forking_load, &ending_load,
};

enum { LOADS = sizeof loads / sizeof loads[0] };

struct loop_thread main_loop_thread;

/* Of each load, over all rounds. */
static struct work {
    unsigned long long operations;
    int64_t time_ns;
} done[LOADS];

/* --- What is there ---------------------------------------------------------------------------- */

/* Of the sanitizers, which have a heap of their own. */
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t count_bytes(void)
{
    if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

struct holdings {
    size_t bytes;
    int descriptors, threads;
};

static struct holdings count_holdings(void)
{
    return (struct holdings){
        .bytes = count_bytes(),
        .descriptors = count_descriptors(),
        .threads = count_entries("/proc/self/task"),
    };
}

/* A thread that was joined may have its entry for a moment longer. */
static struct holdings await_threads(int most)
{
    int64_t end_ns = clock_ns() + LOST_AFTER_S * (int64_t)MS_PER_S * NS_PER_MS;
    struct holdings found;
    while ((found = count_holdings()).threads > most && clock_ns() < end_ns) sched_yield();
    return found;
}

/* --- Rounds ----------------------------------------------------------------------------------- */

struct turn {
    unsigned load;
    struct slice slice;
};

static struct turn make_turn(unsigned load, unsigned round, uint64_t seed, int milliseconds)
{
    enum { ASKER_COUNTS = 5 };
    return (struct turn){
        .load = load,
        .slice = {.seed = (seed + round) * LOADS + load,
                  .end_ns = clock_ns() + (int64_t)milliseconds * NS_PER_MS,
                  .askers = 1u << round % ASKER_COUNTS},
    };
}

static void *take_turn(void *argument)
{
    struct turn *turn = argument;
    struct work *work = &done[turn->load];
    int64_t began_ns = clock_ns();
    loads[turn->load]->body(&turn->slice);
    work->operations += atomic_load(&turn->slice.operations);
    work->time_ns += clock_ns() - began_ns;
    return NULL;
}

static void make_iteration(unsigned round, uint64_t seed)
{
    for (unsigned i = 0; i < LOADS; i++) {
        struct turn turn = make_turn(i, round, seed, SLICE_MS);
        pthread_t thread = start_thread(take_turn, &turn);
        join_thread(thread, loads[i]->name);
        int left = atomic_load(&contexts_alive);
        if (left > 0) fail("%s: %d contexts are left", loads[i]->name, left);
    }
    struct turn turns[LOADS];
    pthread_t threads[LOADS];
    for (unsigned i = 0; i < LOADS; i++) {
        turns[i] = make_turn(i, round, seed + 1, 2 * SLICE_MS);
        threads[i] = start_thread(take_turn, &turns[i]);
    }
    for (unsigned i = 0; i < LOADS; i++) join_thread(threads[i], loads[i]->name);
    int left = atomic_load(&contexts_alive);
    if (left > 0) fail("all at once: %d contexts are left", left);
    loop_thread_await_quiet(&main_loop_thread);
    loop_thread_check_idle(&main_loop_thread);
}

static void compare(struct holdings before, struct holdings now, unsigned round)
{
    if (now.descriptors != before.descriptors) {
        fail("descriptors: %d before, %d after round %u", before.descriptors, now.descriptors,
             round);
    }
    if (now.threads != before.threads) {
        fail("threads: %d before, %d after round %u", before.threads, now.threads, round);
    }
    bool has_sanitizer = __sanitizer_get_current_allocated_bytes;
    size_t most = has_sanitizer ? MOST_BYTES_WITH_SANITIZER : MOST_BYTES;
    if (round <= WARM_UP_ROUNDS || now.bytes <= before.bytes + most) return;
    fail("bytes: %zu before, %zu after round %u", before.bytes, now.bytes, round);
}

/* --- Figures ---------------------------------------------------------------------------------- */

static void print_figures(unsigned rounds, int64_t time_ns, struct holdings before,
                          struct holdings after)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    for (unsigned i = 0; i < LOADS; i++) {
        double seconds = (double)done[i].time_ns / NS_PER_MS / MS_PER_S;
        printf("%-16s %12llu %-8s %10.0f per second\n", loads[i]->name, done[i].operations,
               loads[i]->unit, (double)done[i].operations / seconds);
    }
    printf("%u rounds in %.1f s, processor time %ld s in user code, %ld s in the kernel\n", rounds,
           (double)time_ns / NS_PER_MS / MS_PER_S, (long)usage.ru_utime.tv_sec,
           (long)usage.ru_stime.tv_sec);
    printf("bytes in use: %zu, then %zu; descriptors: %d, then %d; most memory: %ld KiB\n",
           before.bytes, after.bytes, before.descriptors, after.descriptors, usage.ru_maxrss);
}

/* --- The program ------------------------------------------------------------------------------ */

struct plan {
    int64_t time_ns;
    uint64_t seed;
};

static void *go_round(void *argument)
{
    const struct plan *plan = argument;
    while (sem_wait(&main_loop_thread.is_ready) != 0) {}
    struct holdings before = count_holdings(), now;
    int64_t began_ns = clock_ns();
    unsigned round = 0;
    do {
        make_iteration(round, plan->seed);
        now = await_threads(before.threads);
        if (round == 0) before = now;
        round++;
        if (round <= WARM_UP_ROUNDS && now.bytes > before.bytes) before.bytes = now.bytes;
        compare(before, now, round);
    } while (clock_ns() - began_ns < plan->time_ns);
    print_figures(round, clock_ns() - began_ns, before, now);
    loop_thread_stop(&main_loop_thread);
    return NULL;
}

static void soak(struct plan plan)
{
    install_signal_handlers();
    main_loop_thread =
        (struct loop_thread){.thread = pthread_self(), .style = RUNS_NESTED, .random = {plan.seed}};
    sem_init(&main_loop_thread.is_ready, 0, 0);
    pthread_t thread = start_thread(go_round, &plan);
    loop_thread_run(&main_loop_thread);
    join_thread(thread, "the rounds");
    RLRelease(main_loop_thread.loop);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 10;
    const char *kind = argc > 3 ? argv[3] : NULL;
    struct plan plan = {.time_ns = (int64_t)(seconds * MS_PER_S) * NS_PER_MS,
                        .seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)clock_ns()};
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("seed %#llx\n", (unsigned long long)plan.seed);
    /* They would be right: threads end here while others use their loops. */
    RLTestingSetHints(false);
    block_signals();
    if (!kind) soak(plan);
    race_for(seconds / 2, plan.seed, kind);
    return tally_end(&(struct tally){.passed = kind ? 1 : LOADS + 1});
}
