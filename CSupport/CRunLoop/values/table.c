/*
 * The table uses open addressing with linear probing, and is at most three quarters full. It stores
 * the hashes of its keys, so growing calls no client code. A removal moves later entries into the
 * gap, so there are no tombstones.
 */

#include "values/table.h"

#include <stdlib.h>

enum { first_width = 3 };

static size_t capacity_of(const struct rl_table *table)
{
    return table->entries ? (size_t)1 << table->width : 0;
}

/* Addresses differ only in few bits, but the product's high bits depend on all bits of the hash. */
static uint64_t mark_of(const struct rl_table *table, const void *key)
{
    RLHashCode hash = table->hash ? table->hash(key) : (RLHashCode)(uintptr_t)key;
    return (hash * UINT64_C(0x9E3779B97F4A7C15)) | 1;
}

static size_t home_of(const struct rl_table *table, uint64_t mark)
{
    return (size_t)(mark >> (64 - table->width));
}

static const void *retain_member(const struct rl_table_callbacks *callbacks, const void *value)
{
    return callbacks->retain ? callbacks->retain(kRLAllocatorDefault, value) : value;
}

static void release_member(const struct rl_table_callbacks *callbacks, const void *value)
{
    if (callbacks->release) callbacks->release(kRLAllocatorDefault, value);
}

static void release_entry(const struct rl_table *table, const struct rl_table_entry *entry)
{
    release_member(&table->values, entry->value);
    release_member(&table->keys, entry->key);
}

/* Returns the key's entry, or a free entry if the key is missing. The table must have entries. */
static size_t locate_key(const struct rl_table *table, uint64_t mark, const void *key,
                         const char *function)
{
    size_t mask = capacity_of(table) - 1, at = home_of(table, mark);
    uint64_t changes = table->changes;
    for (; table->entries[at].mark != 0; at = (at + 1) & mask) {
        const struct rl_table_entry *entry = &table->entries[at];
        if (entry->key == key) return at;
        if (entry->mark != mark || !table->keys.equal) continue;
        bool is_equal = table->keys.equal(entry->key, key);
        rl_expect_unchanged(table, table->changes == changes, function);
        if (is_equal) return at;
    }
    return at;
}

const struct rl_table_entry *rl_table_find(const struct rl_table *table, const void *key,
                                           const char *function)
{
    if (table->count == 0) return NULL;
    uint64_t mark = mark_of(table, key);
    /* The client's hash function may have emptied the table. */
    if (!table->entries) return NULL;
    const struct rl_table_entry *entry = &table->entries[locate_key(table, mark, key, function)];
    return entry->mark != 0 ? entry : NULL;
}

/* Adds an entry whose key is not in the table. */
static void place_entry(struct rl_table *table, const struct rl_table_entry *entry)
{
    size_t mask = capacity_of(table) - 1, at = home_of(table, entry->mark);
    while (table->entries[at].mark != 0) at = (at + 1) & mask;
    table->entries[at] = *entry;
}

static void grow_table(struct rl_table *table)
{
    struct rl_table_entry *entries = table->entries;
    size_t capacity = capacity_of(table);
    table->width = entries ? table->width + 1 : first_width;
    table->entries = rl_allocate_list((size_t)1 << table->width, sizeof *entries);
    for (size_t i = 0; i < capacity; i++) {
        if (entries[i].mark != 0) place_entry(table, &entries[i]);
    }
    free(entries);
}

void rl_table_put(struct rl_table *table, const void *key, const void *value,
                  enum rl_table_rule rule, const char *function)
{
    uint64_t mark = mark_of(table, key), changes = table->changes;
    size_t at = table->entries ? locate_key(table, mark, key, function) : 0;
    bool is_present = table->entries && table->entries[at].mark != 0;
    if (is_present ? rule == RL_TABLE_ADD : rule == RL_TABLE_REPLACE) return;
    const void *owned_value = retain_member(&table->values, value);
    struct rl_table_entry fresh = {mark, retain_member(&table->keys, key), owned_value};
    rl_expect_unchanged(table, table->changes == changes, function);
    table->changes++;
    if (is_present) {
        struct rl_table_entry old = table->entries[at];
        table->entries[at] = fresh;
        release_entry(table, &old);
        return;
    }
    size_t capacity = capacity_of(table);
    if ((size_t)table->count + 1 > capacity - capacity / 4) grow_table(table);
    place_entry(table, &fresh);
    table->count++;
}

/* Moves the later entries that a search would no longer find because of the gap. */
static void close_gap(struct rl_table *table, size_t gap)
{
    size_t mask = capacity_of(table) - 1;
    for (size_t at = (gap + 1) & mask; table->entries[at].mark != 0; at = (at + 1) & mask) {
        size_t way = (at - home_of(table, table->entries[at].mark)) & mask;
        if (way < ((at - gap) & mask)) continue;
        table->entries[gap] = table->entries[at];
        gap = at;
    }
    table->entries[gap] = (struct rl_table_entry){0};
}

void rl_table_remove(struct rl_table *table, const void *key, const char *function)
{
    const struct rl_table_entry *found = rl_table_find(table, key, function);
    if (!found) return;
    struct rl_table_entry old = *found;
    close_gap(table, (size_t)(found - table->entries));
    table->count--;
    table->changes++;
    release_entry(table, &old);
}

void rl_table_clear(struct rl_table *table)
{
    struct rl_table_entry *entries = table->entries;
    size_t capacity = capacity_of(table);
    table->entries = NULL;
    table->count = 0;
    table->changes++;
    for (size_t i = 0; i < capacity; i++) {
        if (entries[i].mark != 0) release_entry(table, &entries[i]);
    }
    free(entries);
}

const struct rl_table_entry *rl_table_next(const struct rl_table *table, size_t *position)
{
    size_t capacity = capacity_of(table);
    while (*position < capacity) {
        const struct rl_table_entry *entry = &table->entries[(*position)++];
        if (entry->mark != 0) return entry;
    }
    return NULL;
}

void rl_table_visit(const struct rl_table *table, const char *function,
                    void (^visit)(const struct rl_table_entry *entry))
{
    uint64_t changes = table->changes;
    const struct rl_table_entry *entry;
    for (size_t position = 0; (entry = rl_table_next(table, &position));) {
        struct rl_table_entry copy = *entry;
        visit(&copy);
        rl_expect_unchanged(table, table->changes == changes, function);
    }
}

void rl_table_list(const struct rl_table *table, const void **keys, const void **values)
{
    const struct rl_table_entry *entry;
    for (size_t position = 0; (entry = rl_table_next(table, &position));) {
        if (keys) *keys++ = entry->key;
        if (values) *values++ = entry->value;
    }
}

const void *rl_table_copy(const struct rl_table *original, bool is_mutable)
{
    if (!original->is_mutable && !is_mutable) return RLRetain(original);
    struct rl_table *copy = rl_object_create(rl_type_of(original), sizeof *copy);
    copy->is_mutable = is_mutable;
    copy->keys = original->keys;
    copy->values = original->values;
    copy->hash = original->hash;
    copy->count = original->count;
    if (!original->entries) return copy;
    copy->width = original->width;
    copy->entries = rl_allocate_list(capacity_of(original), sizeof *copy->entries);
    rl_table_visit(original, "RLRetain", ^(const struct rl_table_entry *entry) {
        const void *value = retain_member(&copy->values, entry->value);
        place_entry(copy, &(struct rl_table_entry){entry->mark,
                                                   retain_member(&copy->keys, entry->key), value});
    });
    return copy;
}

void rl_table_destroy(struct rl_object *object)
{
    rl_table_clear((struct rl_table *)object);
    rl_object_free(object);
}

Boolean rl_table_equal(RLTypeRef first, RLTypeRef second)
{
    const struct rl_table *left = first, *right = second;
    Boolean (*equal)(const void *, const void *) = left->values.equal;
    if (left->count != right->count || left->keys.equal != right->keys.equal) return false;
    if (equal != right->values.equal) return false;
    __block bool is_equal = true;
    rl_table_visit(left, "RLEqual", ^(const struct rl_table_entry *entry) {
        const struct rl_table_entry *twin =
            is_equal ? rl_table_find(right, entry->key, "RLEqual") : NULL;
        is_equal =
            twin && (twin->value == entry->value || (equal && equal(entry->value, twin->value)));
    });
    return is_equal;
}

RLHashCode rl_table_hash(RLTypeRef object)
{
    return (RLHashCode)((const struct rl_table *)object)->count;
}

RLStringRef rl_table_describe(RLTypeRef object)
{
    const struct rl_table *table = object;
    bool has_values = rl_is(object, RL_TYPE_DICTIONARY);
    __block struct rl_text text = {0};
    rl_text_add(&text, "<%s %p>{count = %ld, %s = (", rl_type_name(rl_type_of(object)), object,
                table->count, has_values ? "entries" : "values");
    rl_table_visit(table, "RLCopyDescription", ^(const struct rl_table_entry *entry) {
        rl_text_add(&text, "\n\t");
        rl_element_describe(&text, table->keys.copy_description, entry->key);
        if (!has_values) return;
        rl_text_add(&text, " = ");
        rl_element_describe(&text, table->values.copy_description, entry->value);
    });
    rl_text_add(&text, "\n)}");
    return rl_text_finish(&text);
}
