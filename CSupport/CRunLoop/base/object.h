/*
 * The header of every RL object, its reference count, and the check of arguments.
 *
 * The first word distinguishes objects from other memory: a mark that holds the type, or the
 * leading characters of a constant string.
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
    /* Higher folders number their own types: sockets/type_numbers.h, messages/type_numbers.h. */
    RL_TYPES_OF_SOCKETS = 24,
    RL_TYPES_OF_MESSAGES = 28,
    RL_TYPE_LIMIT = 32
};

#define RL_OBJECT_MARK UINT64_C(0x524C4F424A454300)
#define RL_CONSTANT_OBJECT(type) {.mark = RL_OBJECT_MARK | (type), .references = 1}
/*
 * The header of a permanent object of the engine: its references are counted, and so numerous that
 * it is never destroyed.
 */
#define RL_STANDARD_OBJECT(type) {.mark = RL_OBJECT_MARK | (type), .references = UINT32_C(1) << 30}
#define RL_DEAD_MARK UINT64_C(0x524C444541440000)

struct rl_object {
    uint64_t mark;
    atomic_uint references;
    /* Guards an item; other objects do not use it. It fills padding. */
    struct rl_lock lock;
};

/* A type, for the functions of all objects. Each type fills one in. */
struct rl_class {
    const char *name;
    /* Called without references; frees the object. */
    void (*destroy)(struct rl_object *object);
    /* Null if objects are equal by address. */
    Boolean (*equal)(RLTypeRef first, RLTypeRef second);
    /* Null if the hash is the address. */
    RLHashCode (*hash)(RLTypeRef object);
    RLStringRef (*copy_description)(RLTypeRef object);
    /* Returns the object's text in formats; null for its description. */
    RLStringRef (*copy_value)(RLTypeRef object);
    /* The objects are constants, whose references are not counted. */
    bool is_constant;
};

/* The class of each linked type. Only object.c and log_utilities.c use it. */
extern const struct rl_class *rl_classes[RL_TYPE_LIMIT];

/*
 * Registers the class of a type, and defines the public function that returns its type number. Use
 * it in the file that creates the objects, so that a static program which creates one has the
 * class.
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

/* The memory is zeroed. The object has one reference. */
static inline void rl_object_init(struct rl_object *object, enum rl_type type)
{
    object->mark = RL_OBJECT_MARK | type;
    atomic_init(&object->references, 1);
}

/* Returns a zeroed object with one reference. Stops the process if there is no memory. */
void *rl_object_create(enum rl_type type, size_t size);

/* Poisons the header, so that a stale pointer is detected, and frees the memory. */
void rl_object_free(struct rl_object *object);

/* Returns zeroed memory. Stops the process if there is none. */
void *rl_allocate(size_t size);
/* Returns zeroed memory on cache lines of its own, for objects that several threads write to. */
void *rl_allocate_lines(size_t size);
/* Returns zeroed memory for `count` elements, or for one element if that is 0. */
void *rl_allocate_list(size_t count, size_t element_size);
void *rl_reallocate(void *memory, size_t size);

/* Returns the object's text in formats. The caller owns the string. */
RLStringRef rl_object_copy_value(RLTypeRef object, const char *function);

RLHashCode rl_hash_bytes(const void *bytes, size_t length);

/* Returns false if the object is being destroyed. */
bool rl_object_try_retain(struct rl_object *object);

/* Like RLRetain and RLRelease, for an object that is known to be valid and no constant. */
static inline void rl_object_retain(struct rl_object *object)
{
    atomic_fetch_add_explicit(&object->references, 1, memory_order_relaxed);
}

/*
 * Call this when a reference was released and the count before that was one or zero. Destroys the
 * object if it was one; stops the process if it was zero.
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

/* Stops the process unless a public function's argument is an object of the type. */
static inline void rl_expect(RLTypeRef object, enum rl_type type, const char *function,
                             const char *argument)
{
    if (RL_UNLIKELY(!object || !rl_is(object, type))) {
        rl_expect_failed(object, type, function, argument);
    }
}

#define RL_EXPECT(argument, type) rl_expect(argument, type, __func__, #argument)

/* Stops the process unless an object is mutable. */
void rl_expect_mutable(RLTypeRef object, bool is_mutable, const char *function);

/* Stops the process unless a range lies within the first `count` elements of an object. */
void rl_expect_range(RLTypeRef object, RLRange range, RLIndex count, const char *function);

/* Stops the process if client code has changed the object meanwhile. */
void rl_expect_unchanged(RLTypeRef object, bool is_unchanged, const char *function);

#endif
