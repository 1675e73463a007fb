/*
 * Loops that are given work of every kind by up to 16 threads: blocks, functions, signals, timers,
 * dates, counters, bytes, and on the main loop items of the main dispatch queue. Each is counted.
 */

#define _GNU_SOURCE

#include "soak.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Of libdispatch, whose headers are not on every include path. */
struct dispatch_queue_s;
extern struct dispatch_queue_s _dispatch_main_q;
extern void dispatch_async_f(struct dispatch_queue_s *queue, void *info, void (*function)(void *));

/* One kind of work from one thread. */
struct outlet {
    const struct kind *kind;
    RLRunLoopRef loop;
    atomic_uint sent;
    struct progress seen;
    /* The source, timer or observer; unused by kinds that make a new item for each event. */
    RLTypeRef item;
    int read_fd, write_fd;
    /* Plain data of a client, which only the wake-up publishes. */
    atomic_uint mark;
};

struct kind {
    const char *name;
    void (*open)(struct outlet *outlet);
    /* Sends one. The caller has already incremented `sent`. */
    void (*send)(struct outlet *outlet);
    void (*invalidate)(struct outlet *outlet);
    /* Several events may be merged into the last one. */
    bool is_merged;
    /* The next event is sent when the last one has been seen. */
    bool is_single;
    /* The loop sees an event without a call of RLRunLoopWakeUp. */
    bool wakes;
    bool needs_main;
    /* A host is called for the engine's work, and for mere wake-ups only while it sleeps. */
    bool needs_own_sleep;
};

/* --- On the loop's thread --------------------------------------------------------------------- */

static void receive(void *info)
{
    struct outlet *outlet = info;
    if (outlet->kind->is_merged) {
        progress_raise(&outlet->seen, atomic_load(&outlet->sent));
    } else {
        progress_add(&outlet->seen, 1);
    }
    run_nested_perhaps();
}

static void receive_timer(RLRunLoopTimerRef timer, void *info)
{
    receive(info);
}

static void receive_bytes(void *info, RLRunLoopDescriptorEvents ready)
{
    struct outlet *outlet = info;
    char bytes[7];
    ssize_t length = read(outlet->read_fd, bytes, sizeof bytes);
    if (length > 0) progress_add(&outlet->seen, (unsigned)length);
    if (length < 0 && errno != EAGAIN) fail("a descriptor: errno %d, ready %lu", errno, ready);
    run_nested_perhaps();
}

/* From here on no thread reads. */
static void release_descriptors(const void *info)
{
    const struct outlet *outlet = info;
    close(outlet->read_fd);
    if (outlet->write_fd != outlet->read_fd) close(outlet->write_fd);
    release_context(info);
}

static int descriptor_of(void *info)
{
    return ((struct outlet *)info)->read_fd;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

static void add_source(struct outlet *outlet, void *context, RLRunLoopMode mode)
{
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, context);
    RLRunLoopAddSource(outlet->loop, source, mode);
    outlet->item = source;
}

static void invalidate_source(struct outlet *outlet)
{
    RLRunLoopSourceInvalidate((RLRunLoopSourceRef)(uintptr_t)outlet->item);
    RLRelease(outlet->item);
}

static void open_source(struct outlet *outlet)
{
    RLRunLoopSourceContext context = {
        .info = outlet, .retain = retain_context, .release = release_context, .perform = receive};
    bool is_common = atomic_load(&outlet->sent) > 0;
    add_source(outlet, &context, is_common ? kRLRunLoopCommonModes : kRLRunLoopDefaultMode);
}

static void send_signal(struct outlet *outlet)
{
    RLRunLoopSourceSignal((RLRunLoopSourceRef)(uintptr_t)outlet->item);
}

static void send_signal_and_wake_up(struct outlet *outlet)
{
    RLRunLoopSourceSignalAndWakeUp((RLRunLoopSourceRef)(uintptr_t)outlet->item, outlet->loop);
}

static void send_block(struct outlet *outlet)
{
    RLRunLoopPerformBlock(outlet->loop, kRLRunLoopDefaultMode, ^{ receive(outlet); });
}

static void send_function(struct outlet *outlet)
{
    RLRunLoopPerformFunction(outlet->loop, kRLRunLoopCommonModes, receive, outlet);
}

static void send_to_two_modes(struct outlet *outlet)
{
    const void *names[2] = {second_mode, kRLRunLoopDefaultMode};
    RLArrayRef modes = RLArrayCreate(NULL, names, 2, &kRLTypeArrayCallBacks);
    RLRunLoopPerformBlock(outlet->loop, modes, ^{ receive(outlet); });
    RLRelease(modes);
}

static void send_timer(struct outlet *outlet)
{
    unsigned number = atomic_load(&outlet->sent);
    RLRunLoopTimerContext context = {
        .info = outlet, .retain = retain_context, .release = release_context};
    double due = RLAbsoluteTimeGetCurrent() + number % 4 * 0.3e-3;
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, due, 0, 0, 0, receive_timer, &context);
    bool is_common = number % 3 == 0;
    RLRunLoopAddTimer(outlet->loop, timer,
                      is_common ? kRLRunLoopCommonModes : kRLRunLoopDefaultMode);
    RLRelease(timer);
}

enum { FAR_S = 1000000 };

static void open_dates(struct outlet *outlet)
{
    RLRunLoopTimerContext context = {
        .info = outlet, .retain = retain_context, .release = release_context};
    double due = RLAbsoluteTimeGetCurrent() + FAR_S;
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, due, FAR_S, 0, 0, receive_timer, &context);
    RLRunLoopAddTimer(outlet->loop, timer, kRLRunLoopCommonModes);
    outlet->item = timer;
}

/* A date counts only if it is after the one before. */
static void send_date(struct outlet *outlet)
{
    double due = RLAbsoluteTimeGetCurrent() + 0.1e-3;
    RLRunLoopTimerSetNextFireDate((RLRunLoopTimerRef)(uintptr_t)outlet->item, due);
}

static void invalidate_timer(struct outlet *outlet)
{
    RLRunLoopTimerInvalidate((RLRunLoopTimerRef)(uintptr_t)outlet->item);
    RLRelease(outlet->item);
}

static void open_counter(struct outlet *outlet)
{
    outlet->read_fd = outlet->write_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (outlet->read_fd < 0) fail("an eventfd: errno %d", errno);
    RLRunLoopSourceContext1 context = {.version = 1,
                                       .info = outlet,
                                       .retain = retain_context,
                                       .release = release_descriptors,
                                       .getPort = descriptor_of,
                                       .perform = receive};
    add_source(outlet, &context, kRLRunLoopDefaultMode);
}

static void send_count(struct outlet *outlet)
{
    if (eventfd_write(outlet->write_fd, 1) != 0) fail("a count: errno %d", errno);
}

static void open_pipe(struct outlet *outlet)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) fail("a pipe: errno %d", errno);
    outlet->read_fd = ends[0];
    outlet->write_fd = ends[1];
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = outlet,
                                       .retain = retain_context,
                                       .release = release_descriptors,
                                       .getDescriptor = descriptor_of,
                                       .perform = receive_bytes};
    add_source(outlet, &context, kRLRunLoopCommonModes);
}

static void send_byte(struct outlet *outlet)
{
    if (write(outlet->write_fd, "", 1) != 1) fail("a byte: errno %d", errno);
}

/* Precedes each check of sources. */
static void look_at_mark(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    struct outlet *outlet = info;
    progress_raise(&outlet->seen, atomic_load_explicit(&outlet->mark, memory_order_relaxed));
}

static void open_mark(struct outlet *outlet)
{
    RLRunLoopObserverContext context = {
        .info = outlet, .retain = retain_context, .release = release_context};
    RLRunLoopObserverRef observer =
        RLRunLoopObserverCreate(NULL, kRLRunLoopBeforeSources, true, 0, look_at_mark, &context);
    RLRunLoopAddObserver(outlet->loop, observer, kRLRunLoopCommonModes);
    outlet->item = observer;
}

static void invalidate_observer(struct outlet *outlet)
{
    RLRunLoopObserverInvalidate((RLRunLoopObserverRef)(uintptr_t)outlet->item);
    RLRelease(outlet->item);
}

/* The wake-up that follows is all that orders this store. */
static void send_mark(struct outlet *outlet)
{
    unsigned number = atomic_load_explicit(&outlet->sent, memory_order_relaxed);
    atomic_store_explicit(&outlet->mark, number, memory_order_relaxed);
}

static void send_to_main_queue(struct outlet *outlet)
{
    dispatch_async_f(&_dispatch_main_q, outlet, receive);
}

static const struct kind kinds[] = {
    {.name = "a block", .send = send_block},
    {.name = "a function", .send = send_function},
    {.name = "a block of two modes", .send = send_to_two_modes},
    {.name = "a signal",
     .open = open_source,
     .send = send_signal,
     .invalidate = invalidate_source,
     .is_merged = true},
    {.name = "a signal with its wake-up",
     .open = open_source,
     .send = send_signal_and_wake_up,
     .invalidate = invalidate_source,
     .is_merged = true,
     .wakes = true},
    {.name = "a timer", .send = send_timer, .wakes = true},
    {.name = "a date of a timer",
     .open = open_dates,
     .send = send_date,
     .invalidate = invalidate_timer,
     .is_merged = true,
     .is_single = true,
     .wakes = true},
    {.name = "a count",
     .open = open_counter,
     .send = send_count,
     .invalidate = invalidate_source,
     .is_merged = true,
     .wakes = true},
    {.name = "a byte",
     .open = open_pipe,
     .send = send_byte,
     .invalidate = invalidate_source,
     .wakes = true},
    {.name = "a mark",
     .open = open_mark,
     .send = send_mark,
     .invalidate = invalidate_observer,
     .is_merged = true,
     .needs_own_sleep = true},
    {.name = "an item of the main queue",
     .send = send_to_main_queue,
     .wakes = true,
     .needs_main = true},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* --- Threads that ask ------------------------------------------------------------------------- */

struct requester {
    pthread_t thread;
    struct slice *slice;
    struct loop_thread *target;
    struct random random;
    struct outlet outlets[KINDS];
};

static void await(struct outlet *outlet)
{
    progress_await(&outlet->seen, atomic_load(&outlet->sent), outlet->kind->name, outlet->loop);
}

/* Returns whether the loop is still to be woken. */
static bool send_one(struct requester *self)
{
    struct outlet *outlet = &self->outlets[random_below(&self->random, KINDS)];
    if (outlet->kind->needs_main && self->target != &main_loop_thread) return false;
    if (outlet->kind->needs_own_sleep && self->target->style == RUNS_HOSTED) return false;
    if (outlet->kind->is_single) await(outlet);
    atomic_fetch_add(&outlet->sent, 1);
    outlet->kind->send(outlet);
    atomic_fetch_add_explicit(&self->slice->operations, 1, memory_order_relaxed);
    return !outlet->kind->wakes;
}

/* One wake-up for all, or one for each. */
static void send_some(struct requester *self)
{
    RLRunLoopRef loop = self->target->loop;
    unsigned count = 1 + random_below(&self->random, random_below(&self->random, 2) ? 2 : 32);
    bool wakes_once = random_below(&self->random, 2), is_due = false;
    for (unsigned i = 0; i < count; i++) {
        if (!send_one(self)) continue;
        is_due |= wakes_once;
        if (!wakes_once) RLRunLoopWakeUp(loop);
    }
    if (is_due) RLRunLoopWakeUp(loop);
}

static void await_all(struct requester *self)
{
    for (int i = 0; i < KINDS; i++) await(&self->outlets[i]);
}

static void *ask(void *argument)
{
    struct requester *self = argument;
    for (int i = 0; i < KINDS; i++) {
        struct outlet *outlet = &self->outlets[i];
        outlet->kind = &kinds[i];
        outlet->loop = self->target->loop;
        if (outlet->kind->open) outlet->kind->open(outlet);
    }
    while (clock_ns() < self->slice->end_ns) {
        send_some(self);
        if (random_below(&self->random, 4) > 0) await_all(self);
    }
    await_all(self);
    return NULL;
}

/* When the loops are quiet: nothing was done more often than it was asked. */
static void close_outlets(struct requester *self)
{
    for (int i = 0; i < KINDS; i++) {
        struct outlet *outlet = &self->outlets[i];
        unsigned sent = atomic_load(&outlet->sent), seen = atomic_load(&outlet->seen.value);
        if (sent != seen) fail("%s: %u sent, %u seen", outlet->kind->name, sent, seen);
        if (outlet->kind->invalidate) outlet->kind->invalidate(outlet);
    }
}

static void post_to(struct slice *slice, struct loop_thread **targets, unsigned count)
{
    struct requester *askers = calloc(slice->askers, sizeof *askers);
    for (unsigned i = 0; i < slice->askers; i++) {
        askers[i].slice = slice;
        askers[i].target = targets[i % count];
        askers[i].random.state = slice->seed + i;
        askers[i].thread = start_thread(ask, &askers[i]);
    }
    for (unsigned i = 0; i < slice->askers; i++) join_thread(askers[i].thread, "an requester");
    for (unsigned i = 0; i < count; i++) {
        loop_thread_await_quiet(targets[i]);
        loop_thread_check_idle(targets[i]);
    }
    for (unsigned i = 0; i < slice->askers; i++) close_outlets(&askers[i]);
    /* A last wake-up may have begun a pass, which calls observers. */
    for (unsigned i = 0; i < count; i++) loop_thread_await_quiet(targets[i]);
    free(askers);
}

static void post_to_threads(struct slice *slice)
{
    struct loop_thread threads[STYLES], *targets[STYLES];
    for (int i = 0; i < STYLES; i++) {
        loop_thread_start(&threads[i], (enum style)i, slice->seed + 1000 * (unsigned)i);
        /* So that one requester alone comes to all of them, slice by slice. */
        targets[(i + slice->seed) % STYLES] = &threads[i];
    }
    post_to(slice, targets, STYLES);
    for (int i = 0; i < STYLES; i++) loop_thread_end(&threads[i]);
}

static void post_to_main(struct slice *slice)
{
    struct loop_thread *targets[1] = {&main_loop_thread};
    post_to(slice, targets, 1);
}

const struct load posting_load = {"posting", "items", post_to_threads};
const struct load main_load = {"posting to main", "items", post_to_main};
