/*
 * Loops, and what observes them.
 */

#define _GNU_SOURCE

#include "races.h"

#include <CRunLoop/RLNotificationCenter.h>
#include <CRunLoop/RLRunLoopTracer.h>
#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdlib.h>

/* --- Observers -------------------------------------------------------------------------------- */

static void observe(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
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
}

static void ignore_timer(RLRunLoopTimerRef timer, void *info)
{
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

static void watch_end(struct racer *self)
{
    RLRunLoopRef loop = self->object;
    void *info = retain_info(self->race);
    RLRunLoopEndWatch watch = RLRunLoopWatchEnd(loop, release_info, info);
    if (flip(self)) RLRunLoopWakeUp(loop);
    if (!watch || RLRunLoopForgetEnd(loop, watch)) release_race(info);
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
    {"RLRunLoopWatchEnd", watch_end, false},
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
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    return NULL;
}

static void make_thread(struct racer *self)
{
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

/* --- Notification centers --------------------------------------------------------------------- */

static void hear(RLNotificationCenterRef center, void *observer, RLStringRef name,
                 const void *object, RLDictionaryRef info)
{
    (void)name, (void)info;
    if (object != observer) fail("a notification of another object");
    be_called(observer, center);
}

static void find_center(struct race *race)
{
    race->objects[0] = RLRetain(RLNotificationCenterGetLocalCenter());
}

static RLStringRef some_name(struct racer *self)
{
    return flip(self) ? NULL : flip(self) ? RLSTR("A") : RLSTR("B");
}

static void add_to_center(struct racer *self)
{
    RLNotificationCenterAddObserver(self->object, self->race, hear, some_name(self), self->race,
                                    RLNotificationSuspensionBehaviorDrop);
}

static void remove_from_center(struct racer *self)
{
    const void *object = flip(self) ? self->race : NULL;
    RLNotificationCenterRemoveObserver(self->object, self->race, some_name(self), object);
}

static void leave_center(struct racer *self)
{
    RLNotificationCenterRemoveEveryObserver(self->object, self->race);
}

static void post_to_center(struct racer *self)
{
    RLStringRef name = flip(self) ? RLSTR("A") : RLSTR("B");
    RLNotificationCenterPostNotification(self->object, name, self->race, NULL, flip(self));
}

static void describe_center(struct racer *self)
{
    RLRelease(RLCopyDescription(self->object));
}

static void empty_center(struct race *race)
{
    RLNotificationCenterRemoveEveryObserver(RLNotificationCenterGetLocalCenter(), race);
}

static const struct call center_calls[] = {
    {"RLNotificationCenterAddObserver", add_to_center, false},
    {"RLNotificationCenterRemoveObserver", remove_from_center, false},
    {"RLNotificationCenterRemoveEveryObserver", leave_center, false},
    {"RLNotificationCenterPostNotification", post_to_center, false},
    {"RLNotificationCenterPostNotification", post_to_center, false},
    {"RLCopyDescription", describe_center, false},
    {NULL, NULL, false},
};

static const struct kind centers = {.name = "notification center",
                                    .make = find_center,
                                    .calls = center_calls,
                                    .end = leave_center,
                                    .finish = empty_center,
                                    .is_apart = true};

const struct kind *const loop_kinds[] = {&observers, &run_loops, &tracers, &centers, NULL};
