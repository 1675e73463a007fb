/*
 * The hash table of sets and dictionaries. A set is a dictionary without values.
 *
 * If a callback changes the table during a lookup, the process aborts. A release callback sees a
 * consistent table, and may change it.
 */

#ifndef RL_TABLE_H
#define RL_TABLE_H

#include "values/collection.h"

/* Each callback may be null. */
struct rl_table_callbacks {
    const void *(*retain)(RLAllocatorRef allocator, const void *value);
    void (*release)(RLAllocatorRef allocator, const void *value);
    RLStringRef (*copy_description)(const void *value);
    Boolean (*equal)(const void *first, const void *second);
};

struct rl_table_entry {
    /* The key's hash times a constant, with the lowest bit set. A mark of 0 is a free entry. */
    uint64_t mark;
    const void *key;
    const void *value;
};

struct rl_table {
    struct rl_object object;
    bool is_mutable;
    /* The binary logarithm of the number of entries. */
    unsigned char width;
    RLIndex count;
    /* Counts changes, so that a lookup detects if a callback has changed the table. */
    uint64_t changes;
    struct rl_table_callbacks keys;
    struct rl_table_callbacks values;
    RLHashCode (*hash)(const void *key);
    struct rl_table_entry *entries;
};

/* The callbacks for elements that are objects, without the hash function. */
#define RL_TABLE_OBJECTS(retain_function)                                                          \
    .version = 0, .retain = (retain_function), .release = rl_element_release,                      \
    .copyDescription = RLCopyDescription, .equal = RLEqual

/* If the client passes a null pointer, there are no callbacks. */
#define RL_TABLE_CALLBACKS(client)                                                                 \
    ((client) ? (struct rl_table_callbacks){(client)->retain, (client)->release,                   \
                                            (client)->copyDescription, (client)->equal}            \
              : (struct rl_table_callbacks){0})

/* `type` is the type number of sets or dictionaries. The caller releases the table. */
static inline struct rl_table *rl_table_create(enum rl_type type, struct rl_table_callbacks keys,
                                               RLHashCode (*hash)(const void *key),
                                               struct rl_table_callbacks values)
{
    struct rl_table *table = rl_object_create(type, sizeof *table);
    table->keys = keys;
    table->hash = hash;
    table->values = values;
    return table;
}

/* Aborts unless `object`, an argument of a public function, is of the type. */
static inline const struct rl_table *rl_table_checked(RLTypeRef object, enum rl_type type,
                                                      const char *function, const char *argument)
{
    rl_expect(object, type, function, argument);
    return object;
}

/* Aborts unless `object` is of the type and mutable. */
static inline struct rl_table *rl_table_checked_mutable(RLTypeRef object, enum rl_type type,
                                                        const char *function, const char *argument)
{
    rl_expect_mutable(object, rl_table_checked(object, type, function, argument)->is_mutable,
                      function);
    return (struct rl_table *)(uintptr_t)object;
}

enum rl_table_rule { RL_TABLE_ADD, RL_TABLE_REPLACE, RL_TABLE_SET };

/*
 * Returns a copy that retains the elements. If the original and the copy are immutable, returns the
 * original, retained.
 */
const void *rl_table_copy(const struct rl_table *original, bool is_mutable);

const struct rl_table_entry *rl_table_find(const struct rl_table *table, const void *key,
                                           const char *function);

/* The rule determines whether only an absent key, only a present key, or any key is stored. */
void rl_table_put(struct rl_table *table, const void *key, const void *value,
                  enum rl_table_rule rule, const char *function);

void rl_table_remove(struct rl_table *table, const void *key, const char *function);
void rl_table_clear(struct rl_table *table);

/* Iterates over the used entries from position 0. Returns null at the end. */
const struct rl_table_entry *rl_table_next(const struct rl_table *table, size_t *position);

/* Passes a copy of each entry to the block, which must not change the table. */
void rl_table_visit(const struct rl_table *table, const char *function,
                    void (^visit)(const struct rl_table_entry *entry));

/* Each array may be null. */
void rl_table_list(const struct rl_table *table, const void **keys, const void **values);

/* The functions in the struct rl_class of sets and dictionaries. */
void rl_table_destroy(struct rl_object *object);
Boolean rl_table_equal(RLTypeRef first, RLTypeRef second);
RLHashCode rl_table_hash(RLTypeRef object);
RLStringRef rl_table_describe(RLTypeRef object);

#endif
