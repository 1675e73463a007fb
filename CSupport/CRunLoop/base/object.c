#include "base/object.h"

#include <stdlib.h>

const struct rl_class *rl_classes[RL_TYPE_LIMIT];

void *rl_allocate(size_t size)
{
    /* calloc(3) is slow for small blocks, but large blocks are often zero already. */
    bool is_small = size <= 512;
    void *memory = is_small ? malloc(size) : calloc(1, size);
    if (!memory) {
        rl_client_error(
            "malloc",
            "no memory for %zu bytes: raise the memory limit of the process, or use less memory",
            size);
    }
    /* Prevents merging malloc and memset into calloc. */
    __asm__ volatile("" : "+r"(memory));
    return is_small ? memset(memory, 0, size) : memory;
}

void *rl_allocate_lines(size_t size)
{
    enum { LINE = 64 };
    size_t rounded = (size + LINE - 1) / LINE * LINE;
    void *memory = aligned_alloc(LINE, rounded);
    if (!memory) {
        rl_client_error(
            "aligned_alloc",
            "no memory for %zu bytes: raise the memory limit of the process, or use less memory",
            rounded);
    }
    return memset(memory, 0, size);
}

void *rl_allocate_list(size_t count, size_t element_size)
{
    void *memory = calloc(count > 0 ? count : 1, element_size);
    if (!memory) {
        rl_client_error(
            "calloc",
            "no memory for %zu elements: raise the memory limit of the process, or use less memory",
            count);
    }
    return memory;
}

void *rl_reallocate(void *memory, size_t size)
{
    void *moved = realloc(memory, size);
    if (!moved) {
        rl_client_error(
            "realloc",
            "no memory for %zu bytes: raise the memory limit of the process, or use less memory",
            size);
    }
    return moved;
}

void *rl_object_create(enum rl_type type, size_t size)
{
    struct rl_object *object = rl_allocate(size);
    rl_object_init(object, type);
    return object;
}

void rl_object_free(struct rl_object *object)
{
    object->mark = RL_DEAD_MARK;
    free(object);
}

RLHashCode rl_hash_bytes(const void *bytes, size_t length)
{
    uint64_t hash = 14695981039346656037u; /* The FNV-1a hash. */
    const unsigned char *next = bytes;
    for (size_t i = 0; i < length; i++) hash = (hash ^ next[i]) * 1099511628211u;
    return (RLHashCode)hash;
}

enum rl_type rl_type_of(RLTypeRef object)
{
    if (!object) return RL_TYPE_NONE;
    if (rl_string_is_constant(object)) return RL_TYPE_STRING;
    uint64_t mark;
    memcpy(&mark, object, sizeof mark);
    uint64_t type = mark ^ RL_OBJECT_MARK;
    return type < RL_TYPE_LIMIT && rl_classes[type] ? (enum rl_type)type : RL_TYPE_NONE;
}

const char *rl_type_name(enum rl_type type)
{
    return rl_classes[type] ? rl_classes[type]->name : "not an RL object";
}

void rl_expect_failed(RLTypeRef object, enum rl_type type, const char *function,
                      const char *argument)
{
    if (!object) {
        rl_client_error(function,
                        "argument `%s` is null: pass an %s, and check the result of the function "
                        "that created it",
                        argument, rl_type_name(type));
    }
    rl_client_error(function, "argument `%s` (%p) is %s%s: pass an %s that has not been released",
                    argument, object, rl_type_of(object) == RL_TYPE_NONE ? "" : "an ",
                    rl_type_name(rl_type_of(object)), rl_type_name(type));
}

void rl_expect_mutable(RLTypeRef object, bool is_mutable, const char *function)
{
    if (RL_LIKELY(is_mutable)) return;
    rl_client_error(function,
                    "%s %p is immutable and cannot be changed: change a mutable copy instead",
                    rl_type_name(rl_type_of(object)), object);
}

void rl_expect_range(RLTypeRef object, RLRange range, RLIndex count, const char *function)
{
    /* The sum of location and length could overflow. */
    bool is_within = range.location >= 0 && range.length >= 0 && range.location <= count &&
                     range.length <= count - range.location;
    if (RL_LIKELY(is_within)) return;
    rl_client_error(function,
                    "range {%ld, %ld} is out of bounds of %s %p: its location and length must lie "
                    "within the length %ld",
                    range.location, range.length, rl_type_name(rl_type_of(object)), object, count);
}

void rl_expect_unchanged(RLTypeRef object, bool is_unchanged, const char *function)
{
    if (RL_LIKELY(is_unchanged)) return;
    rl_client_error(function,
                    "%s %p was changed by its own callback: do not change a collection in its "
                    "equal, hash, applier or comparator function",
                    rl_type_name(rl_type_of(object)), object);
}

static const struct rl_class *class_of(RLTypeRef object, const char *function)
{
    enum rl_type type = rl_type_of(object);
    if (type != RL_TYPE_NONE) return rl_classes[type];
    rl_client_error(function,
                    "argument `object` (%p) is not an RL object: pass an object of this library "
                    "that has not been released",
                    object);
}

/* Returns null for a constant: constants are not reference-counted. */
static inline struct rl_object *counted_object(RLTypeRef object, const char *function)
{
    uint64_t mark = RL_OBJECT_MARK | RL_TYPE_NONE;
    /* A constant string may be unaligned. */
    if (RL_LIKELY(object)) memcpy(&mark, object, sizeof mark);
    /* Without a valid mark, the pointer refers to a constant string, or to no object at all. */
    uint64_t type = mark ^ RL_OBJECT_MARK;
    if (RL_LIKELY(type < RL_TYPE_LIMIT && rl_classes[type])) {
        return rl_classes[type]->is_constant ? NULL : (struct rl_object *)(uintptr_t)object;
    }
    class_of(object, function);
    return NULL;
}

bool rl_object_try_retain(struct rl_object *object)
{
    unsigned references = atomic_load_explicit(&object->references, memory_order_relaxed);
    do {
        if (references == 0) return false;
    } while (!atomic_compare_exchange_weak(&object->references, &references, references + 1));
    return true;
}

void rl_object_end(struct rl_object *object, unsigned references, const char *function)
{
    const struct rl_class *class = rl_classes[object->mark ^ RL_OBJECT_MARK];
    if (references == 1) class->destroy(object);
    if (references == 0) {
        rl_client_error(function,
                        "%s %p was released too often: release only references that you created, "
                        "copied or retained",
                        class->name, (void *)object);
    }
}

RLTypeRef RLRetain(RLTypeRef object)
{
    struct rl_object *header = counted_object(object, __func__);
    if (header) rl_object_retain(header);
    return object;
}

void RLRelease(RLTypeRef object)
{
    struct rl_object *header = counted_object(object, __func__);
    if (header) rl_object_release(header);
}

RLTypeRef RLMakeCollectable(RLTypeRef object)
{
    return object;
}

RLIndex RLGetRetainCount(RLTypeRef object)
{
    const struct rl_object *header = counted_object(object, __func__);
    return header ? (RLIndex)atomic_load(&header->references) : INT32_MAX;
}

RLTypeID RLGetTypeID(RLTypeRef object)
{
    class_of(object, __func__);
    return rl_type_of(object);
}

Boolean RLEqual(RLTypeRef first, RLTypeRef second)
{
    const struct rl_class *class = class_of(first, __func__);
    if (first == second) return true;
    if (class != class_of(second, __func__)) return false;
    return class->equal && class->equal(first, second);
}

RLHashCode RLHash(RLTypeRef object)
{
    const struct rl_class *class = class_of(object, __func__);
    return class->hash ? class->hash(object) : (RLHashCode)(uintptr_t)object;
}

RLStringRef RLCopyDescription(RLTypeRef object)
{
    return class_of(object, __func__)->copy_description(object);
}

RLStringRef rl_object_copy_value(RLTypeRef object, const char *function)
{
    const struct rl_class *class = class_of(object, function);
    return class->copy_value ? class->copy_value(object) : class->copy_description(object);
}
