/*
 * Allocators: the standard ones, and the default one of each thread.
 */

#include "value_words.h"

static void allocator_memory(void)
{
    E(AllocatorRef) allocators[] = {NULL, K(AllocatorSystemDefault), K(AllocatorMalloc)};
    for (int i = 0; i < 3; i++) {
        char *memory = E(AllocatorAllocate)(allocators[i], 4, 0);
        check(memory != NULL);
        memcpy(memory, "abc", 4);
        memory = E(AllocatorReallocate)(allocators[i], memory, 4000, 0);
        note("%s", memory);
        check(E(AllocatorReallocate)(allocators[i], memory, 0, 0) == NULL);
        E(AllocatorDeallocate)(allocators[i], E(AllocatorReallocate)(allocators[i], NULL, 7, 0));
        check(!E(AllocatorAllocate)(allocators[i], 0, 0));
        check(!E(AllocatorAllocate)(allocators[i], -1, 0));
        check(!E(AllocatorReallocate)(allocators[i], NULL, 0, 0));
        E(AllocatorDeallocate)(allocators[i], NULL);
        note("%ld %ld %ld", E(AllocatorGetPreferredSizeForSize)(allocators[i], 10, 0),
             E(AllocatorGetPreferredSizeForSize)(allocators[i], 0, 0),
             E(AllocatorGetPreferredSizeForSize)(allocators[i], -3, 0));
    }
}
SCENARIO(allocator_memory,
         .title = "Allocators give memory, change its size and take it back; nothing is no memory",
         .clauses = "object base",
         .expected = "abc; 10 0 0; abc; 10 0 0; abc; 10 0 0")

static void allocator_of_nothing(void)
{
    char memory[8];

    check(!E(AllocatorAllocate)(K(AllocatorNull), 5, 0));
    check(!E(AllocatorReallocate)(K(AllocatorNull), memory, 3, 0));
    E(AllocatorDeallocate)(K(AllocatorNull), memory);
    note("%ld", E(AllocatorGetPreferredSizeForSize)(K(AllocatorNull), 9, 0));
}
SCENARIO(allocator_of_nothing,
         .title = "The null allocator has no memory and leaves memory alone",
         .clauses = "object base",
         .expected = "9")

static void allocator_defaults(void)
{
    check(E(AllocatorGetDefault)() == K(AllocatorSystemDefault));
    E(AllocatorSetDefault)(K(AllocatorMalloc));
    check(E(AllocatorGetDefault)() == K(AllocatorMalloc));
    E(AllocatorSetDefault)(NULL);
    check(E(AllocatorGetDefault)() == K(AllocatorMalloc));
    elsewhere(^{ check(E(AllocatorGetDefault)() == K(AllocatorSystemDefault)); });
    E(AllocatorSetDefault)(K(AllocatorNull));
    check(!E(AllocatorAllocate)(NULL, 5, 0));
    E(AllocatorSetDefault)(K(AllocatorSystemDefault));
    check(E(AllocatorGetDefault)() == K(AllocatorSystemDefault));
}
SCENARIO(allocator_defaults,
         .title = "Each thread has a default allocator, which it can change",
         .clauses = "object base")

static void allocators_are_objects(void)
{
    check(E(GetTypeID)(K(AllocatorNull)) == E(AllocatorGetTypeID)());
    check(!E(Equal)(K(AllocatorMalloc), K(AllocatorSystemDefault)));
    check(E(Equal)(K(AllocatorMalloc), K(AllocatorMalloc)));
    check(E(GetAllocator)(text("x")) == K(AllocatorSystemDefault));
    check(E(GetAllocator)(K(AllocatorMalloc)) == K(AllocatorSystemDefault));
    E(Release)(E(Retain)(K(AllocatorMalloc)));
    E(AllocatorContext) context;
    memset(&context, 0xFF, sizeof context);
    E(AllocatorGetContext)(K(AllocatorSystemDefault), &context);
    note("%ld %d %d %d %d", context.version, context.allocate != NULL, context.reallocate != NULL,
         context.deallocate != NULL, context.preferredSize != NULL);
}
SCENARIO(allocators_are_objects,
         .title = "Allocators are objects; every object comes from the system's",
         .clauses = "object base",
         .expected = "0 1 1 1 0")

static void type_names(void)
{
    static E(TypeID) (*const types[])(void) = {E(AllocatorGetTypeID), E(StringGetTypeID),
                                               E(ArrayGetTypeID),     E(BooleanGetTypeID),
                                               E(RunLoopGetTypeID),   E(SocketGetTypeID)};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char name[64] = "";
        E(StringGetCString)(kept(E(CopyTypeIDDescription)(types[i]())), name, sizeof name,
                            K(StringEncodingUTF8));
        note("%s", name + 2);
    }
    E(StringRef) string = text("x");
    check(E(MakeCollectable)(string) == string);
}
SCENARIO(type_names,
         .title = "Types have names",
         .clauses = "object base",
         .expected = "Allocator; String; Array; Boolean; RunLoop; Socket")
