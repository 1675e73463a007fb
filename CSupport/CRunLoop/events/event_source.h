/*
 * The common part of version-2 sources that own their descriptor. A thread holds the lock while it
 * reads or closes the descriptor, so no invalidation closes the descriptor during a read.
 */

#ifndef RL_EVENT_SOURCE_H
#define RL_EVENT_SOURCE_H

#include "base/lock.h"

#include <CRunLoop/RLEventSources.h>

#include <sys/types.h>

struct rl_event_source {
    /* No other lock is taken while this lock is held. */
    struct rl_lock lock;
    /* Negative when the descriptor is closed. Changes with the lock held. */
    atomic_int descriptor;
    RLRunLoopSourceRef source;
    const char *kind;
    RLEventSourceContext client;
    union {
        RLSignalCallBack signal;
        RLProcessCallBack process;
        RLFileEventCallBack file;
    } callback;
    pid_t process;
    bool reaps;
};

struct rl_event_source_kind {
    const char *name;
    void (*perform)(void *self, RLRunLoopDescriptorEvents ready);
};

/* Copies `what`, takes over the descriptor, and retains the info. The caller owns the source. */
RLRunLoopSourceRef rl_event_source_create(const struct rl_event_source *what,
                                          const struct rl_event_source_kind *kind, RLIndex order,
                                          const RLEventSourceContext *context);

/*
 * The maximum number of events that one `perform` delivers. Each event is read just before its
 * delivery, so nested runs and other loops find the other events in the kernel.
 */
enum { RL_EVENTS_AT_ONCE = 64 };

/*
 * Returns the number of bytes; 0 if the source is invalid; -EAGAIN if there is no event; or another
 * negative errno value. A read error invalidates the source with a warning.
 */
ssize_t rl_event_source_read(struct rl_event_source *self, void *buffer, size_t size);

void rl_event_source_expect_callback(const void *callback, const char *function);

/* Aborts if the source is of another kind. */
struct rl_event_source *rl_event_source_checked(RLRunLoopSourceRef source,
                                                const struct rl_event_source_kind *kind,
                                                const char *function);

#endif
