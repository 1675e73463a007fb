/*
 * Items that up to 16 threads, and the callbacks of the loops, add, remove, signal, date,
 * invalidate and replace on three loops, in three modes, without order. It checks that blocks are
 * called, and that all items are released in the end.
 */

#define _GNU_SOURCE

#include "soak.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { LOOPS = 3, ITEMS = 30 };

enum item_kind { SOURCE0, SOURCE1, SOURCE2, TIMER, OBSERVER, ITEM_KINDS };

/* An item of a field; the lock guards which one it is. */
struct place {
    pthread_mutex_t lock;
    enum item_kind kind;
    RLTypeRef item;
    /* Of a source with a descriptor: where to write. Lives as long as the item. */
    struct descriptors *descriptors;
};

struct descriptors {
    struct field *field;
    int read_fd, write_fd;
};

struct field {
    struct slice *slice;
    struct loop_thread *loops[LOOPS];
    struct place places[ITEMS];
    atomic_bool is_over;
    atomic_uint blocks_asked;
    struct progress blocks_called;
};

static void change_something(struct field *field, struct random *random);

/* --- On the loops' threads -------------------------------------------------------------------- */

static _Thread_local struct random callback_random;

static void be_called(struct field *field)
{
    run_nested_perhaps();
    if (random_below(&callback_random, 4) == 0) change_something(field, &callback_random);
}

static void perform(void *info)
{
    be_called(info);
}

static void perform_port(void *info)
{
    be_called(((struct descriptors *)info)->field);
}

static void perform_descriptor(void *info, RLRunLoopDescriptorEvents ready)
{
    struct descriptors *descriptors = info;
    char bytes[16];
    ssize_t length = read(descriptors->read_fd, bytes, sizeof bytes);
    if (length >= 0) be_called(descriptors->field);
}

static void fire(RLRunLoopTimerRef timer, void *info)
{
    be_called(info);
}

static void observe(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    be_called(info);
}

/* --- Making and giving up --------------------------------------------------------------------- */

static void release_descriptors(const void *info)
{
    struct descriptors *descriptors = (struct descriptors *)(uintptr_t)info;
    close(descriptors->read_fd);
    if (descriptors->write_fd != descriptors->read_fd) close(descriptors->write_fd);
    free(descriptors);
    release_context(info);
}

static int descriptor_of(void *info)
{
    return ((struct descriptors *)info)->read_fd;
}

static struct descriptors *make_descriptors(struct field *field, bool is_pipe)
{
    struct descriptors *made = malloc(sizeof *made);
    int ends[2] = {-1, -1};
    if (is_pipe) {
        if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) fail("a pipe");
    } else {
        ends[0] = ends[1] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (ends[0] < 0) fail("an eventfd");
    }
    *made = (struct descriptors){field, ends[0], ends[1]};
    return made;
}

static RLTypeRef make_source0(struct field *field, unsigned order)
{
    RLRunLoopSourceContext context = {
        .info = field, .retain = retain_context, .release = release_context, .perform = perform};
    return RLRunLoopSourceCreate(NULL, (RLIndex)order, &context);
}

static RLTypeRef make_source1(struct descriptors *descriptors, unsigned order)
{
    RLRunLoopSourceContext1 context = {.version = 1,
                                       .info = descriptors,
                                       .retain = retain_context,
                                       .release = release_descriptors,
                                       .getPort = descriptor_of,
                                       .perform = perform_port};
    return RLRunLoopSourceCreate(NULL, (RLIndex)order, (RLRunLoopSourceContext *)(void *)&context);
}

static RLTypeRef make_source2(struct descriptors *descriptors, unsigned order)
{
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = descriptors,
                                       .retain = retain_context,
                                       .release = release_descriptors,
                                       .getDescriptor = descriptor_of,
                                       .perform = perform_descriptor};
    return RLRunLoopSourceCreate(NULL, (RLIndex)order, (RLRunLoopSourceContext *)(void *)&context);
}

static RLTypeRef make_timer(struct field *field, struct random *random)
{
    RLRunLoopTimerContext context = {
        .info = field, .retain = retain_context, .release = release_context};
    double due = RLAbsoluteTimeGetCurrent() + random_below(random, 4) * 1.0e-3;
    return RLRunLoopTimerCreate(NULL, due, random_below(random, 3) * 0.7e-3, 0, 0, fire, &context);
}

static RLTypeRef make_observer(struct field *field, struct random *random)
{
    RLRunLoopObserverContext context = {
        .info = field, .retain = retain_context, .release = release_context};
    return RLRunLoopObserverCreate(NULL, 1ul << random_below(random, 8), random_below(random, 4),
                                   (RLIndex)random_below(random, 3), observe, &context);
}

/* A new item; the place is this thread's. */
static void fill_place(struct field *field, struct place *place, struct random *random)
{
    unsigned order = random_below(random, 3);
    place->descriptors = NULL;
    switch (place->kind) {
    case SOURCE0: place->item = make_source0(field, order); break;
    case SOURCE1:
        place->descriptors = make_descriptors(field, false);
        place->item = make_source1(place->descriptors, order);
        break;
    case SOURCE2:
        place->descriptors = make_descriptors(field, true);
        place->item = make_source2(place->descriptors, order);
        break;
    case TIMER: place->item = make_timer(field, random); break;
    default: place->item = make_observer(field, random); break;
    }
}

static void invalidate(enum item_kind kind, RLTypeRef item)
{
    void *mutable = (void *)(uintptr_t)item;
    switch (kind) {
    case TIMER: RLRunLoopTimerInvalidate(mutable); break;
    case OBSERVER: RLRunLoopObserverInvalidate(mutable); break;
    default: RLRunLoopSourceInvalidate(mutable); break;
    }
}

/* --- Changes ---------------------------------------------------------------------------------- */

struct change {
    struct field *field;
    struct random *random;
    struct place *place;
    /* The item of the place, and its descriptors, retained. */
    RLTypeRef item;
    struct descriptors *descriptors;
    RLRunLoopRef loop;
    RLRunLoopMode mode;
};

static void add_or_remove(struct change *change, bool adds)
{
    void *item = (void *)(uintptr_t)change->item;
    switch (change->place->kind) {
    case TIMER:
        (adds ? RLRunLoopAddTimer : RLRunLoopRemoveTimer)(change->loop, item, change->mode);
        break;
    case OBSERVER:
        (adds ? RLRunLoopAddObserver : RLRunLoopRemoveObserver)(change->loop, item, change->mode);
        break;
    default:
        (adds ? RLRunLoopAddSource : RLRunLoopRemoveSource)(change->loop, item, change->mode);
        break;
    }
}

static void add(struct change *change)
{
    add_or_remove(change, true);
}

static void take_out(struct change *change)
{
    add_or_remove(change, false);
}

/* The purpose of each kind. */
static void excite(struct change *change)
{
    void *item = (void *)(uintptr_t)change->item;
    switch (change->place->kind) {
    case SOURCE0: RLRunLoopSourceSignalAndWakeUp(item, change->loop); break;
    case TIMER: {
        double due = RLAbsoluteTimeGetCurrent() + random_below(change->random, 4) * 0.5e-3;
        RLRunLoopTimerSetNextFireDate(item, due);
        RLRunLoopTimerSetTolerance(item, random_below(change->random, 3) * 1.0e-3);
        break;
    }
    case SOURCE1: eventfd_write(change->descriptors->write_fd, 1); break;
    case SOURCE2:
        if (write(change->descriptors->write_fd, "", 1) != 1) RLRunLoopSourceUpdateEvents(item);
        break;
    default: RLRunLoopWakeUp(change->loop); break;
    }
}

static void replace(struct change *change)
{
    struct place made = {.kind = change->place->kind};
    fill_place(change->field, &made, change->random);
    pthread_mutex_lock(&change->place->lock);
    RLTypeRef old = change->place->item;
    change->place->item = made.item;
    change->place->descriptors = made.descriptors;
    pthread_mutex_unlock(&change->place->lock);
    if (random_below(change->random, 2)) invalidate(made.kind, old);
    /* One that is left valid goes when it leaves the loops' modes. */
    for (int i = 0; i < LOOPS; i++) {
        struct change leaving = *change;
        leaving.item = old;
        leaving.loop = change->field->loops[i]->loop;
        const RLRunLoopMode modes[] = {kRLRunLoopDefaultMode, second_mode, kRLRunLoopCommonModes};
        for (int j = 0; j < 3; j++) {
            leaving.mode = modes[j];
            take_out(&leaving);
        }
    }
    invalidate(made.kind, old);
    RLRelease(old);
}

static void ask_for_block(struct change *change)
{
    struct field *field = change->field;
    atomic_fetch_add(&field->blocks_asked, 1);
    RLRunLoopPerformBlock(change->loop, kRLRunLoopDefaultMode, ^{
        progress_add(&field->blocks_called, 1);
        be_called(field);
    });
    RLRunLoopWakeUp(change->loop);
}

static void stop_run(struct change *change)
{
    RLRunLoopStop(change->loop);
}

static void look(struct change *change)
{
    RLRelease(RLCopyDescription(change->item));
    RLRelease(RLRunLoopCopyAllModes(change->loop));
    RLRelease(RLRunLoopCopyAllLoops());
    RLRunLoopGetNextTimerFireDate(change->loop, kRLRunLoopDefaultMode);
    RLRunLoopCountItems(change->loop, kRLRunLoopDefaultMode, kRLRunLoopItemTimer);
    RLTestingVerifyLoop(change->loop);
}

static void change_something(struct field *field, struct random *random)
{
    static void (*const changes[])(struct change *) = {add,      add,     add,           take_out,
                                                       take_out, excite,  excite,        excite,
                                                       excite,   replace, ask_for_block, stop_run};
    enum { CHANGES = sizeof changes / sizeof changes[0], SELDOM = 50 };
    const RLRunLoopMode modes[] = {kRLRunLoopDefaultMode, second_mode, kRLRunLoopCommonModes};
    if (atomic_load(&field->is_over)) return;
    struct place *place = &field->places[random_below(random, ITEMS)];
    pthread_mutex_lock(&place->lock);
    struct change change = {.field = field,
                            .random = random,
                            .place = place,
                            .item = RLRetain(place->item),
                            .descriptors = place->descriptors,
                            .loop = field->loops[random_below(random, LOOPS)]->loop,
                            .mode = modes[random_below(random, 3)]};
    pthread_mutex_unlock(&place->lock);
    changes[random_below(random, CHANGES)](&change);
    if (random_below(random, SELDOM) == 0) look(&change);
    RLRelease(change.item);
    atomic_fetch_add_explicit(&field->slice->operations, 1, memory_order_relaxed);
}

/* --- The load --------------------------------------------------------------------------------- */

struct changer {
    pthread_t thread;
    struct field *field;
    struct random random;
};

static void *change(void *argument)
{
    struct changer *self = argument;
    while (clock_ns() < self->field->slice->end_ns) change_something(self->field, &self->random);
    return NULL;
}

static void change_together(struct field *field)
{
    unsigned count = field->slice->askers;
    struct changer *changers = calloc(count, sizeof *changers);
    for (unsigned i = 0; i < count; i++) {
        changers[i].field = field;
        changers[i].random.state = field->slice->seed + i;
        changers[i].thread = start_thread(change, &changers[i]);
    }
    for (unsigned i = 0; i < count; i++) join_thread(changers[i].thread, "a changer");
    free(changers);
}

/* Running callbacks may still change items. */
static void settle(struct field *field)
{
    atomic_store(&field->is_over, true);
    for (int i = 0; i < ITEMS; i++) {
        struct place *place = &field->places[i];
        pthread_mutex_lock(&place->lock);
        RLTypeRef item = RLRetain(place->item);
        pthread_mutex_unlock(&place->lock);
        invalidate(place->kind, item);
        RLRelease(item);
    }
    unsigned asked;
    do {
        asked = atomic_load(&field->blocks_asked);
        progress_await(&field->blocks_called, asked, "a block", field->loops[0]->loop);
        for (int i = 0; i < LOOPS; i++) loop_thread_await_quiet(field->loops[i]);
    } while (asked != atomic_load(&field->blocks_asked));
    unsigned called = atomic_load(&field->blocks_called.value);
    if (called != asked) fail("blocks: %u asked for, %u called", asked, called);
}

static void change_loops(struct slice *slice)
{
    struct field *field = calloc(1, sizeof *field);
    struct loop_thread threads[2];
    struct random random = {slice->seed};
    field->slice = slice;
    loop_thread_start(&threads[0], RUNS_NESTED, slice->seed);
    loop_thread_start(&threads[1], RUNS_HOSTED, slice->seed + 1);
    field->loops[0] = &threads[0];
    field->loops[1] = &threads[1];
    field->loops[2] = &main_loop_thread;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_init(&field->places[i].lock, NULL);
        field->places[i].kind = (enum item_kind)(i % ITEM_KINDS);
        fill_place(field, &field->places[i], &random);
    }
    change_together(field);
    settle(field);
    for (int i = 0; i < ITEMS; i++) {
        /* An item that a callback has put in this place meanwhile. */
        invalidate(field->places[i].kind, field->places[i].item);
        RLRelease(field->places[i].item);
        pthread_mutex_destroy(&field->places[i].lock);
    }
    for (int i = 0; i < LOOPS; i++) loop_thread_await_quiet(field->loops[i]);
    for (int i = 0; i < LOOPS; i++) loop_thread_check_idle(field->loops[i]);
    for (int i = 0; i < 2; i++) loop_thread_end(&threads[i]);
    free(field);
}

const struct load changing_load = {"changing", "changes", change_loops};
