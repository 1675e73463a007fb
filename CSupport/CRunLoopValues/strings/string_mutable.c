/*
 * Mutable strings. A function locks the string during a change, as string.h requires, but not while
 * a client's `copyDescription` runs.
 *
 * The text is in a separate memory block, whose size at least doubles when it is full. All changes
 * use `replace_inner`, which splits surrogate pairs at the ends of the range, and combines
 * surrogates that become adjacent.
 */

#include "strings/characters.h"

#include <CRunLoop/RLMutableString.h>
#include <stdarg.h>
#include <stdlib.h>

enum { first_capacity = 32 };

static struct rl_mutable_string *create_mutable_string(void)
{
    struct rl_mutable_string *made = rl_object_create(RL_TYPE_STRING, sizeof *made);
    made->string.is_mutable = true;
    made->capacity = first_capacity;
    made->characters = rl_allocate(first_capacity);
    return made;
}

static RLMutableStringRef string_reference(struct rl_mutable_string *string)
{
    return (RLMutableStringRef)(void *)string;
}

static struct rl_mutable_string *checked_mutable_string(RLMutableStringRef string,
                                                        const char *function)
{
    rl_expect_string(string, function, "string");
    rl_expect_mutable(string, rl_string_is_mutable(string), function);
    return (struct rl_mutable_string *)(void *)string;
}

static void reserve_inner(struct rl_mutable_string *self, size_t length)
{
    if (length < self->capacity) return;
    self->capacity = length < self->capacity * 2 ? self->capacity * 2 : length + 1;
    self->characters = rl_reallocate(self->characters, self->capacity);
}

/* Does not update `units`. The new bytes must not be in the string's own memory. */
static void splice_inner(struct rl_mutable_string *self, size_t start, size_t end,
                         const char *bytes, size_t count)
{
    reserve_inner(self, self->length - (end - start) + count);
    char *place = self->characters + start;
    memmove(place + count, self->characters + end, self->length - end + 1);
    memcpy(place, bytes, count);
    self->length = self->length - (end - start) + count;
}

/* Returns the byte offset of a code unit. If the code unit is a low surrogate, splits its pair. */
static size_t part_at(struct rl_mutable_string *self, RLIndex index)
{
    if (index == self->units) return self->length;
    struct rl_utf16 cursor = rl_string_seek(string_reference(self), index);
    size_t place = (size_t)((const char *)cursor.next - self->characters);
    if (!cursor.pending) return place;
    struct rl_utf16 pair = rl_utf16_begin(self->characters + place - 4);
    char halves[10];
    size_t length = rl_inner_encode((uint32_t)rl_utf16_next(&pair), halves);
    length += rl_inner_encode(cursor.pending, halves + length);
    splice_inner(self, place - 4, place, halves, length);
    return place - 4 + length / 2;
}

/* If a high and a low surrogate meet at a byte offset, combines them. */
static void join_at(struct rl_mutable_string *self, size_t place)
{
    if (place < 3 || place > self->length - 3 || self->length < 6) return;
    const char *text = self->characters;
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

/* Replaces a range. `inner` may be in the string's own memory. */
static void replace_inner(struct rl_mutable_string *self, RLRange range, const char *inner)
{
    uintptr_t distance = (uintptr_t)inner - (uintptr_t)self->characters;
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
    struct rl_mutable_string *self = create_mutable_string();
    RLMutableStringRef copy = string_reference(self);
    rl_strings_lock(copy, string);
    replace_inner(self, all_of(self), rl_string_characters(string));
    rl_strings_unlock(copy, string);
    return copy;
}

/* --- Changing --- */

void RLStringAppend(RLMutableStringRef string, RLStringRef appendedString)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    rl_expect_string(appendedString, __func__, "appendedString");
    rl_strings_lock(string, appendedString);
    replace_inner(self, end_of(self), rl_string_characters(appendedString));
    rl_strings_unlock(string, appendedString);
}

void RLStringAppendCharacters(RLMutableStringRef string, const UniChar *chars, RLIndex numChars)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    if (numChars < 0 || (numChars > 0 && !chars)) {
        rl_client_error(
            __func__,
            "argument `numChars` (%ld) must not be negative, and `chars` (%p) must not be null",
            numChars, (const void *)chars);
    }
    struct rl_text text = {0};
    rl_text_add_units(&text, chars, numChars);
    rl_string_lock(string);
    replace_by_text(self, end_of(self), &text);
    rl_string_unlock(string);
}

void RLStringAppendCString(RLMutableStringRef string, const char *cStr, RLStringEncoding encoding)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    if (!cStr) rl_client_error(__func__, "argument `cStr` must not be null");
    RLStringRef appended = RLStringCreateWithCString(NULL, cStr, encoding);
    if (!appended) return;
    rl_string_lock(string);
    replace_inner(self, end_of(self), rl_string_characters(appended));
    rl_string_unlock(string);
    RLRelease(appended);
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
    rl_string_lock(string);
    replace_by_text(self, end_of(self), &text);
    rl_string_unlock(string);
}

void RLStringAppendFormatAndArguments(RLMutableStringRef string, RLDictionaryRef formatOptions,
                                      RLStringRef format, va_list arguments)
{
    (void)formatOptions;
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    struct rl_text text = rl_format(__func__, format, arguments);
    rl_string_lock(string);
    replace_by_text(self, end_of(self), &text);
    rl_string_unlock(string);
}

void RLStringInsert(RLMutableStringRef string, RLIndex index, RLStringRef insertedString)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    rl_expect_string(insertedString, __func__, "insertedString");
    rl_strings_lock(string, insertedString);
    rl_string_expect_range(string, RLRangeMake(index, 0), __func__);
    replace_inner(self, RLRangeMake(index, 0), rl_string_characters(insertedString));
    rl_strings_unlock(string, insertedString);
}

void RLStringDelete(RLMutableStringRef string, RLRange range)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    rl_string_lock(string);
    rl_string_expect_range(string, range, __func__);
    replace_inner(self, range, "");
    rl_string_unlock(string);
}

void RLStringReplace(RLMutableStringRef string, RLRange range, RLStringRef replacement)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    rl_expect_string(replacement, __func__, "replacement");
    rl_strings_lock(string, replacement);
    rl_string_expect_range(string, range, __func__);
    replace_inner(self, range, rl_string_characters(replacement));
    rl_strings_unlock(string, replacement);
}

void RLStringReplaceAll(RLMutableStringRef string, RLStringRef replacement)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    rl_expect_string(replacement, __func__, "replacement");
    rl_strings_lock(string, replacement);
    replace_inner(self, all_of(self), rl_string_characters(replacement));
    rl_strings_unlock(string, replacement);
}

/* Appends `count` code units of the padding, which is repeated, from its code unit `index` on. */
static void add_padding(struct rl_text *text, RLStringRef padding, RLIndex index, RLIndex count)
{
    enum { LARGE = 1 << 20 };
    /* Aborts if the size cannot be allocated, before the loop consumes all memory. */
    if (count > LARGE) free(rl_reallocate(NULL, (size_t)count));
    struct rl_units units;
    rl_units_read(&units, padding, RLRangeMake(0, rl_string_count(padding)));
    for (RLIndex i = 0; i < count; i++) {
        rl_text_add_units(text, &units.list[(index + i) % units.count], 1);
    }
    rl_units_empty(&units);
}

void RLStringPad(RLMutableStringRef string, RLStringRef padString, RLIndex length,
                 RLIndex indexIntoPad)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    if (length < 0) {
        rl_client_error(__func__, "argument `length` (%ld) must not be negative", length);
    }
    /* If the string is only truncated, `padString` is not used and may have any value. */
    bool has_padding = rl_type_of(padString) == RL_TYPE_STRING;
    RLStringRef padding = has_padding ? padString : string;
    rl_strings_lock(string, padding);
    if (length <= self->units) {
        replace_inner(self, RLRangeMake(length, self->units - length), "");
        rl_strings_unlock(string, padding);
        return;
    }
    rl_expect_string(padString, __func__, "padString");
    RLIndex count = rl_string_count(padding);
    if (indexIntoPad < 0 || indexIntoPad >= count) {
        rl_client_error(__func__,
                        "argument `indexIntoPad` (%ld) must be an index of `padString`, which has "
                        "%ld code units",
                        indexIntoPad, count);
    }
    struct rl_text text = {0};
    add_padding(&text, padding, indexIntoPad, length - self->units);
    replace_by_text(self, end_of(self), &text);
    rl_strings_unlock(string, padding);
}

/* --- Trimming --- */

void RLStringTrim(RLMutableStringRef string, RLStringRef trimString)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    rl_expect_string(trimString, __func__, "trimString");
    rl_strings_lock(string, trimString);
    const char *start = self->characters, *end = start + self->length;
    const char *word = rl_string_characters(trimString);
    size_t length = strlen(word);
    while (length > 0 && strncmp(start, word, length) == 0) start += length;
    while (length > 0 && (size_t)(end - start) >= length &&
           memcmp(end - length, word, length) == 0) {
        end -= length;
    }
    struct rl_text rest = {0};
    rl_text_add_bytes(&rest, start, (size_t)(end - start));
    replace_by_text(self, all_of(self), &rest);
    rl_strings_unlock(string, trimString);
}

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
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    rl_string_lock(string);
    struct rl_utf16 cursor = rl_utf16_begin(self->characters);
    RLIndex start = -1, end = 0, index = 0;
    for (int unit; (unit = rl_utf16_next(&cursor)) >= 0; index++) {
        if (is_white(unit)) continue;
        if (start < 0) start = index;
        end = index + 1;
    }
    replace_inner(self, RLRangeMake(end, self->units - end), "");
    if (start > 0) replace_inner(self, RLRangeMake(0, start), "");
    rl_string_unlock(string);
}

/* --- Case --- */

/* `map` is called in the order of the code points, so it may keep state. */
static void map_points(RLMutableStringRef string, const char *function,
                       int32_t (^map)(int32_t point))
{
    struct rl_mutable_string *self = checked_mutable_string(string, function);
    rl_string_lock(string);
    struct rl_utf16 cursor = rl_utf16_begin(self->characters);
    struct rl_text text = {0};
    for (int32_t point; (point = rl_utf16_next_point(&cursor)) >= 0;) {
        char sequence[5];
        size_t length = rl_inner_encode((uint32_t)map(point), sequence);
        rl_text_add_bytes(&text, sequence, length);
    }
    replace_by_text(self, all_of(self), &text);
    rl_string_unlock(string);
}

void RLStringLowercase(RLMutableStringRef string, RLLocaleRef locale)
{
    (void)locale;
    map_points(string, __func__, ^(int32_t point) { return rl_lower(point); });
}

void RLStringUppercase(RLMutableStringRef string, RLLocaleRef locale)
{
    (void)locale;
    map_points(string, __func__, ^(int32_t point) { return rl_upper(point); });
}

void RLStringCapitalize(RLMutableStringRef string, RLLocaleRef locale)
{
    (void)locale;
    __block bool is_within = false;
    map_points(string, __func__, ^(int32_t point) {
        int32_t mapped = is_within ? rl_lower(point) : rl_upper(point);
        is_within = rl_is_letter(point) || (is_within && (point == '\'' || point == 0x2019));
        return mapped;
    });
}

/* --- Finding and replacing --- */

/* The places are in the order of the search. */
static void replace_places(struct rl_mutable_string *self, RLArrayRef places, bool is_backwards,
                           const struct rl_units *replacement)
{
    RLIndex count = RLArrayGetCount(places), last = 0;
    struct rl_text text = {0};
    struct rl_units units;
    rl_units_read(&units, string_reference(self), all_of(self));
    for (RLIndex i = 0; i < count; i++) {
        const RLRange *place = RLArrayGetValueAtIndex(places, is_backwards ? count - 1 - i : i);
        rl_text_add_units(&text, units.list + last, place->location - last);
        rl_text_add_units(&text, replacement->list, replacement->count);
        last = place->location + place->length;
    }
    rl_text_add_units(&text, units.list + last, units.count - last);
    rl_units_empty(&units);
    replace_by_text(self, all_of(self), &text);
}

RLIndex RLStringFindAndReplace(RLMutableStringRef string, RLStringRef stringToFind,
                               RLStringRef replacementString, RLRange rangeToSearch,
                               RLStringCompareFlags compareOptions)
{
    struct rl_mutable_string *self = checked_mutable_string(string, __func__);
    rl_expect_string(replacementString, __func__, "replacementString");
    rl_expect_string(stringToFind, __func__, "stringToFind");
    RLStringRef word = RLStringCreateCopy(NULL, stringToFind);
    struct rl_units replacement;
    rl_string_lock(replacementString);
    rl_units_read(&replacement, replacementString,
                  RLRangeMake(0, rl_string_count(replacementString)));
    rl_string_unlock(replacementString);

    rl_string_lock(string);
    rl_string_expect_range(string, rangeToSearch, __func__);
    RLStringRef whole = rl_string_create_part(string, all_of(self));
    RLArrayRef places =
        RLStringCreateArrayWithFindResults(NULL, whole, word, rangeToSearch, compareOptions);
    bool is_backwards = compareOptions & kRLCompareBackwards;
    if (places) replace_places(self, places, is_backwards, &replacement);
    rl_string_unlock(string);

    RLIndex count = places ? RLArrayGetCount(places) : 0;
    if (places) RLRelease(places);
    RLRelease(whole);
    rl_units_empty(&replacement);
    RLRelease(word);
    return count;
}
