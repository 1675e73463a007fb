/*
 * Allocators of a client's functions, which CF for Linux has not.
 */

#include "scenario.h"
#include "value_words.h"

static const void *retain_logged(const void *info)
{
    note("retain");
    return info;
}

static void release_logged(const void *info)
{
    note("release");
}

static RLStringRef describe_logged(const void *info)
{
    return RLStringCreateWithFormat(NULL, NULL, RLSTR("number %ld"), (long)info);
}

static void *allocate_logged(RLIndex size, RLOptionFlags hint, void *info)
{
    note("allocate %ld %lu %ld", size, hint, (long)info);
    return malloc((size_t)size);
}

static void *reallocate_logged(void *memory, RLIndex size, RLOptionFlags hint, void *info)
{
    note("reallocate %ld %lu %ld", size, hint, (long)info);
    return realloc(memory, (size_t)size);
}

static void deallocate_logged(void *memory, void *info)
{
    note("deallocate %ld", (long)info);
    free(memory);
}

static RLIndex prefer_twice(RLIndex size, RLOptionFlags hint, void *info)
{
    return size > 100 ? 1 : 2 * size;
}

static RLAllocatorContext logged_context = {
    .info = (void *)7,
    .retain = retain_logged,
    .release = release_logged,
    .copyDescription = describe_logged,
    .allocate = allocate_logged,
    .reallocate = reallocate_logged,
    .deallocate = deallocate_logged,
    .preferredSize = prefer_twice,
};

static void allocator_of_functions(void)
{
    RLAllocatorRef allocator = RLAllocatorCreate(NULL, &logged_context);
    void *memory = RLAllocatorAllocate(allocator, 10, 3);
    memory = RLAllocatorReallocate(allocator, memory, 20, 0);
    RLAllocatorDeallocate(allocator, memory);
    note("nothing");
    check(!RLAllocatorAllocate(allocator, 0, 0) && !RLAllocatorAllocate(allocator, -1, 0));
    check(!RLAllocatorReallocate(allocator, NULL, 0, 0));
    RLAllocatorDeallocate(allocator, NULL);
    note("new");
    memory = RLAllocatorReallocate(allocator, NULL, 7, 1);
    check(!RLAllocatorReallocate(allocator, memory, 0, 0));
    note("%ld %ld %ld", RLAllocatorGetPreferredSizeForSize(allocator, 10, 0),
         RLAllocatorGetPreferredSizeForSize(allocator, 200, 0),
         RLAllocatorGetPreferredSizeForSize(allocator, 0, 0));
    RLAllocatorContext context;
    RLAllocatorGetContext(allocator, &context);
    check(context.info == (void *)7 && context.allocate == allocate_logged);
    RLRelease(allocator);
}
SCENARIO(allocator_of_functions,
         .title = "An allocator with functions calls them, but none for zero bytes",
         .clauses = "object base",
         .rl_only = true,
         .expected = "retain; allocate 10 3 7; reallocate 20 0 7; deallocate 7; nothing; new; "
                     "allocate 7 1 7; deallocate 7; 20 200 0; release")

static void allocator_without_functions(void)
{
    RLAllocatorRef allocator = RLAllocatorCreate(kRLAllocatorUseContext, &(RLAllocatorContext){0});
    char memory[8];

    check(!RLAllocatorAllocate(allocator, 5, 0) && !RLAllocatorReallocate(allocator, memory, 9, 0));
    RLAllocatorDeallocate(allocator, memory);
    note("%ld", RLAllocatorGetPreferredSizeForSize(allocator, 9, 0));
    RLRelease(allocator);
}
SCENARIO(allocator_without_functions,
         .title = "An allocator without functions has no memory",
         .clauses = "object base",
         .rl_only = true,
         .expected = "9")

static UInt8 *given(RLAllocatorRef allocator, const char *bytes, long size)
{
    return memcpy(RLAllocatorAllocate(allocator, size, 0), bytes, (size_t)size);
}

static void allocator_takes_memory(void)
{
    RLAllocatorRef allocator = RLAllocatorCreate(NULL, &logged_context);
    RLDataRef data = RLDataCreateWithBytesNoCopy(NULL, given(allocator, "abcd", 4), 4, allocator);
    note("data");
    RLRelease(data);
    RLReadStreamRef stream =
        RLReadStreamCreateWithBytesNoCopy(NULL, given(allocator, "abcd", 4), 4, allocator);
    note("stream");
    RLRelease(stream);
    const char *characters = (const char *)given(allocator, "abcd", 5);
    RLStringRef string =
        RLStringCreateWithCStringNoCopy(NULL, characters, kRLStringEncodingUTF8, allocator);
    note("string");
    RLRelease(string);
    RLAllocatorSetDefault(allocator);
    data = RLDataCreateWithBytesNoCopy(NULL, given(NULL, "abcd", 4), 4, NULL);
    RLAllocatorSetDefault(kRLAllocatorSystemDefault);
    RLRelease(allocator);
    note("default");
    RLRelease(data);
}
SCENARIO(allocator_takes_memory,
         .title = "Memory that was made over goes back to its allocator",
         .clauses = "object base",
         .rl_only = true,
         .expected = "retain; allocate 4 0 7; data; deallocate 7; allocate 4 0 7; stream; "
                     "deallocate 7; allocate 5 0 7; deallocate 7; string; allocate 4 0 7; default; "
                     "deallocate 7; release")

static void allocator_of_thread(void)
{
    elsewhere(^{
        RLAllocatorRef allocator = RLAllocatorCreate(NULL, &logged_context);
        RLAllocatorSetDefault(allocator);
        RLRelease(allocator);
        check(RLAllocatorGetDefault() == allocator);
        RLAllocatorDeallocate(NULL, RLAllocatorAllocate(NULL, 3, 0));
    });
}
SCENARIO(allocator_of_thread,
         .title = "A thread gives its default allocator up when it ends",
         .clauses = "object base",
         .rl_only = true,
         .expected = "retain; allocate 3 0 7; deallocate 7; release")

static void allocator_description(void)
{
    RLAllocatorRef allocator = RLAllocatorCreate(
        NULL, &(RLAllocatorContext){.info = (void *)7, .copyDescription = describe_logged});
    RLStringRef description = kept(RLCopyDescription(allocator));
    check(RLStringFind(description, RLSTR("{info = number 7}"), 0).location > 0);
    RLRelease(allocator);
}
SCENARIO(allocator_description,
         .title = "An allocator describes its info",
         .clauses = "object base",
         .rl_only = true)

STOPS(not_an_allocator, RLAllocatorAllocate((RLAllocatorRef)(const void *)RLSTR("x"), 1, 0),
      .title = "A string for an allocator stops the process", .clauses = "object base",
      .rl_only = true)

STOPS(no_such_type, RLCopyTypeIDDescription(9999), .title = "The name of no type stops the process",
      .clauses = "object base", .rl_only = true)

STOPS(immutable_string, RLStringAppend((RLMutableStringRef)(uintptr_t)text("x"), RLSTR("y")),
      .title = "Changing an immutable string stops the process", .clauses = "object base",
      .rl_only = true)

static void string_range_outside(void)
{
    RLMutableStringRef string = RLStringCreateMutable(NULL, 0);
    RLStringAppend(string, RLSTR("abc"));
    at_return(^{ RLRelease(string); });
    note("deleting");
    RLStringDelete(string, RLRangeMake(2, 2));
    note("deleted");
}
SCENARIO(string_range_outside,
         .title = "A range outside a mutable string stops the process",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "deleting; dies")

static void string_in_order(void)
{
    RLMutableStringRef string = RLStringCreateMutable(NULL, 0);
    for (int i = 0; i < 100; i++) {
        RLStringAppendFormat(string, NULL, RLSTR("%d"), i % 10);
        if (i == 50) RLStringAppend(string, RLSTR("\xF0\x9F\x98\x80"));
    }
    RLStringInlineBuffer buffer;
    RLStringInitInlineBuffer(string, &buffer, RLRangeMake(2, 99));
    bool is_same = true;
    for (RLIndex i = 0; i < 99; i++) {
        is_same &= RLStringGetCharacterFromInlineBuffer(&buffer, i) ==
                   RLStringGetCharacterAtIndex(string, 2 + i);
    }
    note_answer("forwards", is_same);
    for (RLIndex i = 98; i >= 0; i--) {
        is_same &= RLStringGetCharacterFromInlineBuffer(&buffer, i) ==
                   RLStringGetCharacterAtIndex(string, 2 + i);
    }
    note_answer("backwards", is_same);
    check(RLStringGetCharacterFromInlineBuffer(&buffer, -1) == 0);
    check(RLStringGetCharacterFromInlineBuffer(&buffer, 99) == 0);
    UniChar pair[2];
    check(RLStringGetSurrogatePairForLongCharacter(0x1F600, pair));
    check(RLStringIsSurrogateHighCharacter(pair[0]) && RLStringIsSurrogateLowCharacter(pair[1]));
    check(RLStringGetLongCharacterForSurrogatePair(pair[0], pair[1]) == 0x1F600);
    check(!RLStringGetSurrogatePairForLongCharacter('a', pair) && pair[0] == 'a');
    RLRelease(string);
}
SCENARIO(string_in_order,
         .title = "A string is read in order through a window",
         .clauses = "object base",
         .rl_only = true,
         .expected = "forwards: yes; backwards: yes")

static void errors_of_the_system(void)
{
    RLErrorRef error = kept_error(RLErrorCreate(NULL, kRLErrorDomainPOSIX, 111, NULL));

    note_text(kept(RLErrorCopyFailureReason(error)));
    note_text(kept(RLErrorCopyDescription(error)));
    note_text(kept(RLCopyDescription(error)));
    check(!RLErrorCopyFailureReason(kept_error(RLErrorCreate(NULL, kRLErrorDomainPOSIX, 0, NULL))));
    RLErrorRef outer = kept_error(RLErrorCreateWithUserInfoKeysAndValues(
        NULL, RLSTR("d"), 1, (const void *[]){kRLErrorUnderlyingErrorKey}, (const void *[]){error},
        1));
    check(RLStringFind(kept(RLCopyDescription(outer)),
                       RLSTR("{Error Domain=NSPOSIXErrorDomain Code=111"), 0)
              .location > 0);
}
SCENARIO(errors_of_the_system,
         .title = "An errno value has the system's words",
         .clauses = "object base",
         .rl_only = true,
         .expected = "\"Connection refused\"; \"The operation couldn\xE2\x80\x99t be completed. "
                     "Connection refused\"; \"Error Domain=NSPOSIXErrorDomain Code=111 "
                     "\"Connection refused\"\"")
