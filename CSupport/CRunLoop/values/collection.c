#include "values/collection.h"

const void *rl_element_retain(RLAllocatorRef allocator, const void *value)
{
    (void)allocator;
    return RLRetain(value);
}

const void *rl_element_copy_string(RLAllocatorRef allocator, const void *value)
{
    return RLStringCreateCopy(allocator, value);
}

void rl_element_release(RLAllocatorRef allocator, const void *value)
{
    (void)allocator;
    RLRelease(value);
}

void rl_element_describe(struct rl_text *text, RLStringRef (*copy)(const void *value),
                         const void *value)
{
    if (copy) {
        rl_text_add_string(text, copy(value));
    } else {
        rl_text_add(text, "%p", value);
    }
}
