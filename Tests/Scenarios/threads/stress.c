/*
 * Everything at once: threads that use all functions on loops and items of other threads, without
 * order. The sanitizers and the structures' own checks decide. Ours only.
 */

#include "scenario.h"

#include <CRunLoop/RLTesting.h>

enum { STRESS_LOOPS = 3, STRESS_USERS = 4, STRESS_ITEMS = 6, STRESS_STEPS = 20000 };

/* The shared objects. The items are replaced when they have been invalidated. */
struct stress {
    RLRunLoopRef loops[STRESS_LOOPS];
    RLStringRef modes[4];
    pthread_mutex_t lock;
    RLRunLoopSourceRef sources[STRESS_ITEMS];
    RLRunLoopTimerRef timers[STRESS_ITEMS];
    RLRunLoopObserverRef observers[STRESS_ITEMS];
    int port;
    _Atomic bool is_over;
    _Atomic unsigned long calls;
};

static void stress_perform(void *info)
{
    ((struct stress *)info)->calls++;
}

static int stress_port(void *info)
{
    return ((struct stress *)info)->port;
}

static RLRunLoopDescriptorEvents stress_events(void *info)
{
    return kRLRunLoopDescriptorRead;
}

static void stress_ready(void *info, RLRunLoopDescriptorEvents ready)
{
    stress_perform(info);
}

/* A source's version follows from its order, so that all threads know it. */
static int stress_version(long order)
{
    return (int)(order % 3);
}

static RLRunLoopSourceRef make_stress_source(struct stress *stress, struct random *state)
{
    RLRunLoopSourceContext signalled = {.info = stress, .perform = stress_perform};
    RLRunLoopSourceContext1 port = {
        .version = 1, .info = stress, .getPort = stress_port, .perform = stress_perform};
    RLRunLoopSourceContext2 descriptor = {.version = 2,
                                          .info = stress,
                                          .getDescriptor = stress_port,
                                          .getEvents = stress_events,
                                          .perform = stress_ready};
    void *contexts[] = {&signalled, &port, &descriptor};
    /* Equal infos and functions make equal sources, unless the orders differ. */
    long order = (long)random_below(state, 100);
    return RLRunLoopSourceCreate(NULL, order, contexts[stress_version(order)]);
}

static void stress_fire(RLRunLoopTimerRef timer, void *info)
{
    stress_perform(info);
}

static void stress_observe(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    stress_perform(info);
}

static RLRunLoopTimerRef make_stress_timer(struct stress *stress, struct random *state)
{
    double interval = random_below(state, 2) ? 0.0001 * (1 + random_below(state, 9)) : 0;
    double date = RLAbsoluteTimeGetCurrent() + 0.0001 * random_below(state, 20);
    RLRunLoopTimerContext context = {.info = stress};
    if (random_below(state, 2)) {
        return RLRunLoopTimerCreate(NULL, date, interval, 0, 0, stress_fire, &context);
    }
    return RLRunLoopTimerCreateWithHandler(NULL, date, interval, 0, 0,
                                           ^(RLRunLoopTimerRef timer) { stress->calls++; });
}

static RLRunLoopObserverRef make_stress_observer(struct stress *stress, struct random *state)
{
    bool repeats = random_below(state, 2);
    long order = (long)random_below(state, 5);
    RLRunLoopObserverContext context = {.info = stress};
    if (random_below(state, 2)) {
        return RLRunLoopObserverCreate(NULL, kRLRunLoopAllActivities, repeats, order,
                                       stress_observe, &context);
    }
    return RLRunLoopObserverCreateWithHandler(
        NULL, kRLRunLoopAllActivities, repeats, order,
        ^(RLRunLoopObserverRef observer, RLRunLoopActivity activity) { stress->calls++; });
}

/* Takes an item out of its place with a reference, putting a new one there if it is invalid. */
#define TAKE(kind, Kind)                                                                           \
    static RLRunLoop##Kind##Ref take_##kind(struct stress *stress, struct random *state)           \
    {                                                                                              \
        unsigned index = random_below(state, STRESS_ITEMS);                                        \
        pthread_mutex_lock(&stress->lock);                                                         \
        RLRunLoop##Kind##Ref item = stress->kind##s[index];                                        \
        if (!RLRunLoop##Kind##IsValid(item)) {                                                     \
            RLRelease(item);                                                                       \
            item = stress->kind##s[index] = make_stress_##kind(stress, state);                     \
        }                                                                                          \
        RLRetain(item);                                                                            \
        pthread_mutex_unlock(&stress->lock);                                                       \
        return item;                                                                               \
    }

TAKE(source, Source)
TAKE(timer, Timer)
TAKE(observer, Observer)

/* Queries of any object. */
static void ask_object(const void *object, unsigned long type)
{
    check(RLGetTypeID(object) == type);
    check(RLEqual(object, object));
    check(RLHash(object) == RLHash(object));
    check(RLGetRetainCount(object) > 0);
    RLRelease(RLCopyDescription(object));
}

static void ask_source(RLRunLoopSourceRef source)
{
    RLRunLoopSourceContext signalled = {0};
    RLRunLoopSourceContext1 port = {.version = 1};
    RLRunLoopSourceContext2 descriptor = {.version = 2};
    void *contexts[] = {&signalled, &port, &descriptor};
    RLRunLoopSourceGetContext(source, contexts[stress_version(RLRunLoopSourceGetOrder(source))]);
    (void)RLRunLoopSourceIsSignalled(source);
    ask_object(source, RLRunLoopSourceGetTypeID());
}

static void ask_timer(RLRunLoopTimerRef timer)
{
    RLRunLoopTimerContext context = {0};
    RLRunLoopTimerGetContext(timer, &context);
    check(RLRunLoopTimerGetOrder(timer) == 0);
    check(RLRunLoopTimerDoesRepeat(timer) == (RLRunLoopTimerGetInterval(timer) > 0));
    check(RLRunLoopTimerGetTolerance(timer) >= 0);
    (void)RLRunLoopTimerGetNextFireDate(timer);
    ask_object(timer, RLRunLoopTimerGetTypeID());
}

static void ask_observer(RLRunLoopObserverRef observer)
{
    RLRunLoopObserverContext context = {0};
    RLRunLoopObserverGetContext(observer, &context);
    check(RLRunLoopObserverGetActivities(observer) == kRLRunLoopAllActivities);
    check(RLRunLoopObserverGetOrder(observer) < 5);
    (void)RLRunLoopObserverDoesRepeat(observer);
    ask_object(observer, RLRunLoopObserverGetTypeID());
}

static void ask_loop(RLRunLoopRef loop)
{
    RLRunLoopMode mode = RLRunLoopCopyCurrentMode(loop);
    if (mode) RLRelease(mode);
    check(RLRunLoopGetMain() != loop);
    (void)RLRunLoopIsWaiting(loop);
    ask_object(loop, RLRunLoopGetTypeID());
}

static void use_source(struct stress *stress, RLRunLoopRef loop, RLRunLoopMode mode,
                       struct random *state)
{
    RLRunLoopSourceRef source = take_source(stress, state);
    switch (random_below(state, 10)) {
    case 0:
    case 1: RLRunLoopAddSource(loop, source, mode); break;
    case 2: RLRunLoopRemoveSource(loop, source, mode); break;
    case 3: (void)RLRunLoopContainsSource(loop, source, mode); break;
    case 4: RLRunLoopSourceInvalidate(source); break;
    case 5: ask_source(source); break;
    case 6: RLRunLoopSourceUpdateEvents(source); break;
    case 7: eventfd_write(stress->port, 1); break;
    case 8: RLRunLoopSourceSignalAndWakeUp(source, loop); break;
    default: RLRunLoopSourceSignal(source); RLRunLoopWakeUp(loop);
    }
    RLRelease(source);
}

static void use_timer(struct stress *stress, RLRunLoopRef loop, RLRunLoopMode mode,
                      struct random *state)
{
    RLRunLoopTimerRef timer = take_timer(stress, state);
    double soon = RLAbsoluteTimeGetCurrent() + 0.0001 * random_below(state, 20);
    switch (random_below(state, 8)) {
    case 0:
    case 1: RLRunLoopAddTimer(loop, timer, mode); break;
    case 2: RLRunLoopRemoveTimer(loop, timer, mode); break;
    case 3: (void)RLRunLoopContainsTimer(loop, timer, mode); break;
    case 4: RLRunLoopTimerInvalidate(timer); break;
    case 5: RLRunLoopTimerSetTolerance(timer, 0.0001 * random_below(state, 3)); break;
    case 6: ask_timer(timer); break;
    default: RLRunLoopTimerSetNextFireDate(timer, soon);
    }
    RLRelease(timer);
}

static void use_observer(struct stress *stress, RLRunLoopRef loop, RLRunLoopMode mode,
                         struct random *state)
{
    RLRunLoopObserverRef observer = take_observer(stress, state);
    switch (random_below(state, 6)) {
    case 0:
    case 1: RLRunLoopAddObserver(loop, observer, mode); break;
    case 2: RLRunLoopRemoveObserver(loop, observer, mode); break;
    case 3: RLRunLoopObserverInvalidate(observer); break;
    case 4: (void)RLRunLoopContainsObserver(loop, observer, mode); break;
    default: ask_observer(observer);
    }
    RLRelease(observer);
}

static void use_loop(struct stress *stress, RLRunLoopRef loop, RLRunLoopMode mode,
                     struct random *state)
{
    RLRunLoopStatistics statistics;
    switch (random_below(state, 10)) {
    case 0: RLRunLoopStop(loop); break;
    case 1: RLRunLoopWakeUp(loop); break;
    case 2: ask_loop(loop); break;
    case 3: RLRelease(RLRunLoopCopyAllModes(loop)); break;
    case 4: RLRelease(RLRunLoopCopyAllLoops()); break;
    case 5: RLRunLoopGetStatistics(loop, &statistics); break;
    case 6: RLTestingVerifyLoop(loop); break;
    case 7: (void)RLRunLoopGetNextTimerFireDate(loop, mode); break;
    case 8: RLRunLoopAddCommonMode(loop, stress->modes[2]); break;
    default: RLRunLoopPerformBlock(loop, mode, ^{ stress->calls++; });
    }
}

static void use_everything(struct stress *stress, unsigned long seed)
{
    struct random state = {seed};
    for (int step = 0; step < STRESS_STEPS; step++) {
        RLRunLoopRef loop = stress->loops[random_below(&state, STRESS_LOOPS)];
        RLRunLoopMode mode = stress->modes[random_below(&state, 4)];
        switch (random_below(&state, 4)) {
        case 0: use_source(stress, loop, mode, &state); break;
        case 1: use_timer(stress, loop, mode, &state); break;
        case 2: use_observer(stress, loop, mode, &state); break;
        default: use_loop(stress, loop, mode, &state);
        }
    }
}

/* Runs in changing modes until all is over; an empty mode is passed over. */
static void run_under_stress(struct stress *stress)
{
    for (unsigned long turn = 0; !stress->is_over; turn++) {
        RLRunLoopMode mode = stress->modes[turn % 3];
        if (turn % 64 == 0) RLRunLoopRun();
        if (RLRunLoopRunInMode(mode, 0.001, turn % 2) == kRLRunLoopRunFinished) sched_yield();
    }
}

static void set_up_stress(struct stress *stress)
{
    struct random state = {1};
    pthread_mutex_init(&stress->lock, NULL);
    stress->port = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    stress->modes[0] = kRLRunLoopDefaultMode;
    stress->modes[1] = mode_named("M");
    stress->modes[2] = mode_named("C");
    stress->modes[3] = kRLRunLoopCommonModes;
    for (int index = 0; index < STRESS_ITEMS; index++) {
        stress->sources[index] = make_stress_source(stress, &state);
        stress->timers[index] = make_stress_timer(stress, &state);
        stress->observers[index] = make_stress_observer(stress, &state);
    }
}

static void tear_down_stress(struct stress *stress)
{
    for (int index = 0; index < STRESS_ITEMS; index++) {
        RLRunLoopSourceInvalidate(stress->sources[index]);
        RLRunLoopTimerInvalidate(stress->timers[index]);
        RLRunLoopObserverInvalidate(stress->observers[index]);
        RLRelease(stress->sources[index]);
        RLRelease(stress->timers[index]);
        RLRelease(stress->observers[index]);
    }
    for (int index = 0; index < STRESS_LOOPS; index++) RLRelease(stress->loops[index]);
    close(stress->port);
}

/* Ends a run without a limit, should the loop be in one or about to begin one. */
static void stop_for_good(RLRunLoopRef loop)
{
    RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ RLRunLoopStop(RLRunLoopGetCurrent()); });
    RLRunLoopWakeUp(loop);
}

static void everything_at_once(void)
{
    struct stress *stress = calloc(1, sizeof(*stress));
    struct helper_thread *runners[STRESS_LOOPS], *users[STRESS_USERS];
    set_up_stress(stress);
    for (int index = 0; index < STRESS_LOOPS; index++) {
        struct gate *ready = make_gate();
        runners[index] = start_thread(^{
            stress->loops[index] = (RLRunLoopRef)(uintptr_t)RLRetain(this_loop());
            open_gate(ready);
            run_under_stress(stress);
        });
        pass_gate(ready);
    }
    for (int index = 0; index < STRESS_USERS; index++) {
        users[index] = start_thread(^{ use_everything(stress, (unsigned long)index + 2); });
    }
    for (int index = 0; index < STRESS_USERS; index++) join_thread(users[index]);
    stress->is_over = true;
    for (int index = 0; index < STRESS_LOOPS; index++) stop_for_good(stress->loops[index]);
    for (int index = 0; index < STRESS_LOOPS; index++) join_thread(runners[index]);
    check(stress->calls > 0);
    tear_down_stress(stress);
    at_end(^{ free(stress); });
}
SCENARIO(everything_at_once,
         .title = "All functions may be called from any thread at any time on any loop",
         .clauses = "LIFE-6 LIFE-17 RUN-34 RUN-41",
         .rl_only = true,
         .own_process = true,
         .expected_hints = "?had queued a block; ?was signalled; ?never ran; ?the block is dropped; "
                 "?never had an item")
