/*
 * The common part of arrays, sets and dictionaries: elements that are objects, and the description
 * of an element.
 */

#ifndef RL_COLLECTION_H
#define RL_COLLECTION_H

#include "values/text.h"

/* The callbacks of collections whose elements are objects. */
const void *rl_element_retain(RLAllocatorRef allocator, const void *value);
const void *rl_element_copy_string(RLAllocatorRef allocator, const void *value);
void rl_element_release(RLAllocatorRef allocator, const void *value);

/* Appends the description of an element by its collection's callback, or else its address. */
void rl_element_describe(struct rl_text *text, RLStringRef (*copy)(const void *value),
                         const void *value);

#endif
