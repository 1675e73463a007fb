/*
 * A blocks runtime for builds of the scenarios on machines that Debian has none for: as much of it
 * as clang's code and the engine call, after the ABI of blocks (clang's Block-ABI-Apple). For tests
 * only.
 */

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* In the flags of a block, and of a __block variable. The lower half counts references. */
enum {
    ONE_REFERENCE = 2,
    REFERENCES = 0xFFFE,
    IS_COUNTED = 1 << 24,
    HAS_HELPERS = 1 << 25,
    IS_GLOBAL = 1 << 28
};

/* What is captured, in the flags of the two functions that a block's helpers call. */
enum { IS_BLOCK = 7, IS_VARIABLE = 8 };

struct descriptor {
    unsigned long reserved;
    unsigned long size;
    void (*copy)(void *copy, const void *original);
    void (*dispose)(const void *block);
};

struct block {
    void *isa;
    atomic_int flags;
    int reserved;
    void (*invoke)(void *block);
    const struct descriptor *descriptor;
};

struct variable {
    void *isa;
    struct variable *forwarding;
    atomic_int flags;
    unsigned size;
    /* Only with helpers. */
    void (*keep)(struct variable *copy, struct variable *original);
    void (*destroy)(struct variable *variable);
};

void *_NSConcreteStackBlock[32];
void *_NSConcreteGlobalBlock[32];
static void *heap_block[32];

void *_Block_copy(const void *original);
void _Block_release(const void *block);
void _Block_object_assign(void *place, const void *object, int kind);
void _Block_object_dispose(const void *object, int kind);

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory) abort();
    return memory;
}

/* Whether that was the last reference. */
static int drop(atomic_int *flags)
{
    return (atomic_fetch_sub(flags, ONE_REFERENCE) & REFERENCES) == ONE_REFERENCE;
}

void *_Block_copy(const void *original)
{
    struct block *block = (struct block *)(uintptr_t)original;
    if (!block || block->flags & IS_GLOBAL) return block;
    if (block->flags & IS_COUNTED) {
        atomic_fetch_add(&block->flags, ONE_REFERENCE);
        return block;
    }
    struct block *copy = allocate(block->descriptor->size);
    memcpy(copy, block, block->descriptor->size);
    copy->isa = heap_block;
    copy->flags = (block->flags & ~REFERENCES) | IS_COUNTED | ONE_REFERENCE;
    if (block->flags & HAS_HELPERS) block->descriptor->copy(copy, block);
    return copy;
}

void _Block_release(const void *released)
{
    struct block *block = (struct block *)(uintptr_t)released;
    if (!block || !(block->flags & IS_COUNTED) || !drop(&block->flags)) return;
    if (block->flags & HAS_HELPERS) block->descriptor->dispose(block);
    free(block);
}

/*
 * A variable moves to the heap with the first block, and the one on the stack then forwards to it.
 */
static struct variable *copy_variable(struct variable *original)
{
    struct variable *there = original->forwarding;
    if (there->flags & IS_COUNTED) {
        atomic_fetch_add(&there->flags, ONE_REFERENCE);
        return there;
    }
    struct variable *copy = allocate(original->size);
    memcpy(copy, original, original->size);
    /* One reference for the block, and one for the function that has the variable. */
    copy->flags = (original->flags & ~REFERENCES) | IS_COUNTED | 2 * ONE_REFERENCE;
    copy->forwarding = copy;
    original->forwarding = copy;
    if (copy->flags & HAS_HELPERS) original->keep(copy, original);
    return copy;
}

static void release_variable(struct variable *variable)
{
    struct variable *there = variable->forwarding;
    if (!(there->flags & IS_COUNTED) || !drop(&there->flags)) return;
    if (there->flags & HAS_HELPERS) there->destroy(there);
    free(there);
}

void _Block_object_assign(void *place, const void *object, int kind)
{
    const void *kept = object;
    if (kind == IS_BLOCK) kept = _Block_copy(object);
    if (kind == IS_VARIABLE) kept = copy_variable((struct variable *)(uintptr_t)object);
    memcpy(place, &kept, sizeof kept);
}

void _Block_object_dispose(const void *object, int kind)
{
    if (kind == IS_BLOCK) _Block_release(object);
    if (kind == IS_VARIABLE) release_variable((struct variable *)(uintptr_t)object);
}
