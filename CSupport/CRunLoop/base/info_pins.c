/* Decides which thread releases an info that is given up while another thread has pinned it. */

#include "base/info_pins.h"

#include <stddef.h>

bool rl_info_give_up(struct rl_info_pins *pins, void **info, void **ret_given_up)
{
    *ret_given_up = *info;
    *info = NULL;
    if (rl_info_is_given_up(pins)) return false;
    /* From now on, no thread can pin the info, but a thread that has pinned it may unpin it. */
    if (atomic_load(&pins->state) != 0) {
        return atomic_fetch_or(&pins->state, RL_INFO_OWED | RL_INFO_GIVEN_UP) < RL_INFO_PIN;
    }
    atomic_store(&pins->state, RL_INFO_GIVEN_UP);
    return true;
}
