/*
 * Pins keep a client's info alive while the client's `retain` runs.
 *
 * The engine retains an info around each callback, and holds no lock while it calls `retain`.
 * Another thread may invalidate the object at the same time and give the info up. So the caller
 * pins the info with a lock held, calls `retain` without a lock, and unpins the info. If the info
 * is given up while it is pinned, the last thread that unpins the info releases it.
 */

#ifndef RL_INFO_PINS_H
#define RL_INFO_PINS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rl_info_pins {
    /*
     * The number of pins in units of RL_INFO_PIN, and two flags. RL_INFO_GIVEN_UP is set if the
     * info was given up; a null info does not show this, because it may be valid. RL_INFO_OWED is
     * set if the info was given up while it was pinned: the last thread that unpins the info must
     * release it.
     */
    _Atomic uint16_t state;
};

enum { RL_INFO_OWED = 1, RL_INFO_GIVEN_UP = 2, RL_INFO_PIN = 4 };

/* The info must not have been given up. Hold one of the locks that rl_info_give_up requires. */
static inline void rl_info_pin(struct rl_info_pins *pins)
{
    atomic_fetch_add_explicit(&pins->state, RL_INFO_PIN, memory_order_relaxed);
}

/* Returns true if the caller must release the info: it was given up while pinned. Lock-free. */
static inline bool rl_info_unpin(struct rl_info_pins *pins)
{
    const unsigned last = RL_INFO_PIN | RL_INFO_GIVEN_UP | RL_INFO_OWED;
    return atomic_fetch_sub(&pins->state, RL_INFO_PIN) == last;
}

/* Hold one of the locks that rl_info_give_up requires. */
static inline bool rl_info_is_given_up(struct rl_info_pins *pins)
{
    return atomic_load_explicit(&pins->state, memory_order_relaxed) & RL_INFO_GIVEN_UP;
}

/*
 * Clears `info` and stores it in `ret_given_up`. Returns whether the caller must release it: false
 * if the info is pinned, or was given up before. Hold every lock with which other code pins the
 * info.
 */
bool rl_info_give_up(struct rl_info_pins *pins, void **info, void **ret_given_up);

#endif
