/*
 * Everything at once: threads that use all functions on loops and items of other threads, without
 * order. What is checked is that nothing breaks: the sanitizers and the structures' own checks are
 * the judges. Ours only.
 */

#include <CRunLoop/RLTesting.h>

enum { STRESS_LOOPS = 3, STRESS_USERS = 4, STRESS_ITEMS = 6, STRESS_STEPS = 20000 };

/* What the threads fight for. The items are replaced when they have been invalidated. */
struct stress {
    loop_ref loops[STRESS_LOOPS];
    mode_ref modes[4];
    pthread_mutex_t lock;
    source_ref sources[STRESS_ITEMS];
    timer_ref timers[STRESS_ITEMS];
    observer_ref observers[STRESS_ITEMS];
    _Atomic bool is_over;
    _Atomic unsigned long calls;
};

/* A generator of its own for each thread, with a fixed seed. */
static unsigned draw(unsigned long *state, unsigned below)
{
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(*state >> 33) % below;
}

static void stress_perform(void *info)
{
    ((struct stress *)info)->calls++;
}

static source_ref make_stress_source(struct stress *stress, unsigned long *state)
{
    RLRunLoopSourceContext context = {.info = stress, .perform = stress_perform};
    /* Equal infos and functions make equal sources, unless the orders differ. */
    return RLRunLoopSourceCreate(NULL, (long)draw(state, 100), &context);
}

static timer_ref make_stress_timer(struct stress *stress, unsigned long *state)
{
    double interval = draw(state, 2) ? 0.0001 * (1 + draw(state, 9)) : 0;
    double date = RLAbsoluteTimeGetCurrent() + 0.0001 * draw(state, 20);
    return RLRunLoopTimerCreateWithHandler(NULL, date, interval, 0, 0, ^(timer_ref timer) {
        (void)timer;
        stress->calls++;
    });
}

static observer_ref make_stress_observer(struct stress *stress, unsigned long *state)
{
    bool repeats = draw(state, 2);
    long order = (long)draw(state, 5);
    return RLRunLoopObserverCreateWithHandler(NULL, kRLRunLoopAllActivities, repeats, order,
                                              ^(observer_ref observer, RLRunLoopActivity activity) {
                                                  (void)observer;
                                                  (void)activity;
                                                  stress->calls++;
                                              });
}

/* Takes an item out of its place with a reference, putting a new one there if it is invalid. */
#define TAKE(kind, Kind)                                                                           \
    static kind##_ref take_##kind(struct stress *stress, unsigned long *state)                     \
    {                                                                                              \
        unsigned index = draw(state, STRESS_ITEMS);                                                \
        pthread_mutex_lock(&stress->lock);                                                         \
        kind##_ref item = stress->kind##s[index];                                                  \
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

static void use_source(struct stress *stress, loop_ref loop, mode_ref mode, unsigned long *state)
{
    source_ref source = take_source(stress, state);
    switch (draw(state, 8)) {
    case 0:
    case 1: RLRunLoopAddSource(loop, source, mode); break;
    case 2: RLRunLoopRemoveSource(loop, source, mode); break;
    case 3: (void)RLRunLoopContainsSource(loop, source, mode); break;
    case 4: RLRunLoopSourceInvalidate(source); break;
    case 5: RLRelease(RLCopyDescription(source)); break;
    default: RLRunLoopSourceSignal(source); RLRunLoopWakeUp(loop);
    }
    RLRelease(source);
}

static void use_timer(struct stress *stress, loop_ref loop, mode_ref mode, unsigned long *state)
{
    timer_ref timer = take_timer(stress, state);
    double soon = RLAbsoluteTimeGetCurrent() + 0.0001 * draw(state, 20);
    switch (draw(state, 9)) {
    case 0:
    case 1: RLRunLoopAddTimer(loop, timer, mode); break;
    case 2: RLRunLoopRemoveTimer(loop, timer, mode); break;
    case 3: (void)RLRunLoopContainsTimer(loop, timer, mode); break;
    case 4: RLRunLoopTimerInvalidate(timer); break;
    case 5: RLRunLoopTimerSetTolerance(timer, 0.0001 * draw(state, 3)); break;
    case 6: (void)RLRunLoopTimerGetNextFireDate(timer); break;
    case 7: RLRelease(RLCopyDescription(timer)); break;
    default: RLRunLoopTimerSetNextFireDate(timer, soon);
    }
    RLRelease(timer);
}

static void use_observer(struct stress *stress, loop_ref loop, mode_ref mode, unsigned long *state)
{
    observer_ref observer = take_observer(stress, state);
    switch (draw(state, 5)) {
    case 0:
    case 1: RLRunLoopAddObserver(loop, observer, mode); break;
    case 2: RLRunLoopRemoveObserver(loop, observer, mode); break;
    case 3: RLRunLoopObserverInvalidate(observer); break;
    default: RLRelease(RLCopyDescription(observer));
    }
    RLRelease(observer);
}

static void use_loop(struct stress *stress, loop_ref loop, mode_ref mode, unsigned long *state)
{
    RLRunLoopStatistics statistics;
    switch (draw(state, 9)) {
    case 0: RLRunLoopStop(loop); break;
    case 1: RLRunLoopWakeUp(loop); break;
    case 2: RLRelease(RLCopyDescription(loop)); break;
    case 3: RLRelease(RLRunLoopCopyAllModes(loop)); break;
    case 4: RLRelease(RLRunLoopCopyAllLoops()); break;
    case 5: RLRunLoopGetStatistics(loop, &statistics); break;
    case 6: RLTestingVerifyLoop(loop); break;
    case 7: (void)RLRunLoopGetNextTimerFireDate(loop, mode); break;
    default: RLRunLoopPerformBlock(loop, mode, ^{ stress->calls++; });
    }
}

static void use_everything(struct stress *stress, unsigned long seed)
{
    unsigned long state = seed;
    for (int step = 0; step < STRESS_STEPS; step++) {
        loop_ref loop = stress->loops[draw(&state, STRESS_LOOPS)];
        mode_ref mode = stress->modes[draw(&state, 4)];
        switch (draw(&state, 4)) {
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
    RLRunLoopAddCommonMode(this_loop(), stress->modes[2]);
    for (unsigned long turn = 0; !stress->is_over; turn++) {
        mode_ref mode = stress->modes[turn % 3];
        if (RLRunLoopRunInMode(mode, 0.001, turn % 2) == kRLRunLoopRunFinished) sched_yield();
    }
}

static void set_up_stress(struct stress *stress)
{
    unsigned long state = 1;
    pthread_mutex_init(&stress->lock, NULL);
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
}

static void everything_at_once(void)
{
    struct stress *stress = calloc(1, sizeof(*stress));
    struct helper_thread *runners[STRESS_LOOPS], *users[STRESS_USERS];
    set_up_stress(stress);
    for (int index = 0; index < STRESS_LOOPS; index++) {
        struct gate *ready = make_gate();
        runners[index] = start_thread(^{
            stress->loops[index] = (loop_ref)(uintptr_t)RLRetain(this_loop());
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
    for (int index = 0; index < STRESS_LOOPS; index++) join_thread(runners[index]);
    check(stress->calls > 0);
    tear_down_stress(stress);
    at_end(^{ free(stress); });
}
SCENARIO(everything_at_once,
         .title = "All functions may be called from any thread at any time on any loop",
         .clauses = "LIFE-6 LIFE-17 RUN-34 RUN-41",
         .own_process = true,
         .expected = "")

static const struct scenario *const stress_scenarios[] = {
    LISTED(everything_at_once),
    NULL,
};
