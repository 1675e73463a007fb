/*
 * Keeping a client's info while the client's own `retain` is called with it.
 *
 * An info is retained around each callback, and no lock is held meanwhile: another thread may
 * invalidate the object just then and give the info up. So the caller pins the info with the lock
 * held, calls `retain` without it, and unpins. An info that is given up while it is pinned is
 * released by the thread that unpins it last.
 */

#ifndef RL_INFO_PINS_H
#define RL_INFO_PINS_H

#include "base/lock.h"

#include <stdbool.h>
#include <stdint.h>

/* Guarded by the lock of the object that has the info. */
struct rl_info_pins {
    /* How many calls of `retain` run, so that the info must not be released. */
    uint16_t count : 15;
    /* The info was given up meanwhile. */
    uint16_t owes_release : 1;
};

/* Keeps the info from being released until it is unpinned. With the lock held. */
static inline void rl_info_pin(struct rl_info_pins *pins)
{
    pins->count++;
}

/*
 * Returns whether the caller has to release the info, which was given up meanwhile. Takes the lock.
 */
bool rl_info_unpin(struct rl_info_pins *pins, struct rl_lock *lock);

/*
 * Clears the object's info. Returns what the caller has to release; null if there was none, or if
 * it is pinned. With the lock held.
 */
void *rl_info_give_up(struct rl_info_pins *pins, void **info);

#endif
