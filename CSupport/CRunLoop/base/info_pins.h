/*
 * Keeping a client's info while the client's own `retain` is called with it.
 *
 * An info is retained around each callback, and no lock is held meanwhile: another thread may
 * invalidate the object just then and give the info up. So the caller pins the info with a lock
 * held, calls `retain` without it, and unpins. An info that is given up while it is pinned is
 * released by the thread that unpins it last.
 */

#ifndef RL_INFO_PINS_H
#define RL_INFO_PINS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rl_info_pins {
    /*
     * The number of running calls of `retain`, during which the info must not be released, in units
     * of RL_INFO_PIN. With RL_INFO_OWED, the info was given up meanwhile: the thread that unpins it
     * last releases it. A bit records that it was given up, as an info may be null.
     */
    _Atomic uint16_t state;
};

enum { RL_INFO_OWED = 1, RL_INFO_GIVEN_UP = 2, RL_INFO_PIN = 4 };

/*
 * Prevents the release of the info, which is not given up yet, until it is unpinned. With a lock
 * that a thread which gives the info up also holds.
 */
static inline void rl_info_pin(struct rl_info_pins *pins)
{
    atomic_fetch_add_explicit(&pins->state, RL_INFO_PIN, memory_order_relaxed);
}

/* Returns whether the caller must release the info, which was given up meanwhile. Without locks. */
static inline bool rl_info_unpin(struct rl_info_pins *pins)
{
    const unsigned last = RL_INFO_PIN | RL_INFO_GIVEN_UP | RL_INFO_OWED;
    return atomic_fetch_sub(&pins->state, RL_INFO_PIN) == last;
}

/* With a lock that a thread which gives the info up also holds. */
static inline bool rl_info_is_given_up(struct rl_info_pins *pins)
{
    return atomic_load_explicit(&pins->state, memory_order_relaxed) & RL_INFO_GIVEN_UP;
}

/*
 * Clears the object's info. Returns whether the caller must release the former info: not if it was
 * given up before, or is pinned. With all the locks that allow pinning it.
 */
bool rl_info_give_up(struct rl_info_pins *pins, void **info, void **ret_given_up);

#endif
