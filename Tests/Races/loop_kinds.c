/*
 * Items of loops, loops, clocks of tests, tracers.
 */

#define _GNU_SOURCE

#include "races.h"

#include <CRunLoop/RLEventSources.h>
#include <CRunLoop/RLRunLoopTracer.h>
#include <CRunLoop/RLRunLoopWrapping.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Timers ----------------------------------------------------------------------------------- */

static void fire(RLRunLoopTimerRef timer, void *info)
{
    be_called(info, timer);
}

static void make_timer(struct race *race)
{
    RLRunLoopTimerContext context = {.info = race, .retain = retain_race, .release = release_race};
    double interval = random_below(&race->random, 3) * 0.1e-3;
    race->objects[0] =
        RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent(), interval, 0, 0, fire, &context);
}

static void invalidate_timer(struct racer *self)
{
    RLRunLoopTimerInvalidate(self->object);
}

static void set_date(struct racer *self)
{
    double date = RLAbsoluteTimeGetCurrent() + some_milliseconds(self);
    RLRunLoopTimerSetNextFireDate(self->object, date);
}

static void set_moment(struct racer *self)
{
    RLRunLoopTimerSetNextFireTime(self->object,
                                  RLClockGetNanoseconds() + random_below(&self->random, 500000));
}

static void set_tolerance(struct racer *self)
{
    RLRunLoopTimerSetTolerance(self->object, some_milliseconds(self));
}

static void ask_timer(struct racer *self)
{
    RLRunLoopTimerContext context;
    RLRunLoopTimerGetNextFireDate(self->object);
    RLRunLoopTimerGetTolerance(self->object);
    RLRunLoopTimerIsValid(self->object);
    RLRunLoopTimerGetThreadNumber(self->object);
    RLRunLoopTimerGetContext(self->object, &context);
}

static void call_timer(struct racer *self)
{
    RLRunLoopTimerCallOut(self->object);
}

static void leave_common_items(struct racer *self)
{
    for (int i = 0; i < LOOPS; i++) {
        RLRunLoopRemoveTimer(loops[i], self->object, kRLRunLoopCommonModes);
    }
}

/* A common item of a loop that is in no mode of it may be in modes of another one. */
static void add_to_two_loops(struct racer *self)
{
    RLRunLoopRef loop = some_loop(self);
    atomic_store(&self->race->is_served, true);
    RLRunLoopAddTimer(loop, self->object, kRLRunLoopCommonModes);
    RLRunLoopRemoveTimer(loop, self->object, kRLRunLoopDefaultMode);
    RLRunLoopRemoveTimer(loop, self->object, second_mode);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), self->object, kRLRunLoopDefaultMode);
    for (int i = 0; i < 3; i++) set_date(self);
}

static const struct call timer_calls[] = {
    {"RLRunLoopTimerInvalidate", invalidate_timer, false},
    {"RLRunLoopTimerSetNextFireDate", set_date, false},
    {"RLRunLoopTimerSetNextFireTime", set_moment, false},
    {"RLRunLoopTimerSetTolerance", set_tolerance, false},
    {"RLRunLoopTimerGet…", ask_timer, false},
    {"RLRunLoopTimerCallOut", call_timer, false},
    {"RLRunLoopAddTimer, two loops", add_to_two_loops, false},
    {"RLRunLoopRemoveTimer, common modes", leave_common_items, false},
    {NULL, NULL, false},
};

static const struct kind timers = {
    .name = "timer", .make = make_timer, .calls = timer_calls, .end = invalidate_timer};

/* --- Observers -------------------------------------------------------------------------------- */

static void observe(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)activity;
    be_called(info, observer);
}

static void make_observer(struct race *race)
{
    RLRunLoopObserverContext context = {
        .info = race, .retain = retain_race, .release = release_race};
    bool repeats = random_below(&race->random, 3);
    race->objects[0] =
        RLRunLoopObserverCreate(NULL, kRLRunLoopAllActivities, repeats, 0, observe, &context);
}

static void invalidate_observer(struct racer *self)
{
    RLRunLoopObserverInvalidate(self->object);
}

static void ask_observer(struct racer *self)
{
    RLRunLoopObserverContext context;
    RLRunLoopObserverIsValid(self->object);
    RLRunLoopObserverGetActivities(self->object);
    RLRunLoopObserverGetOrder(self->object);
    RLRunLoopObserverGetContext(self->object, &context);
}

static const struct call observer_calls[] = {
    {"RLRunLoopObserverInvalidate", invalidate_observer, false},
    {"RLRunLoopObserverGet…", ask_observer, false},
    {NULL, NULL, false},
};

static const struct kind observers = {
    .name = "observer", .make = make_observer, .calls = observer_calls, .end = invalidate_observer};

/* --- Sources ---------------------------------------------------------------------------------- */

/* What the race has besides the source is the version. */
static void set_version(struct race *race, int version)
{
    race->other = (void *)(intptr_t)version;
}

static void perform(void *info)
{
    struct race *race = info;
    be_called(race, race->objects[0]);
}

static void perform_ready(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    struct race *race = info;
    char bytes[16];
    if (read(race->fds[0], bytes, sizeof bytes) >= 0) be_called(race, race->objects[0]);
}

static int descriptor_of(void *info)
{
    return ((struct race *)info)->fds[0];
}

static void note_mode(void *info, RLRunLoopRef loop, RLRunLoopMode mode)
{
    (void)mode;
    struct race *race = info;
    if (RLRunLoopIsWaiting(loop)) be_called(race, race->objects[0]);
}

static void make_source0(struct race *race)
{
    RLRunLoopSourceContext context = {.info = race,
                                      .retain = retain_race,
                                      .release = release_race,
                                      .schedule = note_mode,
                                      .cancel = note_mode,
                                      .perform = perform};
    race->objects[0] = RLRunLoopSourceCreate(NULL, 0, &context);
}

static void make_source1(struct race *race)
{
    RLRunLoopSourceContext1 context = {.version = 1,
                                       .info = race,
                                       .retain = retain_race,
                                       .release = release_race,
                                       .getPort = descriptor_of,
                                       .perform = perform};
    set_version(race, 1);
    race->fds[0] = needed_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    race->objects[0] = RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
}

static RLRunLoopDescriptorEvents wanted_events(void *info)
{
    (void)info;
    return kRLRunLoopDescriptorRead;
}

static void make_source2(struct race *race)
{
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = race,
                                       .retain = retain_race,
                                       .release = release_race,
                                       .getDescriptor = descriptor_of,
                                       .getEvents = wanted_events,
                                       .perform = perform_ready};
    set_version(race, 2);
    needed_fd(pipe2(race->fds, O_CLOEXEC | O_NONBLOCK));
    race->objects[0] = RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
}

static void invalidate_source(struct racer *self)
{
    RLRunLoopSourceInvalidate(self->object);
}

static void signal_source(struct racer *self)
{
    if (flip(self)) {
        RLRunLoopSourceSignalAndWakeUp(self->object, some_loop(self));
    } else {
        RLRunLoopSourceSignal(self->object);
    }
}

static void excite_source(struct racer *self)
{
    int fd = self->race->fds[1] >= 0 ? self->race->fds[1] : self->race->fds[0];
    uint64_t one = 1;
    if (fd < 0 || write(fd, &one, sizeof one) < 0) signal_source(self);
}

static void update_source(struct racer *self)
{
    RLRunLoopSourceUpdateEvents(self->object);
}

static void ask_source(struct racer *self)
{
    union {
        RLRunLoopSourceContext version0;
        RLRunLoopSourceContext1 version1;
        RLRunLoopSourceContext2 version2;
    } context = {.version0.version = (RLIndex)(intptr_t)self->race->other};
    RLRunLoopSourceIsValid(self->object);
    RLRunLoopSourceIsSignalled(self->object);
    RLRunLoopSourceGetOrder(self->object);
    RLRunLoopSourceGetContext(self->object, &context.version0);
}

static const struct call source_calls[] = {
    {"RLRunLoopSourceInvalidate", invalidate_source, false},
    {"RLRunLoopSourceSignal", signal_source, false},
    {"a write", excite_source, false},
    {"RLRunLoopSourceUpdateEvents", update_source, false},
    {"RLRunLoopSourceGet…", ask_source, false},
    {NULL, NULL, false},
};

static const struct kind sources0 = {
    .name = "source0", .make = make_source0, .calls = source_calls, .end = invalidate_source};
static const struct kind sources1 = {
    .name = "source1", .make = make_source1, .calls = source_calls, .end = invalidate_source};
static const struct kind sources2 = {
    .name = "source2", .make = make_source2, .calls = source_calls, .end = invalidate_source};

/* --- Event sources ---------------------------------------------------------------------------- */

static void retain_event_race(RLEventSourceContext *context, struct race *race)
{
    *context = (RLEventSourceContext){.info = race, .retain = retain_race, .release = release_race};
}

void block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static void see_signal(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info)
{
    if (event->number == SIGUSR2) be_called(info, source);
}

static void make_signal_source(struct race *race)
{
    RLEventSourceContext context;
    retain_event_race(&context, race);
    const SInt32 number = SIGUSR2;
    set_version(race, 2);
    race->objects[0] = RLSignalSourceCreate(NULL, 0, &number, 1, see_signal, &context);
}

static void send_signal(struct racer *self)
{
    (void)self;
    kill(getpid(), SIGUSR2);
}

static const struct call signal_calls[] = {
    {"RLRunLoopSourceInvalidate", invalidate_source, false},
    {"kill", send_signal, false},
    {"RLRunLoopSourceUpdateEvents", update_source, false},
    {"RLRunLoopSourceGet…", ask_source, false},
    {NULL, NULL, false},
};

static const struct kind signal_sources = {.name = "signal source",
                                           .make = make_signal_source,
                                           .calls = signal_calls,
                                           .end = invalidate_source};

static void see_end(RLRunLoopSourceRef source, SInt32 process, SInt32 status, void *info)
{
    (void)process, (void)status;
    be_called(info, source);
}

static pid_t process_of(const struct race *race)
{
    return (pid_t)(intptr_t)race->other;
}

static void make_process_source(struct race *race)
{
    RLEventSourceContext context;
    retain_event_race(&context, race);
    pid_t process = needed_fd(fork());
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
        _exit(0);
    }
    race->other = (void *)(intptr_t)process;
    race->objects[0] =
        RLProcessSourceCreate(NULL, 0, process, random_below(&race->random, 2), see_end, &context);
}

/* Nobody else has the number: the process is reaped below, or stays a zombie until then. */
static void kill_process(struct racer *self)
{
    kill(process_of(self->race), SIGKILL);
}

static void bury_process(struct race *race)
{
    kill(process_of(race), SIGKILL);
    waitpid(process_of(race), NULL, 0);
}

static const struct call process_calls[] = {
    {"RLRunLoopSourceInvalidate", invalidate_source, false},
    {"kill", kill_process, false},
    {"RLRunLoopSourceUpdateEvents", update_source, false},
    {NULL, NULL, false},
};

static const struct kind process_sources = {.name = "process source",
                                            .make = make_process_source,
                                            .calls = process_calls,
                                            .end = invalidate_source,
                                            .finish = bury_process};

static void see_change(RLRunLoopSourceRef source, const RLFileEvent *event, void *info)
{
    if (event->watch >= 0) be_called(info, source);
}

static void make_file_source(struct race *race)
{
    RLEventSourceContext context;
    retain_event_race(&context, race);
    set_version(race, 2);
    race->objects[0] = RLFileSourceCreate(NULL, 0, see_change, &context);
}

static void watch_folder(struct racer *self)
{
    RLFileSourceAddWatch(self->object, folder, kRLFileEventCreate | kRLFileEventDelete);
}

static void watch_no_longer(struct racer *self)
{
    RLFileSourceRemoveWatch(self->object, 1 + (SInt32)random_below(&self->random, 3));
}

static void change_folder(struct racer *self)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%u", folder, random_below(&self->random, 3));
    close(open(path, O_CREAT | O_CLOEXEC | O_WRONLY, 0600));
    unlink(path);
}

static const struct call file_calls[] = {
    {"RLRunLoopSourceInvalidate", invalidate_source, false},
    {"RLFileSourceAddWatch", watch_folder, false},
    {"RLFileSourceRemoveWatch", watch_no_longer, false},
    {"a change", change_folder, false},
    {"RLRunLoopSourceGet…", ask_source, false},
    {NULL, NULL, false},
};

static const struct kind file_sources = {
    .name = "file source", .make = make_file_source, .calls = file_calls, .end = invalidate_source};

/* --- Loops ------------------------------------------------------------------------------------ */

/* The thread ends in the middle of the race; the loop is kept. */
static void make_loop(struct race *race)
{
    struct loop_thread *thread = needed(calloc(1, sizeof *thread));
    loop_thread_start(thread, (enum style)random_below(&race->random, STYLES),
                      random_next(&race->random));
    race->other = thread;
    race->objects[0] = RLRetain(thread->loop);
}

static void finish_loop(struct race *race)
{
    struct loop_thread *thread = race->other;
    loop_thread_end(thread);
    free(thread);
}

static void stop_thread(struct racer *self)
{
    loop_thread_stop(self->race->other);
}

static void do_nothing(void *info)
{
    (void)info;
}

static void ignore_timer(RLRunLoopTimerRef timer, void *info)
{
    (void)timer, (void)info;
}

static void add_items(struct racer *self)
{
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(
        NULL, RLAbsoluteTimeGetCurrent(), some_milliseconds(self), 0, 0, ignore_timer, NULL);
    RLRunLoopSourceContext context = {.perform = do_nothing};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopAddTimer(self->object, timer, some_mode(self));
    RLRunLoopAddSource(self->object, source, some_mode(self));
    RLRunLoopSourceSignalAndWakeUp(source, self->object);
    if (flip(self)) RLRunLoopTimerInvalidate(timer);
    RLRunLoopSourceInvalidate(source);
    RLRelease(timer);
    RLRelease(source);
}

static void perform_something(struct racer *self)
{
    RLRunLoopRef loop = self->object;
    RLRunLoopPerformBlock(loop, some_mode(self), ^{ RLRunLoopIsWaiting(loop); });
    RLRunLoopPerformFunction(loop, some_mode(self), do_nothing, NULL);
    if (flip(self)) {
        RLRunLoopWakeUp(loop);
    } else {
        RLRunLoopWakeUpForQueued(loop);
    }
}

static void release_later(struct racer *self)
{
    RLRunLoopReleaseLater(self->object, retain_race(self->race), release_race);
}

static void stop_loop(struct racer *self)
{
    RLRunLoopStop(self->object);
}

static void set_modes(struct racer *self)
{
    RLRunLoopAddCommonMode(self->object, flip(self) ? RLSTR("third") : second_mode);
    RLRunLoopSetBusyPollInterval(self->object, flip(self) ? 0 : 10.0e-6);
}

static void ask_loop(struct racer *self)
{
    RLRunLoopStatistics statistics;
    RLRunLoopRef loop = self->object;
    RLStringRef mode = RLRunLoopCopyCurrentMode(loop);
    if (mode) RLRelease(mode);
    RLRelease(RLRunLoopCopyAllModes(loop));
    RLRelease(RLRunLoopCopyAllLoops());
    RLRunLoopGetStatistics(loop, &statistics);
    RLRunLoopCountItems(loop, kRLRunLoopDefaultMode, kRLRunLoopItemTimer);
    RLRunLoopModeIsEmpty(loop, second_mode);
    RLRunLoopGetBusyPollInterval(loop);
    RLRunLoopGetNextTimerFireDate(loop, second_mode);
    RLRelease(RLTestingCopyBlocks(loop));
    RLTestingVerifyLoop(loop);
}

static void describe_loop(struct racer *self)
{
    RLRelease(RLCopyDescription(self->object));
}

static const struct call loop_calls[] = {
    {"add items", add_items, false},
    {"RLRunLoopPerform…", perform_something, false},
    {"RLRunLoopReleaseLater", release_later, false},
    {"RLRunLoopStop", stop_loop, false},
    {"RLRunLoopAddCommonMode", set_modes, false},
    {"RLRunLoopGet…", ask_loop, false},
    {"RLCopyDescription", describe_loop, false},
    {"the end of the thread", stop_thread, false},
    {NULL, NULL, false},
};

static const struct kind run_loops = {.name = "run loop",
                                      .make = make_loop,
                                      .calls = loop_calls,
                                      .end = stop_thread,
                                      .finish = finish_loop,
                                      .is_apart = true};

/* --- Clocks of tests -------------------------------------------------------------------------- */

/* The object is a timer in loops that go by the clock. */
static void make_clock(struct race *race)
{
    make_timer(race);
    race->other = RLTestClockCreate();
}

static void finish_clock(struct race *race)
{
    RLRunLoopTimerInvalidate((void *)(uintptr_t)race->objects[0]);
    RLTestClockEnd(race->other);
}

/* Whoever waits for time gets it. */
static void end_clock(struct racer *self)
{
    RLTestClockRef clock = self->race->other;
    RLTestClockSetNanoseconds(clock, RLTestClockGetNanoseconds(clock) + 1000000000);
    RLRunLoopTimerInvalidate(self->object);
}

static void join_clock(struct racer *self)
{
    if (random_below(&self->random, 4) == 0) RLTestClockAddAllLoops(self->race->other);
    RLTestClockAddLoop(self->race->other, some_loop(self));
}

static void move_clock(struct racer *self)
{
    RLTestClockRef clock = self->race->other;
    SInt64 now = RLTestClockGetNanoseconds(clock);
    RLTestClockSetNanoseconds(clock, now + random_below(&self->random, 1000000) - 100000);
}

static void set_date_of_clock(struct racer *self)
{
    RLTestClockSetDate(self->race->other, RLTestClockGetDate(self->race->other) + 1);
    RLTestClockSetAutomatic(self->race->other, flip(self));
}

/* One thread at a time. */
static void advance_clock(struct racer *self)
{
    if (!claim(self)) return;
    RLTestClockAdvance(self->race->other, random_below(&self->random, 1000000),
                       kRLRunLoopDefaultMode);
    give_up(self);
}

/* The loop may go by the clock. */
static void run_until_idle(struct racer *self)
{
    if (!claim(self)) return;
    RLTestingRunUntilIdle(kRLRunLoopDefaultMode);
    give_up(self);
}

static void ask_clock(struct racer *self)
{
    RLRunLoopRef loop = some_loop(self);
    RLRunLoopHasTestClock(loop);
    RLRunLoopGetClockNanoseconds(loop);
    RLAbsoluteTimeGetCurrent();
}

static void add_timer(struct racer *self)
{
    atomic_store(&self->race->is_served, true);
    RLRunLoopAddTimer(some_loop(self), self->object, some_mode(self));
}

static const struct call clock_calls[] = {
    {"RLTestClockAddLoop", join_clock, false},
    {"RLTestClockSetNanoseconds", move_clock, false},
    {"RLTestClockSetDate", set_date_of_clock, false},
    {"RLTestClockAdvance", advance_clock, true},
    {"RLTestingRunUntilIdle", run_until_idle, true},
    {"RLTestClockGet…", ask_clock, false},
    {"RLRunLoopAddTimer", add_timer, false},
    {"RLRunLoopTimerSetNextFireDate", set_date, false},
    {"RLRunLoopTimerSetNextFireTime", set_moment, false},
    {"RLRunLoopTimerInvalidate", invalidate_timer, false},
    {NULL, NULL, false},
};

static const struct kind clocks = {.name = "test clock",
                                   .make = make_clock,
                                   .calls = clock_calls,
                                   .end = end_clock,
                                   .finish = finish_clock,
                                   .is_apart = true};

/* --- Tracers ---------------------------------------------------------------------------------- */

static void make_tracer(struct race *race)
{
    race->objects[0] = random_below(&race->random, 2) ? RLRunLoopTracerCreate(NULL, 64)
                                                      : RLRunLoopTracerCreateForCallouts(NULL, 64);
}

static void start_tracer(struct racer *self)
{
    if (flip(self)) {
        RLRunLoopTracerStart(self->object, some_loop(self));
    } else {
        RLRunLoopTracerStartAll(self->object);
    }
}

static void stop_tracer(struct racer *self)
{
    if (flip(self)) {
        RLRunLoopTracerStop(self->object, some_loop(self));
    } else {
        RLRunLoopTracerStopAll(self->object);
    }
}

static void read_recordings(struct racer *self)
{
    RLRunLoopTraceEntry entries[32];
    RLRunLoopRecordingInfo info;
    RLArrayRef recordings = RLRunLoopTracerCopyRecordings(self->object);
    for (RLIndex i = 0; i < RLArrayGetCount(recordings); i++) {
        RLRunLoopRecordingRef recording = (void *)(uintptr_t)RLArrayGetValueAtIndex(recordings, i);
        RLRunLoopRecordingGetInfo(recording, &info);
        RLRunLoopRecordingGetEntries(recording, 0, entries, 32);
        RLStringRef mode = RLRunLoopRecordingCopyModeName(recording, 1);
        if (mode) RLRelease(mode);
    }
    RLRunLoopTracerGetDroppedCount(self->object);
    RLRelease(recordings);
}

static void make_work(struct racer *self)
{
    RLRunLoopPerformBlock(some_loop(self), kRLRunLoopDefaultMode,
                          ^{ RLRunLoopNoteCalloutFunction((const void *)(uintptr_t)do_nothing); });
    RLRunLoopWakeUp(some_loop(self));
    RLRunLoopRunInMode(flip(self) ? kRLRunLoopDefaultMode : second_mode, some_milliseconds(self),
                       false);
}

static void *be_brief(void *argument)
{
    (void)argument;
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    return NULL;
}

static void make_thread(struct racer *self)
{
    (void)self;
    join_thread(start_thread(be_brief, NULL), "a brief thread");
}

static const struct call tracer_calls[] = {
    {"RLRunLoopTracerStart", start_tracer, false},
    {"RLRunLoopTracerStop", stop_tracer, false},
    {"RLRunLoopTracerCopyRecordings", read_recordings, false},
    {"RLCopyDescription", describe_loop, false},
    {"run", make_work, false},
    {"a thread", make_thread, false},
    {NULL, NULL, false},
};

static const struct kind tracers = {.name = "tracer",
                                    .make = make_tracer,
                                    .calls = tracer_calls,
                                    .end = stop_tracer,
                                    .is_apart = true};

const struct kind *const loop_kinds[] = {
    &timers,          &observers,    &sources0,  &sources1, &sources2, &signal_sources,
    &process_sources, &file_sources, &run_loops, &clocks,   &tracers,  NULL,
};
