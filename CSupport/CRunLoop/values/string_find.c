/*
 * Finding strings in strings, splitting strings and joining them.
 */

#include "values/string.h"

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLMutableString.h>

#include <stdatomic.h>
#include <stdlib.h>

/* A word and the text in which it is looked for, both folded if case does not count. */
struct search {
    struct rl_units text;
    struct rl_units word;
    /* The place of the text in its string. */
    RLIndex offset;
    bool is_backwards;
    bool is_anchored;
};

static void fold_units(struct rl_units *units)
{
    for (RLIndex i = 0; i < units->count; i++) units->list[i] = (UniChar)rl_fold(units->list[i]);
}

static void begin_search(struct search *search, RLStringRef string, RLStringRef word, RLRange range,
                         RLStringCompareFlags options)
{
    rl_units_read(&search->text, string, range);
    rl_units_read(&search->word, word, RLRangeMake(0, RLStringGetLength(word)));
    search->offset = range.location;
    search->is_backwards = options & kRLCompareBackwards;
    search->is_anchored = options & kRLCompareAnchored;
    if (!(options & kRLCompareCaseInsensitive)) return;
    fold_units(&search->text);
    fold_units(&search->word);
}

static void end_search(struct search *search)
{
    rl_units_empty(&search->text);
    rl_units_empty(&search->word);
}

/*
 * Finds the next place of the word between `*from` and `*to`, and sets these to what is still to be
 * searched.
 */
static bool find_next(const struct search *search, RLIndex *from, RLIndex *to, RLRange *ret_range)
{
    RLIndex length = search->word.count, last = *to - length;
    if (length == 0) return false;
    RLIndex step = search->is_backwards ? -1 : 1;
    RLIndex at = search->is_backwards ? last : *from;
    for (; at >= *from && at <= last; at += step) {
        size_t size = (size_t)length * sizeof(UniChar);
        bool is_here = memcmp(search->text.list + at, search->word.list, size) == 0;
        if (!is_here && search->is_anchored) return false;
        if (!is_here) continue;
        *ret_range = RLRangeMake(search->offset + at, length);
        if (search->is_backwards) *to = at;
        if (!search->is_backwards) *from = at + length;
        return true;
    }
    return false;
}

static void expect_search(RLStringRef string, RLStringRef word, RLRange range, const char *function)
{
    rl_expect_string(word, function, "stringToFind");
    rl_string_expect_range(string, range, function);
}

Boolean RLStringFindWithOptions(RLStringRef theString, RLStringRef stringToFind,
                                RLRange rangeToSearch, RLStringCompareFlags searchOptions,
                                RLRange *result)
{
    expect_search(theString, stringToFind, rangeToSearch, __func__);
    struct search search;
    begin_search(&search, theString, stringToFind, rangeToSearch, searchOptions);
    RLIndex from = 0, to = search.text.count;
    RLRange found;
    bool is_found = find_next(&search, &from, &to, &found);
    end_search(&search);
    if (is_found && result) *result = found;
    return is_found;
}

RLRange RLStringFind(RLStringRef theString, RLStringRef stringToFind,
                     RLStringCompareFlags compareOptions)
{
    RLRange result = {kRLNotFound, 0};
    RLStringFindWithOptions(theString, stringToFind, RLRangeMake(0, RLStringGetLength(theString)),
                            compareOptions, &result);
    return result;
}

/* --- Lists of ranges --- */

/*
 * An element of such a list. It begins with the range, which clients read. It counts its
 * references, as several arrays may have it.
 */
struct place {
    RLRange range;
    atomic_uint references;
};

static const void *retain_place(RLAllocatorRef allocator, const void *value)
{
    (void)allocator;
    atomic_fetch_add(&((struct place *)(uintptr_t)value)->references, 1);
    return value;
}

static void release_place(RLAllocatorRef allocator, const void *value)
{
    (void)allocator;
    struct place *place = (struct place *)(uintptr_t)value;
    if (atomic_fetch_sub(&place->references, 1) == 1) free(place);
}

static RLStringRef describe_place(const void *value)
{
    const RLRange *range = value;
    return rl_string_format("{%ld, %ld}", range->location, range->length);
}

static Boolean places_are_equal(const void *first, const void *second)
{
    const RLRange *left = first, *right = second;
    return left->location == right->location && left->length == right->length;
}

static const RLArrayCallBacks place_callbacks = {.retain = retain_place,
                                                 .release = release_place,
                                                 .copyDescription = describe_place,
                                                 .equal = places_are_equal};

RLArrayRef RLStringCreateArrayWithFindResults(RLAllocatorRef alloc, RLStringRef theString,
                                              RLStringRef stringToFind, RLRange rangeToSearch,
                                              RLStringCompareFlags compareOptions)
{
    expect_search(theString, stringToFind, rangeToSearch, __func__);
    struct search search;
    begin_search(&search, theString, stringToFind, rangeToSearch, compareOptions);
    RLIndex from = 0, to = search.text.count;
    RLMutableArrayRef places = NULL;
    for (RLRange found; find_next(&search, &from, &to, &found);) {
        if (!places) places = RLArrayCreateMutable(alloc, 0, &place_callbacks);
        struct place *place = rl_allocate(sizeof *place);
        place->range = found;
        RLArrayAppendValue(places, place);
    }
    end_search(&search);
    return places;
}

/* --- Splitting and joining --- */

RLStringRef RLStringCreateByCombiningStrings(RLAllocatorRef alloc, RLArrayRef theArray,
                                             RLStringRef separatorString)
{
    (void)alloc;
    rl_expect_string(separatorString, __func__, "separatorString");
    RLMutableStringRef whole = RLStringCreateMutable(NULL, 0);
    RLIndex count = RLArrayGetCount(theArray);
    for (RLIndex i = 0; i < count; i++) {
        if (i > 0) RLStringAppend(whole, separatorString);
        RLStringAppend(whole, RLArrayGetValueAtIndex(theArray, i));
    }
    RLStringRef string = RLStringCreateCopy(NULL, whole);
    RLRelease(whole);
    return string;
}

static void append_part(RLMutableArrayRef parts, RLStringRef string, RLIndex start, RLIndex limit)
{
    RLStringRef part = RLStringCreateWithSubstring(NULL, string, RLRangeMake(start, limit - start));
    RLArrayAppendValue(parts, part);
    RLRelease(part);
}

RLArrayRef RLStringCreateArrayBySeparatingStrings(RLAllocatorRef alloc, RLStringRef theString,
                                                  RLStringRef separatorString)
{
    expect_search(theString, separatorString, RLRangeMake(0, 0), __func__);
    struct search search;
    RLRange all = {0, RLStringGetLength(theString)};
    begin_search(&search, theString, separatorString, all, 0);
    RLMutableArrayRef parts = RLArrayCreateMutable(alloc, 0, &kRLTypeArrayCallBacks);
    RLIndex from = 0, to = all.length, start = 0;
    for (RLRange found; find_next(&search, &from, &to, &found); start = from) {
        append_part(parts, theString, start, found.location);
    }
    append_part(parts, theString, start, all.length);
    end_search(&search);
    return parts;
}
