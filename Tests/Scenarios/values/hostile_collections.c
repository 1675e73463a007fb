/*
 * Collections used wrongly, by their users or by their own callbacks, and their descriptions.
 */

#include "scenario.h"
#include "value_words.h"

static void array_index(void)
{
    RLArrayRef array = plain_array(3);

    check(RLArrayCreate(NULL, NULL, 1, NULL) == NULL);
    check(RLArrayCreateMutable(NULL, -1, NULL) == NULL);
    note("asking");
    note_array(array);
    RLArrayGetValueAtIndex(array, 3);
    note("answered");
}
SCENARIO(array_index,
         .title = "An index beyond an array's end stops the process",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "asking; [0 1 2]; dies")

STOPS(array_insertion, RLArrayInsertValueAtIndex(plain_array(3), 4, plain(1)),
      .title = "Inserting beyond an array's end stops the process", .clauses = "object base",
      .rl_only = true)

STOPS(array_immutable,
      RLArrayAppendValue((RLMutableArrayRef)(void *)kept(RLArrayCreate(NULL, NULL, 0, NULL)),
                         plain(1)),
      .title = "A change of an immutable array stops the process", .clauses = "object base",
      .rl_only = true)

static void remove_first(const void *value, void *array)
{
    note("%ld", (long)value);
    RLArrayRemoveValueAtIndex(array, 0);
}

static void array_changed_while_visited(void)
{
    RLMutableArrayRef array = plain_array(3);

    RLArrayApplyFunction(array, RLRangeMake(0, 3), remove_first, array);
    note("visited");
}
SCENARIO(array_changed_while_visited,
         .title = "A visitor that changes its array stops the process",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "0; dies")

static RLMutableArrayRef array_that_releases;

static void append_what_left(RLAllocatorRef allocator, const void *value)
{
    if ((long)value < 10) RLArrayAppendValue(array_that_releases, plain((long)value + 10));
}

static void array_changed_in_release(void)
{
    static const RLArrayCallBacks callbacks = {.release = append_what_left};

    array_that_releases = RLArrayCreateMutable(NULL, 0, &callbacks);
    for (long i = 0; i < 5; i++) RLArrayAppendValue(array_that_releases, plain(i));
    RLArrayRemoveValueAtIndex(array_that_releases, 2);
    note_array(array_that_releases);
    RLArrayRemoveAllValues(array_that_releases);
    note_array(array_that_releases);
    RLArrayRemoveAllValues(array_that_releases);
    RLRelease(array_that_releases);
}
SCENARIO(array_changed_in_release,
         .title = "A release callback may change its array, which is in order then",
         .clauses = "object base",
         .rl_only = true,
         .expected = "[0 1 3 4 12]; [10 11 13 14]")

STOPS(array_null, RLArrayGetCount(NULL), .title = "A null array stops the process",
      .clauses = "object base", .rl_only = true)

static void set_immutable(void)
{
    RLSetRef set = kept(RLSetCreate(NULL, NULL, 0, NULL));

    check(RLSetCreate(NULL, NULL, 1, NULL) == NULL);
    check(RLSetCreate(NULL, NULL, -1, NULL) == NULL);
    note("changing");
    RLSetAddValue((RLMutableSetRef)(void *)set, plain(1));
    note("changed");
}
SCENARIO(set_immutable,
         .title = "A change of an immutable set stops the process",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "changing; dies")

static void add_to_set(const void *value, void *set)
{
    note("visited");
    RLSetAddValue(set, plain((long)value + 1));
}

static void set_changed_while_visited(void)
{
    RLMutableSetRef set = plain_set(1);

    RLSetApplyFunction(set, add_to_set, set);
    note("done");
}
SCENARIO(set_changed_while_visited,
         .title = "A visitor that changes its set stops the process",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "visited; dies")

static RLMutableSetRef set_that_compares;

static Boolean equal_after_emptying(const void *first, const void *second)
{
    RLSetRemoveAllValues(set_that_compares);
    return first == second;
}

static RLHashCode same_hash(const void *value)
{
    return 1;
}

static void set_changed_while_searched(void)
{
    static const RLSetCallBacks callbacks = {.equal = equal_after_emptying, .hash = same_hash};

    set_that_compares = RLSetCreateMutable(NULL, 0, &callbacks);
    RLSetAddValue(set_that_compares, plain(1));
    note("searching");
    RLSetContainsValue(set_that_compares, plain(2));
    note("found");
}
SCENARIO(set_changed_while_searched,
         .title = "A comparison that changes its set stops the process",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "searching; dies")

static RLHashCode hash_of_one(const void *value)
{
    return (long)value < 1000 ? 1 : 2;
}

static void set_of_collisions(void)
{
    static const RLSetCallBacks callbacks = {.hash = hash_of_one};
    RLMutableSetRef set = RLSetCreateMutable(NULL, 0, &callbacks);
    long wrong = 0;

    kept(set);
    for (long i = 0; i < 300; i++) RLSetAddValue(set, plain(i));
    for (long i = 1000; i < 1010; i++) RLSetAddValue(set, plain(i));
    for (long i = 0; i < 300; i += 3) RLSetRemoveValue(set, plain(i));
    for (long i = 0; i < 300; i++) wrong += RLSetContainsValue(set, plain(i)) == (i % 3 == 0);
    for (long i = 1000; i < 1010; i++) wrong += !RLSetContainsValue(set, plain(i));
    check(wrong == 0);
    check(RLSetGetCount(set) == 210);
}
SCENARIO(set_of_collisions,
         .title = "A set finds its elements even if all their hashes are the same",
         .clauses = "object base",
         .rl_only = true)

STOPS(dictionary_immutable,
      RLDictionarySetValue((RLMutableDictionaryRef)(void *)kept(RLDictionaryCreate(NULL, NULL, NULL,
                                                                                   0, NULL, NULL)),
                           plain(1), plain(2)),
      .title = "A change of an immutable dictionary stops the process", .clauses = "object base",
      .rl_only = true)

static void dictionary_of_null_object(void)
{
    RLMutableDictionaryRef dictionary = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);

    note("adding");
    RLDictionaryAddValue(dictionary, text("key"), NULL);
    note("added");
}
SCENARIO(dictionary_of_null_object,
         .title = "Null is no object that a dictionary could hold",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "adding; dies")

static void described_values(void)
{
    const void *keys[] = {text("key")}, *values[] = {text("value")};
    RLDictionaryRef dictionary = kept(RLDictionaryCreate(
        NULL, keys, values, 1, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks));
    RLSetRef set = kept(RLSetCreate(NULL, keys, 1, &kRLTypeSetCallBacks));

    HAS_PIECES(dictionary, "<RLDictionary 0x", ">{count = 1, entries = (", "key = value", ")}");
    HAS_PIECES(set, "<RLSet 0x", ">{count = 1, values = (", "key", ")}");
    HAS_PIECES(plain_set(1), "<RLSet 0x", null_text());
    HAS_PIECES(plain_array(2), "<RLArray 0x", ">{count = 2, values = (", null_text(), "1 : 0x");
    HAS_PIECES(data_of("abc"), "<RLData 0x", ">{length = 3, capacity = 3, bytes = 0x616263}");
    HAS_PIECES(data_of("0123456789012345678901234"), "length = 25",
               "bytes = 0x30313233343536373839303132333435 ... 3738393031323334}");
}
SCENARIO(described_values,
         .title = "Collections and data are described by what they hold",
         .clauses = "object base",
         .rl_only = true)
