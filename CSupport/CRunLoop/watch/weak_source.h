/*
 * The source through which loops serve an object of the engine. The source retains the object, not
 * vice versa. So the source lives as long as a loop or a client retains it. When it dies, it clears
 * this reference; the object makes a new source when it needs one. The object's own lock guards it.
 */

#ifndef RL_WEAK_SOURCE_H
#define RL_WEAK_SOURCE_H

#include "base/lock.h"
#include "loop/source.h"

struct rl_weak_source {
    /* Not retained; or null. */
    struct rl_source *source;
};

/* Returns the source, retained, or null. No lock held. */
struct rl_source *rl_weak_source_hold(const struct rl_weak_source *weak, struct rl_lock *lock);

/* Returns the valid source, retained, or a new source. With the lock held. */
struct rl_source *rl_weak_source_hold_or_make(struct rl_weak_source *weak,
                                              struct rl_source *(*make)(void *object),
                                              void *object);

/* Call this when a source releases the object. Keeps a newer source. */
void rl_weak_source_forget(struct rl_weak_source *weak, struct rl_lock *lock);

/* Signals a source of version 0, and wakes its loops. No lock held. */
void rl_weak_source_signal(const struct rl_weak_source *weak, struct rl_lock *lock);

/* Removes the source from all loops for good. No lock held. */
void rl_weak_source_drop(const struct rl_weak_source *weak, struct rl_lock *lock);

#endif
