/*
 * The common part of arrays, sets and dictionaries: callbacks for elements that are objects, and
 * descriptions of elements.
 */

#ifndef RL_COLLECTION_H
#define RL_COLLECTION_H

#include "values/text.h"

const void *rl_element_retain(RLAllocatorRef allocator, const void *value);
const void *rl_element_copy_string(RLAllocatorRef allocator, const void *value);
void rl_element_release(RLAllocatorRef allocator, const void *value);

/*
 * Appends the result of the collection's `copyDescription` or, if that is null, the element's
 * address.
 */
void rl_element_describe(struct rl_text *text, RLStringRef (*copy)(const void *value),
                         const void *value);

#endif
