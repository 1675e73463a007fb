/*
 * What arrays, sets, dictionaries and data have in common: ranges and mutability to be checked,
 * elements that are objects, and the description of an element.
 */

#ifndef RL_COLLECTION_H
#define RL_COLLECTION_H

#include "values/text.h"

/* Stops with a line unless an object may be changed. */
void rl_expect_mutable(RLTypeRef object, bool is_mutable, const char *function);

/* Stops with a line unless a range lies within the first `count` elements of an object. */
void rl_expect_range(RLTypeRef object, RLRange range, RLIndex count, const char *function);

/* Stops with a line unless the object was left alone while client code ran in between. */
void rl_expect_unchanged(RLTypeRef object, bool is_unchanged, const char *function);

/* The callbacks for elements that are objects. */
const void *rl_element_retain(RLAllocatorRef allocator, const void *value);
const void *rl_element_copy_string(RLAllocatorRef allocator, const void *value);
void rl_element_release(RLAllocatorRef allocator, const void *value);

/* Appends an element as its collection's callback describes it, or as a pointer. */
void rl_element_describe(struct rl_text *text, RLStringRef (*copy)(const void *value),
                         const void *value);

#endif
