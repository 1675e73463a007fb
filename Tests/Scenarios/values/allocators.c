/*
 * Allocators: the standard ones, and the default one of each thread.
 */

#include "scenario.h"
#include "value_words.h"

static void allocator_memory(void)
{
    RLAllocatorRef allocators[] = {NULL, kRLAllocatorSystemDefault, kRLAllocatorMalloc};
    for (int i = 0; i < 3; i++) {
        char *memory = RLAllocatorAllocate(allocators[i], 4, 0);
        check(memory != NULL);
        memcpy(memory, "abc", 4);
        memory = RLAllocatorReallocate(allocators[i], memory, 4000, 0);
        note("%s", memory);
        check(RLAllocatorReallocate(allocators[i], memory, 0, 0) == NULL);
        RLAllocatorDeallocate(allocators[i], RLAllocatorReallocate(allocators[i], NULL, 7, 0));
        check(!RLAllocatorAllocate(allocators[i], 0, 0));
        check(!RLAllocatorAllocate(allocators[i], -1, 0));
        check(!RLAllocatorReallocate(allocators[i], NULL, 0, 0));
        RLAllocatorDeallocate(allocators[i], NULL);
        note("%ld %ld %ld", RLAllocatorGetPreferredSizeForSize(allocators[i], 10, 0),
             RLAllocatorGetPreferredSizeForSize(allocators[i], 0, 0),
             RLAllocatorGetPreferredSizeForSize(allocators[i], -3, 0));
    }
}
SCENARIO(allocator_memory,
         .title = "Allocators give memory, change its size and take it back; nothing is no memory",
         .clauses = "object base",
         .expected = "abc; 10 0 0; abc; 10 0 0; abc; 10 0 0")

static void allocator_of_nothing(void)
{
    char memory[8];

    check(!RLAllocatorAllocate(kRLAllocatorNull, 5, 0));
    check(!RLAllocatorReallocate(kRLAllocatorNull, memory, 3, 0));
    RLAllocatorDeallocate(kRLAllocatorNull, memory);
    note("%ld", RLAllocatorGetPreferredSizeForSize(kRLAllocatorNull, 9, 0));
}
SCENARIO(allocator_of_nothing,
         .title = "The null allocator has no memory and leaves memory alone",
         .clauses = "object base",
         .expected = "9")

static void allocator_defaults(void)
{
    check(RLAllocatorGetDefault() == kRLAllocatorSystemDefault);
    RLAllocatorSetDefault(kRLAllocatorMalloc);
    check(RLAllocatorGetDefault() == kRLAllocatorMalloc);
    RLAllocatorSetDefault(NULL);
    check(RLAllocatorGetDefault() == kRLAllocatorMalloc);
    elsewhere(^{ check(RLAllocatorGetDefault() == kRLAllocatorSystemDefault); });
    RLAllocatorSetDefault(kRLAllocatorNull);
    check(!RLAllocatorAllocate(NULL, 5, 0));
    RLAllocatorSetDefault(kRLAllocatorSystemDefault);
    check(RLAllocatorGetDefault() == kRLAllocatorSystemDefault);
}
SCENARIO(allocator_defaults,
         .title = "Each thread has a default allocator, which it can change",
         .clauses = "object base")

static void allocators_are_objects(void)
{
    check(RLGetTypeID(kRLAllocatorNull) == RLAllocatorGetTypeID());
    check(!RLEqual(kRLAllocatorMalloc, kRLAllocatorSystemDefault));
    check(RLEqual(kRLAllocatorMalloc, kRLAllocatorMalloc));
    check(RLGetAllocator(text("x")) == kRLAllocatorSystemDefault);
    check(RLGetAllocator(kRLAllocatorMalloc) == kRLAllocatorSystemDefault);
    RLRelease(RLRetain(kRLAllocatorMalloc));
    RLAllocatorContext context;
    memset(&context, 0xFF, sizeof context);
    RLAllocatorGetContext(kRLAllocatorSystemDefault, &context);
    note("%ld %d %d %d %d", context.version, context.allocate != NULL, context.reallocate != NULL,
         context.deallocate != NULL, context.preferredSize != NULL);
}
SCENARIO(allocators_are_objects,
         .title = "Allocators are objects; every object comes from the system's",
         .clauses = "object base",
         .expected = "0 1 1 1 0")

static void type_names(void)
{
    static RLTypeID (*const types[])(void) = {RLAllocatorGetTypeID, RLStringGetTypeID,
                                              RLArrayGetTypeID,     RLBooleanGetTypeID,
                                              RLRunLoopGetTypeID,   RLSocketGetTypeID};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char name[64] = "";
        RLStringGetCString(kept(RLCopyTypeIDDescription(types[i]())), name, sizeof name,
                           kRLStringEncodingUTF8);
        note("%s", name + 2);
    }
    RLStringRef string = text("x");
    check(RLMakeCollectable(string) == string);
}
SCENARIO(type_names,
         .title = "Types have names",
         .clauses = "object base",
         .expected = "Allocator; String; Array; Boolean; RunLoop; Socket")
