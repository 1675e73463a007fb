/*
 * The source by which loops serve an object. The source retains the object. The object has a weak
 * reference to the source, which is cleared when the source is destroyed. So the source lives as
 * long as a loop or a client retains it. If it is needed later, the object creates a new source.
 * The object's lock guards the reference.
 */

#ifndef RL_WEAK_SOURCE_H
#define RL_WEAK_SOURCE_H

#include "base/lock.h"
#include "loop/source.h"

struct rl_weak_source {
    struct rl_source *source;
};

/* Returns the source, retained, or null. Call this without a lock. */
struct rl_source *rl_weak_source_hold(const struct rl_weak_source *weak, struct rl_lock *lock);

/* Returns a valid source, retained, which may be new. Call this with the lock held. */
struct rl_source *rl_weak_source_hold_or_make(struct rl_weak_source *weak,
                                              struct rl_source *(*make)(void *object),
                                              void *object);

/* Call this when a source releases the object. It does nothing if the object has a newer source. */
void rl_weak_source_forget(struct rl_weak_source *weak, struct rl_lock *lock);

/* Signals a version-0 source and wakes its loops. Call this without a lock. */
void rl_weak_source_signal(const struct rl_weak_source *weak, struct rl_lock *lock);

/* Removes the source from all loops. Call this without a lock. */
void rl_weak_source_drop(const struct rl_weak_source *weak, struct rl_lock *lock);

#endif
