/*
 * Waiting, and threads with loops.
 */

#define _GNU_SOURCE

#include "soak.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_S = 1000000000 };

atomic_int contexts_alive;

const RLRunLoopMode second_mode = RLSTR("second");

static _Thread_local struct loop_thread *current;

/* --- What is asked and what is done ----------------------------------------------------------- */

const void *retain_context(const void *info)
{
    atomic_fetch_add(&contexts_alive, 1);
    return info;
}

void release_context(const void *info)
{
    atomic_fetch_sub(&contexts_alive, 1);
}

static void announce(struct progress *progress)
{
    if (atomic_load(&progress->waiting) == 0) return;
    syscall(SYS_futex, &progress->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void progress_add(struct progress *progress, unsigned amount)
{
    atomic_fetch_add(&progress->value, amount);
    announce(progress);
}

void progress_raise(struct progress *progress, unsigned value)
{
    unsigned there = atomic_load(&progress->value);
    do {
        if ((int)(there - value) >= 0) return;
    } while (!atomic_compare_exchange_weak(&progress->value, &there, value));
    announce(progress);
}

bool progress_has_reached(struct progress *progress, unsigned value)
{
    return (int)(atomic_load(&progress->value) - value) >= 0;
}

static void fail_waiting(struct progress *progress, unsigned value, const char *what,
                         RLRunLoopRef loop)
{
    RLRunLoopStatistics statistics = {0};
    if (loop) RLRunLoopGetStatistics(loop, &statistics);
    fail("%s: waited for %u, there is %u after %d s. The loop of thread %d: phase %d for %.3f s, "
         "waiting %d, callout %p, %llu runs, %llu passes, %llu sleeps",
         what, value, atomic_load(&progress->value), (int)LOST_AFTER_S, statistics.threadID,
         (int)statistics.phase, (double)statistics.nanosecondsInPhase / NS_PER_S,
         loop ? RLRunLoopIsWaiting(loop) : -1, statistics.callout,
         (unsigned long long)statistics.runs, (unsigned long long)statistics.passes,
         (unsigned long long)statistics.sleeps);
}

void progress_await(struct progress *progress, unsigned value, const char *what, RLRunLoopRef loop)
{
    enum { TURNS = 20 };
    for (int turn = 0; turn < TURNS; turn++) {
        if (progress_has_reached(progress, value)) return;
        sched_yield();
    }
    int64_t end_ns = clock_ns() + (int64_t)LOST_AFTER_S * NS_PER_S;
    atomic_fetch_add(&progress->waiting, 1);
    for (;;) {
        unsigned there = atomic_load(&progress->value);
        if ((int)(there - value) >= 0) break;
        struct timespec second = {.tv_sec = 1};
        syscall(SYS_futex, &progress->value, FUTEX_WAIT_PRIVATE, there, &second, NULL, 0);
        if (clock_ns() > end_ns) fail_waiting(progress, value, what, loop);
    }
    atomic_fetch_sub(&progress->waiting, 1);
}

/* --- Threads ---------------------------------------------------------------------------------- */

pthread_t start_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, argument);
    if (error != 0) fail("a thread: pthread_create gives %d", error);
    return thread;
}

void join_thread(pthread_t thread, const char *who)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 2 * LOST_AFTER_S;
    if (pthread_timedjoin_np(thread, NULL, &end) != 0) fail("the end of %s", who);
}

/* --- Threads with loops ----------------------------------------------------------------------- */

/* The source that keeps the modes non-empty is never signalled. */
static void fill_modes(struct loop_thread *self)
{
    const RLRunLoopMode modes[2] = {kRLRunLoopDefaultMode, second_mode};
    RLRunLoopAddCommonMode(self->loop, second_mode);
    for (int i = 0; i < 2; i++) {
        RLRunLoopSourceContext context = {.info = &self->keepers[i]};
        self->keepers[i] = RLRunLoopSourceCreate(NULL, 0, &context);
        RLRunLoopAddSource(self->loop, self->keepers[i], modes[i]);
    }
}

static void empty_modes(struct loop_thread *self)
{
    for (int i = 0; i < 2; i++) {
        RLRunLoopSourceInvalidate(self->keepers[i]);
        RLRelease(self->keepers[i]);
    }
}

static void run_in_host(struct loop_thread *self)
{
    int fd = RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL);
    if (fd < 0) fail("a hosting: RLRunLoopBeginHosting gives %d", fd);
    while (!atomic_load(&self->is_over)) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        poll(&ready, 1, -1);
        RLRunLoopRunHosted(1 + random_below(&self->random, 4));
    }
    RLRunLoopEndHosting();
}

static void run_by_itself(struct loop_thread *self)
{
    while (!atomic_load(&self->is_over)) {
        bool returns_early = random_below(&self->random, 2);
        RLRunLoopRunResult result =
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1.0e10, returns_early);
        if (result == kRLRunLoopRunFinished) fail("the source of a mode: the run has finished");
        if (result == kRLRunLoopRunTimedOut) fail("the time of a run without limit");
    }
}

void loop_thread_run(struct loop_thread *self)
{
    current = self;
    /* Handlers of signals may use it to the end of the thread. */
    self->loop = (RLRunLoopRef)(uintptr_t)RLRetain(RLRunLoopGetCurrent());
    fill_modes(self);
    if (random_below(&self->random, 4) == 0) RLRunLoopSetBusyPollInterval(self->loop, 20.0e-6);
    sem_post(&self->is_ready);
    if (self->style == RUNS_HOSTED) {
        run_in_host(self);
    } else {
        run_by_itself(self);
    }
    empty_modes(self);
}

static void *be_loop_thread(void *argument)
{
    loop_thread_run(argument);
    return NULL;
}

void loop_thread_start(struct loop_thread *self, enum style style, uint64_t seed)
{
    *self = (struct loop_thread){.style = style, .random = {seed}};
    sem_init(&self->is_ready, 0, 0);
    self->thread = start_thread(be_loop_thread, self);
    while (sem_wait(&self->is_ready) != 0) {}
}

/*
 * The run that is stopped is the innermost one: those around it are stopped as they see that it is
 * over.
 */
void loop_thread_stop(struct loop_thread *self)
{
    RLRunLoopPerformBlock(self->loop, kRLRunLoopCommonModes, ^{
        atomic_store(&self->is_over, true);
        RLRunLoopStop(RLRunLoopGetCurrent());
    });
    RLRunLoopWakeUp(self->loop);
}

void loop_thread_end(struct loop_thread *self)
{
    loop_thread_stop(self);
    join_thread(self->thread, "a loop's thread");
    RLRelease(self->loop);
    sem_destroy(&self->is_ready);
}

void run_nested_perhaps(void)
{
    enum { MOST = 3, SELDOM = 8 };
    struct loop_thread *self = current;
    if (!self || self->style == RUNS_PLAINLY || atomic_load(&self->depth) == MOST) return;
    if (random_below(&self->random, SELDOM) != 0) return;
    atomic_fetch_add(&self->depth, 1);
    RLRunLoopMode mode = random_below(&self->random, 2) ? kRLRunLoopDefaultMode : second_mode;
    double seconds = random_below(&self->random, 3) * 0.2e-3;
    RLRunLoopRunInMode(mode, seconds, random_below(&self->random, 2));
    atomic_fetch_sub(&self->depth, 1);
    if (atomic_load(&self->is_over)) RLRunLoopStop(self->loop);
}

/*
 * Whether it is in the wait of an outermost run. Were the wait that of a nested run, the depth
 * would have been read in it, as no pass has begun in between.
 */
static bool is_quiet(struct loop_thread *self)
{
    RLRunLoopStatistics first, second;
    RLRunLoopGetStatistics(self->loop, &first);
    if (!RLRunLoopIsWaiting(self->loop) || atomic_load(&self->depth) > 0) return false;
    RLRunLoopGetStatistics(self->loop, &second);
    return RLRunLoopIsWaiting(self->loop) && first.passes == second.passes;
}

void loop_thread_await_quiet(struct loop_thread *self)
{
    int64_t end_ns = clock_ns() + (int64_t)LOST_AFTER_S * NS_PER_S;
    while (!is_quiet(self)) {
        if (clock_ns() > end_ns) fail("the quiet of a loop that has nothing to do");
        sched_yield();
    }
}

/* The processor time that a thread uses during a number of milliseconds, in nanoseconds. */
static int64_t watch(clockid_t clock, int milliseconds)
{
    struct timespec before, after, time = {.tv_nsec = milliseconds * 1000000L};
    clock_gettime(clock, &before);
    /* That nothing happens in this time is the subject. */
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    clock_gettime(clock, &after);
    return (after.tv_sec - before.tv_sec) * (int64_t)NS_PER_S + after.tv_nsec - before.tv_nsec;
}

void loop_thread_check_idle(struct loop_thread *self)
{
    enum { GLANCE_MS = 10, LOOK_MS = 300, MOST_PERCENT = 10, NS_PER_MS = 1000000 };
    clockid_t clock;
    if (pthread_getcpuclockid(self->thread, &clock) != 0) fail("the clock of a loop's thread");
    if (watch(clock, GLANCE_MS) * 100 <= (int64_t)GLANCE_MS * NS_PER_MS * MOST_PERCENT) return;
    int64_t end_ns = clock_ns() + (int64_t)LOST_AFTER_S * NS_PER_S, used_ns;
    do {
        used_ns = watch(clock, LOOK_MS);
        if (used_ns * 100 <= (int64_t)LOOK_MS * NS_PER_MS * MOST_PERCENT) return;
    } while (clock_ns() < end_ns);
    fail("the sleep of an idle loop: its thread used %.1f ms of processor time in %d ms",
         (double)used_ns / NS_PER_MS, (int)LOOK_MS);
}
