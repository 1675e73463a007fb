/*
 * What the descriptions of a loop and of its items have in common, as CF prints it.
 */

#include "base/system.h"

#include "loop/describe.h"

#include "loop/callout.h"
#include "loop/item_info.h"

#include <dlfcn.h>

const char *rl_describe_bool(bool value)
{
    return value ? "Yes" : "No";
}

void rl_describe_head(struct rl_text *text, const char *type, const void *object)
{
    rl_text_add(text, "<%s %p [%p]>", type, object, (const void *)kRLAllocatorDefault);
}

static const char *symbol_of(const void *function)
{
    Dl_info found;
    if (!function || !dladdr(function, &found) || !found.dli_sname) return "???";
    return found.dli_sname;
}

void rl_describe_callout(struct rl_text *text, const void *function)
{
    rl_text_add(text, "callout = %s (%p)", symbol_of(function), function);
}

void rl_describe_context(struct rl_text *text, struct rl_item *item, void *const *client_info,
                         const struct rl_client_functions *functions, const char *type)
{
    rl_lock(&item->object.lock);
    bool is_described = *client_info && functions->copy_description;
    /* Another thread may invalidate the item while its context describes itself. */
    void *info = *client_info;
    if (is_described) info = rl_item_pin_info(item, info, functions);
    rl_unlock(&item->object.lock);
    rl_text_add(text, "context = ");
    if (is_described) {
        void *retained = rl_item_retain_pinned_info(item, info, functions);
        rl_text_add_string(text,
                           rl_callout_copy_description(functions->copy_description, retained));
        rl_item_release_retained_info(retained, functions);
    } else {
        rl_text_add(text, "<%s context %p>", type, info);
    }
}

void rl_describe_callout_and_file(struct rl_text *text, const void *function)
{
    Dl_info found = {0};
    bool is_known = function && dladdr(function, &found);
    rl_text_add(text, "callout = %s (%p / %p) (%s)",
                is_known && found.dli_sname ? found.dli_sname : "?", function, found.dli_saddr,
                is_known && found.dli_fname ? found.dli_fname : "?");
}
