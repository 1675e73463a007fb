/*
 * Sources, timers and observers that log what happens to them. Compiled anew for each engine,
 * hence all static.
 *
 * Plans are filled in by name; members left out are zero. Blocks of a plan are copied. Objects
 * belong to the lab and are released when the body returns, unless the plan has `owned`.
 */

#ifndef SCENARIOKIT_GADGETS_H
#define SCENARIOKIT_GADGETS_H

#include "lab.h"

#if defined(SCENARIO_ON_REFERENCE)
#include "reference.h"
/** Whether the file is compiled for the reference. */
enum { is_on_reference = true };
#else
/** Whether the file is compiled for the reference. */
enum { is_on_reference = false };
#endif

#include <CRunLoop/CRunLoop.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/** The plan of a source. */
struct source_plan {
    /** The name it logs. */
    const char *name;
    /** Its order. */
    long order;
    /** The action when it performs, after logging. */
    action perform;
    /** The action when it enters a mode, after logging; implies `logs_modes`. */
    action schedule;
    /** The action when it leaves a mode, after logging; implies `logs_modes`. */
    action cancel;
    /** Logs when it enters and leaves modes, or when it is asked for its port. */
    bool logs_modes;
    /** Counts references to its info and logs them. */
    bool logs_references;
    /** Does not log that it performs. */
    bool quiet;
    /** Has no perform function at all. */
    bool mute;
    /** Sources with an equal kind are equal, for the functions `equal` and `hash`. */
    const char *kind;
    /** Makes it a version-1 source on this descriptor; see has_port. */
    int port;
    /** Whether `port` counts. */
    bool has_port;
    /** The scenario releases it by itself. */
    bool owned;
};

/** The plan of a timer. */
struct timer_plan {
    /** The name it logs. */
    const char *name;
    /** When it is due, in seconds from now; negative for long ago. */
    double after;
    /** When it is due, as a date; counts instead of `after` unless 0. */
    double date;
    /** The seconds between firings; 0 for one. */
    double interval;
    /** Its order. */
    long order;
    /** The action when it fires, after logging. */
    void (^fire)(RLRunLoopTimerRef timer);
    /** Counts references to its info and logs them. */
    bool logs_references;
    /** Does not log that it fires. */
    bool quiet;
    /** The scenario releases it by itself. */
    bool owned;
};

/** The plan of an observer. */
struct observer_plan {
    /** The name it logs; null to log the bare activity. */
    const char *name;
    /** The activities; 0 for all of them. */
    unsigned long activities;
    /** Its order. */
    long order;
    /** The action, after logging. */
    void (^observe)(RLRunLoopObserverRef observer, unsigned long activity);
    /** Ends after the first call. */
    bool once;
    /** Counts references to its info and logs them. */
    bool logs_references;
    /** Does not log its calls. */
    bool quiet;
    /** The scenario releases it by itself. */
    bool owned;
};

/** Makes a source: `SOURCE("A", .order = 1, .perform = ^{ … })`. */
#define SOURCE(...) make_source(&(struct source_plan){.name = __VA_ARGS__})
/** Makes a version-1 source: `PORT("p", descriptor, .perform = ^{ … })`. */
#define PORT(its_name, ...)                                                                        \
    make_source(&(struct source_plan){.name = (its_name), .has_port = true, .port = __VA_ARGS__})
/** Makes a timer: `TIMER("t", .after = 0.002, .fire = ^(RLRunLoopTimerRef t) { … })`. */
#define TIMER(...) make_timer(&(struct timer_plan){.name = __VA_ARGS__})
/** Makes an observer: `OBSERVER("o", .activities = kRLRunLoopEntry)`. */
#define OBSERVER(...) make_observer(&(struct observer_plan){.name = __VA_ARGS__})

/* The target of an object's info. */
struct gadget {
    const char *name;
    const char *kind;
    bool quiet;
    bool logs_modes;
    int port;
    action perform;
    action schedule;
    action cancel;
    void (^fire)(RLRunLoopTimerRef timer);
    void (^observe)(RLRunLoopObserverRef observer, unsigned long activity);
};

static inline void *copied(const void *block)
{
    return block == NULL ? NULL : (void *)_Block_copy(block);
}

static inline void release_block(const void *block)
{
    if (block != NULL) _Block_release(block);
}

/* The infos outlive all engine objects of the scenario, which die on its thread at the latest. */
static inline struct gadget *make_gadget(const char *name)
{
    struct gadget *gadget = calloc(1, sizeof(*gadget));

    gadget->name = name;
    at_end(^{
        release_block((const void *)gadget->perform);
        release_block((const void *)gadget->schedule);
        release_block((const void *)gadget->cancel);
        release_block((const void *)gadget->fire);
        release_block((const void *)gadget->observe);
        free(gadget);
    });
    return gadget;
}

/** The name of a mode, valid until the scenario's end. "DEF" and "COM" are the constants. */
static inline RLStringRef mode_named(const char *name)
{
    if (strcmp(name, "DEF") == 0) return kRLRunLoopDefaultMode;
    if (strcmp(name, "COM") == 0) return kRLRunLoopCommonModes;

    RLRunLoopMode mode = RLStringCreateWithCString(NULL, name, kRLStringEncodingUTF8);
    at_end(^{ RLRelease(mode); });
    return mode;
}

/** Writes the name of a mode into a buffer as mode_named would read it. */
static inline const char *name_of_mode(RLRunLoopMode mode, char *buffer, long size)
{
    if (mode == NULL) return "none";
    if (RLEqual(mode, kRLRunLoopDefaultMode)) return "DEF";
    if (RLEqual(mode, kRLRunLoopCommonModes)) return "COM";
    if (!RLStringGetCString(mode, buffer, size, kRLStringEncodingUTF8)) return "?";
    return buffer;
}

/** The name of an activity. */
static inline const char *name_of_activity(unsigned long activity)
{
    switch (activity) {
    case kRLRunLoopEntry: return "Entry";
    case kRLRunLoopBeforeTimers: return "BeforeTimers";
    case kRLRunLoopBeforeSources: return "BeforeSources";
    case kRLRunLoopBeforeWaiting: return "BeforeWaiting";
    case kRLRunLoopAfterWaiting: return "AfterWaiting";
    case kRLRunLoopExit: return "Exit";
    default: return "unknown activity";
    }
}

/** The name of the result of a run. */
static inline const char *name_of_result(int result)
{
    switch (result) {
    case kRLRunLoopRunFinished: return "Finished";
    case kRLRunLoopRunStopped: return "Stopped";
    case kRLRunLoopRunTimedOut: return "TimedOut";
    case kRLRunLoopRunHandledSource: return "HandledSource";
    default: return "unknown result";
    }
}

static inline const void *gadget_retain(const void *info)
{
    note("%s retained", ((const struct gadget *)info)->name);
    return info;
}

static inline void gadget_release(const void *info)
{
    note("%s released", ((const struct gadget *)info)->name);
}

static inline Boolean gadget_equal(const void *first, const void *second)
{
    const struct gadget *one = first, *other = second;

    return strcmp(one->kind, other->kind) == 0;
}

static inline RLHashCode gadget_hash(const void *info)
{
    return (unsigned char)((const struct gadget *)info)->kind[0];
}

static inline void gadget_schedule(void *info, RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct gadget *gadget = info;
    char buffer[64];

    note("%s joins %s", gadget->name, name_of_mode(mode, buffer, sizeof(buffer)));
    if (gadget->schedule) gadget->schedule();
}

static inline void gadget_cancel(void *info, RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct gadget *gadget = info;
    char buffer[64];

    note("%s leaves %s", gadget->name, name_of_mode(mode, buffer, sizeof(buffer)));
    if (gadget->cancel) gadget->cancel();
}

static inline void gadget_perform(void *info)
{
    struct gadget *gadget = info;

    if (!gadget->quiet) note("%s", gadget->name);
    if (gadget->perform) gadget->perform();
}

static inline int gadget_get_port(void *info)
{
    struct gadget *gadget = info;

    if (gadget->logs_modes) note("%s asked", gadget->name);
    return gadget->port;
}

static inline void gadget_fire(RLRunLoopTimerRef timer, void *info)
{
    struct gadget *gadget = info;

    if (!gadget->quiet) note("%s", gadget->name);
    if (gadget->fire) gadget->fire(timer);
}

static inline void gadget_observe(RLRunLoopObserverRef observer, RLRunLoopActivity activity,
                                  void *info)
{
    struct gadget *gadget = info;

    if (!gadget->quiet && gadget->name) note("%s %s", gadget->name, name_of_activity(activity));
    if (!gadget->quiet && !gadget->name) note("%s", name_of_activity(activity));
    if (gadget->observe) gadget->observe(observer, activity);
}

/** @see SOURCE */
static inline RLRunLoopSourceRef make_source(const struct source_plan *plan)
{
    struct gadget *gadget = make_gadget(plan->name);
    bool logs_modes = plan->logs_modes || plan->schedule || plan->cancel;
    RLRunLoopSourceRef source;

    gadget->kind = plan->kind;
    gadget->quiet = plan->quiet;
    gadget->logs_modes = logs_modes;
    gadget->port = plan->port;
    gadget->perform = copied((const void *)plan->perform);
    gadget->schedule = copied((const void *)plan->schedule);
    gadget->cancel = copied((const void *)plan->cancel);
    if (plan->has_port) {
        RLRunLoopSourceContext1 context = {
            .version = 1,
            .info = gadget,
            .retain = plan->logs_references ? gadget_retain : NULL,
            .release = plan->logs_references ? gadget_release : NULL,
            .equal = plan->kind ? gadget_equal : NULL,
            .hash = plan->kind ? gadget_hash : NULL,
            .getPort = gadget_get_port,
            .perform = plan->mute ? NULL : gadget_perform,
        };
        source = RLRunLoopSourceCreate(NULL, plan->order, (RLRunLoopSourceContext *)&context);
    } else {
        RLRunLoopSourceContext context = {
            .info = gadget,
            .retain = plan->logs_references ? gadget_retain : NULL,
            .release = plan->logs_references ? gadget_release : NULL,
            .equal = plan->kind ? gadget_equal : NULL,
            .hash = plan->kind ? gadget_hash : NULL,
            .schedule = logs_modes ? gadget_schedule : NULL,
            .cancel = logs_modes ? gadget_cancel : NULL,
            .perform = plan->mute ? NULL : gadget_perform,
        };
        source = RLRunLoopSourceCreate(NULL, plan->order, &context);
    }
    if (!plan->owned) at_return(^{ RLRelease(source); });
    return source;
}

/** @see TIMER */
static inline RLRunLoopTimerRef make_timer(const struct timer_plan *plan)
{
    struct gadget *gadget = make_gadget(plan->name);
    RLRunLoopTimerContext context = {
        .info = gadget,
        .retain = plan->logs_references ? gadget_retain : NULL,
        .release = plan->logs_references ? gadget_release : NULL,
    };

    gadget->quiet = plan->quiet;
    gadget->fire = copied((const void *)plan->fire);
    double date = plan->date != 0 ? plan->date : RLAbsoluteTimeGetCurrent() + plan->after;
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreate(NULL, date, plan->interval, 0, plan->order, gadget_fire, &context);
    if (!plan->owned) at_return(^{ RLRelease(timer); });
    return timer;
}

/** @see OBSERVER */
static inline RLRunLoopObserverRef make_observer(const struct observer_plan *plan)
{
    struct gadget *gadget = make_gadget(plan->name);
    unsigned long activities = plan->activities ? plan->activities : kRLRunLoopAllActivities;
    RLRunLoopObserverContext context = {
        .info = gadget,
        .retain = plan->logs_references ? gadget_retain : NULL,
        .release = plan->logs_references ? gadget_release : NULL,
    };

    gadget->quiet = plan->quiet;
    gadget->observe = copied((const void *)plan->observe);
    RLRunLoopObserverRef observer = RLRunLoopObserverCreate(NULL, activities, !plan->once,
                                                            plan->order, gadget_observe, &context);
    if (!plan->owned) at_return(^{ RLRelease(observer); });
    return observer;
}

#endif
