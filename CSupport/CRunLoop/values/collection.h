#ifndef RL_COLLECTION_H
#define RL_COLLECTION_H

#include "values/text.h"

const void *rl_element_retain(RLAllocatorRef allocator, const void *value);
const void *rl_element_copy_string(RLAllocatorRef allocator, const void *value);
void rl_element_release(RLAllocatorRef allocator, const void *value);

/* Appends the result of `copy`, or the address of the value if `copy` is null. */
void rl_element_describe(struct rl_text *text, RLStringRef (*copy)(const void *value),
                         const void *value);

#endif
