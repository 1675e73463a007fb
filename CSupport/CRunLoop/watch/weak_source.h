/*
 * The source by which loops serve an object of the engine. The source retains the object; the
 * object has only a weak reference to the source. So the source lives as long as a loop or a client
 * retains it. When the source is destroyed, it clears this reference. The object creates a new
 * source when it needs one. The object's own lock guards the reference.
 */

#ifndef RL_WEAK_SOURCE_H
#define RL_WEAK_SOURCE_H

#include "base/lock.h"
#include "loop/source.h"

struct rl_weak_source {
    /* The source, not retained, or null. */
    struct rl_source *source;
};

/* Returns the source, retained, or null. Call this without a lock. */
struct rl_source *rl_weak_source_hold(const struct rl_weak_source *weak, struct rl_lock *lock);

/*
 * Returns the source, retained, if there is a valid source. Otherwise creates a source. Call this
 * with the lock held.
 */
struct rl_source *rl_weak_source_hold_or_make(struct rl_weak_source *weak,
                                              struct rl_source *(*make)(void *object),
                                              void *object);

/*
 * Clears the reference. Called when a source releases the object. Does nothing if the object has a
 * newer source.
 */
void rl_weak_source_forget(struct rl_weak_source *weak, struct rl_lock *lock);

/* Signals a version-0 source and wakes its loops. Call this without a lock. */
void rl_weak_source_signal(const struct rl_weak_source *weak, struct rl_lock *lock);

/* Invalidates the source, which removes it from all loops. Call this without a lock. */
void rl_weak_source_drop(const struct rl_weak_source *weak, struct rl_lock *lock);

#endif
