/*
 * Decides who releases a client's info that was given up while it was pinned.
 */

#include "base/info_pins.h"

#include <stddef.h>

bool rl_info_unpin(struct rl_info_pins *pins, struct rl_lock *lock)
{
    rl_lock(lock);
    bool owes_release = --pins->count == 0 && pins->owes_release;
    if (owes_release) pins->owes_release = false;
    rl_unlock(lock);
    return owes_release;
}

void *rl_info_give_up(struct rl_info_pins *pins, void **info)
{
    void *given_up = *info;
    *info = NULL;
    if (pins->count == 0) return given_up;
    if (given_up) pins->owes_release = true;
    return NULL;
}
