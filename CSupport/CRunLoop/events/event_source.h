/*
 * The common part of sources for system events: a version-2 source that owns its descriptor.
 *
 * The source owns a struct rl_event_source, whose lock guards reading and closing the descriptor:
 * invalidation on another thread closes it between two reads and not during one.
 */

#ifndef RL_EVENT_SOURCE_H
#define RL_EVENT_SOURCE_H

#include "base/lock.h"

#include <CRunLoop/RLEventSources.h>

#include <sys/types.h>

struct rl_event_source {
    /* A leaf in the order of locks. */
    struct rl_lock lock;
    /* Negative after close. Written with the lock held. */
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
 * Makes a source with a copy of `what`, whose descriptor it takes over. Retains the client's info.
 */
RLRunLoopSourceRef rl_event_source_create(const struct rl_event_source *what,
                                          const struct rl_event_source_kind *kind, RLIndex order,
                                          const RLEventSourceContext *context);

/*
 * The number of events that one perform delivers. Each is read just before its delivery: others
 * stay in the kernel, for runs inside a callback and for other loops.
 */
enum { RL_EVENTS_AT_ONCE = 64 };

/*
 * Reads at most `size` bytes. Returns their number; 0 if the source is invalid; or a negative errno
 * value, -EAGAIN without an event. A source that cannot be read becomes invalid, with a warning.
 */
ssize_t rl_event_source_read(struct rl_event_source *self, void *buffer, size_t size);

/* Stops the process if the callback is null. */
void rl_event_source_expect_callback(const void *callback, const char *function);

/* Returns the object of a source. Stops the process if the source is of another kind. */
struct rl_event_source *rl_event_source_checked(RLRunLoopSourceRef source,
                                                const struct rl_event_source_kind *kind,
                                                const char *function);

#endif
