#include "base/swift_counts.h"
#include "values/table.h"

#include <CRunLoop/RLDictionary.h>

const RLDictionaryKeyCallBacks kRLTypeDictionaryKeyCallBacks = {RL_TABLE_OBJECTS(rl_element_retain),
                                                                .hash = RLHash};
const RLDictionaryKeyCallBacks kRLCopyStringDictionaryKeyCallBacks = {
    RL_TABLE_OBJECTS(rl_element_copy_string), .hash = RLHash};
const RLDictionaryValueCallBacks kRLTypeDictionaryValueCallBacks = {
    RL_TABLE_OBJECTS(rl_element_retain)};

static struct rl_table *create_dictionary(const RLDictionaryKeyCallBacks *keys,
                                          const RLDictionaryValueCallBacks *values)
{
    return rl_table_create(RL_TYPE_DICTIONARY, RL_TABLE_CALLBACKS(keys), keys ? keys->hash : NULL,
                           RL_TABLE_CALLBACKS(values));
}

RLDictionaryRef RLDictionaryCreate(RLAllocatorRef allocator, const void **keys, const void **values,
                                   RLIndex count, const RLDictionaryKeyCallBacks *keyCallBacks,
                                   const RLDictionaryValueCallBacks *valueCallBacks)
{
    (void)allocator;
    if (count < 0 || (count > 0 && (!keys || !values))) return NULL;
    struct rl_table *dictionary = create_dictionary(keyCallBacks, valueCallBacks);
    for (RLIndex i = 0; i < count; i++) {
        rl_table_put(dictionary, keys[i], values[i], RL_TABLE_ADD, __func__);
    }
    return (RLDictionaryRef)(const void *)dictionary;
}

RLMutableDictionaryRef RLDictionaryCreateMutable(RLAllocatorRef allocator, RLIndex capacity,
                                                 const RLDictionaryKeyCallBacks *keyCallBacks,
                                                 const RLDictionaryValueCallBacks *valueCallBacks)
{
    (void)allocator;
    if (capacity < 0) return NULL;
    struct rl_table *dictionary = create_dictionary(keyCallBacks, valueCallBacks);
    dictionary->is_mutable = true;
    return (RLMutableDictionaryRef)(void *)dictionary;
}

static const struct rl_table *checked_dictionary(RLDictionaryRef dictionary, const char *function)
{
    return rl_table_checked(dictionary, RL_TYPE_DICTIONARY, function, "dictionary");
}

static struct rl_table *checked_mutable_dictionary(RLMutableDictionaryRef dictionary,
                                                   const char *function)
{
    return rl_table_checked_mutable(dictionary, RL_TYPE_DICTIONARY, function, "dictionary");
}

RLDictionaryRef RLDictionaryCreateCopy(RLAllocatorRef allocator, RLDictionaryRef dictionary)
{
    (void)allocator;
    return rl_table_copy(checked_dictionary(dictionary, __func__), false);
}

RLMutableDictionaryRef RLDictionaryCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity,
                                                     RLDictionaryRef dictionary)
{
    (void)allocator;
    const struct rl_table *original = checked_dictionary(dictionary, __func__);
    return capacity < 0 ? NULL : (RLMutableDictionaryRef)(uintptr_t)rl_table_copy(original, true);
}

RLIndex RLDictionaryGetCount(RLDictionaryRef dictionary)
{
    return checked_dictionary(dictionary, __func__)->count;
}

RLIndex RLDictionaryGetCountOfKey(RLDictionaryRef dictionary, const void *key)
{
    return rl_table_find(checked_dictionary(dictionary, __func__), key, __func__) != NULL;
}

static RLIndex count_values(RLDictionaryRef dictionary, const void *value, const char *function)
{
    const struct rl_table *table = checked_dictionary(dictionary, function);
    Boolean (*equal)(const void *, const void *) = table->values.equal;
    __block RLIndex count = 0;
    rl_table_visit(table, function, ^(const struct rl_table_entry *entry) {
        count += entry->value == value || (equal && equal(entry->value, value));
    });
    return count;
}

RLIndex RLDictionaryGetCountOfValue(RLDictionaryRef dictionary, const void *value)
{
    return count_values(dictionary, value, __func__);
}

Boolean RLDictionaryContainsKey(RLDictionaryRef dictionary, const void *key)
{
    return rl_table_find(checked_dictionary(dictionary, __func__), key, __func__) != NULL;
}

Boolean RLDictionaryContainsValue(RLDictionaryRef dictionary, const void *value)
{
    return count_values(dictionary, value, __func__) > 0;
}

const void *RLDictionaryGetValue(RLDictionaryRef dictionary, const void *key)
{
    const struct rl_table_entry *entry =
        rl_table_find(checked_dictionary(dictionary, __func__), key, __func__);
    return entry ? entry->value : NULL;
}

Boolean RLDictionaryGetKeyIfPresent(RLDictionaryRef dictionary, const void *key,
                                    const void **actualKey)
{
    const struct rl_table_entry *entry =
        rl_table_find(checked_dictionary(dictionary, __func__), key, __func__);
    if (entry && actualKey) *actualKey = entry->key;
    return entry != NULL;
}

Boolean RLDictionaryGetValueIfPresent(RLDictionaryRef dictionary, const void *key,
                                      const void **value)
{
    const struct rl_table_entry *entry =
        rl_table_find(checked_dictionary(dictionary, __func__), key, __func__);
    if (entry && value) *value = entry->value;
    return entry != NULL;
}

void RLDictionaryGetKeysAndValues(RLDictionaryRef dictionary, const void **keys,
                                  const void **values)
{
    rl_table_list(checked_dictionary(dictionary, __func__), keys, values);
}

void RLDictionaryApplyFunction(RLDictionaryRef dictionary, RLDictionaryApplierFunction applier,
                               void *context)
{
    const struct rl_table *table = checked_dictionary(dictionary, __func__);
    if (!applier) rl_client_error(__func__, "argument `applier` must not be null");
    rl_table_visit(table, __func__, ^(const struct rl_table_entry *entry) {
        applier(entry->key, entry->value, context);
    });
}

void RLDictionaryAddValue(RLMutableDictionaryRef dictionary, const void *key, const void *value)
{
    rl_table_put(checked_mutable_dictionary(dictionary, __func__), key, value, RL_TABLE_ADD,
                 __func__);
}

void RLDictionaryReplaceValue(RLMutableDictionaryRef dictionary, const void *key, const void *value)
{
    rl_table_put(checked_mutable_dictionary(dictionary, __func__), key, value, RL_TABLE_REPLACE,
                 __func__);
}

void RLDictionarySetValue(RLMutableDictionaryRef dictionary, const void *key, const void *value)
{
    rl_table_put(checked_mutable_dictionary(dictionary, __func__), key, value, RL_TABLE_SET,
                 __func__);
}

void RLDictionaryRemoveValue(RLMutableDictionaryRef dictionary, const void *key)
{
    rl_table_remove(checked_mutable_dictionary(dictionary, __func__), key, __func__);
}

void RLDictionaryRemoveAllValues(RLMutableDictionaryRef dictionary)
{
    rl_table_clear(checked_mutable_dictionary(dictionary, __func__));
}

static const struct rl_class dictionary_class = {
    .name = "RLDictionary",
    .destroy = rl_table_destroy,
    .equal = rl_table_equal,
    .hash = rl_table_hash,
    .copy_description = rl_table_describe,
};

RL_REGISTER_CLASS(RLDictionary, RL_TYPE_DICTIONARY, dictionary_class)
RL_DEFINE_SWIFT_COUNTS(dictionary, RLDictionaryRef)
