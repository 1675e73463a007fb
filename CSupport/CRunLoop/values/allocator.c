/*
 * Allocators, which are only names: nothing is allocated but by malloc.
 */

#include <CRunLoop/RLBase.h>

struct __CFAllocator {
    const char *name;
};

static const struct __CFAllocator system_default = {"system default"};
static const struct __CFAllocator by_malloc = {"malloc"};
static const struct __CFAllocator null = {"null"};

const RLAllocatorRef kRLAllocatorDefault = NULL;
const RLAllocatorRef kRLAllocatorSystemDefault = &system_default;
const RLAllocatorRef kRLAllocatorMalloc = &by_malloc;
const RLAllocatorRef kRLAllocatorNull = &null;

RLAllocatorRef RLAllocatorGetDefault(void)
{
    return kRLAllocatorSystemDefault;
}
