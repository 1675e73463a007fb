/* The standard allocators are static objects that are never destroyed. */

#include "base/system.h"

#include "base/swift_counts.h"
#include "values/text.h"

#include <CRunLoop/RLAllocator.h>

#include <pthread.h>
#include <stdlib.h>

struct rl_allocator {
    struct rl_object object;
    RLAllocatorContext context;
};

static void *allocate_by_malloc(RLIndex size, RLOptionFlags hint, void *info)
{
    (void)hint, (void)info;
    return malloc((size_t)size);
}

static void *reallocate_by_malloc(void *memory, RLIndex size, RLOptionFlags hint, void *info)
{
    (void)hint, (void)info;
    return realloc(memory, (size_t)size);
}

static void free_by_malloc(void *memory, void *info)
{
    (void)info;
    free(memory);
}

#define STANDARD_OBJECT RL_STANDARD_OBJECT(RL_TYPE_ALLOCATOR)

#define BY_MALLOC                                                                                  \
    {.allocate = allocate_by_malloc,                                                               \
     .reallocate = reallocate_by_malloc,                                                           \
     .deallocate = free_by_malloc}

static struct rl_allocator system_default = {.object = STANDARD_OBJECT, .context = BY_MALLOC};
static struct rl_allocator by_malloc = {.object = STANDARD_OBJECT, .context = BY_MALLOC};
static struct rl_allocator null = {.object = STANDARD_OBJECT};
static struct rl_allocator use_context = {.object = STANDARD_OBJECT};

const RLAllocatorRef kRLAllocatorDefault = NULL;
const RLAllocatorRef kRLAllocatorSystemDefault = (RLAllocatorRef)(const void *)&system_default;
const RLAllocatorRef kRLAllocatorMalloc = (RLAllocatorRef)(const void *)&by_malloc;
const RLAllocatorRef kRLAllocatorMallocZone = (RLAllocatorRef)(const void *)&by_malloc;
const RLAllocatorRef kRLAllocatorNull = (RLAllocatorRef)(const void *)&null;
const RLAllocatorRef kRLAllocatorUseContext = (RLAllocatorRef)(const void *)&use_context;

/* --- The default allocator --- */

static pthread_key_t default_key;
static pthread_once_t default_once = PTHREAD_ONCE_INIT;

static void release_default(void *allocator)
{
    RLRelease(allocator);
}

static void make_default_key(void)
{
    int result = pthread_key_create(&default_key, release_default);
    if (result != 0) {
        rl_client_error("pthread_key_create",
                        "no pthread key is left (error %d): delete unused keys with "
                        "pthread_key_delete",
                        result);
    }
}

RLAllocatorRef RLAllocatorGetDefault(void)
{
    pthread_once(&default_once, make_default_key);
    RLAllocatorRef allocator = pthread_getspecific(default_key);
    return allocator ? allocator : kRLAllocatorSystemDefault;
}

void RLAllocatorSetDefault(RLAllocatorRef allocator)
{
    if (!allocator) return;
    RL_EXPECT(allocator, RL_TYPE_ALLOCATOR);
    pthread_once(&default_once, make_default_key);
    void *old = pthread_getspecific(default_key);
    RLRetain(allocator);
    int result = pthread_setspecific(default_key, allocator);
    if (result != 0) {
        rl_client_error("pthread_setspecific",
                        "no memory for a thread's default allocator (error %d): raise the memory "
                        "limit of the process, or use less memory",
                        result);
    }
    if (old) RLRelease(old);
}

/* --- Allocators --- */

RLAllocatorRef RLAllocatorCreate(RLAllocatorRef allocator, RLAllocatorContext *context)
{
    (void)allocator;
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    struct rl_allocator *made = rl_object_create(RL_TYPE_ALLOCATOR, sizeof *made);
    made->context = *context;
    if (context->retain) made->context.info = (void *)(uintptr_t)context->retain(context->info);
    return (RLAllocatorRef)(const void *)made;
}

static const RLAllocatorContext *context_of(RLAllocatorRef allocator, const char *function)
{
    if (!allocator) allocator = RLAllocatorGetDefault();
    rl_expect(allocator, RL_TYPE_ALLOCATOR, function, "allocator");
    return &((const struct rl_allocator *)(const void *)allocator)->context;
}

static void *allocate_by(const RLAllocatorContext *context, RLIndex size, RLOptionFlags hint)
{
    if (size <= 0 || !context->allocate) return NULL;
    return context->allocate(size, hint, context->info);
}

static void deallocate_by(const RLAllocatorContext *context, void *memory)
{
    if (memory && context->deallocate) context->deallocate(memory, context->info);
}

void *RLAllocatorAllocate(RLAllocatorRef allocator, RLIndex size, RLOptionFlags hint)
{
    return allocate_by(context_of(allocator, __func__), size, hint);
}

void *RLAllocatorReallocate(RLAllocatorRef allocator, void *ptr, RLIndex newsize,
                            RLOptionFlags hint)
{
    const RLAllocatorContext *context = context_of(allocator, __func__);
    if (!ptr) return allocate_by(context, newsize, hint);
    if (newsize <= 0) {
        deallocate_by(context, ptr);
        return NULL;
    }
    return context->reallocate ? context->reallocate(ptr, newsize, hint, context->info) : NULL;
}

void RLAllocatorDeallocate(RLAllocatorRef allocator, void *ptr)
{
    deallocate_by(context_of(allocator, __func__), ptr);
}

RLIndex RLAllocatorGetPreferredSizeForSize(RLAllocatorRef allocator, RLIndex size,
                                           RLOptionFlags hint)
{
    const RLAllocatorContext *context = context_of(allocator, __func__);
    if (size <= 0) return 0;
    RLIndex preferred =
        context->preferredSize ? context->preferredSize(size, hint, context->info) : size;
    return preferred > size ? preferred : size;
}

void RLAllocatorGetContext(RLAllocatorRef allocator, RLAllocatorContext *context)
{
    const RLAllocatorContext *source = context_of(allocator, __func__);
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    *context = *source;
}

RLAllocatorRef RLGetAllocator(RLTypeRef object)
{
    if (rl_type_of(object) == RL_TYPE_NONE) {
        rl_client_error(__func__,
                        "argument `object` (%p) is not an RL object: pass an object of this "
                        "library that has not been released",
                        object);
    }
    return kRLAllocatorSystemDefault;
}

static void destroy_allocator(struct rl_object *object)
{
    const RLAllocatorContext *context = &((struct rl_allocator *)object)->context;
    if (context->release) context->release(context->info);
    rl_object_free(object);
}

static RLStringRef describe_allocator(RLTypeRef object)
{
    const RLAllocatorContext *context = &((const struct rl_allocator *)object)->context;
    struct rl_text text = {0};
    rl_text_add(&text, "<RLAllocator %p>{info = ", object);
    if (context->copyDescription) {
        rl_text_add_string(&text, context->copyDescription(context->info));
    } else {
        rl_text_add(&text, "%p", context->info);
    }
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

static const struct rl_class allocator_class = {
    .name = "RLAllocator",
    .destroy = destroy_allocator,
    .copy_description = describe_allocator,
};

RL_REGISTER_CLASS(RLAllocator, RL_TYPE_ALLOCATOR, allocator_class)
RL_DEFINE_SWIFT_COUNTS(allocator, RLAllocatorRef)
