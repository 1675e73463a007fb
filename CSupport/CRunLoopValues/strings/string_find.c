#include "strings/characters.h"

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLMutableString.h>

#include <stdatomic.h>
#include <stdlib.h>

/* `text` and `word` are case-folded if the search ignores case. */
struct search {
    struct rl_units text;
    struct rl_units word;
    RLIndex offset;
    bool is_backwards;
    bool is_anchored;
};

static void fold_units(struct rl_units *units)
{
    for (RLIndex i = 0; i < units->count; i++) units->list[i] = (UniChar)rl_fold(units->list[i]);
}

/* `range` limits the text; null means the whole string. */
static void begin_search(struct search *search, RLStringRef string, RLStringRef word,
                         const RLRange *range, RLStringCompareFlags options, const char *function)
{
    rl_expect_string(word, function, "stringToFind");
    rl_expect_string(string, function, "string");
    rl_strings_lock(string, word);
    RLRange part = range ? *range : RLRangeMake(0, rl_string_count(string));
    rl_string_expect_range(string, part, function);
    rl_units_read(&search->text, string, part);
    rl_units_read(&search->word, word, RLRangeMake(0, rl_string_count(word)));
    rl_strings_unlock(string, word);
    search->offset = part.location;
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

/* Searches the range from `*from` to `*to`, and sets both to the rest of the range. */
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

static bool find_first(struct search *search, RLRange *ret_range)
{
    RLIndex from = 0, to = search->text.count;
    RLRange found;
    bool is_found = find_next(search, &from, &to, &found);
    if (is_found && ret_range) *ret_range = found;
    end_search(search);
    return is_found;
}

Boolean RLStringFindWithOptions(RLStringRef theString, RLStringRef stringToFind,
                                RLRange rangeToSearch, RLStringCompareFlags searchOptions,
                                RLRange *result)
{
    struct search search;
    begin_search(&search, theString, stringToFind, &rangeToSearch, searchOptions, __func__);
    return find_first(&search, result);
}

RLRange RLStringFind(RLStringRef theString, RLStringRef stringToFind,
                     RLStringCompareFlags compareOptions)
{
    RLRange result = {kRLNotFound, 0};
    struct search search;
    begin_search(&search, theString, stringToFind, NULL, compareOptions, __func__);
    find_first(&search, &result);
    return result;
}

/* --- Lists of ranges --- */

/* A range that clients read. It is reference-counted, because several arrays may contain it. */
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
    struct search search;
    begin_search(&search, theString, stringToFind, &rangeToSearch, compareOptions, __func__);
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
    RLStringRef whole = RLStringCreateCopy(NULL, theString);
    struct search search;
    begin_search(&search, whole, separatorString, NULL, 0, __func__);
    RLMutableArrayRef parts = RLArrayCreateMutable(alloc, 0, &kRLTypeArrayCallBacks);
    RLIndex from = 0, to = search.text.count, start = 0;
    for (RLRange found; find_next(&search, &from, &to, &found); start = from) {
        append_part(parts, whole, start, found.location);
    }
    append_part(parts, whole, start, to);
    end_search(&search);
    RLRelease(whole);
    return parts;
}
