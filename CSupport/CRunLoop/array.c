/*
 * Immutable arrays, with their elements inside the object.
 */

#include "text.h"
#include "value.h"

struct rl_array {
    struct rl_object object;
    RLIndex count;
    RLArrayCallBacks callbacks;
    const void *values[];
};

static const void *retain_object(RLAllocatorRef allocator, const void *value)
{
    (void)allocator;
    return RLRetain(value);
}

static void release_object(RLAllocatorRef allocator, const void *value)
{
    (void)allocator;
    RLRelease(value);
}

const RLArrayCallBacks kRLTypeArrayCallBacks = {
    .version = 0,
    .retain = retain_object,
    .release = release_object,
    .copyDescription = RLCopyDescription,
    .equal = RLEqual,
};

RLTypeID RLArrayGetTypeID(void)
{
    return RL_TYPE_ARRAY;
}

RLArrayRef RLArrayCreate(RLAllocatorRef allocator, const void **values, RLIndex count,
                         const RLArrayCallBacks *callBacks)
{
    if (count < 0 || (count > 0 && !values)) return NULL;
    size_t size = sizeof(struct rl_array) + (size_t)count * sizeof values[0];
    struct rl_array *array = rl_object_create(RL_TYPE_ARRAY, size);
    array->count = count;
    if (callBacks) array->callbacks = *callBacks;
    for (RLIndex i = 0; i < count; i++) {
        const void *(*retain)(RLAllocatorRef, const void *) = array->callbacks.retain;
        array->values[i] = retain ? retain(allocator, values[i]) : values[i];
    }
    return (RLArrayRef)(const void *)array;
}

static const struct rl_array *checked(RLArrayRef array, const char *function)
{
    rl_expect(array, RL_TYPE_ARRAY, function, "array");
    return (const struct rl_array *)(const void *)array;
}

RLIndex RLArrayGetCount(RLArrayRef array)
{
    return checked(array, __func__)->count;
}

const void *RLArrayGetValueAtIndex(RLArrayRef array, RLIndex index)
{
    const struct rl_array *items = checked(array, __func__);
    if (index < 0 || index >= items->count) {
        rl_client_error(__func__, "index %ld of array %p is not below its count %ld", index,
                        (const void *)array, items->count);
    }
    return items->values[index];
}

static void destroy_array(struct rl_object *object)
{
    struct rl_array *array = (struct rl_array *)object;
    for (RLIndex i = 0; array->callbacks.release && i < array->count; i++) {
        array->callbacks.release(kRLAllocatorDefault, array->values[i]);
    }
    rl_object_free(object);
}

static Boolean arrays_are_equal(RLTypeRef first, RLTypeRef second)
{
    const struct rl_array *left = first, *right = second;
    if (left->count != right->count) return false;
    Boolean (*equal)(const void *, const void *) = left->callbacks.equal;
    for (RLIndex i = 0; i < left->count; i++) {
        const void *a = left->values[i], *b = right->values[i];
        if (a != b && (!equal || !equal(a, b))) return false;
    }
    return true;
}

static RLHashCode hash_array(RLTypeRef object)
{
    return (RLHashCode)((const struct rl_array *)object)->count;
}

static RLStringRef describe_array(RLTypeRef object)
{
    const struct rl_array *array = object;
    struct rl_text text = {0};
    rl_text_add(&text, "<RLArray %p>{count = %ld, values = (", object, array->count);
    for (RLIndex i = 0; i < array->count; i++) {
        RLStringRef (*copy)(const void *) = array->callbacks.copyDescription;
        rl_text_add(&text, "\n\t%ld : ", i);
        if (copy) {
            rl_text_add_string(&text, copy(array->values[i]));
        } else {
            rl_text_add(&text, "%p", array->values[i]);
        }
    }
    rl_text_add(&text, "\n)}");
    return rl_text_finish(&text);
}

const struct rl_class rl_array_class = {
    .name = "RLArray",
    .destroy = destroy_array,
    .equal = arrays_are_equal,
    .hash = hash_array,
    .copy_description = describe_array,
};
