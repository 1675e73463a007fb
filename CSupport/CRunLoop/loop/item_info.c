#include "loop/item_info.h"

#include "loop/callout.h"

void *rl_item_retain_pinned_info(struct rl_item *item, void *pinned,
                                 const struct rl_client_functions *functions)
{
    if (!functions->retain) return pinned;
    void *retained = rl_callout_retain(functions->retain, pinned);
    bool owes_release = rl_info_unpin(&item->pins);
    if (owes_release && functions->release) rl_callout_release(functions->release, pinned);
    return retained;
}

void rl_item_release_retained_info(void *retained, const struct rl_client_functions *functions)
{
    if (functions->retain && functions->release) {
        rl_callout_release(functions->release, retained);
    }
}

void rl_item_give_up_info(struct rl_item *item, void **info,
                          const struct rl_client_functions *functions)
{
    rl_lock(&item->object.lock);
    void *given_up;
    bool is_owed = rl_info_give_up(&item->pins, info, &given_up);
    rl_unlock(&item->object.lock);
    if (is_owed && functions->release) rl_callout_release(functions->release, given_up);
}
