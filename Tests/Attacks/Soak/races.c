/*
 * The rounds of the races, and the threads that take part.
 */

#define _GNU_SOURCE

#include "races.h"

#include <dispatch/dispatch.h>
#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000, SLICE_MS = 15, PATIENCE_MS = 20 };

/* Objects that loops keep for their modes, whether they have run in them or not. */
enum { DESCRIPTORS_OF_LOOPS = 40 };

RLRunLoopRef loops[LOOPS];
dispatch_queue_t queues[2];
char folder[] = "/tmp/races-XXXXXX";

static const struct kind *const *const lists[] = {timer_kinds, source_kinds, loop_kinds,
                                                  descriptor_kinds, stream_kinds};

/* --- Reports of failures ---------------------------------------------------------------------- */

static struct seat {
    pthread_t thread;
    struct racer racer;
    sem_t is_wanted, is_done;
    /* The call in progress, and the one before. For other threads. */
    _Atomic(const char *) call, call_before;
} seats[RACERS];

static _Atomic(const char *) call_of_callback = "none";
static _Atomic(const struct kind *) kind_of_round;
static uint64_t seed;

/* Also when the process is about to end by a signal or a sanitizer. */
static void report_race(void)
{
    const struct kind *kind = atomic_load(&kind_of_round);
    dprintf(STDERR_FILENO, "seed %#llx, %s:", (unsigned long long)seed, kind ? kind->name : "-");
    for (int i = 0; i < RACERS; i++) {
        const char *call = atomic_load(&seats[i].call),
                   *before = atomic_load(&seats[i].call_before);
        dprintf(STDERR_FILENO, " %s, then %s;", before ? before : "none", call ? call : "none");
    }
    dprintf(STDERR_FILENO, " last in a callback: %s\n", atomic_load(&call_of_callback));
}

extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

static void report_signal(int number)
{
    report_race();
    if (__sanitizer_print_stack_trace) __sanitizer_print_stack_trace();
    signal(number, SIG_DFL);
    raise(number);
}

extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* Of signals too, unless a sanitizer has handlers of its own. */
static void report_at_death(void)
{
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(report_race);
    if (!__sanitizer_set_death_callback) signal(SIGSEGV, report_signal);
    signal(SIGABRT, report_signal);
}

void *needed(const void *value)
{
    if (!value) fail("no object: %s", strerror(errno));
    return (void *)(uintptr_t)value;
}

int needed_fd(int fd)
{
    if (fd < 0) fail("no descriptor: %s", strerror(errno));
    return fd;
}

/* --- Races ------------------------------------------------------------------------------------ */

const void *retain_race(const void *race)
{
    if (!race) fail("an info that is null is retained");
    atomic_fetch_add(&((struct race *)(uintptr_t)race)->references, 1);
    return retain_context(race);
}

static void give_up_race(struct race *race)
{
    if (atomic_fetch_sub(&race->references, 1) > 1) return;
    if (race->kind->dispose) race->kind->dispose(race);
    for (int i = 0; i < 2; i++) {
        if (race->fds[i] >= 0) close(race->fds[i]);
    }
    free(race);
}

void release_race(const void *race)
{
    if (!race) fail("an info that is null is released");
    release_context(race);
    give_up_race((struct race *)(uintptr_t)race);
}

/* --- Choices ---------------------------------------------------------------------------------- */

bool flip(struct racer *self)
{
    return random_below(&self->random, 2);
}

RLRunLoopRef some_loop(struct racer *self)
{
    return loops[random_below(&self->random, LOOPS)];
}

RLRunLoopMode some_mode(struct racer *self)
{
    const RLRunLoopMode modes[] = {kRLRunLoopDefaultMode, second_mode, kRLRunLoopCommonModes};
    return modes[random_below(&self->random, 3)];
}

double some_milliseconds(struct racer *self)
{
    return random_below(&self->random, 4) * 0.2e-3;
}

bool claim(struct racer *self)
{
    return !atomic_flag_test_and_set(&self->race->claims[self->index]);
}

void give_up(struct racer *self)
{
    atomic_flag_clear(&self->race->claims[self->index]);
}

static const struct call *choose_call(struct racer *self, bool may_wait)
{
    enum { SELDOM = 4 };
    const struct kind *kind = self->race->kind;
    for (;;) {
        bool is_common = !kind->is_apart && random_below(&self->random, SELDOM) == 0;
        const struct call *calls = is_common ? common_calls : kind->calls;
        unsigned count = 0;
        while (calls[count].name) count++;
        const struct call *call = &calls[random_below(&self->random, count)];
        if (may_wait || !call->waits) return call;
    }
}

/* --- Calls ------------------------------------------------------------------------------------ */

void be_called(struct race *race, const void *object)
{
    enum { DEEPEST = 2 };
    static _Thread_local int depth;
    static _Thread_local struct random random = {1};
    if (!race) fail("a callback without an info");
    if (depth == DEEPEST || random_below(&random, 2)) return;
    struct racer self = {.race = race, .random = random, .object = (void *)(uintptr_t)object};
    while (self.index < MOST_OBJECTS - 1 && race->objects[self.index] != object) self.index++;
    const struct call *call = choose_call(&self, false);
    atomic_store(&call_of_callback, call->name);
    depth++;
    call->function(&self);
    depth--;
    random = self.random;
}

static unsigned count_objects(const struct race *race)
{
    unsigned count = 0;
    while (count < MOST_OBJECTS && race->objects[count]) count++;
    return count;
}

static void choose_object(struct racer *self, unsigned index)
{
    self->index = index;
    self->object = (void *)(uintptr_t)self->race->objects[index];
}

static void note_call(struct seat *seat, const char *name)
{
    atomic_store(&seat->call_before, atomic_load(&seat->call));
    atomic_store(&seat->call, name);
}

static void end_objects(struct racer *self)
{
    unsigned count = count_objects(self->race), first = random_below(&self->random, count);
    for (unsigned i = 0; i < count; i++) {
        choose_object(self, (first + i) % count);
        self->race->kind->end(self);
    }
}

static void release_objects(struct racer *self)
{
    unsigned count = count_objects(self->race);
    for (unsigned i = 0; i < count; i++) RLRelease(self->race->objects[i]);
}

/* The number of racers that have begun the round, and of those with calls to make. */
static atomic_int begun, racing;

/*
 * Calls begin when all threads are there, and end by release. The last one ends what something else
 * holds; what nothing else does goes with its last reference.
 */
static void make_calls(struct seat *seat)
{
    enum { MOST_CALLS = 10 };
    struct racer *self = &seat->racer;
    unsigned objects = count_objects(self->race);
    unsigned calls = 1 + random_below(&self->random, MOST_CALLS);
    atomic_fetch_add(&begun, 1);
    while (atomic_load(&begun) < RACERS) sched_yield();
    for (unsigned i = 0; i < calls; i++) {
        const struct call *call = choose_call(self, true);
        choose_object(self, random_below(&self->random, objects));
        note_call(seat, call->name);
        call->function(self);
    }
    bool is_last = atomic_fetch_sub(&racing, 1) == 1;
    bool ends = is_last ? atomic_load(&self->race->is_served) : random_below(&self->random, 3) == 0;
    note_call(seat, ends ? "end" : "release");
    if (ends) end_objects(self);
    note_call(seat, "release");
    release_objects(self);
    note_call(seat, NULL);
}

/* --- Racers ----------------------------------------------------------------------------------- */

static void await(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0) {}
}

/* Returns whether it has come. */
static bool await_briefly(sem_t *semaphore, int64_t patience_ns)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    int64_t end_ns = end.tv_nsec + patience_ns;
    end.tv_sec += end_ns / NS_PER_S;
    end.tv_nsec = end_ns % NS_PER_S;
    int result;
    do {
        result = sem_timedwait(semaphore, &end);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

/* The modes are never empty, so that runs are served. */
static void *be_racer(void *argument)
{
    struct seat *seat = argument;
    RLRunLoopSourceContext context = {0};
    RLRunLoopSourceRef keeper = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    RLRunLoopAddCommonMode(loop, second_mode);
    RLRunLoopAddSource(loop, keeper, kRLRunLoopCommonModes);
    loops[seat - seats] = (RLRunLoopRef)(uintptr_t)RLRetain(loop);
    sem_post(&seat->is_done);
    for (;;) {
        await(&seat->is_wanted);
        if (!seat->racer.race) break;
        make_calls(seat);
        sem_post(&seat->is_done);
    }
    RLRunLoopSourceInvalidate(keeper);
    RLRelease(keeper);
    return NULL;
}

/* --- Rounds ----------------------------------------------------------------------------------- */

/*
 * Waits for the racers. Ends a racer's wait, if the driver has objects: repeatedly, as a racer may
 * begin to wait after a stream's end, in an open(2) that cannot be interrupted.
 */
static void await_racers(struct racer *self, bool has_objects)
{
    int64_t lost_ns = clock_ns() + LOST_AFTER_S * (int64_t)NS_PER_S;
    for (int i = 0; i < RACERS; i++) {
        while (!await_briefly(&seats[i].is_done, PATIENCE_MS * (int64_t)NS_PER_MS)) {
            if (has_objects) end_objects(self);
            if (clock_ns() < lost_ns) continue;
            report_race();
            fail("the end of a round");
        }
    }
}

static bool may_wait(const struct kind *kind)
{
    const struct call *call = kind->calls;
    while (call->name && !call->waits) call++;
    return call->name;
}

static void make_iteration(const struct kind *kind, uint64_t round_seed)
{
    struct race *race = calloc(1, sizeof *race);
    race->kind = kind;
    race->random.state = round_seed;
    race->references = 1;
    race->fds[0] = race->fds[1] = -1;
    atomic_store(&kind_of_round, kind);
    kind->make(race);
    unsigned objects = count_objects(race);
    atomic_store(&begun, 0);
    atomic_store(&racing, RACERS);
    for (int i = 0; i < RACERS; i++) {
        for (unsigned j = 0; j < objects; j++) RLRetain(race->objects[j]);
        seats[i].racer.race = race;
        seats[i].racer.random.state = random_next(&race->random);
        sem_post(&seats[i].is_wanted);
    }
    struct racer self = {.race = race, .random = {round_seed}};
    /*
     * Without this reference, a racer would have the last one. It is needed to end a racer's wait.
     */
    bool leaves = !may_wait(kind) && flip(&self);
    if (leaves) release_objects(&self);
    await_racers(&self, !leaves);
    if (kind->finish) kind->finish(race);
    if (!leaves) release_objects(&self);
    give_up_race(race);
}

static void await_contexts(const char *name)
{
    int64_t end_ns = clock_ns() + LOST_AFTER_S * (int64_t)NS_PER_S;
    while (atomic_load(&contexts_alive) > 0) {
        sched_yield();
        if (clock_ns() <= end_ns) continue;
        fail("%s: %d contexts are left", name, atomic_load(&contexts_alive));
    }
}

static unsigned long long make_rounds(const struct kind *kind, struct random *random)
{
    int64_t end_ns = clock_ns() + SLICE_MS * (int64_t)NS_PER_MS;
    unsigned long long rounds = 0;
    do {
        make_iteration(kind, random_next(random));
        rounds++;
    } while (clock_ns() < end_ns);
    await_contexts(kind->name);
    return rounds;
}

/* Returns how many rounds were made, of the kind with the name or, for null, of all kinds. */
static unsigned long long visit_kinds(const char *name, struct random *random)
{
    unsigned long long rounds = 0;
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (const struct kind *const *kind = lists[i]; *kind; kind++) {
            if (!name || strcmp((*kind)->name, name) == 0) rounds += make_rounds(*kind, random);
        }
    }
    if (rounds == 0) fail("no kind %s", name);
    return rounds;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    return remove(path);
}

static void begin(struct loop_thread *runner)
{
    report_at_death();
    signal(SIGPIPE, SIG_IGN);
    if (!mkdtemp(folder)) fail("a folder");
    setenv("XDG_RUNTIME_DIR", folder, 1);
    queues[0] = dispatch_queue_create("serial", NULL);
    queues[1] = dispatch_queue_create("concurrent", DISPATCH_QUEUE_CONCURRENT);
    loop_thread_start(runner, RUNS_PLAINLY, seed);
    loops[RACERS] = runner->loop;
    for (int i = 0; i < RACERS; i++) {
        sem_init(&seats[i].is_wanted, 0, 0);
        sem_init(&seats[i].is_done, 0, 0);
        seats[i].thread = start_thread(be_racer, &seats[i]);
        await(&seats[i].is_done);
    }
}

static void end(struct loop_thread *runner)
{
    for (int i = 0; i < RACERS; i++) {
        seats[i].racer.race = NULL;
        sem_post(&seats[i].is_wanted);
        join_thread(seats[i].thread, "a racer");
        RLRelease(loops[i]);
    }
    loop_thread_end(runner);
    for (int i = 0; i < 2; i++) dispatch_release(queues[i]);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

void race_for(double seconds, uint64_t first_seed, const char *kind)
{
    struct random random = {first_seed};
    struct loop_thread runner;
    seed = first_seed;
    begin(&runner);
    int64_t end_ns = clock_ns() + (int64_t)(seconds * NS_PER_S);
    unsigned long long rounds = visit_kinds(kind, &random);
    int before = count_descriptors();
    while (clock_ns() < end_ns) rounds += visit_kinds(kind, &random);
    int after;
    /* Threads that resolve hosts, and queues, may still have some. */
    int64_t lost_ns = clock_ns() + LOST_AFTER_S * (int64_t)NS_PER_S;
    while ((after = count_descriptors()) > before + DESCRIPTORS_OF_LOOPS && clock_ns() < lost_ns) {
        sched_yield();
    }
    printf("%llu rounds of races; descriptors: %d, then %d\n", rounds, before, after);
    if (after > before + DESCRIPTORS_OF_LOOPS) fail("descriptors are left");
    end(&runner);
}
