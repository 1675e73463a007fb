/*
 * Client code that the end of a thread calls may use the loop in any way: each kind of item with
 * each action. Ours only, as the reference crashes here and there (LIFE-10 to LIFE-18).
 */

#include "scenario.h"
#include "thread_words.h"

#include <CRunLoop/RLRunLoopHosting.h>
#include <CRunLoop/RLRunLoopWrapping.h>
#include <stdatomic.h>

/* A block that reports the release of its capture: as the compiler would write it. */
struct witness {
    void *isa;
    int flags;
    int reserved;
    void (*invoke)(void *block);
    const struct witness_descriptor *descriptor;
    const void *info;
    void (*released)(const void *info);
    /* So that it is too large for the room in the queue. */
    void *ballast[8];
};

struct witness_descriptor {
    unsigned long reserved;
    unsigned long size;
    void (*copy)(void *copy, const void *original);
    void (*dispose)(const void *block);
};

extern void *_NSConcreteStackBlock[];

static void copy_nothing(void *copy, const void *original)
{
}

static void dispose_of_witness(const void *block)
{
    const struct witness *witness = block;

    witness->released(witness->info);
}

static void never_called(void *block)
{
    note("called");
}

/* Queues a block that is never to run; `mode` is as for RLRunLoopPerformBlock. */
static void queue_witness(RLRunLoopRef loop, RLTypeRef mode, bool is_large, const void *info,
                          void (*released)(const void *info))
{
    static const struct witness_descriptor small = {0, offsetof(struct witness, ballast),
                                                    copy_nothing, dispose_of_witness};
    static const struct witness_descriptor large = {0, sizeof(struct witness), copy_nothing,
                                                    dispose_of_witness};
    struct witness witness = {
        .isa = _NSConcreteStackBlock,
        .flags = 1 << 25,
        .invoke = never_called,
        .descriptor = is_large ? &large : &small,
        .info = info,
        .released = released,
    };

    RLRunLoopPerformBlock(loop, mode, (void (^)(void))(void *)&witness);
}

enum { BYSTANDERS = 2 };

/* A thread that ends, and the actions meanwhile. */
struct end {
    pthread_t thread;
    RLRunLoopRef loop;
    /* Of the scenario's thread. */
    RLRunLoopRef harbor;
    /* The action when the item is released, or canceled. */
    void (*act)(struct end *end);
    bool has_acted;
    int releases;
    /* In the loop before and after the item. */
    RLRunLoopTimerRef timers[BYSTANDERS];
    RLRunLoopObserverRef observers[BYSTANDERS];
    RLRunLoopSourceRef sources[BYSTANDERS];
    RLRunLoopSourceRef ports[BYSTANDERS];
    int bystander_releases;
    RLRunLoopRef kept;
};

static void act_once(struct end *end)
{
    check(pthread_equal(pthread_self(), end->thread));
    if (end->has_acted) return;
    end->has_acted = true;
    end->act(end);
}

static void item_released(const void *info)
{
    struct end *end = (struct end *)(uintptr_t)info;

    end->releases++;
    act_once(end);
}

static void item_canceled(void *info, RLRunLoopRef loop, RLRunLoopMode mode)
{
    act_once(info);
}

static void bystander_released(const void *info)
{
    struct end *end = (struct end *)(uintptr_t)info;

    check(pthread_equal(pthread_self(), end->thread));
    end->bystander_releases++;
}

static void timer_called(RLRunLoopTimerRef timer, void *info)
{
}

static void observer_called(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
}

static void source_called(void *info)
{
}

static void descriptor_called(void *info, RLRunLoopDescriptorEvents ready)
{
}

static int without_descriptor(void *info)
{
    return -1;
}

static RLRunLoopTimerRef ending_timer(struct end *end, double interval,
                                      void (*released)(const void *))
{
    RLRunLoopTimerContext context = {.info = end, .release = released};

    return RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent() + 1000, interval, 0, 0,
                                timer_called, &context);
}

static RLRunLoopObserverRef ending_observer(struct end *end, RLIndex order,
                                            void (*released)(const void *))
{
    RLRunLoopObserverContext context = {.info = end, .release = released};

    return RLRunLoopObserverCreate(NULL, kRLRunLoopExit, true, order, observer_called, &context);
}

static RLRunLoopSourceRef ending_source(struct end *end, RLIndex order,
                                        void (*released)(const void *),
                                        void (*canceled)(void *, RLRunLoopRef, RLRunLoopMode))
{
    RLRunLoopSourceContext context = {
        .info = end, .release = released, .cancel = canceled, .perform = source_called};

    return RLRunLoopSourceCreate(NULL, order, &context);
}

static RLRunLoopSourceRef ending_port(struct end *end, RLIndex order,
                                      void (*released)(const void *))
{
    RLRunLoopSourceContext1 context = {.version = 1,
                                       .info = end,
                                       .release = released,
                                       .getPort = without_descriptor,
                                       .perform = source_called};

    return RLRunLoopSourceCreate(NULL, order, (RLRunLoopSourceContext *)&context);
}

static RLRunLoopSourceRef ending_descriptor_source(struct end *end, void (*released)(const void *))
{
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = end,
                                       .release = released,
                                       .getDescriptor = without_descriptor,
                                       .perform = descriptor_called};

    return RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)&context);
}

/* Adds and releases an item, which is the loop's from then on. */
static void leave_source(RLRunLoopSourceRef source, const char *mode)
{
    add_source(source, mode);
    RLRelease(source);
}

static void leave_timer(RLRunLoopTimerRef timer, const char *mode)
{
    add_timer(timer, mode);
    RLRelease(timer);
}

static void leave_observer(RLRunLoopObserverRef observer, const char *mode)
{
    add_observer(observer, mode);
    RLRelease(observer);
}

/* The kinds of items. */

static void leave_in_default_mode(struct end *end)
{
    leave_timer(ending_timer(end, 0, item_released), "DEF");
}

static void leave_in_several_modes(struct end *end)
{
    RLRunLoopTimerRef timer = ending_timer(end, 10, item_released);

    add_timer(timer, "M");
    add_timer(timer, "N");
    leave_timer(timer, "COM");
}

static void leave_observing(struct end *end)
{
    leave_observer(ending_observer(end, 0, item_released), "DEF");
}

static void leave_observing_common_modes(struct end *end)
{
    leave_observer(ending_observer(end, 0, item_released), "COM");
}

static void leave_source0(struct end *end)
{
    leave_source(ending_source(end, 0, item_released, NULL), "COM");
}

static void leave_canceled(struct end *end)
{
    RLRunLoopSourceRef source = ending_source(end, 0, item_released, item_canceled);

    signal_source(source);
    add_source(source, "M");
    leave_source(source, "DEF");
}

static void leave_source1(struct end *end)
{
    leave_source(ending_port(end, 0, item_released), "DEF");
}

static void leave_source2(struct end *end)
{
    leave_source(ending_descriptor_source(end, item_released), "COM");
}

static void leave_block(struct end *end)
{
    queue_witness(end->loop, kRLRunLoopDefaultMode, false, end, item_released);
}

static void leave_large_block(struct end *end)
{
    RLTypeRef names[] = {kRLRunLoopCommonModes, kRLRunLoopDefaultMode, RLSTR("M")};
    RLArrayRef modes = RLArrayCreate(NULL, names, 3, &kRLTypeArrayCallBacks);

    queue_witness(end->loop, modes, true, end, item_released);
    RLRelease(modes);
}

/* The loop holds both timers when the callback of the first one leaves. */
static void leave_from_timer(struct end *end)
{
    RLRunLoopTimerContext context = {.info = end, .release = item_released};

    leave_timer(RLRunLoopTimerCreateWithHandler(NULL, 0, 0, 0, 0,
                                                ^(RLRunLoopTimerRef timer) { pthread_exit(NULL); }),
                "DEF");
    leave_timer(RLRunLoopTimerCreate(NULL, 0, 0, 0, 0, timer_called, &context), "DEF");
}

static void leave_from_block(struct end *end)
{
    RLRunLoopPerformBlock(end->loop, kRLRunLoopDefaultMode, ^{ pthread_exit(NULL); });
    queue_witness(end->loop, kRLRunLoopDefaultMode, false, end, item_released);
}

static const struct {
    const char *name;
    void (*leave)(struct end *end);
    /* Its callback ends the thread. */
    bool runs;
} kinds_left[] = {
    {.name = "a timer", .leave = leave_in_default_mode},
    {.name = "a timer of several modes", .leave = leave_in_several_modes},
    {.name = "an observer", .leave = leave_observing},
    {.name = "an observer of the common modes", .leave = leave_observing_common_modes},
    {.name = "a source of version 0", .leave = leave_source0},
    {.name = "a canceled source", .leave = leave_canceled},
    {.name = "a source of version 1", .leave = leave_source1},
    {.name = "a source of version 2", .leave = leave_source2},
    {.name = "a block", .leave = leave_block},
    {.name = "a large block", .leave = leave_large_block},
    {.name = "a timer, as another leaves", .leave = leave_from_timer, .runs = true},
    {.name = "a block, as another leaves", .leave = leave_from_block, .runs = true},
};

/* The action. */

static void ask_for_loop(struct end *end)
{
    check(this_loop() == end->loop);
    check(RLRunLoopIsCurrent(end->loop));
    check(RLRunLoopGetMain() != NULL);
    RLRelease(RLRetain(this_loop()));
}

static void add_items(struct end *end)
{
    static const char *const modes[] = {"DEF", "COM", "new"};
    RLRunLoopTimerRef timer = ending_timer(end, 0, NULL);
    RLRunLoopObserverRef observer = ending_observer(end, 0, NULL);
    RLRunLoopSourceRef source = ending_source(end, 7, NULL, NULL), port = ending_port(end, 7, NULL);

    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        add_timer(timer, modes[i]);
        add_observer(observer, modes[i]);
        add_source(source, modes[i]);
        add_source(port, modes[i]);
        check(!has_timer(timer, modes[i]) && !has_observer(observer, modes[i]));
        check(!has_source(source, modes[i]) && !has_source(port, modes[i]));
    }
    check(RLRunLoopTimerIsValid(timer) && RLRunLoopObserverIsValid(observer));
    check(RLRunLoopSourceIsValid(source) && RLRunLoopSourceIsValid(port));
    RLRelease(timer);
    RLRelease(observer);
    RLRelease(source);
    RLRelease(port);
}

static void remove_others(struct end *end)
{
    for (int i = 0; i < BYSTANDERS; i++) {
        remove_timer(end->timers[i], "DEF");
        remove_timer(end->timers[i], "COM");
        remove_observer(end->observers[i], "COM");
        remove_source(end->sources[i], "DEF");
        remove_source(end->ports[i], "COM");
    }
}

static void invalidate_others(struct end *end)
{
    for (int i = 0; i < BYSTANDERS; i++) {
        RLRunLoopTimerInvalidate(end->timers[i]);
        RLRunLoopObserverInvalidate(end->observers[i]);
        RLRunLoopSourceInvalidate(end->sources[i]);
        RLRunLoopSourceInvalidate(end->ports[i]);
    }
}

static void change_others(struct end *end)
{
    for (int i = 0; i < BYSTANDERS; i++) {
        RLRunLoopTimerSetNextFireDate(end->timers[i], RLAbsoluteTimeGetCurrent());
        RLRunLoopTimerSetTolerance(end->timers[i], 1);
        RLRunLoopSourceSignal(end->sources[i]);
        RLRunLoopSourceSignalAndWakeUp(end->sources[i], end->loop);
    }
}

static void move_others(struct end *end)
{
    for (int i = 0; i < BYSTANDERS; i++) {
        RLRunLoopAddTimer(end->harbor, end->timers[i], kRLRunLoopDefaultMode);
        RLRunLoopAddObserver(end->harbor, end->observers[i], kRLRunLoopDefaultMode);
        RLRunLoopAddSource(end->harbor, end->sources[i], kRLRunLoopDefaultMode);
        RLRunLoopRemoveSource(end->harbor, end->sources[i], kRLRunLoopDefaultMode);
        RLRunLoopRemoveObserver(end->harbor, end->observers[i], kRLRunLoopDefaultMode);
        RLRunLoopRemoveTimer(end->harbor, end->timers[i], kRLRunLoopDefaultMode);
    }
}

static void count_refused(const void *info)
{
    ++*(int *)(uintptr_t)info;
}

static void queue_blocks(struct end *end)
{
    int releases = 0;

    queue_witness(end->loop, kRLRunLoopDefaultMode, false, &releases, count_refused);
    queue_witness(end->loop, kRLRunLoopCommonModes, true, &releases, count_refused);
    queue_witness(end->loop, RLSTR("new"), true, &releases, count_refused);
    check(releases == 3);
}

static void wake_and_stop(struct end *end)
{
    RLRunLoopWakeUp(end->loop);
    RLRunLoopStop(end->loop);
    check(!RLRunLoopIsWaiting(end->loop));
}

/* While sources leave, the rest is still there; after that the loop is empty. */
static void run_again(struct end *end)
{
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    RLRunLoopRunInMode(mode_named("M"), 0.0001, true);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
}

static void describe_all(struct end *end)
{
    RLRelease(RLCopyDescription(end->loop));
    RLRelease(RLRunLoopCopyAllModes(end->loop));
    RLRelease(RLRunLoopCopyAllLoops());
    check(RLRunLoopCopyCurrentMode(end->loop) == NULL);
    RLRunLoopGetNextTimerFireDate(end->loop, kRLRunLoopDefaultMode);
}

static void make_modes_common(struct end *end)
{
    make_common("M");
    make_common("new");
}

static void try_hosting(struct end *end)
{
    check(RLRunLoopBeginHosting(kRLRunLoopDefaultMode, 0, NULL) == -ESRCH);
    check(RLRunLoopGetPollDescriptor() == -1);
}

static void set_counterpart(struct end *end)
{
    check(RLRunLoopSetCounterpart(end->loop, end, NULL) == NULL);
}

static void keep_loop(struct end *end)
{
    end->kept = (RLRunLoopRef)(uintptr_t)RLRetain(this_loop());
}

static const struct {
    const char *name;
    void (*act)(struct end *end);
} acts_at_end[] = {
    {"asks for the loop", ask_for_loop},
    {"adds items", add_items},
    {"removes others", remove_others},
    {"invalidates others", invalidate_others},
    {"changes others", change_others},
    {"moves others", move_others},
    {"queues blocks", queue_blocks},
    {"wakes and stops", wake_and_stop},
    {"runs", run_again},
    {"describes", describe_all},
    {"makes modes common", make_modes_common},
    {"begins hosting", try_hosting},
    {"sets a counterpart", set_counterpart},
    {"keeps the loop", keep_loop},
};

/* The scenario has a reference to each, so that it can be used until the end. */
static void add_bystander(struct end *end, int index)
{
    end->timers[index] = ending_timer(end, 0, bystander_released);
    end->observers[index] = ending_observer(end, index * 2 - 1, bystander_released);
    end->sources[index] = ending_source(end, index + 1, bystander_released, NULL);
    end->ports[index] = ending_port(end, index + 1, bystander_released);
    add_timer(end->timers[index], index == 0 ? "DEF" : "COM");
    add_observer(end->observers[index], "COM");
    add_source(end->sources[index], "DEF");
    add_source(end->ports[index], "COM");
}

/* Releases the references of the scenario. */
static void release_bystanders(struct end *end)
{
    for (int i = 0; i < BYSTANDERS; i++) {
        RLRelease(end->timers[i]);
        RLRelease(end->observers[i]);
        RLRelease(end->sources[i]);
        RLRelease(end->ports[i]);
    }
}

/* Each kind is released once, with something done, before the thread is gone. */
static void end_thread_with(size_t kind, size_t act, bool is_kept)
{
    struct end end = {.harbor = this_loop(), .act = acts_at_end[act].act};
    struct end *shared = &end;

    elsewhere(^{
        shared->thread = pthread_self();
        shared->loop = this_loop();
        if (is_kept) keep_loop(shared);
        add_bystander(shared, 0);
        kinds_left[kind].leave(shared);
        add_bystander(shared, 1);
        if (kinds_left[kind].runs) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false);
    });
    if (end.releases != 1 || !end.has_acted) {
        note("%s %s: %d releases", kinds_left[kind].name, acts_at_end[act].name, end.releases);
    }
    if (end.kept) RLRelease(end.kept);
    check(end.releases == 1);
    end.thread = pthread_self();
    release_bystanders(&end);
    check(end.bystander_releases == 4 * BYSTANDERS);
}

enum { KINDS_LEFT = sizeof(kinds_left) / sizeof(kinds_left[0]) };

static void use_at_end(void)
{
    for (size_t kind = 0; kind < KINDS_LEFT; kind++) {
        for (size_t act = 0; act < sizeof(acts_at_end) / sizeof(acts_at_end[0]); act++) {
            end_thread_with(kind, act, false);
        }
    }
    note("done");
}
SCENARIO(use_at_end,
         .title = "Destructors of objects that the end of a thread releases may use the loop in any way",
         .clauses = "LIFE-10 LIFE-11 LIFE-12 LIFE-14 LIFE-18",
         .rl_only = true,
         .expected_hints = "never ran; ?never had an item",
         .expected = "done")

static void end_with_kept_loop(void)
{
    for (size_t kind = 0; kind < KINDS_LEFT; kind++) end_thread_with(kind, 0, true);
    note("done");
}
SCENARIO(end_with_kept_loop,
         .title = "Items in a loop are released on its thread, even if another thread retains the loop",
         .clauses = "LIFE-10 LIFE-12 LIFE-17",
         .rl_only = true,
         .expected_hints = "never ran",
         .expected = "done")

static void run_while_released(const void *info)
{
    note("%s released", (const char *)info);
    run("DEF", 10, false);
}

/* When the first observer is released nothing is left to run. */
static void run_at_end(void)
{
    elsewhere(^{
        RLRunLoopObserverContext of_observer = {.info = (void *)"observer",
                                                .release = run_while_released};
        RLRunLoopTimerContext of_timer = {.info = (void *)"timer", .release = run_while_released};
        leave_observer(
            RLRunLoopObserverCreate(NULL, kRLRunLoopEntry, true, 0, observer_called, &of_observer),
            "DEF");
        leave_timer(RLRunLoopTimerCreate(NULL, 0, 1, 0, 0, timer_called, &of_timer), "DEF");
        queue_witness(this_loop(), kRLRunLoopDefaultMode, false, "block", run_while_released);
        watch("DEF");
    });
}
SCENARIO(run_at_end,
         .title = "A run during the end of a thread finds nothing that is still to be released",
         .clauses = "LIFE-12 LIFE-18 BLK-15",
         .rl_only = true,
         .expected_hints = "never ran",
         .expected = "observer released; = Finished; timer released; = Finished; block released; "
                     "= Finished")

static void add_again(struct end *end);

static void added_again_released(const void *info)
{
    struct end *end = (struct end *)(uintptr_t)info;

    end->releases++;
    add_again(end);
}

static void add_again(struct end *end)
{
    RLRunLoopTimerContext context = {.info = end, .release = added_again_released};

    if (end->releases > 100) return;
    leave_timer(RLRunLoopTimerCreate(NULL, 0, 0, 0, 0, timer_called, &context), "COM");
}

/* Each that is refused is released at once, and adds one in turn. */
static void adding_without_end(void)
{
    struct end end = {.releases = 0};
    struct end *shared = &end;

    elsewhere(^{ add_again(shared); });
    note("%d releases", end.releases);
}
SCENARIO(adding_without_end,
         .title = "A timer whose release adds another one does not keep a thread from ending",
         .clauses = "LIFE-14 LIFE-18",
         .rl_only = true,
         .expected_hints = "never ran",
         .expected = "101 releases")

static void count_atomically(const void *info)
{
    atomic_fetch_add((atomic_int *)(uintptr_t)info, 1);
}

static void timer_of_nobody(RLRunLoopRef loop, atomic_int *releases)
{
    RLRunLoopTimerContext context = {.info = releases, .release = count_atomically};
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, 0, 0, 0, 0, timer_called, &context);

    RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
    RLRelease(timer);
}

/* Whatever comes at that very moment is released when the thread is gone, or refused. */
static void adding_while_thread_ends(void)
{
    enum { ROUNDS = 100, ADDITIONS = 40 };

    for (int round = 0; round < ROUNDS; round++) {
        struct gate *ready = make_gate();
        atomic_int released = 0, *releases = &released;
        RLRunLoopRef kept = NULL, *loop = &kept;
        struct helper_thread *owner = start_thread(^{
            *loop = (RLRunLoopRef)(uintptr_t)RLRetain(this_loop());
            open_gate(ready);
        });
        pass_gate(ready);
        for (int added = 0; added < ADDITIONS; added += 2) {
            queue_witness(kept, kRLRunLoopDefaultMode, round % 2, releases, count_atomically);
            timer_of_nobody(kept, releases);
        }
        join_thread(owner);
        check(released == ADDITIONS);
        RLRelease(kept);
    }
}
SCENARIO(adding_while_thread_ends,
         .title = "Nothing stays behind that another thread adds while a thread ends",
         .clauses = "LIFE-14 LIFE-17 BLK-15",
         .rl_only = true,
         .expected_hints = "?the block is dropped; ?never ran")

/* The thread sanitizer takes its own thread state down before the fourth round. */
#if !__has_feature(thread_sanitizer)
static void fork_at_end(struct end *end)
{
    pid_t child = fork();
    if (child > 0) note_child(child);
    if (child == 0) {
        add_items(end);
    }
}

/*
 * In the child the thread continues to end its loop; after that the child ends, with 0 on success.
 */
static void forked_at_end(void)
{
    struct end end = {.act = fork_at_end};
    struct end *shared = &end;
    pid_t parent = getpid();

    elsewhere(^{
        shared->thread = pthread_self();
        shared->loop = this_loop();
        in_rounds(4, ^(int round) {
            if (round < 4 || getpid() == parent) return;
            bool is_released = shared->releases == 1 && shared->bystander_releases == 1;
            _exit(is_released && this_loop() == NULL ? 0 : 1);
        });
        leave_source(ending_source(shared, 0, item_released, item_canceled), "DEF");
        leave_timer(ending_timer(shared, 0, bystander_released), "DEF");
    });
    note("%d and %d releases", end.releases, end.bystander_releases);
}
SCENARIO(forked_at_end,
         .title = "A child that is forked while a thread ends completes the end of this thread's loop",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected_hints = "never ran",
         .expected = "child: 0; 1 and 1 releases")
#endif
