/*
 * The common part of sources for system events: a version-2 source that owns its descriptor.
 *
 * The source owns a struct rl_event_source, under whose lock the descriptor is read from and
 * closed: invalidation on another thread closes it between two reads and not during one.
 */

#ifndef RL_EVENT_SOURCE_H
#define RL_EVENT_SOURCE_H

#include "base/lock.h"

#include <CRunLoop/RLEventSources.h>

#include <sys/types.h>

struct rl_event_source {
    /* A leaf in the order of locks. */
    struct rl_lock lock;
    /* Negative once closed. Written with the lock held. */
    atomic_int descriptor;
    /* The source that owns this. */
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

/* A kind of event source. */
struct rl_event_source_kind {
    const char *name;
    void (*perform)(void *self, RLRunLoopDescriptorEvents ready);
};

/*
 * Makes a source around a copy of `what`, whose descriptor it takes. Retains the client's info.
 */
RLRunLoopSourceRef rl_event_source_create(const struct rl_event_source *what,
                                          const struct rl_event_source_kind *kind, RLIndex order,
                                          const RLEventSourceContext *context);

/*
 * The number of events that a perform delivers. Each is read when its turn comes: others stay in
 * the kernel, where runs inside a callback and other loops find them.
 */
enum { RL_EVENTS_AT_ONCE = 64 };

/*
 * Reads at most `size` bytes. Returns their number; 0 if the source is invalid; or a negative errno
 * value, -EAGAIN if there is nothing. A source that cannot be read becomes invalid, with a line.
 */
ssize_t rl_event_source_read(struct rl_event_source *self, void *buffer, size_t size);

/* Stops with a line if a client left the callback out. */
void rl_event_source_expect_callback(const void *callback, const char *function);

/* Returns the object that a source of this kind owns. Stops with a line if it is of another kind.
 */
struct rl_event_source *rl_event_source_checked(RLRunLoopSourceRef source,
                                                const struct rl_event_source_kind *kind,
                                                const char *function);

#endif
