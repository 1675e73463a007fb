/*
 * Immutable UTF-8 strings: literals marked by RLSTR, or objects with their characters inside.
 */

#include "base/system.h"

#include "base/unicode.h"
#include "values/value.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct rl_string {
    struct rl_object object;
    char characters[];
};

const char *rl_string_characters(RLStringRef string)
{
    if (rl_string_is_constant(string)) {
        return (const char *)string + sizeof RL_CONSTANT_STRING_MARK - 1;
    }
    return ((const struct rl_string *)(const void *)string)->characters;
}

RLStringRef rl_string_create(const char *characters, size_t length)
{
    struct rl_string *string = rl_object_create(RL_TYPE_STRING, sizeof *string + length + 1);
    memcpy(string->characters, characters, length);
    return (RLStringRef)(const void *)string;
}

RLStringRef rl_string_format(const char *format, ...)
{
    char *characters = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&characters, format, arguments);
    va_end(arguments);
    if (length < 0) rl_client_error("vasprintf", "no memory for a description");
    RLStringRef string = rl_string_create(characters, (size_t)length);
    free(characters);
    return string;
}

bool rl_string_equal(RLStringRef first, RLStringRef second)
{
    return first == second ||
           strcmp(rl_string_characters(first), rl_string_characters(second)) == 0;
}

void rl_expect_string(RLStringRef string, const char *function, const char *argument)
{
    if (RL_UNLIKELY(rl_type_of(string) != RL_TYPE_STRING)) {
        rl_expect_failed(string, RL_TYPE_STRING, function, argument);
    }
}

static Boolean strings_are_equal(RLTypeRef first, RLTypeRef second)
{
    return rl_string_equal(first, second);
}

static RLHashCode hash_string(RLTypeRef object)
{
    const char *characters = rl_string_characters(object);
    return rl_hash_bytes(characters, strlen(characters));
}

static RLStringRef copy_string(RLTypeRef object)
{
    return RLRetain(object);
}

const struct rl_class rl_string_class = {
    .name = "RLString",
    .destroy = rl_object_free,
    .equal = strings_are_equal,
    .hash = hash_string,
    .copy_description = copy_string,
};

RLTypeID RLStringGetTypeID(void)
{
    return RL_TYPE_STRING;
}

bool rl_string_is_text(const char *characters, RLStringEncoding encoding)
{
    const unsigned char *next = (const unsigned char *)characters;
    while (*next) {
        size_t length = rl_utf8_sequence_length(next);
        if (length == 0 || (length > 1 && encoding == kRLStringEncodingASCII)) return false;
        next += length;
    }
    return true;
}

bool rl_string_knows_encoding(RLStringEncoding encoding)
{
    return encoding == kRLStringEncodingUTF8 || encoding == kRLStringEncodingASCII;
}

RLStringRef RLStringCreateWithBytes(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex count,
                                    RLStringEncoding encoding, Boolean isExternalRepresentation)
{
    static const UInt8 mark[] = {0xEF, 0xBB, 0xBF};
    (void)allocator, (void)isExternalRepresentation;
    if (count < 0 || (count > 0 && !bytes) || !rl_string_knows_encoding(encoding)) return NULL;
    if (count > 0 && memchr(bytes, 0, (size_t)count)) return NULL;
    bool is_marked = count >= 3 && encoding == kRLStringEncodingUTF8 && !memcmp(bytes, mark, 3);
    RLIndex skipped = is_marked ? 3 : 0;
    const char *characters = count > 0 ? (const char *)bytes + skipped : "";
    RLStringRef string = rl_string_create(characters, (size_t)(count - skipped));
    if (rl_string_is_text(rl_string_characters(string), encoding)) return string;
    RLRelease(string);
    return NULL;
}

RLStringRef RLStringCreateWithCString(RLAllocatorRef allocator, const char *characters,
                                      RLStringEncoding encoding)
{
    if (!characters) return NULL;
    return RLStringCreateWithBytes(allocator, (const UInt8 *)characters,
                                   (RLIndex)strlen(characters), encoding, false);
}

RLStringRef RLStringCreateWithSubstring(RLAllocatorRef allocator, RLStringRef string, RLRange range)
{
    (void)allocator;
    rl_expect_range(string, range, RLStringGetLength(string), __func__);
    struct rl_utf16 cursor = rl_utf16_begin(rl_string_characters(string));
    for (RLIndex i = 0; i < range.location; i++) rl_utf16_next(&cursor);
    if (cursor.pending) return NULL;
    const unsigned char *start = cursor.next;
    for (RLIndex i = 0; i < range.length; i++) rl_utf16_next(&cursor);
    if (cursor.pending) return NULL;
    return rl_string_create((const char *)start, (size_t)(cursor.next - start));
}

RLStringRef RLStringCreateCopy(RLAllocatorRef allocator, RLStringRef string)
{
    (void)allocator;
    rl_expect_string(string, __func__, "string");
    return RLRetain(string);
}

const char *RLStringGetCStringPtr(RLStringRef string, RLStringEncoding encoding)
{
    rl_expect_string(string, __func__, "string");
    const char *characters = rl_string_characters(string);
    return rl_string_knows_encoding(encoding) && rl_string_is_text(characters, encoding)
               ? characters
               : NULL;
}

Boolean RLStringGetCString(RLStringRef string, char *buffer, RLIndex size,
                           RLStringEncoding encoding)
{
    const char *characters = RLStringGetCStringPtr(string, encoding);
    if (!characters || !buffer || size <= 0) return false;
    size_t length = strlen(characters);
    if (length >= (size_t)size) return false;
    memcpy(buffer, characters, length + 1);
    return true;
}

RLIndex RLStringGetLength(RLStringRef string)
{
    rl_expect_string(string, __func__, "string");
    RLIndex units = 0;
    struct rl_utf16 cursor = rl_utf16_begin(rl_string_characters(string));
    while (rl_utf16_next(&cursor) >= 0) units++;
    return units;
}

RLIndex RLStringGetMaximumSizeForEncoding(RLIndex length, RLStringEncoding encoding)
{
    /* Three bytes for a code unit, or four for two. */
    RLIndex size, factor = encoding == kRLStringEncodingUTF8 ? 3 : 1;
    if (length < 0 || !rl_string_knows_encoding(encoding)) return kRLNotFound;
    return __builtin_mul_overflow(length, factor, &size) ? kRLNotFound : size;
}

UniChar RLStringGetCharacterAtIndex(RLStringRef string, RLIndex index)
{
    rl_expect_string(string, __func__, "string");
    struct rl_utf16 cursor = rl_utf16_begin(rl_string_characters(string));
    RLIndex left = index;
    int unit = rl_utf16_next(&cursor);
    while (left > 0 && unit >= 0) {
        unit = rl_utf16_next(&cursor);
        left--;
    }
    if (index >= 0 && unit >= 0) return (UniChar)unit;
    rl_client_error(__func__, "index %ld is out of bounds of string %p", index,
                    (const void *)string);
}

/* What the reference takes for blanks: controls and spaces, those without a width too. */
static bool is_blank(int unit)
{
    return (unit > 0 && unit <= ' ') || (unit >= 0x7F && unit <= 0xA0) ||
           (unit >= 0x2000 && unit <= 0x200B) || unit == 0x3000;
}

static const char *skip_blanks(const char *characters)
{
    struct rl_utf16 cursor = rl_utf16_begin(characters);
    const char *next = characters;
    while (is_blank(rl_utf16_next(&cursor))) next = (const char *)cursor.next;
    return next;
}

SInt32 RLStringGetIntValue(RLStringRef string)
{
    rl_expect_string(string, __func__, "string");
    const char *next = skip_blanks(rl_string_characters(string));
    bool is_negative = *next == '-';
    if (*next == '-' || *next == '+') next++;
    next = skip_blanks(next);
    int64_t limit = is_negative ? -(int64_t)INT32_MIN : INT32_MAX, value = 0;
    for (; *next >= '0' && *next <= '9'; next++) {
        value = value * 10 + (*next - '0');
        if (value > limit) value = limit;
    }
    return (SInt32)(is_negative ? -value : value);
}
