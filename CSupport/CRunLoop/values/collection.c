/*
 * What collections have in common.
 */

#include "values/collection.h"

void rl_expect_mutable(RLTypeRef object, bool is_mutable, const char *function)
{
    if (RL_LIKELY(is_mutable)) return;
    rl_client_error(function, "%s %p cannot be changed: it is immutable",
                    rl_type_name(rl_type_of(object)), object);
}

void rl_expect_range(RLTypeRef object, RLRange range, RLIndex count, const char *function)
{
    /* The difference cannot overflow, a sum could. */
    bool is_within = range.location >= 0 && range.length >= 0 && range.location <= count &&
                     range.length <= count - range.location;
    if (RL_LIKELY(is_within)) return;
    rl_client_error(function, "the range from %ld of length %ld is not within the %ld of %s %p",
                    range.location, range.length, count, rl_type_name(rl_type_of(object)), object);
}

void rl_expect_unchanged(RLTypeRef object, bool is_unchanged, const char *function)
{
    if (RL_LIKELY(is_unchanged)) return;
    rl_client_error(function, "%s %p was changed by a function that was called to look at it",
                    rl_type_name(rl_type_of(object)), object);
}

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
