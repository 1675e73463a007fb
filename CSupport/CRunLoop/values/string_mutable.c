/*
 * Mutable strings. Each function that changes one has it locked meanwhile, but not while it calls
 * the client for a description. Nobody is kept from reading: a client that reads what another
 * thread changes has to lock it.
 *
 * The text is inner text in memory of its own, which doubles. All changes go through
 * `replace_inner`, which splits pairs of surrogates at the ends of the range, and joins halves that
 * meet.
 */

#include "values/string.h"

#include <CRunLoop/RLMutableString.h>
#include <stdarg.h>
#include <stdlib.h>

enum { first_capacity = 32 };

static struct rl_mutable_string *create_mutable_string(void)
{
    struct rl_mutable_string *made = rl_object_create(RL_TYPE_STRING, sizeof *made);
    made->capacity = first_capacity;
    made->string.characters = rl_allocate(first_capacity);
    return made;
}

static RLMutableStringRef string_reference(struct rl_mutable_string *string)
{
    return (RLMutableStringRef)(void *)string;
}

static void unlock_mutable_string(struct rl_mutable_string *self) RL_UNCHECKED_LOCKING
{
    rl_unlock(&self->string.object.lock);
}

static struct rl_mutable_string *lock_mutable_string(RLMutableStringRef string,
                                                     const char *function) RL_UNCHECKED_LOCKING
{
    rl_expect_string(string, function, "string");
    rl_expect_mutable(string, !rl_string_is_constant(string), function);
    struct rl_mutable_string *self = (struct rl_mutable_string *)(void *)string;
    rl_lock(&self->string.object.lock);
    /* The characters of an immutable string stay where they are; those of others move. */
    if (!rl_string_owns_memory(&self->string)) {
        unlock_mutable_string(self);
        rl_expect_mutable(string, false, function);
    }
    return self;
}

static struct rl_mutable_string *checked_mutable_string(RLMutableStringRef string,
                                                        const char *function)
{
    struct rl_mutable_string *self = lock_mutable_string(string, function);
    unlock_mutable_string(self);
    return self;
}

static void reserve_inner(struct rl_mutable_string *self, size_t length)
{
    if (length < self->capacity) return;
    self->capacity = length < self->capacity * 2 ? self->capacity * 2 : length + 1;
    self->string.characters = rl_reallocate(self->string.characters, self->capacity);
}

/* Replaces bytes by others that are not in the string's own memory. Does not count units. */
static void splice_inner(struct rl_mutable_string *self, size_t start, size_t end,
                         const char *bytes, size_t count)
{
    reserve_inner(self, self->length - (end - start) + count);
    char *place = self->string.characters + start;
    memmove(place + count, self->string.characters + end, self->length - end + 1);
    memcpy(place, bytes, count);
    self->length = self->length - (end - start) + count;
}

/* Returns the place of a unit. Splits a pair if the unit is its second half. */
static size_t part_at(struct rl_mutable_string *self, RLIndex index)
{
    if (index == self->units) return self->length;
    struct rl_utf16 cursor = rl_string_seek(string_reference(self), index);
    size_t place = (size_t)((const char *)cursor.next - self->string.characters);
    if (!cursor.pending) return place;
    struct rl_utf16 pair = rl_utf16_begin(self->string.characters + place - 4);
    char halves[10];
    size_t length = rl_inner_encode((uint32_t)rl_utf16_next(&pair), halves);
    length += rl_inner_encode(cursor.pending, halves + length);
    splice_inner(self, place - 4, place, halves, length);
    return place - 4 + length / 2;
}

/* Joins the halves of a pair that meet at a place. */
static void join_at(struct rl_mutable_string *self, size_t place)
{
    if (place < 3 || place > self->length - 3 || self->length < 6) return;
    const char *text = self->string.characters;
    if (text[place - 3] != '\xED' || text[place] != '\xED') return;
    struct rl_utf16 left = rl_utf16_begin(text + place - 3), right = rl_utf16_begin(text + place);
    int32_t high = rl_utf16_next_point(&left), low = rl_utf16_next_point(&right);
    if (!rl_is_high_surrogate(high) || !rl_is_low_surrogate(low)) return;
    char pair[5];
    size_t length = rl_inner_encode(rl_join_surrogates(high, low), pair);
    splice_inner(self, place - 3, place + 3, pair, length);
}

static void replace_by_other_inner(struct rl_mutable_string *self, RLRange range, const char *inner)
{
    size_t count = strlen(inner);
    size_t start = part_at(self, range.location);
    size_t end = part_at(self, range.location + range.length);
    splice_inner(self, start, end, inner, count);
    self->units += rl_inner_count(inner) - range.length;
    join_at(self, start + count);
    join_at(self, start);
}

/* Replaces a range that the string has by inner text, which may be in its own memory. */
static void replace_inner(struct rl_mutable_string *self, RLRange range, const char *inner)
{
    uintptr_t distance = (uintptr_t)inner - (uintptr_t)self->string.characters;
    if (distance >= self->capacity) {
        replace_by_other_inner(self, range, inner);
        return;
    }
    struct rl_text copy = {0};
    rl_text_add_bytes(&copy, inner, strlen(inner));
    replace_by_other_inner(self, range, copy.characters);
    free(copy.characters);
}

static RLRange all_of(const struct rl_mutable_string *self)
{
    return RLRangeMake(0, self->units);
}

static RLRange end_of(const struct rl_mutable_string *self)
{
    return RLRangeMake(self->units, 0);
}

static void replace_by_text(struct rl_mutable_string *self, RLRange range, struct rl_text *text)
{
    replace_inner(self, range, text->characters ? text->characters : "");
    free(text->characters);
}

/* --- Making --- */

RLMutableStringRef RLStringCreateMutable(RLAllocatorRef allocator, RLIndex maxLength)
{
    (void)allocator, (void)maxLength;
    return string_reference(create_mutable_string());
}

RLMutableStringRef RLStringCreateMutableCopy(RLAllocatorRef allocator, RLIndex maxLength,
                                             RLStringRef string)
{
    (void)allocator, (void)maxLength;
    rl_expect_string(string, __func__, "string");
    struct rl_mutable_string *copy = create_mutable_string();
    replace_inner(copy, all_of(copy), rl_string_characters(string));
    return string_reference(copy);
}

/* --- Changing --- */

void RLStringAppend(RLMutableStringRef string, RLStringRef appendedString)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    rl_expect_string(appendedString, __func__, "appendedString");
    replace_inner(self, end_of(self), rl_string_characters(appendedString));
    unlock_mutable_string(self);
}

void RLStringAppendCharacters(RLMutableStringRef string, const UniChar *chars, RLIndex numChars)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    if (numChars < 0 || (numChars > 0 && !chars)) {
        rl_client_error(__func__, "there are no %ld characters at %p", numChars,
                        (const void *)chars);
    }
    struct rl_text text = {0};
    rl_text_add_units(&text, chars, numChars);
    replace_by_text(self, end_of(self), &text);
    unlock_mutable_string(self);
}

void RLStringAppendCString(RLMutableStringRef string, const char *cStr, RLStringEncoding encoding)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    if (!cStr) rl_client_error(__func__, "argument `cStr` is null");
    RLStringRef appended = RLStringCreateWithCString(NULL, cStr, encoding);
    if (!appended) {
        unlock_mutable_string(self);
        return;
    }
    replace_inner(self, end_of(self), rl_string_characters(appended));
    RLRelease(appended);
    unlock_mutable_string(self);
}

void RLStringAppendFormat(RLMutableStringRef string, RLDictionaryRef formatOptions,
                          RLStringRef format, ...)
{
    (void)formatOptions;
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    va_list arguments;
    va_start(arguments, format);
    struct rl_text text = rl_format(__func__, format, arguments);
    va_end(arguments);
    rl_lock(&self->string.object.lock);
    replace_by_text(self, end_of(self), &text);
    rl_unlock(&self->string.object.lock);
}

void RLStringAppendFormatAndArguments(RLMutableStringRef string, RLDictionaryRef formatOptions,
                                      RLStringRef format, va_list arguments)
{
    (void)formatOptions;
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    struct rl_text text = rl_format(__func__, format, arguments);
    rl_lock(&self->string.object.lock);
    replace_by_text(self, end_of(self), &text);
    rl_unlock(&self->string.object.lock);
}

void RLStringInsert(RLMutableStringRef string, RLIndex index, RLStringRef insertedString)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    rl_expect_string(insertedString, __func__, "insertedString");
    rl_string_expect_range(string, RLRangeMake(index, 0), __func__);
    replace_inner(self, RLRangeMake(index, 0), rl_string_characters(insertedString));
    unlock_mutable_string(self);
}

void RLStringDelete(RLMutableStringRef string, RLRange range)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    rl_string_expect_range(string, range, __func__);
    replace_inner(self, range, "");
    unlock_mutable_string(self);
}

void RLStringReplace(RLMutableStringRef string, RLRange range, RLStringRef replacement)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    rl_expect_string(replacement, __func__, "replacement");
    rl_string_expect_range(string, range, __func__);
    replace_inner(self, range, rl_string_characters(replacement));
    unlock_mutable_string(self);
}

void RLStringReplaceAll(RLMutableStringRef string, RLStringRef replacement)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    rl_expect_string(replacement, __func__, "replacement");
    replace_inner(self, all_of(self), rl_string_characters(replacement));
    unlock_mutable_string(self);
}

/* Adds `count` units of the padding, which is repeated, from its unit `index` on. */
static void add_padding(struct rl_text *text, RLStringRef padding, RLIndex index, RLIndex count)
{
    struct rl_units units;
    rl_units_read(&units, padding, RLRangeMake(0, RLStringGetLength(padding)));
    for (RLIndex i = 0; i < count; i++) {
        rl_text_add_units(text, &units.list[(index + i) % units.count], 1);
    }
    rl_units_empty(&units);
}

void RLStringPad(RLMutableStringRef string, RLStringRef padString, RLIndex length,
                 RLIndex indexIntoPad)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    if (length < 0) rl_client_error(__func__, "a length of %ld", length);
    if (length <= self->units) {
        replace_inner(self, RLRangeMake(length, self->units - length), "");
        unlock_mutable_string(self);
        return;
    }
    rl_expect_string(padString, __func__, "padString");
    RLIndex count = RLStringGetLength(padString);
    if (indexIntoPad < 0 || indexIntoPad >= count) {
        rl_client_error(__func__, "index %ld is out of bounds of a padding of %ld", indexIntoPad,
                        count);
    }
    struct rl_text text = {0};
    add_padding(&text, padString, indexIntoPad, length - self->units);
    replace_by_text(self, end_of(self), &text);
    unlock_mutable_string(self);
}

/* --- Trimming --- */

void RLStringTrim(RLMutableStringRef string, RLStringRef trimString)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    rl_expect_string(trimString, __func__, "trimString");
    RLStringRef text = RLStringCreateCopy(NULL, string),
                trimmed = RLStringCreateCopy(NULL, trimString);
    const char *start = rl_string_characters(text), *word = rl_string_characters(trimmed);
    const char *end = start + strlen(start);
    size_t length = strlen(word);
    while (length > 0 && strncmp(start, word, length) == 0) start += length;
    while (length > 0 && (size_t)(end - start) >= length &&
           memcmp(end - length, word, length) == 0) {
        end -= length;
    }
    struct rl_text rest = {0};
    rl_text_add_bytes(&rest, start, (size_t)(end - start));
    replace_by_text(self, all_of(self), &rest);
    RLRelease(trimmed);
    RLRelease(text);
    unlock_mutable_string(self);
}

/* Returns whether a unit is white space or a new line. */
static bool is_white(int unit)
{
    switch (unit) {
    case ' ':
    case 0x85:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000: return true;
    default: return (unit >= 9 && unit <= 13) || (unit >= 0x2000 && unit <= 0x200B);
    }
}

void RLStringTrimWhitespace(RLMutableStringRef string)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    struct rl_utf16 cursor = rl_utf16_begin(self->string.characters);
    RLIndex start = -1, end = 0, index = 0;
    for (int unit; (unit = rl_utf16_next(&cursor)) >= 0; index++) {
        if (is_white(unit)) continue;
        if (start < 0) start = index;
        end = index + 1;
    }
    replace_inner(self, RLRangeMake(end, self->units - end), "");
    if (start > 0) replace_inner(self, RLRangeMake(0, start), "");
    unlock_mutable_string(self);
}

/* --- Case --- */

/*
 * Replaces every code point by what `map` returns for it. `map` is called in order, and so may
 * remember what came before.
 */
static void map_points(struct rl_mutable_string *self, int32_t (^map)(int32_t point))
{
    rl_lock(&self->string.object.lock);
    struct rl_utf16 cursor = rl_utf16_begin(self->string.characters);
    struct rl_text text = {0};
    for (int32_t point; (point = rl_utf16_next_point(&cursor)) >= 0;) {
        char sequence[5];
        size_t length = rl_inner_encode((uint32_t)map(point), sequence);
        rl_text_add_bytes(&text, sequence, length);
    }
    replace_by_text(self, all_of(self), &text);
    rl_unlock(&self->string.object.lock);
}

void RLStringLowercase(RLMutableStringRef string, RLLocaleRef locale)
{
    (void)locale;
    map_points(checked_mutable_string(string, __func__),
               ^(int32_t point) { return rl_lower(point); });
}

void RLStringUppercase(RLMutableStringRef string, RLLocaleRef locale)
{
    (void)locale;
    map_points(checked_mutable_string(string, __func__),
               ^(int32_t point) { return rl_upper(point); });
}

void RLStringCapitalize(RLMutableStringRef string, RLLocaleRef locale)
{
    (void)locale;
    __block bool is_within = false;
    map_points(checked_mutable_string(string, __func__), ^(int32_t point) {
        int32_t mapped = is_within ? rl_lower(point) : rl_upper(point);
        is_within = rl_is_letter(point) || (is_within && (point == '\'' || point == 0x2019));
        return mapped;
    });
}

/* --- Finding and replacing --- */

RLIndex RLStringFindAndReplace(RLMutableStringRef string, RLStringRef stringToFind,
                               RLStringRef replacementString, RLRange rangeToSearch,
                               RLStringCompareFlags compareOptions)
{
    struct rl_mutable_string *self = lock_mutable_string(string, __func__);
    rl_expect_string(replacementString, __func__, "replacementString");
    rl_string_expect_range(string, rangeToSearch, __func__);
    RLArrayRef places = RLStringCreateArrayWithFindResults(NULL, string, stringToFind,
                                                           rangeToSearch, compareOptions);
    if (!places) {
        unlock_mutable_string(self);
        return 0;
    }
    RLIndex count = RLArrayGetCount(places), last = 0;
    bool is_backwards = compareOptions & kRLCompareBackwards;
    struct rl_text text = {0};
    struct rl_units units, replacement;
    rl_units_read(&units, string, all_of(self));
    rl_units_read(&replacement, replacementString,
                  RLRangeMake(0, RLStringGetLength(replacementString)));
    for (RLIndex i = 0; i < count; i++) {
        const RLRange *place = RLArrayGetValueAtIndex(places, is_backwards ? count - 1 - i : i);
        rl_text_add_units(&text, units.list + last, place->location - last);
        rl_text_add_units(&text, replacement.list, replacement.count);
        last = place->location + place->length;
    }
    rl_text_add_units(&text, units.list + last, units.count - last);
    rl_units_empty(&replacement);
    rl_units_empty(&units);
    RLRelease(places);
    replace_by_text(self, all_of(self), &text);
    unlock_mutable_string(self);
    return count;
}
