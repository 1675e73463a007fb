/*
 * The source by which loops serve an object of ours. The source retains the object, and not the
 * other way round. So the source lives as long as a loop or a client has it. It takes itself out
 * when it dies, and is made again when needed. The object's own lock guards it.
 */

#ifndef RL_WEAK_SOURCE_H
#define RL_WEAK_SOURCE_H

#include "base/lock.h"
#include "loop/source.h"

struct rl_weak_source {
    /* Not retained; or null. */
    struct rl_source *source;
};

/* Returns the source, retained, or null if none is alive. No lock held. */
struct rl_source *rl_weak_source_hold(const struct rl_weak_source *weak, struct rl_lock *lock);

/*
 * Returns the valid source, retained, or else one that is made for the object. With the lock held.
 */
struct rl_source *rl_weak_source_hold_or_make(struct rl_weak_source *weak,
                                              struct rl_source *(*make)(void *object),
                                              void *object);

/*
 * To be called when a source releases the object. Forgets the source if it is the one that dies,
 * and not a newer one.
 */
void rl_weak_source_forget(struct rl_weak_source *weak, struct rl_lock *lock);

/* Signals a source of version 0, and wakes its loops. No lock held. */
void rl_weak_source_signal(const struct rl_weak_source *weak, struct rl_lock *lock);

/* Removes the source from all loops for good. No lock held. */
void rl_weak_source_drop(const struct rl_weak_source *weak, struct rl_lock *lock);

#endif
