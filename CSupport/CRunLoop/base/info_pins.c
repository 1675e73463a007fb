/* Decides which thread releases a client's info that is given up while it is pinned. */

#include "base/info_pins.h"

#include <stddef.h>

void *rl_info_give_up(struct rl_info_pins *pins, void **info)
{
    void *given_up = *info;
    *info = NULL;
    /* No thread pins the info from now on. */
    if (!given_up || atomic_load(&pins->state) == 0) return given_up;
    /* A thread that has pinned the info may unpin it now. */
    return atomic_fetch_or(&pins->state, RL_INFO_OWED) >= RL_INFO_PIN ? NULL : given_up;
}
