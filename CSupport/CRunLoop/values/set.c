#include "base/swift_counts.h"
#include "values/table.h"

#include <CRunLoop/RLSet.h>

const RLSetCallBacks kRLTypeSetCallBacks = {RL_TABLE_OBJECTS(rl_element_retain), .hash = RLHash};
const RLSetCallBacks kRLCopyStringSetCallBacks = {RL_TABLE_OBJECTS(rl_element_copy_string),
                                                  .hash = RLHash};

static struct rl_table *create_set(const RLSetCallBacks *callbacks)
{
    return rl_table_create(RL_TYPE_SET, RL_TABLE_CALLBACKS(callbacks),
                           callbacks ? callbacks->hash : NULL, (struct rl_table_callbacks){0});
}

RLSetRef RLSetCreate(RLAllocatorRef allocator, const void **values, RLIndex count,
                     const RLSetCallBacks *callBacks)
{
    (void)allocator;
    if (count < 0 || (count > 0 && !values)) return NULL;
    struct rl_table *set = create_set(callBacks);
    for (RLIndex i = 0; i < count; i++) rl_table_put(set, values[i], NULL, RL_TABLE_ADD, __func__);
    return (RLSetRef)(const void *)set;
}

RLMutableSetRef RLSetCreateMutable(RLAllocatorRef allocator, RLIndex capacity,
                                   const RLSetCallBacks *callBacks)
{
    (void)allocator;
    if (capacity < 0) return NULL;
    struct rl_table *set = create_set(callBacks);
    set->is_mutable = true;
    return (RLMutableSetRef)(void *)set;
}

static const struct rl_table *checked_set(RLSetRef set, const char *function)
{
    return rl_table_checked(set, RL_TYPE_SET, function, "set");
}

static struct rl_table *checked_mutable_set(RLMutableSetRef set, const char *function)
{
    return rl_table_checked_mutable(set, RL_TYPE_SET, function, "set");
}

RLSetRef RLSetCreateCopy(RLAllocatorRef allocator, RLSetRef set)
{
    (void)allocator;
    return rl_table_copy(checked_set(set, __func__), false);
}

RLMutableSetRef RLSetCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity, RLSetRef set)
{
    (void)allocator;
    const struct rl_table *original = checked_set(set, __func__);
    return capacity < 0 ? NULL : (RLMutableSetRef)(uintptr_t)rl_table_copy(original, true);
}

RLIndex RLSetGetCount(RLSetRef set)
{
    return checked_set(set, __func__)->count;
}

Boolean RLSetContainsValue(RLSetRef set, const void *value)
{
    return rl_table_find(checked_set(set, __func__), value, __func__) != NULL;
}

RLIndex RLSetGetCountOfValue(RLSetRef set, const void *value)
{
    return rl_table_find(checked_set(set, __func__), value, __func__) != NULL;
}

const void *RLSetGetValue(RLSetRef set, const void *value)
{
    const struct rl_table_entry *entry = rl_table_find(checked_set(set, __func__), value, __func__);
    return entry ? entry->key : NULL;
}

Boolean RLSetGetValueIfPresent(RLSetRef set, const void *candidate, const void **value)
{
    const struct rl_table_entry *entry =
        rl_table_find(checked_set(set, __func__), candidate, __func__);
    if (entry && value) *value = entry->key;
    return entry != NULL;
}

void RLSetGetValues(RLSetRef set, const void **values)
{
    rl_table_list(checked_set(set, __func__), values, NULL);
}

void RLSetApplyFunction(RLSetRef set, RLSetApplierFunction applier, void *context)
{
    const struct rl_table *table = checked_set(set, __func__);
    if (!applier) rl_client_error(__func__, "argument `applier` must not be null");
    rl_table_visit(table, __func__,
                   ^(const struct rl_table_entry *entry) { applier(entry->key, context); });
}

void RLSetAddValue(RLMutableSetRef set, const void *value)
{
    rl_table_put(checked_mutable_set(set, __func__), value, NULL, RL_TABLE_ADD, __func__);
}

void RLSetReplaceValue(RLMutableSetRef set, const void *value)
{
    rl_table_put(checked_mutable_set(set, __func__), value, NULL, RL_TABLE_REPLACE, __func__);
}

void RLSetSetValue(RLMutableSetRef set, const void *value)
{
    rl_table_put(checked_mutable_set(set, __func__), value, NULL, RL_TABLE_SET, __func__);
}

void RLSetRemoveValue(RLMutableSetRef set, const void *value)
{
    rl_table_remove(checked_mutable_set(set, __func__), value, __func__);
}

void RLSetRemoveAllValues(RLMutableSetRef set)
{
    rl_table_clear(checked_mutable_set(set, __func__));
}

static const struct rl_class set_class = {
    .name = "RLSet",
    .destroy = rl_table_destroy,
    .equal = rl_table_equal,
    .hash = rl_table_hash,
    .copy_description = rl_table_describe,
};

RL_REGISTER_CLASS(RLSet, RL_TYPE_SET, set_class)
RL_DEFINE_SWIFT_COUNTS(set, RLSetRef)
