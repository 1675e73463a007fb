/*
 * The info of an observer's or timer's context: retained around each callback, and given up once.
 */

#ifndef RL_ITEM_INFO_H
#define RL_ITEM_INFO_H

#include "loop/item.h"

/*
 * For a callback whose context has `retain`. A pinned info is not released by invalidation. To pin
 * it, the caller must have locked the item, or the loop that it is in, and found it valid. The
 * caller then retains the info without locks, which ends the pin. The callback gets what `retain`
 * returned, which is released after it.
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

/* For an item that is being destroyed. */
void rl_item_give_up_info(struct rl_item *item, void **info,
                          const struct rl_client_functions *functions);

#endif
