/*
 * Words for scenarios about descriptors, and sources that have one of their own.
 */

#ifndef SCENARIOS_DESCRIPTOR_WORDS_H
#define SCENARIOS_DESCRIPTOR_WORDS_H

#include "words.h"

/** The info of a version-2 source. */
struct watcher {
    const char *name;
    int descriptor;
    RLRunLoopDescriptorEvents events;
    action perform;
};

static inline int watcher_descriptor(void *info)
{
    return ((struct watcher *)info)->descriptor;
}

static inline RLRunLoopDescriptorEvents watcher_events(void *info)
{
    return ((struct watcher *)info)->events;
}

static inline void watcher_perform(void *info, RLRunLoopDescriptorEvents ready)
{
    struct watcher *watcher = info;

    if (watcher->name) {
        note("%s%s%s%s%s%s", watcher->name, ready & kRLRunLoopDescriptorRead ? " read" : "",
             ready & kRLRunLoopDescriptorWrite ? " write" : "",
             ready & kRLRunLoopDescriptorPriority ? " priority" : "",
             ready & kRLRunLoopDescriptorHangUp ? " hang-up" : "",
             ready & kRLRunLoopDescriptorError ? " error" : "");
    }
    if (watcher->perform) watcher->perform();
}

/**
 * Makes a source for a descriptor; events of 0 leave `getEvents` out. Without a name it notes
 * nothing.
 */
static inline RLRunLoopSourceRef watch_descriptor(const char *name, int descriptor,
                                                  RLRunLoopDescriptorEvents events, action perform,
                                                  struct watcher **ret_watcher)
{
    struct watcher *watcher = calloc(1, sizeof(*watcher));
    RLRunLoopSourceContext2 context = {
        .version = 2,
        .info = watcher,
        .getDescriptor = watcher_descriptor,
        .getEvents = events ? watcher_events : NULL,
        .perform = watcher_perform,
    };

    watcher->name = name;
    watcher->descriptor = descriptor;
    watcher->events = events;
    watcher->perform = copied((const void *)perform);
    at_end(^{
        release_block((const void *)watcher->perform);
        free(watcher);
    });
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)&context);
    at_return(^{ RLRelease(source); });
    if (ret_watcher) *ret_watcher = watcher;
    return source;
}

/** Makes a pair of connected sockets, closed at the end of the scenario unless set to -1. */
static inline int *make_pair(void)
{
    int *ends = malloc(2 * sizeof(*ends));

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    at_end(^{
        if (ends[0] >= 0) close(ends[0]);
        if (ends[1] >= 0) close(ends[1]);
        free(ends);
    });
    return ends;
}

/** The info of an event source: a thing to do with the event. */
struct event_plan {
    void (^signal)(RLRunLoopSourceRef source, const RLSignalEvent *event);
    void (^process)(RLRunLoopSourceRef source, int process, int status);
    void (^file)(RLRunLoopSourceRef source, const RLFileEvent *event);
};

static inline void plan_signal(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info)
{
    ((struct event_plan *)info)->signal(source, event);
}

static inline void plan_process(RLRunLoopSourceRef source, SInt32 process, SInt32 status,
                                void *info)
{
    ((struct event_plan *)info)->process(source, process, status);
}

static inline void plan_file(RLRunLoopSourceRef source, const RLFileEvent *event, void *info)
{
    ((struct event_plan *)info)->file(source, event);
}

static inline RLRunLoopSourceRef signal_source_of(const SInt32 *signals, long count,
                                                  void (^body)(RLRunLoopSourceRef,
                                                               const RLSignalEvent *))
{
    struct event_plan *plan = calloc(1, sizeof(*plan));
    RLEventSourceContext context = {.info = plan};

    plan->signal = copied((const void *)body);
    RLRunLoopSourceRef source =
        RLSignalSourceCreate(NULL, 0, signals, count, plan_signal, &context);
    at_end(^{
        release_block((const void *)plan->signal);
        free(plan);
    });
    at_return(^{ RLRelease(source); });
    return source;
}

static inline RLRunLoopSourceRef process_source_of(int process, bool reaps,
                                                   void (^body)(RLRunLoopSourceRef, int, int))
{
    struct event_plan *plan = calloc(1, sizeof(*plan));
    RLEventSourceContext context = {.info = plan};

    plan->process = copied((const void *)body);
    RLRunLoopSourceRef source =
        RLProcessSourceCreate(NULL, 0, process, reaps, plan_process, &context);
    at_end(^{
        release_block((const void *)plan->process);
        free(plan);
    });
    at_return(^{
        if (source) RLRelease(source);
    });
    return source;
}

static inline RLRunLoopSourceRef file_source_of(void (^body)(RLRunLoopSourceRef,
                                                             const RLFileEvent *))
{
    struct event_plan *plan = calloc(1, sizeof(*plan));
    RLEventSourceContext context = {.info = plan};

    plan->file = copied((const void *)body);
    RLRunLoopSourceRef source = RLFileSourceCreate(NULL, 0, plan_file, &context);
    at_end(^{
        release_block((const void *)plan->file);
        free(plan);
    });
    at_return(^{ RLRelease(source); });
    return source;
}

/** The info of a descriptor. */
struct fd_gadget {
    /* Null logs nothing. */
    const char *name;
    void (^called)(RLFileDescriptorRef descriptor, RLOptionFlags types);
};

static inline void *fd_retain(void *info)
{
    note("%s retained", ((struct fd_gadget *)info)->name);
    return info;
}

static inline void fd_release(void *info)
{
    note("%s released", ((struct fd_gadget *)info)->name);
}

static inline void fd_called(RLFileDescriptorRef descriptor, RLOptionFlags types, void *info)
{
    struct fd_gadget *gadget = info;

    if (gadget->name) {
        note("%s%s%s", gadget->name, types & kRLFileDescriptorReadCallBack ? " read" : "",
             types & kRLFileDescriptorWriteCallBack ? " write" : "");
    }
    if (gadget->called) gadget->called(descriptor, types);
}

/** Makes an object that is the scenario's to release. */
static inline RLFileDescriptorRef make_fd(const char *name, int descriptor, bool closes,
                                          bool logs_references,
                                          void (^called)(RLFileDescriptorRef, RLOptionFlags))
{
    struct fd_gadget *gadget = calloc(1, sizeof(*gadget));
    RLFileDescriptorContext context = {
        .info = gadget,
        .retain = logs_references ? fd_retain : NULL,
        .release = logs_references ? fd_release : NULL,
    };

    gadget->name = name;
    gadget->called = copied((const void *)called);
    at_end(^{
        release_block((const void *)gadget->called);
        free(gadget);
    });
    return RLFileDescriptorCreate(NULL, descriptor, closes, fd_called, &context);
}

/**
 * Makes an object that lives until the scenario returns, and adds its source to the default mode.
 */
static inline RLFileDescriptorRef watch_fd(const char *name, int descriptor,
                                           void (^called)(RLFileDescriptorRef, RLOptionFlags))
{
    RLFileDescriptorRef made = make_fd(name, descriptor, false, false, called);
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, made, 0);

    add_source(source, "DEF");
    RLRelease(source);
    at_return(^{
        RLFileDescriptorInvalidate(made);
        RLRelease(made);
    });
    return made;
}

enum { MANY = 10000, MANY_SERVED = 2000 };

/** Of each of the many descriptors. */
static int many_calls;

static inline void many_called(RLFileDescriptorRef descriptor, RLOptionFlags types, void *info)
{
    uint64_t count;

    check(read(RLFileDescriptorGetNativeDescriptor(descriptor), &count, sizeof count) == 8);
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    if (++many_calls == MANY_SERVED) stop();
}

#endif
