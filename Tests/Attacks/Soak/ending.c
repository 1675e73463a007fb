/*
 * Ends: of threads, in several ways and with others that still use their loops, and of everything
 * but one thread, in the child of a fork.
 */

#define _GNU_SOURCE

#include "soak.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Threads ---------------------------------------------------------------------------------- */

enum ending { RETURNS, LEAVES_A_CALLBACK, HAS_A_DESTRUCTOR, IS_HOSTED, ENDINGS };

struct ending_thread {
    pthread_t thread;
    enum ending ending;
    sem_t is_ready;
    /* Retained. */
    RLRunLoopRef loop;
    atomic_bool is_called;
};

static pthread_key_t key;

/* The destructor of a thread-specific value: the thread still has its loop. */
static void use_loop(void *value)
{
    struct ending_thread *self = value;
    RLRunLoopPerformBlock(RLRunLoopGetCurrent(), kRLRunLoopDefaultMode,
                          ^{ atomic_store(&self->is_called, true); });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
}

static void make_key(void)
{
    if (pthread_key_create(&key, use_loop) != 0) fail("a key");
}

static void leave(RLRunLoopTimerRef timer, void *info)
{
    struct ending_thread *self = info;
    /* A destructor's run is counted by its block, and may find the timer due once more. */
    if (self->ending != HAS_A_DESTRUCTOR) atomic_store(&self->is_called, true);
    if (self->ending == LEAVES_A_CALLBACK) pthread_exit(NULL);
    RLRunLoopStop(self->loop);
}

static void *end_somehow(void *argument)
{
    struct ending_thread *self = argument;
    self->loop = (RLRunLoopRef)(uintptr_t)RLRetain(RLRunLoopGetCurrent());
    sem_post(&self->is_ready);
    RLRunLoopTimerContext context = {.info = self};
    /* An object that is retained for a call that never returns stays retained: D17. */
    if (self->ending != LEAVES_A_CALLBACK) {
        context.retain = retain_context;
        context.release = release_context;
    }
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent(), 1, 0, 0, leave, &context);
    RLRunLoopAddTimer(self->loop, timer, kRLRunLoopCommonModes);
    RLRelease(timer);
    if (self->ending == HAS_A_DESTRUCTOR) pthread_setspecific(key, self);
    if (self->ending == IS_HOSTED) {
        if (RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL) < 0) fail("a hosting");
    }
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1.0e10, false);
    return NULL;
}

static void use_loop_of_another(RLRunLoopRef loop)
{
    RLRunLoopSourceContext context = {
        .info = loop, .retain = retain_context, .release = release_context};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    RLRunLoopSourceSignalAndWakeUp(source, loop);
    RLRunLoopPerformBlock(loop, second_mode, ^{});
    RLRunLoopStop(loop);
    RLRelease(source);
}

/*
 * Each thread is ended, and its loop used before, while and after. A stop may come before the
 * timer: then the next run sees to that.
 */
static void end_one(enum ending ending, bool is_used)
{
    struct ending_thread self = {.ending = ending};
    sem_init(&self.is_ready, 0, 0);
    self.thread = start_thread(end_somehow, &self);
    while (sem_wait(&self.is_ready) != 0) {}
    if (is_used) use_loop_of_another(self.loop);
    join_thread(self.thread, "a thread");
    if (!is_used && !atomic_load(&self.is_called)) fail("a callback of a thread's last run");
    use_loop_of_another(self.loop);
    RLRelease(self.loop);
    sem_destroy(&self.is_ready);
}

static void *end_threads(void *argument)
{
    struct slice *slice = argument;
    struct random random = {slice->seed + atomic_fetch_add(&slice->operations, 1)};
    while (clock_ns() < slice->end_ns) {
        end_one((enum ending)random_below(&random, ENDINGS), random_below(&random, 2));
        atomic_fetch_add_explicit(&slice->operations, 1, memory_order_relaxed);
    }
    return NULL;
}

static void end_all(struct slice *slice)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_t enders[16];
    pthread_once(&once, make_key);
    for (unsigned i = 0; i < slice->askers; i++) enders[i] = start_thread(end_threads, slice);
    for (unsigned i = 0; i < slice->askers; i++) join_thread(enders[i], "one that ends threads");
}

/* --- Forks ------------------------------------------------------------------------------------ */

/* A child's use of its inherited loop. */
struct trial {
    atomic_uint called;
};

enum { CALLS = 3, CHILD_S = LOST_AFTER_S };

static void count(void *info)
{
    struct trial *trial = info;
    if (atomic_fetch_add(&trial->called, 1) + 1 == CALLS) RLRunLoopStop(RLRunLoopGetCurrent());
}

static void count_timer(RLRunLoopTimerRef timer, void *info)
{
    count(info);
}

static _Noreturn void be_child(RLRunLoopSourceRef source, struct trial *trial)
{
    alarm(CHILD_S);
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    atomic_store(&trial->called, 0);
    RLRunLoopTimerContext context = {.info = trial};
    double due = RLAbsoluteTimeGetCurrent() + 1.0e-3;
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, due, 0, 0, 0, count_timer, &context);
    RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
    RLRunLoopPerformFunction(loop, kRLRunLoopDefaultMode, count, trial);
    RLRunLoopSourceSignal(source);
    while (atomic_load(&trial->called) < CALLS) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1.0e10, false);
    }
    _exit(atomic_load(&trial->called) == CALLS ? 0 : 1);
}

static void fork_once(RLRunLoopSourceRef source, struct trial *trial)
{
    pid_t child = fork();
    if (child < 0) fail("a fork: errno %d", errno);
    if (child == 0) be_child(source, trial);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (status != 0) fail("a child's loop: status %#x", (unsigned)status);
}

/* Forks outside of runs, and in a callback. */
static void *fork_often(void *argument)
{
    struct slice *slice = argument;
    struct random random = {slice->seed};
    struct trial calls = {0}, *trial = &calls;
    RLRunLoopSourceContext context = {.info = trial, .perform = count};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    while (clock_ns() < slice->end_ns) {
        if (random_below(&random, 2)) {
            fork_once(source, trial);
        } else {
            RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ fork_once(source, trial); });
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
        }
        atomic_fetch_add_explicit(&slice->operations, 1, memory_order_relaxed);
    }
    RLRelease(source);
    return NULL;
}

/* Work for loops whose locks are held when the process forks. */
static void fork_at_work(struct slice *slice)
{
    struct slice work = {.seed = slice->seed, .end_ns = slice->end_ns, .askers = 2};
    pthread_t forker = start_thread(fork_often, slice);
    posting_load.body(&work);
    join_thread(forker, "one that forks");
}

const struct load forking_load = {"forking", "forks", fork_at_work};
const struct load ending_load = {"ending", "threads", end_all};
