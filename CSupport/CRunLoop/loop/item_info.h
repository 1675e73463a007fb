/* The info of an observer or timer, released once when the item is invalidated: see info_pins.h. */

#ifndef RL_ITEM_INFO_H
#define RL_ITEM_INFO_H

#include "loop/item.h"

/*
 * To retain the info around a callback:
 * 1. Lock the item or its loop. If the item is valid, call rl_item_pin_info, which pins the info.
 *    From now on, an invalidation does not release the info.
 * 2. Without locks, rl_item_retain_pinned_info retains the info for the callback, and unpins it.
 * 3. After the callback, rl_item_release_retained_info releases the result.
 */
static inline void *rl_item_pin_info(struct rl_item *item, void *info,
                                     const struct rl_client_functions *functions)
{
    if (functions->retain) rl_info_pin(&item->pins);
    return info;
}

void *rl_item_retain_pinned_info(struct rl_item *item, void *pinned,
                                 const struct rl_client_functions *functions);
void rl_item_release_retained_info(void *retained, const struct rl_client_functions *functions);

/* Releases the info of an item that is being destroyed. */
void rl_item_give_up_info(struct rl_item *item, void **info,
                          const struct rl_client_functions *functions);

#endif
