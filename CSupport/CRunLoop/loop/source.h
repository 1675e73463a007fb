
#ifndef RL_SOURCE_H
#define RL_SOURCE_H

#include "base/held.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "loop/item.h"

#include <CRunLoop/RLRunLoopSource.h>

enum rl_signal_state {
    RL_NOT_SIGNALLED,
    /* Marked, but not on the lists of its modes yet. */
    RL_SIGNALLING,
    RL_SIGNALLED
};

/*
 * The functions of an object of the engine that owns a version-2 source. Such an object decides
 * itself which events it wants: if it wants none, not even a hang-up is reported, and the object
 * handles dead descriptors. They are called with the source's info for each mode that the source
 * enters or leaves, with no lock held.
 */
struct rl_source_owner {
    void (*entered)(void *info, struct rl_loop *loop);
    void (*left)(void *info, struct rl_loop *loop);
    /*
     * Called instead of `perform`, with the number of the fetch (`epoll_wait`) that reported the
     * events. May be null.
     */
    void (*serve)(void *info, RLRunLoopDescriptorEvents ready, uint64_t fetch);
    /* The object checks for spurious events itself. */
    bool checks_events;
};

union rl_source_context {
    RLRunLoopSourceContext v0;
    RLRunLoopSourceContext1 v1;
    RLRunLoopSourceContext2 v2;
};

/*
 * The part of a source that a plain source lacks: version 0 with only an info and `perform`, and no
 * order. Set once.
 */
struct rl_source_more {
    RLIndex order;
    const struct rl_source_owner *owner;
    /* Called when an owned source is invalidated; or null. */
    void (*invalidated)(void *info);
    union rl_source_context context;
};

struct rl_source {
    struct rl_item item;
    struct rl_source_membership embedded;
    atomic_uint signal_state;
    /* Set once. */
    uint16_t version;
    /* `more` has an element. Set once. */
    bool has_more;
    /* The process-wide sequence number of its signal, which orders sources by age. */
    uint64_t signal_number;
    /* The time of the signal. Guarded by the item's lock. */
    struct rl_hint_moment signalled;
    void *info;
    void (*perform)(void *info);
    /* One element if `has_more`. */
    struct rl_source_more more[];
};

static inline struct rl_source *rl_source_of(const struct rl_item *item)
{
    return (struct rl_source *)(uintptr_t)item;
}

static inline RLIndex rl_source_version(const struct rl_source *source)
{
    return source->version;
}

static inline const struct rl_source_more *rl_source_more(const struct rl_source *source)
{
    static const struct rl_source_more of_plain_ones;
    return source->has_more ? source->more : &of_plain_ones;
}

/*
 * Sets a function to call with the info when the source is invalidated: after it has left all
 * loops, on the invalidating thread, without locks. For a source of version 2 that no other thread
 * knows yet.
 */
void rl_source_when_invalidated(RLRunLoopSourceRef source, void (*invalidated)(void *info));

static inline const void *rl_source_perform_address(const struct rl_source *source)
{
    switch (rl_source_version(source)) {
    case 0: return (const void *)(uintptr_t)source->perform;
    case 1: return (const void *)(uintptr_t)source->more->context.v1.perform;
    default: return (const void *)(uintptr_t)source->more->context.v2.perform;
    }
}

/* Makes a version-2 source with an owner in the engine. The caller owns the source. */
RLRunLoopSourceRef rl_source_create_owned(RLIndex order, RLRunLoopSourceContext2 *context,
                                          const struct rl_source_owner *owner);

/* Converts a descriptor's readiness from kernel.h's bits to the client's events. */
static inline RLRunLoopDescriptorEvents rl_source_events(uint32_t ready)
{
    RLRunLoopDescriptorEvents events = 0;
    if (ready & (RL_KERNEL_READ | RL_KERNEL_PEER_CLOSED)) events |= kRLRunLoopDescriptorRead;
    if (ready & RL_KERNEL_WRITE) events |= kRLRunLoopDescriptorWrite;
    if (ready & RL_KERNEL_PRIORITY) events |= kRLRunLoopDescriptorPriority;
    if (ready & (RL_KERNEL_HANG_UP | RL_KERNEL_PEER_CLOSED)) events |= kRLRunLoopDescriptorHangUp;
    if (ready & RL_KERNEL_ERROR) events |= kRLRunLoopDescriptorError;
    return events;
}

/* By the client's callbacks, if the context has them (SRC-5, SRC-6). */
bool rl_source_is_equal(const struct rl_item *first, const struct rl_item *second);
RLHashCode rl_source_hash(const struct rl_item *item);

/*
 * Holds the signalled sources of a mode in calling order: by their orders (SRC-20), or by the age
 * of their signals.
 */
struct rl_held rl_source_collect(struct rl_mode *mode, bool is_by_age);

/*
 * Clears the source's signal. Returns whether the source was signalled and is valid: then the
 * caller performs it.
 */
bool rl_source_claim(struct rl_source *source);

/* Add a source to a mode's list of signalled sources, and remove it. With the item locked. */
void rl_source_link_signalled(struct rl_source_membership *member);
void rl_source_unlink_signalled(struct rl_source_membership *member);

/* Returns whether the source was signalled. With the item locked. */
bool rl_source_clear_signal(struct rl_source *source);

extern const struct rl_item_functions rl_source_functions;

#endif
