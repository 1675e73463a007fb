/*
 * The header of every RL object. The first word distinguishes an object from a constant string: in
 * an object, it is a mark with the type; in a constant string, it has the first characters.
 */

#ifndef RL_OBJECT_H
#define RL_OBJECT_H

#include "base/at_load.h"
#include "base/check.h"
#include "base/lock.h"

#include <CRunLoop/RLObject.h>
#include <CRunLoop/RLString.h>

#include <stdatomic.h>
#include <string.h>

enum rl_type {
    RL_TYPE_NONE,
    RL_TYPE_STRING,
    RL_TYPE_ARRAY,
    RL_TYPE_LOOP,
    RL_TYPE_SOURCE,
    RL_TYPE_OBSERVER,
    RL_TYPE_TIMER,
    RL_TYPE_DATA,
    RL_TYPE_SET,
    RL_TYPE_DICTIONARY,
    RL_TYPE_NUMBER,
    RL_TYPE_BOOLEAN,
    RL_TYPE_NULL,
    RL_TYPE_FILE_DESCRIPTOR,
    RL_TYPE_TRACER,
    RL_TYPE_RECORDING,
    RL_TYPE_ALLOCATOR,
    RL_TYPE_DATE,
    RL_TYPE_ERROR,
    RL_TYPE_URL,
    RL_TYPE_TIME_ZONE,
    /* sockets/type_numbers.h and messages/type_numbers.h define the types from these numbers on. */
    RL_TYPES_OF_SOCKETS = 24,
    RL_TYPES_OF_MESSAGES = 28,
    RL_TYPE_LIMIT = 32
};

#define RL_OBJECT_MARK UINT64_C(0x524C4F424A454300)
#define RL_CONSTANT_OBJECT(type) {.mark = RL_OBJECT_MARK | (type), .references = 1}
/* A standard object is never destroyed, because its reference count cannot reach 0. */
#define RL_STANDARD_OBJECT(type) {.mark = RL_OBJECT_MARK | (type), .references = UINT32_C(1) << 30}
#define RL_DEAD_MARK UINT64_C(0x524C444541440000)

struct rl_object {
    uint64_t mark;
    atomic_uint references;
    /* Only items use the lock. It occupies padding. */
    struct rl_lock lock;
};

struct rl_class {
    const char *name;
    /* Called when the last reference was released; frees the object. */
    void (*destroy)(struct rl_object *object);
    /* Null if objects are equal only to themselves. */
    Boolean (*equal)(RLTypeRef first, RLTypeRef second);
    /* Null if the hash is the object's address. */
    RLHashCode (*hash)(RLTypeRef object);
    RLStringRef (*copy_description)(RLTypeRef object);
    /* Returns the text for the format `%@`; null if this text is the description. */
    RLStringRef (*copy_value)(RLTypeRef object);
    /* Objects of the type are not reference-counted. */
    bool is_constant;
};

/* Null for a type whose file is not linked. Only object.c and log_utilities.c use this. */
extern const struct rl_class *rl_classes[RL_TYPE_LIMIT];

/*
 * Defines the public function that returns the type number, and registers the class. Use this in
 * the file that creates the objects, so that the linker of a static program includes it.
 */
#define RL_REGISTER_CLASS(name, type, class)                                                       \
    RLTypeID name##GetTypeID(void)                                                                 \
    {                                                                                              \
        return type;                                                                               \
    }                                                                                              \
    RL_AT_LOAD static void register_##class(void)                                                  \
    {                                                                                              \
        rl_classes[type] = &(class);                                                               \
    }

/* The memory must be zeroed. */
static inline void rl_object_init(struct rl_object *object, enum rl_type type)
{
    object->mark = RL_OBJECT_MARK | type;
    atomic_init(&object->references, 1);
}

/* Returns a zeroed object with one reference. All allocation functions here abort on failure. */
void *rl_object_create(enum rl_type type, size_t size);

/* Overwrites the header first, so that the use of a dangling pointer is detected. */
void rl_object_free(struct rl_object *object);

/* Returns zeroed memory. */
void *rl_allocate(size_t size);
/* Returns zeroed memory that shares no cache line, for memory that several threads write to. */
void *rl_allocate_lines(size_t size);
/* Returns zeroed memory. A count of 0 allocates one element. */
void *rl_allocate_list(size_t count, size_t element_size);
void *rl_reallocate(void *memory, size_t size);

/* Returns the text for the format `%@`, which the caller releases. */
RLStringRef rl_object_copy_value(RLTypeRef object, const char *function);

RLHashCode rl_hash_bytes(const void *bytes, size_t length);

/* Returns false if the object is being destroyed. */
bool rl_object_try_retain(struct rl_object *object);

/* Does not check the object, unlike RLRetain: the object must be valid and not a constant. */
static inline void rl_object_retain(struct rl_object *object)
{
    atomic_fetch_add_explicit(&object->references, 1, memory_order_relaxed);
}

/*
 * Call this after a release if `references`, the count before the release, was 1 or 0. Destroys the
 * object, or aborts if the object was released too often.
 */
void rl_object_end(struct rl_object *object, unsigned references, const char *function);

static inline void rl_object_release(struct rl_object *object)
{
    unsigned references = atomic_fetch_sub(&object->references, 1);
    if (RL_UNLIKELY(references <= 1)) rl_object_end(object, references, "RLRelease");
}

enum rl_type rl_type_of(RLTypeRef object);
const char *rl_type_name(enum rl_type type);

static inline bool rl_string_is_constant(RLTypeRef object)
{
    return memcmp(object, RL_CONSTANT_STRING_MARK, sizeof RL_CONSTANT_STRING_MARK - 1) == 0;
}

static inline bool rl_is(RLTypeRef object, enum rl_type type)
{
    uint64_t mark;
    memcpy(&mark, object, sizeof mark);
    return mark == (RL_OBJECT_MARK | type);
}

__attribute__((noreturn, cold)) void rl_expect_failed(RLTypeRef object, enum rl_type type,
                                                      const char *function, const char *argument);

/* Aborts unless `object`, an argument of a public function, is of the type. */
static inline void rl_expect(RLTypeRef object, enum rl_type type, const char *function,
                             const char *argument)
{
    if (RL_UNLIKELY(!object || !rl_is(object, type))) {
        rl_expect_failed(object, type, function, argument);
    }
}

#define RL_EXPECT(argument, type) rl_expect(argument, type, __func__, #argument)

void rl_expect_mutable(RLTypeRef object, bool is_mutable, const char *function);

/* Aborts unless the range lies within `count` elements. */
void rl_expect_range(RLTypeRef object, RLRange range, RLIndex count, const char *function);

/* Aborts if `is_unchanged` is false: client code has changed the object during the function. */
void rl_expect_unchanged(RLTypeRef object, bool is_unchanged, const char *function);

#endif
