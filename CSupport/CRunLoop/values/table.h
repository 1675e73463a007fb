/*
 * The hash table that sets and dictionaries are made of: a set is a dictionary without values.
 *
 * Client code (the callbacks) finds the table in order. A callback that changes the table during a
 * look at it stops the process; a release callback may change it.
 */

#ifndef RL_TABLE_H
#define RL_TABLE_H

#include "values/collection.h"

/* The callbacks for keys, or for values; each may be null. */
struct rl_table_callbacks {
    const void *(*retain)(RLAllocatorRef allocator, const void *value);
    void (*release)(RLAllocatorRef allocator, const void *value);
    RLStringRef (*copy_description)(const void *value);
    Boolean (*equal)(const void *first, const void *second);
};

struct rl_table_entry {
    /* The hash of the key, spread and never 0; 0 if the entry is free. */
    uint64_t mark;
    const void *key;
    const void *value;
};

struct rl_table {
    struct rl_object object;
    bool is_mutable;
    /* The entries are two to the power of this, if there are any. */
    unsigned char width;
    RLIndex count;
    /* The number of changes so far. */
    uint64_t changes;
    struct rl_table_callbacks keys;
    struct rl_table_callbacks values;
    RLHashCode (*hash)(const void *key);
    struct rl_table_entry *entries;
};

/* The callbacks for elements that are objects, except the hash. */
#define RL_TABLE_OBJECTS(retain_function)                                                          \
    .version = 0, .retain = (retain_function), .release = rl_element_release,                      \
    .copyDescription = RLCopyDescription, .equal = RLEqual

/* The callbacks of a client's structure; a null pointer has none. */
#define RL_TABLE_CALLBACKS(client)                                                                 \
    ((client) ? (struct rl_table_callbacks){(client)->retain, (client)->release,                   \
                                            (client)->copyDescription, (client)->equal}            \
              : (struct rl_table_callbacks){0})

/* Makes an empty set or dictionary, depending on the type. */
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

/*
 * Returns the argument of a public function as a table. Stops with a line if it is of another type.
 */
static inline const struct rl_table *rl_table_checked(RLTypeRef object, enum rl_type type,
                                                      const char *function, const char *argument)
{
    rl_expect(object, type, function, argument);
    return object;
}

/* Like rl_table_checked, for a table that is to be changed. */
static inline struct rl_table *rl_table_checked_mutable(RLTypeRef object, enum rl_type type,
                                                        const char *function, const char *argument)
{
    rl_expect_mutable(object, rl_table_checked(object, type, function, argument)->is_mutable,
                      function);
    return (struct rl_table *)(uintptr_t)object;
}

/* When to store a key. */
enum rl_table_rule { RL_TABLE_ADD, RL_TABLE_REPLACE, RL_TABLE_SET };

/*
 * Returns a copy, which owns its elements; if the original and the copy are immutable, the original
 * itself, retained.
 */
const void *rl_table_copy(const struct rl_table *original, bool is_mutable);

/* Returns the entry of a key, or null. */
const struct rl_table_entry *rl_table_find(const struct rl_table *table, const void *key,
                                           const char *function);

/* Stores a key and its value: if it is absent, if it is present, or in any case. */
void rl_table_put(struct rl_table *table, const void *key, const void *value,
                  enum rl_table_rule rule, const char *function);

void rl_table_remove(struct rl_table *table, const void *key, const char *function);
void rl_table_clear(struct rl_table *table);

/*
 * Returns the first entry from `*position` on, or null, and moves the position behind it. Begin
 * with 0.
 */
const struct rl_table_entry *rl_table_next(const struct rl_table *table, size_t *position);

/* Calls a block, which must leave the table alone, with a copy of each entry. */
void rl_table_visit(const struct rl_table *table, const char *function,
                    void (^visit)(const struct rl_table_entry *entry));

/* Copies keys and values into lists, each of which may be null. */
void rl_table_list(const struct rl_table *table, const void **keys, const void **values);

/* For the classes. */
void rl_table_destroy(struct rl_object *object);
Boolean rl_table_equal(RLTypeRef first, RLTypeRef second);
RLHashCode rl_table_hash(RLTypeRef object);
RLStringRef rl_table_describe(RLTypeRef object);

#endif
