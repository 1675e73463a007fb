/*
 * RLSTR literals and string objects. An immutable object stores its text inline, a mutable object
 * (string_mutable.c) on the heap.
 */

#include "base/system.h"

#include "values/string.h"

#include "base/swift_counts.h"

#include <CRunLoop/RLAllocator.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns null if the string is mutable. */
static inline const char *constant_characters(RLStringRef string)
{
    if (rl_string_is_constant(string)) {
        return (const char *)string + sizeof RL_CONSTANT_STRING_MARK - 1;
    }
    const struct rl_string *self = (const struct rl_string *)(const void *)string;
    return self->is_mutable ? NULL : (const char *)(self + 1);
}

const char *rl_string_characters(RLStringRef string)
{
    const char *characters = constant_characters(string);
    if (characters) return characters;
    const struct rl_mutable_string *self = (const struct rl_mutable_string *)(const void *)string;
    RL_ASSERT(rl_lock_is_held(&self->string.object.lock));
    return self->characters;
}

void rl_string_lock(RLStringRef string) RL_UNCHECKED_LOCKING
{
    if (rl_string_is_mutable(string)) rl_lock(&((struct rl_object *)(uintptr_t)string)->lock);
}

void rl_string_unlock(RLStringRef string) RL_UNCHECKED_LOCKING
{
    if (rl_string_is_mutable(string)) rl_unlock(&((struct rl_object *)(uintptr_t)string)->lock);
}

void rl_strings_lock(RLStringRef first, RLStringRef second)
{
    bool is_first = (uintptr_t)first < (uintptr_t)second;
    rl_string_lock(is_first ? first : second);
    if (first != second) rl_string_lock(is_first ? second : first);
}

void rl_strings_unlock(RLStringRef first, RLStringRef second)
{
    rl_string_unlock(first);
    if (first != second) rl_string_unlock(second);
}

RLStringRef rl_string_create(const char *characters, size_t length)
{
    struct rl_string *string = rl_object_create(RL_TYPE_STRING, sizeof *string + length + 1);
    memcpy(string + 1, characters, length);
    return (RLStringRef)(const void *)string;
}

RLStringRef rl_string_format(const char *format, ...)
{
    char *characters = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&characters, format, arguments);
    va_end(arguments);
    if (length < 0) {
        rl_client_error("vasprintf", "no memory for a description: raise the memory limit of the "
                                     "process, or use less memory");
    }
    RLStringRef string = rl_string_create(characters, (size_t)length);
    free(characters);
    return string;
}

void rl_text_add_string(struct rl_text *text, RLStringRef owned)
{
    if (!owned) owned = RLSTR("(null)");
    rl_string_lock(owned);
    rl_text_add(text, "%s", rl_string_characters(owned));
    rl_string_unlock(owned);
    RLRelease(owned);
}

RLStringRef rl_text_finish(struct rl_text *text)
{
    RLStringRef string = rl_string_create(text->characters ? text->characters : "", text->length);
    free(text->characters);
    *text = (struct rl_text){0};
    return string;
}

/* Not inlined, so that comparing immutable strings, the common case, needs no stack frame. */
static __attribute__((noinline)) bool locked_strings_equal(RLStringRef first, RLStringRef second)
{
    rl_strings_lock(first, second);
    bool are_equal = strcmp(rl_string_characters(first), rl_string_characters(second)) == 0;
    rl_strings_unlock(first, second);
    return are_equal;
}

bool rl_string_equal(RLStringRef first, RLStringRef second)
{
    if (first == second) return true;
    const char *left = constant_characters(first), *right = constant_characters(second);
    if (RL_UNLIKELY(!left || !right)) return locked_strings_equal(first, second);
    return strcmp(left, right) == 0;
}

void rl_expect_string(RLStringRef string, const char *function, const char *argument)
{
    if (RL_UNLIKELY(rl_type_of(string) != RL_TYPE_STRING)) {
        rl_expect_failed(string, RL_TYPE_STRING, function, argument);
    }
}

void rl_string_expect_range(RLStringRef string, RLRange range, const char *function)
{
    rl_expect_range(string, range, rl_string_count(string), function);
}

static void destroy_string(struct rl_object *object)
{
    struct rl_mutable_string *string = (struct rl_mutable_string *)object;
    if (string->string.is_mutable) free(string->characters);
    rl_object_free(object);
}

static Boolean strings_are_equal(RLTypeRef first, RLTypeRef second)
{
    return rl_string_equal(first, second);
}

static __attribute__((noinline)) RLHashCode hash_locked_string(RLStringRef string)
{
    rl_string_lock(string);
    const char *characters = rl_string_characters(string);
    RLHashCode hash = rl_hash_bytes(characters, strlen(characters));
    rl_string_unlock(string);
    return hash;
}

static RLHashCode hash_string(RLTypeRef object)
{
    const char *characters = constant_characters(object);
    if (RL_UNLIKELY(!characters)) return hash_locked_string(object);
    return rl_hash_bytes(characters, strlen(characters));
}

static RLStringRef copy_string(RLTypeRef object)
{
    return RLStringCreateCopy(NULL, object);
}

static const struct rl_class string_class = {
    .name = "RLString",
    .destroy = destroy_string,
    .equal = strings_are_equal,
    .hash = hash_string,
    .copy_description = copy_string,
};

RL_REGISTER_CLASS(RLString, RL_TYPE_STRING, string_class)

/* Literals are not reference-counted. */
static inline bool is_counted(RLStringRef string)
{
    return string && rl_is(string, RL_TYPE_STRING);
}

void rl_swift_retain_string(RLStringRef string)
{
    if (is_counted(string)) rl_retain_unchecked(string);
}

void rl_swift_release_string(RLStringRef string)
{
    if (is_counted(string)) rl_release_unchecked(string);
}

RLStringRef RLStringCreateCopy(RLAllocatorRef allocator, RLStringRef string)
{
    (void)allocator;
    rl_expect_string(string, __func__, "string");
    if (!rl_string_is_mutable(string)) return RLRetain(string);
    rl_string_lock(string);
    const char *characters = rl_string_characters(string);
    RLStringRef copy = rl_string_create(characters, strlen(characters));
    rl_string_unlock(string);
    return copy;
}

/* --- Units of UTF-16 --- */

RLIndex rl_inner_count(const char *inner)
{
    RLIndex units = 0;
    struct rl_utf16 cursor = rl_utf16_begin(inner);
    while (rl_utf16_next(&cursor) >= 0) units++;
    return units;
}

RLIndex rl_string_count(RLStringRef string)
{
    if (rl_string_is_mutable(string)) {
        return ((const struct rl_mutable_string *)(const void *)string)->units;
    }
    return rl_inner_count(rl_string_characters(string));
}

RLIndex RLStringGetLength(RLStringRef string)
{
    rl_expect_string(string, __func__, "string");
    rl_string_lock(string);
    RLIndex count = rl_string_count(string);
    rl_string_unlock(string);
    return count;
}

static bool is_mutable_ascii(RLStringRef string)
{
    const struct rl_mutable_string *self = (const struct rl_mutable_string *)(const void *)string;
    return rl_string_is_mutable(string) && (size_t)self->units == self->length;
}

struct rl_utf16 rl_string_seek(RLStringRef string, RLIndex index)
{
    struct rl_utf16 cursor = rl_utf16_begin(rl_string_characters(string));
    if (is_mutable_ascii(string)) {
        cursor.next += index;
        return cursor;
    }
    for (RLIndex i = 0; i < index; i++) rl_utf16_next(&cursor);
    return cursor;
}

UniChar RLStringGetCharacterAtIndex(RLStringRef string, RLIndex index)
{
    rl_expect_string(string, __func__, "string");
    rl_string_lock(string);
    bool is_quick = is_mutable_ascii(string);
    bool is_within = index >= 0 && (!is_quick || index < rl_string_count(string));
    struct rl_utf16 cursor = rl_string_seek(string, is_quick && is_within ? index : 0);
    RLIndex left = is_quick ? 0 : index;
    int unit = rl_utf16_next(&cursor);
    while (left > 0 && unit >= 0) {
        unit = rl_utf16_next(&cursor);
        left--;
    }
    rl_string_unlock(string);
    if (is_within && unit >= 0) return (UniChar)unit;
    rl_client_error(__func__,
                    "index %ld is out of bounds of string %p: pass 0 or more, and less than the "
                    "result of RLStringGetLength",
                    index, (const void *)string);
}

static void read_units(RLStringRef string, RLRange range, UniChar *buffer)
{
    struct rl_utf16 cursor = rl_string_seek(string, range.location);
    for (RLIndex i = 0; i < range.length; i++) buffer[i] = (UniChar)rl_utf16_next(&cursor);
}

void RLStringGetCharacters(RLStringRef string, RLRange range, UniChar *buffer)
{
    rl_expect_string(string, __func__, "string");
    rl_string_lock(string);
    rl_string_expect_range(string, range, __func__);
    if (range.length > 0 && !buffer) {
        rl_client_error(__func__, "argument `buffer` must not be null");
    }
    read_units(string, range, buffer);
    rl_string_unlock(string);
}

const UniChar *RLStringGetCharactersPtr(RLStringRef string)
{
    rl_expect_string(string, __func__, "string");
    return NULL;
}

void rl_units_read(struct rl_units *units, RLStringRef string, RLRange range)
{
    enum { few = sizeof units->few / sizeof units->few[0] };
    units->count = range.length;
    units->list = range.length <= few
                      ? units->few
                      : rl_allocate_list((size_t)range.length, sizeof units->list[0]);
    read_units(string, range, units->list);
}

void rl_units_empty(struct rl_units *units)
{
    if (units->list != units->few) free(units->list);
}

/* Removes the high surrogate at the end of the text and returns it. Returns 0 if there is none. */
static int32_t take_high_surrogate(struct rl_text *text)
{
    if (text->length < 3) return 0;
    struct rl_utf16 cursor = rl_utf16_begin(text->characters + text->length - 3);
    int32_t last = (*cursor.next == 0xED) ? rl_utf16_next_point(&cursor) : 0;
    if (!rl_is_high_surrogate(last)) return 0;
    text->length -= 3;
    return last;
}

void rl_text_add_units(struct rl_text *text, const UniChar *units, RLIndex count)
{
    for (RLIndex i = 0; i < count; i++) {
        uint32_t point = units[i];
        int32_t high = rl_is_low_surrogate(units[i]) ? take_high_surrogate(text) : 0;
        if (high) point = rl_join_surrogates(high, units[i]);
        char sequence[5];
        size_t length = rl_inner_encode(point, sequence);
        rl_text_add_bytes(text, sequence, length);
    }
}

/* --- Making --- */

RLStringRef RLStringCreateWithCharacters(RLAllocatorRef allocator, const UniChar *chars,
                                         RLIndex numChars)
{
    (void)allocator;
    if (numChars < 0 || (numChars > 0 && !chars)) return NULL;
    struct rl_text text = {0};
    rl_text_add_units(&text, chars, numChars);
    return rl_text_finish(&text);
}

RLStringRef RLStringCreateWithCharactersNoCopy(RLAllocatorRef allocator, const UniChar *chars,
                                               RLIndex numChars, RLAllocatorRef contentsDeallocator)
{
    RLStringRef string = RLStringCreateWithCharacters(allocator, chars, numChars);
    if (string) RLAllocatorDeallocate(contentsDeallocator, (void *)(uintptr_t)chars);
    return string;
}

RLStringRef rl_string_create_part(RLStringRef string, RLRange range)
{
    struct rl_utf16 cursor = rl_string_seek(string, range.location);
    const char *start = (const char *)cursor.next;
    UniChar half = cursor.pending;
    for (RLIndex i = 0; i < range.length; i++) rl_utf16_next(&cursor);
    if (!half && !cursor.pending) {
        return rl_string_create(start, (size_t)((const char *)cursor.next - start));
    }
    struct rl_units units;
    rl_units_read(&units, string, range);
    RLStringRef part = RLStringCreateWithCharacters(NULL, units.list, units.count);
    rl_units_empty(&units);
    return part;
}

RLStringRef RLStringCreateWithSubstring(RLAllocatorRef allocator, RLStringRef string, RLRange range)
{
    (void)allocator;
    rl_expect_string(string, __func__, "string");
    rl_string_lock(string);
    rl_string_expect_range(string, range, __func__);
    RLStringRef part = rl_string_create_part(string, range);
    rl_string_unlock(string);
    return part;
}
