#ifndef RL_SOURCE_H
#define RL_SOURCE_H

#include "base/held.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "loop/item.h"

#include <CRunLoop/RLRunLoopSource.h>

enum rl_signal_state {
    RL_NOT_SIGNALLED,
    /* The modes' lists do not contain the source yet. */
    RL_SIGNALLING,
    RL_SIGNALLED
};

/*
 * The functions of an engine object that owns a version-2 source. If the object wants no events,
 * the descriptor is not registered with the kernel, so hang-ups are not reported either. `entered`
 * and `left` are called without a lock for each mode that the source enters or leaves.
 */
struct rl_source_owner {
    void (*entered)(void *info, struct rl_loop *loop);
    void (*left)(void *info, struct rl_loop *loop);
    /* Called instead of `perform`, with the number of the event's fetch. May be null. */
    void (*serve)(void *info, RLRunLoopDescriptorEvents ready, uint64_t fetch);
    /* True if the object itself handles spurious events. */
    bool checks_events;
};

union rl_source_context {
    RLRunLoopSourceContext v0;
    RLRunLoopSourceContext1 v1;
    RLRunLoopSourceContext2 v2;
};

/*
 * The fields that only a source that is not plain has. Set once. A plain source has version 0, and
 * a context with only an info and `perform`.
 */
struct rl_source_more {
    RLIndex order;
    const struct rl_source_owner *owner;
    /* Called when an owned source is invalidated. May be null. */
    void (*invalidated)(void *info);
    union rl_source_context context;
};

struct rl_source {
    struct rl_item item;
    struct rl_source_membership embedded;
    atomic_uint signal_state;
    /* Set once. */
    uint16_t version;
    /* True if the source is not plain: then `more` has one element. Set once. */
    bool has_more;
    /*
     * The number of the last signal in the process, which orders sources by the age of signals, and
     * its time. Guarded by the item's lock. A source on a mode's list keeps both, so the mode's
     * signal lock is enough to read them there.
     */
    uint64_t signal_number;
    struct rl_hint_moment signalled;
    void *info;
    void (*perform)(void *info);
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
 * Sets a function that is called when the source was invalidated and has left all loops. It is
 * called without locks, on the thread that invalidates the source. The source must have version 2,
 * and no other thread may use it yet.
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

/* Creates a version-2 source, which the caller releases. */
RLRunLoopSourceRef rl_source_create_owned(RLIndex order, RLRunLoopSourceContext2 *context,
                                          const struct rl_source_owner *owner);

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

/* These call the client's functions, if the context has them (SRC-5, SRC-6). */
bool rl_source_is_equal(const struct rl_item *first, const struct rl_item *second);
RLHashCode rl_source_hash(const struct rl_item *item);

/* Retains the signalled sources, sorted by their order (SRC-20) or by the age of their signals. */
struct rl_held rl_source_collect(struct rl_mode *mode, bool is_by_age);

/* Clears the signal. Returns true if the caller must call `perform`. */
bool rl_source_claim(struct rl_source *source);

/* Call these with the item locked. */
void rl_source_link_signalled(struct rl_source_membership *member);
void rl_source_unlink_signalled(struct rl_source_membership *member);

/* Returns whether the source was signalled. Call this with the item locked. */
bool rl_source_clear_signal(struct rl_source *source);

extern const struct rl_item_functions rl_source_functions;

#endif
