/*
 * The common part of sources for system events: a version-2 source that owns its descriptor.
 *
 * The source owns a struct rl_event_source. Its lock is held while the descriptor is read or
 * closed, so an invalidation on another thread never closes the descriptor during a read.
 */

#ifndef RL_EVENT_SOURCE_H
#define RL_EVENT_SOURCE_H

#include "base/lock.h"

#include <CRunLoop/RLEventSources.h>

#include <sys/types.h>

struct rl_event_source {
    /* An innermost lock. */
    struct rl_lock lock;
    /* Negative when closed. Changes with the lock held. */
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

/*
 * Creates a source with a copy of `what`. Takes over the descriptor, and retains the client's info.
 * The caller releases the source.
 */
RLRunLoopSourceRef rl_event_source_create(const struct rl_event_source *what,
                                          const struct rl_event_source_kind *kind, RLIndex order,
                                          const RLEventSourceContext *context);

/*
 * The most events that one call of `perform` delivers. Each event is read just before its delivery,
 * so undelivered events stay in the kernel for nested runs and for other loops.
 */
enum { RL_EVENTS_AT_ONCE = 64 };

/*
 * Reads at most `size` bytes. Returns the number of bytes, 0 if the source is invalid, -EAGAIN if
 * there is no event, or another negative errno value. A read error invalidates the source and
 * prints a warning.
 */
ssize_t rl_event_source_read(struct rl_event_source *self, void *buffer, size_t size);

/* Aborts if the callback is null. */
void rl_event_source_expect_callback(const void *callback, const char *function);

/* Returns the object of a source. Aborts if the source is of another kind. */
struct rl_event_source *rl_event_source_checked(RLRunLoopSourceRef source,
                                                const struct rl_event_source_kind *kind,
                                                const char *function);

#endif
