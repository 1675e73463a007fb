/*
 * Sources of all versions.
 */

#ifndef RL_SOURCE_H
#define RL_SOURCE_H

#include "base/held.h"
#include "loop/item.h"
#include "wait/wait_set.h"

#include <CRunLoop/RLRunLoopSource.h>

enum rl_signal_state {
    RL_NOT_SIGNALLED,
    /* Marked, and about to be put on the lists of its modes. */
    RL_SIGNALLING,
    RL_SIGNALLED
};

/*
 * The side of a version-2 source that an object of the engine owns. Such a source minds its
 * interest by itself: nothing wanted means not even a hang-up, and dead descriptors are left to it.
 * Called with the source's info for each mode that it enters or leaves, with no lock held.
 */
struct rl_source_owner {
    void (*entered)(void *info, struct rl_loop *loop);
    void (*left)(void *info, struct rl_loop *loop);
};

union rl_source_context {
    RLRunLoopSourceContext v0;
    RLRunLoopSourceContext1 v1;
    RLRunLoopSourceContext2 v2;
};

/*
 * What those of version 0 that have only an info and `perform`, and no order, do without. Set once.
 */
struct rl_source_more {
    RLIndex order;
    /* Null for the sources of clients. */
    const struct rl_source_owner *owner;
    /* Null, or what the engine's own sources want to do when they are invalidated. */
    void (*invalidated)(void *info);
    union rl_source_context context;
};

struct rl_source {
    struct rl_item item;
    struct rl_source_membership embedded;
    /* When it was signalled, as a count of all signals of the process. */
    uint64_t signal_number;
    void *info;
    /* Version 0. */
    void (*perform)(void *info);
    /* One, or none. */
    struct rl_source_more more[];
};

RL_ITEM_EMBEDS_MEMBERSHIP(struct rl_source);

static inline struct rl_source *rl_source_of(const struct rl_item *item)
{
    return (struct rl_source *)(uintptr_t)item;
}

static inline RLIndex rl_source_version(const struct rl_source *source)
{
    return source->item.version;
}

/* What the sources have that have no more. */
extern const struct rl_source_more rl_source_plain;

static inline const struct rl_source_more *rl_source_more(const struct rl_source *source)
{
    return source->item.has_more ? source->more : &rl_source_plain;
}

/*
 * Has a function called with the info when the source is invalidated: after it has left all loops,
 * on the invalidating thread, without locks. For a source of version 2 that nobody else knows yet.
 */
void rl_source_when_invalidated(RLRunLoopSourceRef source, void (*invalidated)(void *info));

/* The address of the client's perform function, which descriptions and comparisons show. */
const void *rl_source_perform_address(const struct rl_source *source);

/* A version-2 source of the engine's own; the caller owns it. */
RLRunLoopSourceRef rl_source_create_owned(RLIndex order, RLRunLoopSourceContext2 *context,
                                          const struct rl_source_owner *owner);

/*
 * Returns whether the source is in more than one loop, so that an event may reach several threads.
 */
bool rl_source_is_shared(struct rl_source *source);

/* Returns what clients are told of a descriptor, of which kernel.h says what it is ready for. */
RLRunLoopDescriptorEvents rl_source_events(uint32_t ready);

/* Equality and hash as of SRC-5 and SRC-6. */
bool rl_source_is_equal(const struct rl_item *first, const struct rl_item *second);
RLHashCode rl_source_hash(const struct rl_item *item);

/* Holds the signalled sources of a mode in the order in which to call them (SRC-20). */
struct rl_held rl_source_collect(struct rl_mode *mode);

/*
 * Takes the mark off. Returns whether there was one and the source is valid, so that the caller is
 * to perform it.
 */
bool rl_source_claim(struct rl_source *source);

/*
 * Puts a source on the list of signalled ones of a mode, and takes it off. With the item locked.
 */
void rl_source_link_signalled(struct rl_source_membership *member);
void rl_source_unlink_signalled(struct rl_source_membership *member);

/* Takes the mark off, with the item locked. Returns whether there was one. */
bool rl_source_clear_signal(struct rl_source *source);

extern const struct rl_item_functions rl_source_functions;
extern const struct rl_class rl_source_class;

#endif
