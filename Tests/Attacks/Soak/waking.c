/*
 * Wake-ups alone, each of which has to end a sleep, and stops, each of which has to end a run: from
 * other threads, from handlers of signals there, and from handlers of signals of the loop's own
 * thread.
 */

#define _GNU_SOURCE

#include "soak.h"

#include <signal.h>
#include <stdlib.h>

/* --- Three ways ------------------------------------------------------------------------------- */

static int wake_signal(void)
{
    return SIGRTMIN;
}

static int stop_signal(void)
{
    return SIGRTMIN + 1;
}

static void handle(int number, siginfo_t *information, void *context)
{
    RLRunLoopRef loop = information->si_value.sival_ptr;
    if (number == wake_signal()) {
        RLRunLoopWakeUp(loop);
    } else {
        RLRunLoopStop(loop);
    }
}

void install_signal_handlers(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(wake_signal(), &action, NULL);
    sigaction(stop_signal(), &action, NULL);
}

/* Wakes or stops a loop, in a way that chance decides on. */
static void reach(struct random *random, RLRunLoopRef loop, pthread_t loops_thread, bool stops)
{
    enum { DIRECTLY, IN_A_HANDLER, IN_A_HANDLER_THERE, WAYS };
    union sigval value = {.sival_ptr = loop};
    int number = stops ? stop_signal() : wake_signal();
    unsigned way = random_below(random, WAYS);
    if (way == IN_A_HANDLER && pthread_sigqueue(pthread_self(), number, value) == 0) return;
    if (way == IN_A_HANDLER_THERE && pthread_sigqueue(loops_thread, number, value) == 0) return;
    if (stops) {
        RLRunLoopStop(loop);
    } else {
        RLRunLoopWakeUp(loop);
    }
}

/* --- Wake-ups --------------------------------------------------------------------------------- */

/* A loop that counts each sleep. */
struct sleeper {
    struct loop_thread thread;
    struct progress asleep;
    struct progress awake;
};

struct waker {
    pthread_t thread;
    struct slice *slice;
    struct sleeper *sleeper;
    struct random random;
};

static void count_activity(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    struct sleeper *sleeper = info;
    /* The sleep during which this observer was added was not counted. */
    if (atomic_load(&sleeper->asleep.value) == 0 && activity == kRLRunLoopAfterWaiting) return;
    progress_add(activity == kRLRunLoopBeforeWaiting ? &sleeper->asleep : &sleeper->awake, 1);
}

/* Each sleep is ended by this thread, or by others that do the same; by nothing else. */
static void *wake(void *argument)
{
    struct waker *self = argument;
    struct sleeper *sleeper = self->sleeper;
    RLRunLoopRef loop = sleeper->thread.loop;
    while (clock_ns() < self->slice->end_ns) {
        unsigned number = atomic_load(&sleeper->asleep.value);
        reach(&self->random, loop, sleeper->thread.thread, false);
        progress_await(&sleeper->awake, number, "a wake-up", loop);
        atomic_fetch_add_explicit(&self->slice->operations, 1, memory_order_relaxed);
        progress_await(&sleeper->asleep, number + 1, "the next sleep", loop);
    }
    return NULL;
}

static void wake_loops(struct slice *slice)
{
    unsigned loops = slice->askers > 2 ? 2 : 1;
    struct sleeper *sleepers = calloc(loops, sizeof *sleepers);
    struct waker *wakers = calloc(slice->askers, sizeof *wakers);
    RLRunLoopObserverRef *observers = calloc(loops, sizeof *observers);
    struct random random = {slice->seed};
    for (unsigned i = 0; i < loops; i++) {
        /* Hosted, it sleeps in its host. */
        enum style style = random_below(&random, 2) ? RUNS_HOSTED : RUNS_PLAINLY;
        loop_thread_start(&sleepers[i].thread, style, slice->seed + i);
        loop_thread_await_quiet(&sleepers[i].thread);
        RLRunLoopObserverContext context = {.info = &sleepers[i]};
        observers[i] =
            RLRunLoopObserverCreate(NULL, kRLRunLoopBeforeWaiting | kRLRunLoopAfterWaiting, true, 0,
                                    count_activity, &context);
        RLRunLoopAddObserver(sleepers[i].thread.loop, observers[i], kRLRunLoopDefaultMode);
        /* It sleeps without having been counted. */
        RLRunLoopWakeUp(sleepers[i].thread.loop);
        progress_await(&sleepers[i].asleep, 1, "the first wake-up", sleepers[i].thread.loop);
    }
    for (unsigned i = 0; i < slice->askers; i++) {
        wakers[i] = (struct waker){
            .slice = slice, .sleeper = &sleepers[i % loops], .random = {slice->seed + i}};
        wakers[i].thread = start_thread(wake, &wakers[i]);
    }
    for (unsigned i = 0; i < slice->askers; i++) join_thread(wakers[i].thread, "a waker");
    for (unsigned i = 0; i < loops; i++) {
        loop_thread_await_quiet(&sleepers[i].thread);
        loop_thread_check_idle(&sleepers[i].thread);
        RLRunLoopObserverInvalidate(observers[i]);
        RLRelease(observers[i]);
        loop_thread_end(&sleepers[i].thread);
    }
    free(sleepers);
    free(wakers);
    free(observers);
}

/* --- Stops ------------------------------------------------------------------------------------ */

/* Runs within runs, each of which ends because it is stopped. */
struct stoppable {
    struct slice *slice;
    pthread_t thread;
    RLRunLoopRef loop;
    struct random random;
    /* Another run is to begin in the one that begins. */
    bool nests;
    /* Grows when a run must stop: no other run begins in it. */
    struct progress targets;
    atomic_uint stops;
    atomic_bool is_over;
};

enum { DEEPEST = 3 };

static void count_run(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    struct stoppable *self = info;
    if (!self->nests) progress_add(&self->targets, 1);
}

static void run_until_stopped(struct stoppable *self)
{
    RLRunLoopRunResult result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1.0e10, false);
    if (result != kRLRunLoopRunStopped) fail("a stop: a run ended with %d", (int)result);
    if (atomic_load(&self->stops) == 0) fail("a run: it has stopped by itself");
    atomic_fetch_sub(&self->stops, 1);
}

static void run_within(struct stoppable *self, int depth)
{
    self->nests = depth < DEEPEST && random_below(&self->random, 2);
    if (self->nests) {
        RLRunLoopPerformBlock(self->loop, kRLRunLoopDefaultMode, ^{
            run_within(self, depth + 1);
            progress_add(&self->targets, 1);
        });
    }
    run_until_stopped(self);
}

static void *be_stoppable(void *argument)
{
    struct stoppable *self = argument;
    RLRunLoopSourceContext source_context = {.info = self};
    RLRunLoopObserverContext context = {.info = self};
    /* Handlers of signals may use it to the end of the thread. */
    self->loop = (RLRunLoopRef)(uintptr_t)RLRetain(RLRunLoopGetCurrent());
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &source_context);
    RLRunLoopAddSource(self->loop, source, kRLRunLoopDefaultMode);
    RLRunLoopObserverRef observer =
        RLRunLoopObserverCreate(NULL, kRLRunLoopEntry, true, 0, count_run, &context);
    RLRunLoopAddObserver(self->loop, observer, kRLRunLoopDefaultMode);
    while (clock_ns() < self->slice->end_ns) run_within(self, 0);
    atomic_store(&self->is_over, true);
    progress_add(&self->targets, 1);
    RLRelease(observer);
    RLRelease(source);
    return NULL;
}

/* One stop for each run. */
static void *stop(void *argument)
{
    struct stoppable *self = argument;
    struct random random = {self->slice->seed};
    for (unsigned number = 1;; number++) {
        progress_await(&self->targets, number, "a run that was stopped", self->loop);
        if (atomic_load(&self->is_over)) return NULL;
        atomic_fetch_add(&self->stops, 1);
        reach(&random, self->loop, self->thread, true);
        atomic_fetch_add_explicit(&self->slice->operations, 1, memory_order_relaxed);
    }
}

static void stop_loops(struct slice *slice)
{
    struct stoppable self = {.slice = slice, .random = {slice->seed}};
    self.thread = start_thread(be_stoppable, &self);
    progress_await(&self.targets, 1, "the first run", NULL);
    pthread_t stopper = start_thread(stop, &self);
    join_thread(self.thread, "a loop's thread");
    join_thread(stopper, "a stopper");
    RLRelease(self.loop);
}

const struct load waking_load = {"waking", "wake-ups", wake_loops};
const struct load stopping_load = {"stopping", "stops", stop_loops};
