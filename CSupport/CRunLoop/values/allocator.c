/*
 * Allocators, which are only names: nothing is allocated but by malloc.
 */

#include <CRunLoop/RLBase.h>

struct RLOpaqueAllocator {
    const char *name;
};

static const struct RLOpaqueAllocator system_default = {"system default"};
static const struct RLOpaqueAllocator by_malloc = {"malloc"};
static const struct RLOpaqueAllocator null = {"null"};

const RLAllocatorRef kRLAllocatorDefault = NULL;
const RLAllocatorRef kRLAllocatorSystemDefault = &system_default;
const RLAllocatorRef kRLAllocatorMalloc = &by_malloc;
const RLAllocatorRef kRLAllocatorNull = &null;

RLAllocatorRef RLAllocatorGetDefault(void)
{
    return kRLAllocatorSystemDefault;
}
